// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows of a contact as one operation.
#include "sim/study/contact_block.hpp"

#include <algorithm>
#include <string_view>

#include "firmware/assembler/cost.hpp"

namespace ppu::sim {
namespace {

/// Cycles of an operation; those of one name take the same time.
int cycles_of(std::string_view name, const hw::Config& config) {
  const auto op = std::find_if(spec::kKernelOps.begin(), spec::kKernelOps.end(),
                               [name](const spec::KernelOp& each) { return each.name == name; });
  const firmware::Span span = firmware::span(*op, config);
  return span.end - span.first;
}

}  // namespace

RowLoop row_loop(const hw::Config& config) {
  RowLoop loop;
  loop.read = hw::body_latency(config) - hw::row_pipe_latency(config);
  loop.dot = cycles_of("dot", config);
  loop.step = cycles_of("step", config);
  loop.clamp = cycles_of("med", config);
  loop.difference = cycles_of("sub", config);
  loop.scaled_add = cycles_of("axpy", config);
  loop.write = hw::body_latency(config) - loop.latency();
  return loop;
}

int cycles_as_rows(const hw::Config& config, int rows) {
  return rows * hw::body_latency(config);
}

int same_bits_hop(const hw::Config& config) {
  const RowLoop loop = row_loop(config);
  const int beats_waiting = hw::initiation_interval(config) - 1;
  return loop.latency() - loop.read - loop.write - beats_waiting;
}

int cycles_as_block(const hw::Config& config, int rows) {
  return hw::body_latency(config) + (rows - 1) * same_bits_hop(config);
}

int other_bits_hop(const hw::Config& config) {
  const RowLoop loop = row_loop(config);
  const int correction = static_cast<int>(config.fp_mul_stages + config.fp_add_stages);
  // The rows still share the lanes of their dot products and scaled adds.
  return std::max(loop.step + loop.clamp + correction, hw::initiation_interval(config));
}

int cycles_with_other_bits(const hw::Config& config, int rows) {
  return hw::body_latency(config) + (rows - 1) * other_bits_hop(config);
}

}  // namespace ppu::sim
