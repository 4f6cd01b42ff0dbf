// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the programs of a fuzz have gone through.
#include "sim/fuzz/fuzz_coverage.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "firmware/assembler/assembler.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

/// "dot u, r.J, v, bb": operations share names.
std::string name_of(const spec::KernelOp& op) {
  std::string name(op.name);
  for (const std::string_view operand : op.operands)
    if (!operand.empty()) name += (name == op.name ? " " : ", ") + std::string(operand);
  return name;
}

std::string name_of(const spec::ControlField& field, std::size_t value) {
  return std::string(field.name) + "=" + std::string(field.values.at(value));
}

/// A memory with a flipped bit, which no program makes.
bool is_memory(ppu_fault_detail detail) {
  return detail >= PPU_FAULT_INSTRUCTION_MEMORY;
}

/// What is wrong with the row that ended a run; "" of an end without one.
std::string detail_of(const ppu_run_report& run) {
  if (run.status != PPU_RUN_ROW_FAULT && run.status != PPU_RUN_BAD_ROW) return {};
  return std::string(spec::kFaultDetails.at(run.fault_detail).name);
}

FuzzPoints::Runs runs_of(const FuzzCase& fuzz, const firmware::Assembly& assembly) {
  FuzzPoints::Runs runs;
  runs.stream = fuzz.stream;
  runs.early = fuzz.early;
  for (const std::uint32_t word : assembly.image.words)
    if (const spec::KernelOp* op = spec::find_op(spec::decode(word).opcode))
      runs.operations.insert(op->opcode);
  for (const firmware::Kernel& kernel : assembly.kernels)
    runs.reduced = runs.reduced || (kernel.control.axpy() == spec::Axpy::kOn &&
                                    kernel.control.matrix() == spec::Matrix::kReduced);
  return runs;
}

}  // namespace

FuzzCoverage::FuzzCoverage() : groups_(kGroups) {
  groups_[kInstructions].name = "instructions";
  for (const spec::Instruction& instruction : spec::kInstructions)
    groups_[kInstructions].seen.emplace_back(instruction.name, 0);
  groups_[kOperations].name = "kernel operations";
  for (const spec::KernelOp& op : spec::kKernelOps)
    groups_[kOperations].seen.emplace_back(name_of(op), 0);
  groups_[kControl].name = "control values";
  for (const spec::ControlField& field : spec::kControlFields)
    for (std::size_t value = 0; value < field.values.size(); ++value)
      if (!field.values[value].empty())
        groups_[kControl].seen.emplace_back(name_of(field, value), 0);
  groups_[kFaults].name = "faults";
  for (const spec::FaultDetailInfo& detail : spec::kFaultDetails)
    if (detail.value != PPU_FAULT_NONE && !is_memory(detail.value))
      groups_[kFaults].seen.emplace_back(detail.name, 0);
  groups_[kRunCounters].name = "counters of a run";
  for (std::size_t i = 0; i < spec::kCounters.size(); ++i)
    if (i != PPU_COUNTER_WORDS_CORRECTED)
      groups_[kRunCounters].seen.emplace_back(spec::kCounters[i].name, 0);
}

void FuzzCoverage::count(Group* group, const std::string& name) {
  for (auto& [known, times] : group->seen)
    if (known == name) ++times;
}

void FuzzCoverage::add(const FuzzCase& fuzz, const FuzzResult& result) {
  const Outcome& outcome = result.outcomes.front();
  ++programs_;
  const ppu_run_status status = outcome.runs.empty() ? PPU_RUN_RUNNING : outcome.runs[0].status;
  ++endings_[ppu_run_status_string(status)];
  const firmware::Assembly assembly = firmware::assemble("program.s", fuzz.source());
  // Those with time stand behind the functional one.
  const FuzzPoints::Runs runs = runs_of(fuzz, assembly);
  for (const ppu_run_report& run : result.outcomes.back().runs) points_.add(runs, run);
  if (outcome.ok()) {
    for (const ppu_run_report& run : outcome.runs) rows_ += run.counters[PPU_COUNTER_ROW_UPDATES];
    add_program(assembly);
    add_counters(result.outcomes.back());
  } else {
    for (const ppu_run_report& run : outcome.runs) count(&groups_[kFaults], detail_of(run));
  }
}

void FuzzCoverage::add_counters(const Outcome& outcome) {
  for (std::size_t i = 0; i < spec::kCounters.size(); ++i)
    for (const ppu_run_report& run : outcome.runs)
      if (run.counters[i] > 0) count(&groups_[kRunCounters], std::string(spec::kCounters[i].name));
}

void FuzzCoverage::add_program(const firmware::Assembly& assembly) {
  kernels_ += assembly.kernels.size();
  for (const std::uint32_t word : assembly.image.words) {
    const std::uint32_t opcode = spec::decode(word).opcode;
    if (const spec::KernelOp* op = spec::find_op(opcode)) {
      count(&groups_[kOperations], name_of(*op));
      continue;
    }
    for (const spec::Instruction& known : spec::kInstructions)
      if (static_cast<std::uint32_t>(known.opcode) == opcode)
        count(&groups_[kInstructions], std::string(known.name));
  }
  for (const firmware::Kernel& kernel : assembly.kernels)
    for (const spec::ControlField& field : spec::kControlFields)
      count(&groups_[kControl],
            name_of(field, kernel.control.bits >> field.lsb & ((1U << field.width) - 1U)));
}

void FuzzCoverage::add(const FuzzCoverage& other) {
  programs_ += other.programs_;
  kernels_ += other.kernels_;
  rows_ += other.rows_;
  for (const auto& [status, programs] : other.endings_) endings_[status] += programs;
  points_.add(other.points_);
  for (std::size_t group = 0; group < groups_.size(); ++group)
    for (std::size_t i = 0; i < groups_[group].seen.size(); ++i)
      groups_[group].seen[i].second += other.groups_[group].seen[i].second;
}

bool FuzzCoverage::complete() const {
  return std::all_of(groups_.begin(), groups_.end(), [](const Group& group) {
    return std::all_of(group.seen.begin(), group.seen.end(),
                       [](const auto& entry) { return entry.second > 0; });
  });
}

std::string FuzzCoverage::text() const {
  Table endings({"programs that ended", "programs"});
  for (const auto& [status, programs] : endings_) endings.add({status, grouped(programs)});
  Table table({"coverage", "seen", "of", "times", "least often"});
  std::vector<std::string> never;
  for (const Group& group : groups_) {
    std::uint64_t seen = 0, times = 0;
    const auto* least = &group.seen.front();
    for (const auto& entry : group.seen) {
      seen += entry.second > 0 ? 1 : 0;
      times += entry.second;
      if (entry.second < least->second) least = &entry;
      if (entry.second == 0) never.push_back(entry.first);
    }
    table.add({group.name, grouped(seen), grouped(group.seen.size()), grouped(times),
               least->first + ": " + grouped(least->second)});
  }
  const auto [state, fewest] = points_.least();
  table.add({"operations in states", grouped(points_.met()), grouped(FuzzPoints::all()), "",
             state + ": " + grouped(fewest)});
  std::string text = endings.str() + "\n" + table.str();
  if (!never.empty()) {
    text += "never seen: ";
    for (std::size_t i = 0; i < never.size(); ++i) text += (i == 0 ? "" : "; ") + never[i];
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json FuzzCoverage::json() const {
  nlohmann::ordered_json json;
  json["programs"] = programs_;
  json["kernels"] = kernels_;
  json["rows"] = rows_;
  json["endings"] = endings_;
  for (const Group& group : groups_) {
    nlohmann::ordered_json seen;
    for (const auto& [name, times] : group.seen) seen[name] = times;
    json["coverage"][group.name] = seen;
  }
  json["points"] = {{"met", points_.met()}, {"of", FuzzPoints::all()}, {"states", points_.json()}};
  json["complete"] = complete();
  return json;
}

}  // namespace ppu::sim
