// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "driver/solve/solve_batch.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "driver/base/failure.hpp"
#include "driver/device/outcome.hpp"
#include "driver/solve/solve_report.hpp"
#include "hw/contract/row_records.hpp"

namespace ppu::driver {

SolveBatch::SolveBatch(Device& device, std::shared_ptr<Batch> batch, const ppu_solve_def& def)
    : device_(device), def_(def), batch_(std::move(batch)) {
}

SolveBatch::SolveBatch(Device& device, std::shared_ptr<Batch> batch, const Program& program,
                       const ppu_solve_def& def, const SolveRegions& regions,
                       const hw::RunCommand* runs, std::size_t run_count)
    : SolveBatch(device, std::move(batch), def) {
  record(program, regions, runs, run_count);
}

SolveBatch::SolveBatch(Device& device, std::shared_ptr<Batch> batch, const Program& program,
                       const ppu_solve_def& def, const SolveRegions& regions,
                       const hw::RunCommand& run)
    : SolveBatch(device, std::move(batch), def) {
  block_rows_ = block_rows(run.row_count);
  record(program, regions, &run, 1);
}

void SolveBatch::record(const Program& program, const SolveRegions& regions,
                        const hw::RunCommand* runs, std::size_t run_count) {
  batch_->keep(program.memory);
  first_query_ = batch_->add_query();
  chained_ = !device_.is_shared() &&
             std::all_of(runs, runs + run_count,
                         [](const hw::RunCommand& run) { return run.row_count > 0; });
  Ranges inputs = regions.state();
  if (!chained_) regions.rows.append_to(&inputs);
  record_copy(spec::CommandOpcode::kCopyIn, inputs);
  uploaded_ = batch_->add_time_stamp();
  for (std::size_t n = 0; n < run_count; ++n) {
    hw::RunCommand run = runs[n];
    run.chained = chained_;
    run.early = chained_ && def_.early && def_.budget_cycles == 0;
    batch_->add_run(run, program.words, def_.profile != nullptr);
    if (chained_) record_rows(run, regions.rows);
  }
  run_ = batch_->add_time_stamp();
  record_copy(spec::CommandOpcode::kCopyOut, regions.state());
  last_query_ = batch_->add_query();
}

void SolveBatch::record_copy(spec::CommandOpcode opcode, const Ranges& ranges) {
  if (ranges.count > 0) batch_->add_copy(opcode, ranges.range.data(), ranges.count);
}

void SolveBatch::record_rows(const hw::RunCommand& run, const Region& rows) {
  const auto bytes =
      static_cast<std::uint32_t>(hw::RowRecords::bytes(run.reduced, 0, run.row_count));
  const std::uint32_t most =
      block_rows_ == 0 ? bytes : block_rows_ * static_cast<std::uint32_t>(sizeof(ppu_row));
  for (std::uint32_t done = 0; done < bytes; done += most) {
    const Descriptor range = rows.range(run.rows_address + done, std::min(most, bytes - done));
    batch_->add_copy(spec::CommandOpcode::kCopyIn, &range, 1);
  }
}

std::optional<BlockCopies> SolveBatch::block_copies() const {
  if (!chained_ || block_rows_ == 0 || !device_.is_timed()) return std::nullopt;
  const hw::DeviceCounters before = batch_->counters(first_query_);
  const hw::DeviceCounters after = batch_->counters(last_query_);
  const auto counted = [&](std::size_t counter) { return after[counter] - before[counter]; };
  // The copies of rows begin behind the first time stamp, and go on without a pause. What else the
  // DMA does is at most what lies before that time stamp and behind the second one.
  const std::uint64_t first =
      batch_->time_stamp(uploaded_) - before[PPU_DEVICE_COUNTER_DEVICE_CYCLES];
  const std::uint64_t others =
      first + after[PPU_DEVICE_COUNTER_DEVICE_CYCLES] - batch_->time_stamp(run_);
  const std::uint64_t busy = counted(PPU_DEVICE_COUNTER_DMA_BUSY_CYCLES);
  const double cycle = 1e-6 / device_.config().clock_mhz;
  const double share = static_cast<double>(block_rows_) / batch_->run_def(0).row_count;
  return BlockCopies{cycle * static_cast<double>(first),
                     cycle * share * static_cast<double>(busy > others ? busy - others : 0),
                     // To the device, and there and back for the command.
                     3e-9 * device_.config().link_latency_ns};
}

const Batch& SolveBatch::run() {
  device_.submit(batch_);
  if (!device_.wait(*batch_, def_.timeout_ns)) {
    device_.cancel(*batch_, def_.timeout_ns);
    fail(PPU_ERROR_TIMEOUT, "the solve did not end within ",
         static_cast<double>(def_.timeout_ns) * 1e-9, " s and was cancelled");
  }
  check_commands(*batch_);
  return *batch_;
}

void SolveBatch::report_to(ppu_solve_report* report) const {
  report->run = joined_report(*batch_);
  report->runs = batch_->runs();
  report->engine_cycles = engine_cycles(*batch_);
  report->sweeps = report->run.progress;
  report->late = report->run.counters[PPU_COUNTER_PASSES_CUT] > 0;
  report->fault_row = PPU_NONE;
  report_cost(report);
}

void SolveBatch::report_cost(ppu_solve_report* report) const {
  const hw::DeviceCounters before = batch_->counters(first_query_);
  const hw::DeviceCounters after = batch_->counters(last_query_);
  for (std::size_t i = 0; i < after.size(); ++i) report->device_counters[i] = after[i] - before[i];
  const std::uint64_t start = before[PPU_DEVICE_COUNTER_DEVICE_CYCLES];
  const ppu_run_report& ran = report->run;
  const bool under_upload = chained_ && report->runs == 1 && ran.status == PPU_RUN_OK;
  const std::uint64_t uploaded =
      under_upload ? ran.counters[PPU_COUNTER_START_CYCLE] : batch_->time_stamp(uploaded_);
  const std::uint64_t run = batch_->time_stamp(run_);
  const std::uint64_t end = after[PPU_DEVICE_COUNTER_DEVICE_CYCLES];
  report->upload_cycles = uploaded - start;
  report->run_cycles = run - uploaded;
  report->download_cycles = end - run;
  report->device_cycles = end - start;
  report->load_cycles = under_upload ? 0 : ran.counters[PPU_COUNTER_LOAD_CYCLES];
}

void SolveBatch::fail_run(std::uint32_t run, std::uint32_t row) const {
  const hw::RunReport& report = batch_->report(run);
  const std::string sentence = sentence_of(*batch_, run);
  if (row == PPU_NONE) throw Failure(result_of(report.status), sentence);
  fail(result_of(report.status), "row ", row, " (slot ", report.fault_row, "): ", sentence);
}

}  // namespace ppu::driver
