// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "sim/fuzz/fuzz_points.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ppu_spec.hpp"

namespace ppu::sim {
namespace {

enum End : std::size_t { kHalt, kCut, kRowFault, kBadRow, kIllegal, kEnds };
constexpr std::array<const char*, kEnds> kEndNames = {"halt", "cut by its budget", "row fault",
                                                      "bad row", "illegal instruction"};
enum Place : std::size_t { kOnChip, kArriving, kStreamed, kPlaces };
constexpr std::array<const char*, kPlaces> kPlaceNames = {"on chip", "arriving", "streamed"};
constexpr std::array<const char*, 2> kFormNames = {"full", "reduced"};

/// Classes of cycles in which rows wait.
std::vector<std::size_t> waits() {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < spec::kCounters.size(); ++i)
    if (spec::kCounters[i].stall && i != PPU_COUNTER_ISSUE_CYCLES &&
        i != PPU_COUNTER_CONTROL_CYCLES)
      found.push_back(i);
  return found;
}

End end_of(const ppu_run_report& run) {
  switch (run.status) {
    case PPU_RUN_OK:
      return run.counters[PPU_COUNTER_PASSES_CUT] == 0 ? kHalt : kCut;
    case PPU_RUN_ROW_FAULT:
      return kRowFault;
    case PPU_RUN_BAD_ROW:
      return kBadRow;
    case PPU_RUN_ILLEGAL_INSTRUCTION:
      return kIllegal;
    default:
      return kEnds;
  }
}

Place place_of(const FuzzPoints::Runs& runs, const ppu_run_report& run) {
  const bool streams =
      run.status == PPU_RUN_OK ? run.counters[PPU_COUNTER_ROW_BYTES_STREAMED] > 0 : runs.stream;
  if (streams) return kStreamed;
  return runs.early ? kArriving : kOnChip;
}

/// Not the scaled add of rows of the other form.
bool is_of_form(const spec::KernelOp& op, bool reduced) {
  const spec::ControlWord control{op.bits};
  const bool adds = op.results > 0 && control.axpy() == spec::Axpy::kOn;
  return !adds || (control.matrix() == spec::Matrix::kReduced) == reduced;
}

std::string name_of(const std::array<std::size_t, 4>& state) {
  const std::string name = std::string(kEndNames.at(state[0])) + "; " + kPlaceNames.at(state[1]) +
                           ", " + kFormNames.at(state[2]);
  return state[0] > kCut ? name : name + "; " + std::string(spec::kCounters.at(state[3]).label);
}

}  // namespace

std::vector<FuzzPoints::State> FuzzPoints::states() {
  std::vector<State> all;
  for (std::size_t end = 0; end < kEnds; ++end)
    for (std::size_t place = 0; place < kPlaces; ++place)
      for (std::size_t form = 0; form < kFormNames.size(); ++form)
        for (const std::size_t wait : end > kCut ? std::vector<std::size_t>{0} : waits())
          all.push_back({end, place, form, wait});
  return all;
}

void FuzzPoints::add(const Runs& runs, const ppu_run_report& run) {
  const End end = end_of(run);
  for (const State& state : states())
    if (state[0] == end && state[1] == place_of(runs, run) && state[2] == (runs.reduced ? 1 : 0) &&
        (end > kCut || run.counters[state[3]] > 0))
      operations_[state].insert(runs.operations.begin(), runs.operations.end());
}

void FuzzPoints::add(const FuzzPoints& other) {
  for (const auto& [state, operations] : other.operations_)
    operations_[state].insert(operations.begin(), operations.end());
}

std::size_t FuzzPoints::met() const {
  std::size_t sum = 0;
  for (const auto& [state, operations] : operations_) sum += operations.size();
  return sum;
}

std::size_t FuzzPoints::all() {
  std::size_t sum = 0;
  for (const State& state : states())
    sum += static_cast<std::size_t>(
        std::count_if(spec::kKernelOps.begin(), spec::kKernelOps.end(),
                      [&](const auto& op) { return is_of_form(op, state[2] == 1); }));
  return sum;
}

std::pair<std::string, std::size_t> FuzzPoints::least() const {
  const auto least = std::min_element(
      operations_.begin(), operations_.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (least == operations_.end()) return {};
  return {name_of(least->first), least->second.size()};
}

nlohmann::ordered_json FuzzPoints::json() const {
  nlohmann::ordered_json json;
  for (const State& state : states()) {
    const auto found = operations_.find(state);
    json[name_of(state)] = found == operations_.end() ? 0 : found->second.size();
  }
  return json;
}

}  // namespace ppu::sim
