// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/cost.hpp"

#include <algorithm>
#include <set>

#include "firmware/assembler/encoding.hpp"

namespace ppu::firmware {
namespace {

constexpr int kImpulseBytes = sizeof(float);

bool is_wide(const spec::KernelOp& op) {
  return op.mul == spec::kRowElements;
}

bool reads(const Kernel& kernel, std::string_view operand) {
  return std::any_of(kernel.ops.begin(), kernel.ops.end(), [&](const spec::KernelOp* op) {
    return std::find(op->operands.begin() + op->results, op->operands.end(), operand) !=
           op->operands.end();
  });
}

/// The moments at which a row passes the 12-element units of the pipe, whether its kernel uses them
/// or not.
int wide_units_before(const spec::KernelOp& op, const spec::Config& config) {
  const int start = cycles(op.start, config);
  std::set<int> moments;
  for (const spec::KernelOp& other : spec::kKernelOps) {
    const int other_start = cycles(other.start, config);
    if (is_wide(other) && other_start < start) moments.insert(other_start);
  }
  return static_cast<int>(moments.size());
}

/// " (+2 with cfm, +2 with a parent)", or "" without either.
std::string extras(int with_cfm, int with_parent) {
  std::string text;
  if (with_cfm != 0) text = "+" + std::to_string(with_cfm) + " with cfm";
  if (with_parent != 0) {
    text += (text.empty() ? "+" : ", +") + std::to_string(with_parent) + " with a parent";
  }
  return text.empty() ? text : " (" + text + ")";
}

}  // namespace

int cycles(const spec::Moment& moment, const spec::Config& config) {
  return moment.mul_stages * static_cast<int>(config.fp_mul_stages) +
         moment.add_stages * static_cast<int>(config.fp_add_stages) + moment.cycles;
}

Bytes bytes_of(const spec::KernelOp& op, spec::ControlWord kernel) {
  constexpr int kVelocityBytes = spec::kRowElements * static_cast<int>(sizeof(float));
  if (op.name == "ldrow") return {PPU_ROW_BYTES + kImpulseBytes, 0};
  if (op.name == "ldvel") return {kVelocityBytes, 0};
  if (op.name == "stvel") return {0, kVelocityBytes};
  if (op.name == "lead") return {kImpulseBytes, 0};
  if (op.name != "stimp") return {};
  return {0, kernel.lead() == spec::Lead::kOn ? 2 * kImpulseBytes : kImpulseBytes};
}

void count_cost(Kernel& kernel) {
  for (const spec::KernelOp* op : kernel.ops) {
    kernel.control.bits |= op->bits;
    const int flops = op->mul + op->add + op->cmp;
    if (op->when == spec::FlopsWhen::kAlways) kernel.flops.always += flops;
    if (op->when == spec::FlopsWhen::kWithCfm) kernel.flops.with_cfm += flops;
    if (op->when == spec::FlopsWhen::kWithParent) kernel.flops.with_parent += flops;
  }
  for (const spec::KernelOp* op : kernel.ops) {
    const Bytes bytes = bytes_of(*op, kernel.control);
    kernel.bytes_read += bytes.read;
    kernel.bytes_written += bytes.written;
  }
  kernel.bytes_read_with_parent = reads(kernel, kParentImpulse) ? kImpulseBytes : 0;
}

int initiation_interval(const spec::Config& config) {
  return spec::kRowElements / static_cast<int>(config.lanes);
}

Span span(const spec::KernelOp& op, const spec::Config& config) {
  const int more_beats = initiation_interval(config) - 1;
  if (divides(op)) {
    const int first = cycles(spec::kPipeEnd, config) + 2 * more_beats;
    return {first, first + static_cast<int>(config.fp_div_stages)};
  }
  const int first = cycles(op.start, config) + wide_units_before(op, config) * more_beats;
  return {first, first + cycles(op.length, config) + (is_wide(op) ? more_beats : 0)};
}

int latency(const Kernel& kernel, const spec::Config& config) {
  int last = 0;
  for (const spec::KernelOp* op : kernel.ops) last = std::max(last, span(*op, config).end);
  return last;
}

std::string cost_report(const Assembly& assembly, const spec::Config& config) {
  std::string text;
  for (const Kernel& kernel : assembly.kernels) {
    text += kernel.name + ": " + std::to_string(kernel.flops.always) + " flops/row" +
            extras(kernel.flops.with_cfm, kernel.flops.with_parent) + ", initiation interval " +
            std::to_string(initiation_interval(config)) + ", latency " +
            std::to_string(latency(kernel, config)) + " cycles, " +
            std::to_string(kernel.bytes_read) + " bytes read" +
            extras(0, kernel.bytes_read_with_parent) + " + " +
            std::to_string(kernel.bytes_written) + " written per row\n";
  }
  return text;
}

}  // namespace ppu::firmware
