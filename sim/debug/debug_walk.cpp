// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The runs of `ppu debug` on the host, compared with the device.
#include "sim/debug/debug_walk.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "hw/stepping/cut_point.hpp"
#include "sim/debug/debug_answer.hpp"

namespace ppu::sim {
namespace {

/// Steps of a run whose counters are not known.
constexpr std::uint64_t kManySteps = 100'000'000;

bool has_budget(const firmware::Assembly& assembly) {
  return std::any_of(
      assembly.image.words.begin(), assembly.image.words.end(), [](std::uint32_t word) {
        return spec::decode(word).opcode == static_cast<std::uint32_t>(spec::Opcode::kBudget);
      });
}

/// The report of a single run as its engine wrote it.
hw::RunReport engine_report(const ppu_run_report& report) {
  hw::RunReport engine;
  engine.status = report.status;
  engine.progress = report.progress;
  std::memcpy(&engine.last_residual, &report.last_residual, sizeof engine.last_residual);
  std::copy(std::begin(report.counters), std::end(report.counters), engine.counters.begin());
  return engine;
}

/// Counters of a cut run that depend on how far a pass has been searched or fetched.
bool is_known(std::size_t counter, bool late) {
  if (counter == PPU_COUNTER_PASSES_CUT) return true;
  if (late && (counter == PPU_COUNTER_ROWS_FILTERED || counter == PPU_COUNTER_ROW_BYTES_STREAMED))
    return false;
  return !spec::kCounters[counter].timed;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The first index where the bits differ, or the size.
std::size_t first_difference(const std::vector<float>& a, const std::vector<float>& b) {
  const auto same = [](float x, float y) { return bits_of(x) == bits_of(y); };
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), same).first -
                                  a.begin());
}

}  // namespace

WalkedRun::WalkedRun(DeviceRun& device, std::size_t number) : view_(device.runs()[number]) {
  observe(device, number);
  place(device);
  const std::vector<std::uint32_t>& words = device.program.assembly.image.words;
  engine_ = std::make_unique<hw::SteppingEngine>(
      device.config, hw::Memory{memory_.data(), memory_.size()}, command_,
      hw::Program{words.data(), static_cast<std::uint32_t>(words.size())}, observed_);
  memory_.clear();
  const ppu_run_report& report = device.report.run;
  const bool known = report.status == PPU_RUN_OK;
  if (known && observed_.late) hw::find_cut_point(*engine_, observed_, engine_report(report));
  history_ = std::make_unique<hw::StepHistory>(
      *engine_,
      known ? report.counters[PPU_COUNTER_INSTRUCTIONS] + report.counters[PPU_COUNTER_ROW_UPDATES]
            : kManySteps);
}

void WalkedRun::observe(DeviceRun& device, std::size_t number) {
  observed_.timed = device.timed();
  if (number < device.logs.size()) {
    observed_.rows = std::move(device.logs[number].rows);
    first_instruction_ = device.logs[number].first_instruction;
  }
  const ppu_run_report& report = device.report.run;
  if (report.status == PPU_RUN_OK) {
    observed_.late = report.counters[PPU_COUNTER_PASSES_CUT] > 0;
  } else {
    observed_.late =
        report.status == PPU_RUN_ILLEGAL_INSTRUCTION && has_budget(device.program.assembly);
  }
}

void WalkedRun::place(const DeviceRun& device) {
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

Walk::Walk(DeviceRun device) : device_(std::move(device)) {
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
  compare_reports();
  if (device_.result == PPU_OK) compare_answers();
}

void Walk::compare_reports() {
  const ppu_run_report& device = device_.report.run;
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
  const ppu_run_status status = failed != nullptr ? failed->status : PPU_RUN_OK;
  const std::uint32_t slot = failed != nullptr ? failed->fault_row : PPU_NONE;
  const auto differ = [this](const std::string& what, const std::string& of_device,
                             const std::string& of_walk) {
    if (of_device != of_walk)
      differences_.push_back(what + " " + of_device + " on the device, " + of_walk +
                             " in the walk");
  };
  differ("the run ends with", ppu_run_status_string(device.status), ppu_run_status_string(status));
  differ("the run fails in slot", std::to_string(device.fault_row), std::to_string(slot));
  if (device.status != PPU_RUN_OK || failed != nullptr) return;
  differ("progress is", std::to_string(device.progress), std::to_string(progress));
  differ("the last residual is", exact(device.last_residual), exact(residual));
  const bool late = device.counters[PPU_COUNTER_PASSES_CUT] > 0;
  for (std::size_t n = 0; n < counters.size(); ++n)
    if (is_known(n, late))
      differ(std::string(spec::kCounters[n].name), std::to_string(device.counters[n]),
             std::to_string(counters[n]));
}

void Walk::compare_answers() {
  const model::Solution walked = answer(runs());
  const std::size_t row = first_difference(device_.solution.impulse, walked.impulse);
  if (row < walked.impulse.size())
    differences_.push_back("the impulse of row " + std::to_string(row) + " is " +
                           exact(device_.solution.impulse[row]) + " on the device, " +
                           exact(walked.impulse[row]) + " in the walk");
  const std::size_t element =
      first_difference(device_.solution.velocity_change, walked.velocity_change);
  if (element < walked.velocity_change.size())
    differences_.push_back("element " + std::to_string(element % 6) + " of the velocity of body " +
                           std::to_string(element / 6) + " is " +
                           exact(device_.solution.velocity_change[element]) + " on the device, " +
                           exact(walked.velocity_change[element]) + " in the walk");
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
  model::Solution solution = device_.solution;
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
