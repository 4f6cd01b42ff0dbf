// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The runs of `ppu debug` on the host, compared with the device.
#include "sim/debug/debug_walk.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "sim/outcome/comparison.hpp"

namespace ppu::sim {
namespace {

/// Steps of a run whose counters are not known.
constexpr std::uint64_t kManySteps = 100'000'000;

/// Counters of a cut run that depend on how far a pass has been searched or fetched.
bool is_known(std::size_t counter, bool cut) {
  if (counter == PPU_COUNTER_PASSES_CUT) return true;
  if (cut && (counter == PPU_COUNTER_ROWS_FILTERED || counter == PPU_COUNTER_ROW_BYTES_STREAMED))
    return false;
  return !spec::kCounters[counter].timed;
}

}  // namespace

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

WalkedRun::WalkedRun(DebuggedJob& device, std::size_t number) : view_(device.runs()[number]) {
  observe(device, number);
  place(device);
  const std::vector<std::uint32_t>& words = device.program.assembly.image.words;
  engine_ = std::make_unique<hw::SteppingEngine>(
      device.config, hw::Memory{memory_.data(), memory_.size()}, command_,
      hw::Program{words.data(), static_cast<std::uint32_t>(words.size())}, observed_);
  memory_.clear();
  const ppu_run_report& report = device.solve.report.run;
  const bool known = report.status == PPU_RUN_OK;
  history_ = std::make_unique<hw::StepHistory>(
      *engine_,
      known ? report.counters[PPU_COUNTER_INSTRUCTIONS] + report.counters[PPU_COUNTER_ROW_UPDATES]
            : kManySteps);
}

void WalkedRun::observe(DebuggedJob& device, std::size_t number) {
  if (number < device.logs.size()) {
    observed_ = std::move(device.logs[number].observed);
    first_instruction_ = device.logs[number].first_instruction;
  }
  observed_.timed = device.timed();
}

void WalkedRun::place(const DebuggedJob& device) {
  const auto put = [this](const void* data, std::size_t size) {
    const std::size_t address = memory_.size();
    memory_.resize((address + size + spec::kBeatBytes - 1) / spec::kBeatBytes * spec::kBeatBytes);
    if (size > 0) std::memcpy(&memory_[address], data, size);
    return static_cast<std::uint32_t>(address);
  };
  command_.program_words = static_cast<std::uint32_t>(device.program.assembly.image.words.size());
  command_.row_count = view_.row_count;
  command_.body_count = view_.body_count;
  command_.stream = view_.stream;
  command_.reduced = view_.reduced;
  std::copy(std::begin(view_.arguments), std::end(view_.arguments), command_.arguments.begin());
  command_.rows_address = put(view_.rows, view_.rows_size_bytes);
  command_.impulses_address = put(view_.impulses, view_.row_count * sizeof(float));
  command_.velocities_address = put(view_.velocities, view_.body_count * sizeof(ppu_velocity));
}

std::uint32_t WalkedRun::slot_of(std::uint32_t row) const {
  const auto* const end = view_.row_of_slot + view_.row_count;
  const auto* const found = std::find(view_.row_of_slot, end, row);
  return found == end ? PPU_NONE : static_cast<std::uint32_t>(found - view_.row_of_slot);
}

std::uint32_t WalkedRun::number_of(std::uint32_t body) const {
  const auto* const end = view_.body_of_number + view_.body_count;
  const auto* const found = std::find(view_.body_of_number, end, body);
  return found == end ? PPU_NONE : static_cast<std::uint32_t>(found - view_.body_of_number);
}

Walk::Walk(DebuggedJob device) : device_(std::move(device)) {
  const std::size_t count = device_.runs().size();
  for (std::size_t number = 0; number < count; ++number)
    runs_.push_back(std::make_unique<WalkedRun>(device_, number));
  compare();
}

std::uint64_t Walk::matched_rows() const {
  std::uint64_t rows = 0;
  for (const auto& run : runs_) rows += run->history().end().rows_issued;
  return rows;
}

void Walk::compare() {
  if (device_.timed() && device_.logs.size() != runs())
    differences_.push_back("the log has " + std::to_string(device_.logs.size()) +
                           " runs, expected " + std::to_string(runs()));
  for (std::size_t number = 0; number < runs(); ++number) {
    const std::string& what = run(number).history().end().mismatch;
    if (what.empty()) continue;
    differences_.push_back((runs() > 1 ? "run " + std::to_string(number) + ": " : "") + what);
  }
  const model::Solution& found = device_.solve.solution;
  Comparison compare("the device", "the walk");
  compare.report("", device_.solve.report.run, report());
  if (device_.result == PPU_OK) {
    const model::Solution walked = answer(runs());
    compare.memory(read_back("impulse of row", 1, found.impulse),
                   read_back("impulse of row", 1, walked.impulse));
    compare.memory(read_back("velocity of body", 6, found.velocity_change),
                   read_back("velocity of body", 6, walked.velocity_change));
  }
  differences_.insert(differences_.end(), compare.lines().begin(), compare.lines().end());
}

ppu_run_report Walk::report() const {
  const ppu_run_report& device = device_.solve.report.run;
  const hw::RunReport* failed = nullptr;
  hw::Counters counters{};
  std::uint32_t progress = PPU_NONE;
  float residual = 0;
  for (const auto& run : runs_) {
    const hw::RunReport& report = run->history().end().report;
    if (failed == nullptr && report.status != PPU_RUN_OK) failed = &report;
    progress = std::min(progress, report.progress);
    residual = std::max(residual, float_of(report.last_residual));
    for (std::size_t n = 0; n < counters.size(); ++n) counters[n] += report.counters[n];
  }
  ppu_run_report walked = device;
  walked.status = failed != nullptr ? failed->status : PPU_RUN_OK;
  walked.fault_row = failed != nullptr ? failed->fault_row : PPU_NONE;
  if (device.status != PPU_RUN_OK || failed != nullptr) return walked;
  walked.progress = progress;
  walked.last_residual = residual;
  const bool cut = device.counters[PPU_COUNTER_PASSES_CUT] > 0;
  for (std::size_t n = 0; n < counters.size(); ++n)
    if (is_known(n, cut)) walked.counters[n] = counters[n];
  return walked;
}

model::Solution Walk::answer(std::size_t present) const {
  std::vector<const float*> impulses;
  std::vector<std::vector<ppu_velocity>> velocities;
  std::vector<const ppu_velocity*> pointers;
  for (std::size_t number = 0; number < runs(); ++number) {
    const hw::WorkingSet& set =
        number == present ? run(number).state().set : run(number).history().end().set;
    impulses.push_back(set.impulses.data());
    std::vector<ppu_velocity>& records = velocities.emplace_back(set.velocities.size());
    for (std::size_t n = 0; n < records.size(); ++n)
      std::memcpy(&records[n], set.velocities[n].data(), sizeof set.velocities[n]);
    pointers.push_back(records.data());
  }
  model::Solution solution = device_.solve.solution;
  check(ppu_job_answer(device_.job.get(), impulses.data(), pointers.data(), solution.impulse.data(),
                       solution.velocity_change.data()));
  return solution;
}

std::array<float, 6> Walk::velocity(std::size_t number, std::uint32_t body) const {
  const model::Solution solution = answer(number);
  std::array<float, 6> values{};
  std::copy_n(solution.velocity_change.begin() + 6 * static_cast<std::ptrdiff_t>(body), 6,
              values.begin());
  return values;
}

}  // namespace ppu::sim
