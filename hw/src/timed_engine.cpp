// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "ppu/hw/timed_engine.hpp"

#include <algorithm>
#include <cstring>

#include "ppu/hw/row_fetch.hpp"
#include "ppu/hw/run_stop.hpp"
#include "ppu/hw/scoreboard.hpp"
#include "ppu/hw/working_set.hpp"

namespace ppu::hw {
namespace {

/// Rows between two calls of EngineBus::advance().
constexpr std::uint32_t kQuantumRows = 1024;

/// The row unit of a timed engine. All cycles count from the start of the run.
class TimedRowUnit final : public RowUnit {
 public:
  TimedRowUnit(const Config& config, const RunCommand& command, EngineBus& bus,
               RowObserver* observer, RowFetch& fetch, WorkingSet& set, const RowCensus& census,
               std::vector<RowProfile>& profile, Counters& counters,
               const std::atomic<bool>& cancel)
      : interval_(static_cast<std::uint64_t>(initiation_interval(config))),
        latency_(static_cast<std::uint64_t>(body_latency(config))),
        bus_(bus),
        observer_(observer),
        fetch_(fetch),
        set_(set),
        census_(census),
        profile_(profile),
        counters_(counters),
        cancel_(cancel),
        scoreboard_(command.row_count, command.body_count) {}

  /// The program's first instruction executes in `cycle`.
  void start(std::uint64_t cycle) {
    origin_ = cursor_ = sequencer_ = pass_start_ = retired_ = cycle;
  }

  /// Charges what is left of the run and returns the first cycle after it.
  std::uint64_t finish() {
    charge_until(sequencer_, PPU_COUNTER_CONTROL_CYCLES);
    charge_until(retired_, PPU_COUNTER_DRAIN_CYCLES);
    return cursor_;
  }

  void spend(int cycles) override { sequencer_ += static_cast<std::uint64_t>(cycles); }

  void run_rows(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) override {
    // One pass may wait while another runs, so this one is taken once the one before has started.
    sequencer_ = std::max(sequencer_, pass_start_ + 1);
    charge_until(sequencer_, PPU_COUNTER_CONTROL_CYCLES);
    pass_start_ = cursor_;
    fetch_.start_pass(sequencer_);
    Pass pass{kernel, first};
    for (std::uint32_t slot = first; slot < first + count; ++slot) {
      run_row(slot, &pass);
      if ((slot - first) % kQuantumRows == kQuantumRows - 1) synchronise();
    }
    count_rows(pass, count);
  }

  void drain() override {
    sequencer_ = finish();
    synchronise();
    if (observer_ != nullptr) observer_->on_drained(cursor_ - origin_);
  }

  std::uint32_t take_max_residual() override {
    if (observer_ != nullptr) observer_->on_residual(max_residual_);
    std::uint32_t bits;
    std::memcpy(&bits, &max_residual_, sizeof bits);
    max_residual_ = 0;
    return bits;
  }

 private:
  struct Pass {
    const LoadedKernel& kernel;
    std::uint32_t first;
    std::uint64_t skipped = 0;
    std::uint64_t skipped_bodies = 0;
  };

  void count_rows(const Pass& pass, std::uint32_t count) {
    census_.count_pass(pass.kernel, pass.first, count, pass.skipped, pass.skipped_bodies,
                       &counters_);
  }

  void run_row(std::uint32_t slot, Pass* pass) {
    const auto [row, arrival] = fetch_.fetch(slot);
    issue(pass->kernel, *row, slot, arrival);
    const std::uint64_t issue_cycle = cursor_ - interval_;
    const std::uint64_t retire_cycle = issue_cycle + latency_;
    fetch_.issued(issue_cycle);
    scoreboard_.hold(pass->kernel, *row, slot, retire_cycle);
    retired_ = retire_cycle;

    const model::RowOperands in = set_.view().operands(*row, slot);
    const model::RowResult out = model::update_row(pass->kernel.control, in);
    if (observer_ != nullptr)
      observer_->on_row({slot, pass->kernel.control, *row, issue_cycle - origin_,
                         retire_cycle - origin_, in, out});
    if (out.fault) {
      count_rows(*pass, slot - pass->first);
      if (observer_ != nullptr) observer_->on_drained(retired_ - origin_);
      throw RunStop{PPU_RUN_ROW_FAULT, slot, describe_fault(in, out)};
    }
    if (out.skipped) {
      ++pass->skipped;
      pass->skipped_bodies += static_cast<std::uint64_t>(dynamic_bodies(*row));
    }
    max_residual_ = std::max(max_residual_, out.residual);
    set_.view().commit(pass->kernel.control, *row, slot, out);
  }

  /// Moves the cursor to the end of the row's issue and charges the cycles on the way.
  void issue(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot,
             std::uint64_t arrival) {
    const Scoreboard::Ready ready = scoreboard_.ready(kernel, row, slot);
    const std::uint64_t before = cursor_;
    const std::uint64_t body_stall = charge_until(ready.bodies, PPU_COUNTER_BODY_STALL_CYCLES);
    const std::uint64_t parent_stall =
        charge_until(ready.impulses, PPU_COUNTER_PARENT_STALL_CYCLES);
    const std::uint64_t fetch_stall = charge_until(arrival, PPU_COUNTER_FETCH_STALL_CYCLES);
    charge_until(cursor_ + 1, PPU_COUNTER_ISSUE_CYCLES);
    charge_until(cursor_ + interval_ - 1, PPU_COUNTER_LANE_CYCLES);
    if (profile_.empty()) return;
    RowProfile& sums = profile_[slot];
    const auto add = [](std::uint32_t* sum, std::uint64_t cycles) {
      *sum += static_cast<std::uint32_t>(cycles);
    };
    add(&sums.cycles, cursor_ - before);
    add(&sums.body_stall, body_stall);
    add(&sums.parent_stall, parent_stall);
    add(&sums.fetch_stall, fetch_stall);
  }

  /// Charges the cycles from the cursor up to `cycle`, if any, to a stall class; returns how many.
  std::uint64_t charge_until(std::uint64_t cycle, ppu_counter stall_class) {
    if (cycle <= cursor_) return 0;
    const std::uint64_t cycles = cycle - cursor_;
    counters_[static_cast<std::size_t>(stall_class)] += cycles;
    cursor_ = cycle;
    return cycles;
  }

  void synchronise() {
    bus_.advance(std::min(cursor_, fetch_.horizon()));
    if (cancel_) throw RunStop{PPU_RUN_CANCELLED, PPU_NONE, "the run was cancelled"};
  }

  std::uint64_t interval_;
  std::uint64_t latency_;
  EngineBus& bus_;
  RowObserver* observer_;
  RowFetch& fetch_;
  WorkingSet& set_;
  const RowCensus& census_;
  std::vector<RowProfile>& profile_;
  Counters& counters_;
  const std::atomic<bool>& cancel_;
  Scoreboard scoreboard_;
  float max_residual_ = 0;

  std::uint64_t origin_ = 0;      ///< First instruction of the program.
  std::uint64_t cursor_ = 0;      ///< Cycles before it are charged to a class.
  std::uint64_t sequencer_ = 0;   ///< The sequencer's next free cycle.
  std::uint64_t pass_start_ = 0;  ///< First cycle of the latest pass.
  std::uint64_t retired_ = 0;     ///< All rows have retired by then.
};

}  // namespace

RunReport TimedEngine::run(const RunCommand& command, const std::atomic<bool>& cancel) {
  RunReport report;
  Counters& counters = report.counters;
  try {
    check_command(config_, memory_, command);
    if (observer_ != nullptr) observer_->begin_run();

    // Program, rows, impulses and velocities on chip.
    std::vector<std::uint32_t> words(command.program_words);
    WorkingSet set{std::vector<float>(command.row_count),
                   std::vector<WorkingSet::Velocity>(command.body_count)};
    const std::size_t impulse_bytes = set.impulses.size() * kImpulseBytes;
    const std::size_t velocity_bytes = set.velocities.size() * kVelocityBytes;
    RowFetch fetch(config_, command, bus_);
    std::uint64_t cycle = 0;
    const auto read = [&](std::uint64_t address, void* data, std::size_t bytes) {
      if (bytes > 0) cycle = bus_.read(cycle, address, data, bytes);
    };
    read(command.program_address, words.data(), 4 * words.size());
    cycle = fetch.load(cycle);
    read(command.impulses_address, set.impulses.data(), impulse_bytes);
    read(command.velocities_address, set.velocities.data(), velocity_bytes);
    counters[PPU_COUNTER_LOAD_CYCLES] = cycle;

    // The program.
    const auto* rows = reinterpret_cast<const ppu_row*>(memory_.data + command.rows_address);
    const RowCensus census(rows, command.row_count);
    const bool profiled = command.profile_address != RunCommand::kNoProfile;
    std::vector<RowProfile> profile(profiled ? command.row_count : 0);
    TimedRowUnit unit(config_, command, bus_, observer_, fetch, set, census, profile, counters,
                      cancel);
    unit.start(cycle);
    Sequencer sequencer(std::move(words), command, &report);
    const auto finish = [&] {
      counters[PPU_COUNTER_CYCLES] = unit.finish() - cycle;
      if (fetch.streamed())
        counters[PPU_COUNTER_ROW_BYTES_STREAMED] =
            counters[PPU_COUNTER_ROW_UPDATES] * PPU_ROW_BYTES;
      if (observer_ != nullptr) counters[PPU_COUNTER_LOCKSTEP_ROWS] = observer_->rows_checked();
    };
    try {
      sequencer.run(unit, cancel);
    } catch (const RunStop&) {
      finish();
      throw;
    }
    finish();

    // Impulses and velocities back to device memory; the profile takes no time.
    const std::uint64_t end = unit.finish();
    cycle = end;
    if (impulse_bytes > 0)
      cycle = bus_.write(cycle, command.impulses_address, set.impulses.data(), impulse_bytes);
    if (velocity_bytes > 0)
      cycle = bus_.write(cycle, command.velocities_address, set.velocities.data(), velocity_bytes);
    counters[PPU_COUNTER_STORE_CYCLES] = cycle - end;
    bus_.advance(cycle);
    if (profiled)
      std::memcpy(memory_.data + command.profile_address, profile.data(),
                  profile.size() * sizeof(RowProfile));
  } catch (const RunStop& stop) {
    report_stop(stop, &report);
  }
  return report;
}

}  // namespace ppu::hw
