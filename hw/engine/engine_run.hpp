// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One run on a timed engine, from its start to its report: the phases of docs/inside/device.md.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "hw/contract/engine_port.hpp"
#include "hw/contract/row_observer.hpp"
#include "hw/contract/row_records.hpp"
#include "hw/contract/run_stop.hpp"
#include "hw/contract/trace.hpp"
#include "hw/engine/engine_parts.hpp"
#include "hw/engine/residual_maxima.hpp"

namespace ppu::hw {

/// What an engine is and what it is connected to.
struct EngineSurroundings {
  Config config;
  std::uint32_t index;
  Memory memory;
  EnginePort& port;
  RowObserver* observer;  ///< May be null.
  TraceSink* trace;       ///< May be null.
};

class EngineRun final : private RowUnit {
 public:
  /// `profile` has a record for each row. The run has the parts to itself.
  EngineRun(const EngineSurroundings& engine, const EngineParts& parts, const RunCommand& command,
            Program program, const MemoryFlip& flip, std::vector<RowProfile>& profile);

  /// The run is begun in `cycle`: posts the loads.
  void start(std::uint64_t cycle);
  // See TimedEngine.
  void advance();
  void cancel(std::uint64_t cycle);
  std::uint64_t accept_write() { return path_.store_beat(engine_.memory, command_, stored_++); }

  [[nodiscard]] const RunReport& report() const { return report_; }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  /// A pass that was queued and has rows left.
  struct Pass {
    LoadedKernel kernel;
    std::uint32_t first, next, end;
    std::uint64_t cycle;  ///< In which its `rows` executed.
    RowSums sums{};  ///< What cannot be told from the census: rows held, and those not filtered.
    std::uint32_t group_end = 0;  ///< In a search: the rows before it have been taken.
    std::uint64_t number = 0;     ///< Passes before it.
    std::uint32_t come = 0;       ///< Of an open one: the rows before it have come.
    std::uint32_t open = 0;       ///< Its number among open ones.
    std::uint32_t maximum = 0;    ///< In which its residuals count, see ResidualMaxima.
  };
  enum class Progress {
    kDone,     ///< No row is left.
    kWaiting,  ///< For a record or the program, or enough has been done in one call.
    kCut,      ///< The run is over its budget, or over.
    kDecided,  ///< The program goes on: a residual is above the one that it waits for.
  };

  void spend(int cycles) override { sequencer_cycle_ += static_cast<std::uint64_t>(cycles); }
  bool queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) override;
  bool drain() override;
  std::uint32_t take_max_residual() override;
  std::optional<bool> residual_exceeds(std::uint32_t bits) override;
  void set_mark_threshold(std::uint32_t bits) override { path_.tags().threshold = float_of(bits); }
  void tag_all() override { path_.tags().set_all(); }
  void tag_next() override { path_.tags().advance(); }
  void set_lead_factor(std::uint32_t bits) override {
    path_.impulses().lead_factor = float_of(bits);
  }
  /// Throws RunStop if `settle` or `ahead` is about to read a lost word.
  void check_move(bool ahead);
  void rebase() override;
  bool extrapolate() override;
  bool set_budget(std::uint32_t cycles) override;
  std::optional<std::uint32_t> cut_passes() override;
  void signal(std::uint32_t value) override;

  /// True if the rows of a pass are searched for those to take.
  [[nodiscard]] bool searches(const Pass& pass) const { return pass.kernel.filters() && !stream_; }

  void finish_load();
  /// All rows have come.
  void load_rows();
  /// Throws RunStop if one is bad.
  void check_rows();
  /// Takes resident rows over; the last cycle of the linker, 0 without one or with a bad row.
  std::uint64_t link_rows();
  /// All streamed rows are in device memory.
  void look_for_bad_rows();
  /// The load of an early run ends: its rows will come.
  void begin_early();
  /// Hands rows over that have come; false if not all have. Throws RunStop if one of all is bad.
  bool bring_early_rows();
  /// All rows have come and none is left: closes the rings. False if rows are still to come.
  bool finish_early();
  /// The pass issues while rows come.
  [[nodiscard]] bool is_early_pass(const LoadedKernel& kernel, std::uint32_t first,
                                   std::uint32_t count) const {
    return early_ && !dataflow_->has_begun_linking() && first == 0 && count == command_.row_count &&
           !kernel.filters();
  }
  /// Executes until the rows allow no more, or the run is over; throws RunStop.
  void execute();
  /// Runs rows up to the horizon.
  void catch_up();
  /// Executes an instruction; false if there is none before the run is over, or it waits for rows.
  bool execute_one();
  /// Runs the rows of the oldest pass, `budget` at most in this call; false if there is no pass, it
  /// waits for a record or the program, `budget` is used up, or the run is over.
  bool run_pass(std::uint32_t* budget);
  template <class Control>
  Progress run_rows(Control control, Pass* pass, std::uint32_t* budget);
  /// The rows of a filtered pass, which do not all reach the issue stage.
  template <class Control>
  Progress run_found_rows(Control control, Pass* pass, std::uint32_t* budget);
  template <class Control>
  Progress run_streamed_rows(Control control, Pass* pass, std::uint32_t* budget);
  /// The rows of a pass by dataflow, and of the one that has joined it.
  template <class Control>
  Progress run_dataflow(Control control, std::uint32_t* budget);
  /// Hands streamed rows of open passes over that are known to come.
  void bring_rows();
  /// Hands the next resident rows of open passes over.
  void bring_resident_rows();
  /// Those of a filtered pass: the next group with a live row.
  void bring_found_rows(Pass* pass);
  /// Goes on with the search of a filtered pass, without the issue stage, until the run is over its
  /// budget.
  void search_on(Pass* pass);
  /// The first cycle for which something may be posted, as far as is known.
  [[nodiscard]] std::uint64_t quiet_until() const;
  /// True if a pass may overlap with the one before it, or is like it in slot order.
  [[nodiscard]] bool joins(bool opens, const LoadedKernel& kernel) const {
    return dataflow_ == nullptr ||
           (queued_ > 0 && (stream_ || !opens) && kernel.is_like(last_kernel_));
  }
  /// The rows of the pass stop behind the one that has issued, until the program has gone on.
  Progress decide(Pass* pass) {
    ++pass->next;
    decided_ = false;
    return Progress::kDecided;
  }
  /// Where the rows of the pass keep the largest residual.
  float* maximum_of(const Pass& pass) { return maxima_.of(pass.maximum, pass.kernel.divides()); }
  /// A row of the pass has issued in `cycle`, and its residual is in maximum_of().
  void count_residual(const Pass& pass, std::uint64_t cycle) {
    maxima_.issued(pass.maximum, pass.kernel.divides(), cycle);
    decided_ = awaited_residual_ && pass.maximum == maxima_.current() &&
               passes_.front().maximum == pass.maximum &&
               bits_of(*maximum_of(pass)) > *awaited_residual_;
  }
  /// Charges the cycles before `cycle` in which no pass was pending to the program.
  void charge_program(std::uint64_t cycle);
  /// The bodies of the row are lost.
  [[nodiscard]] bool lost_bodies(std::uint32_t slot) const {
    return flipped_.is_lost(PPU_FAULT_ROW_BODIES, slot);
  }
  /// The next row of a pass, there from `arrival` on, is not to issue: the run ends with `stop`
  /// when the rows before it have ended.
  Progress end_before_row(std::uint32_t slot, std::uint64_t arrival, const RunStop& stop);
  /// Counts the links with flipped bits that were used; a lost one ends the run.
  void note_links();
  /// Keeps the fault of a row if it is the first so far in program and slot order.
  [[gnu::cold, gnu::noinline]] void note_fault(const Pass& pass,
                                               const DataflowIssue::Issued& issued);
  /// The first row that faults, in time, has left the pipe before this cycle: what the program has
  /// done from then on is undone.
  void stop_program(std::uint64_t cycle);
  /// A row that faults has left before `cycle`.
  [[nodiscard]] bool is_stopped(std::uint64_t cycle) const { return cycle >= fault_from_; }
  /// The cycle in which the next row issues or is passed over; none if the run is
  /// over its budget, or over.
  template <class Control>
  std::optional<std::uint64_t> run_row(Control control, Pass* pass, const ppu_row& row,
                                       std::uint64_t arrival);
  /// Carries out a row that issues. Once the run has a stop, rows only issue. False if it faults.
  template <class Control>
  [[nodiscard]] PPU_INLINE bool update(Control control, Pass* pass, const ppu_row& row,
                                       std::uint32_t slot, const IssueStage::Issued& issued) {
    if (watched_) return update_watched(pass, row, slot, issued);
    return stop_.has_value() || (flipped_.reads_well(control, row, slot) &&
                                 path_.keep(control, path_.run(control, row, slot, issued.cycle),
                                            &pass->sums, maximum_of(*pass)));
  }
  /// Shows the row to trace and observer, too, which counts from the first instruction.
  [[gnu::noinline]] bool update_watched(Pass* pass, const ppu_row& row, std::uint32_t slot,
                                        const IssueStage::Issued& issued);
  /// The stop of such a row.
  [[gnu::cold, gnu::noinline]] RunStop fault_of(const LoadedKernel& kernel, const ppu_row& row,
                                                std::uint32_t slot) const;
  /// The cycle in which the rows that have issued are out of their pipes.
  [[nodiscard]] std::uint64_t last_row_out() const {
    return std::max(issue_.drained(),
                    dataflow_ != nullptr ? dataflow_->drained() : std::uint64_t{0});
  }
  /// The run ends when the row leaves the pipe.
  [[gnu::cold, gnu::noinline]] void stop_at_fault(const LoadedKernel& kernel, const ppu_row& row,
                                                  std::uint32_t slot,
                                                  const IssueStage::Issued& issued);
  /// `cut`: by the budget.
  void finish_pass(Pass* pass, bool cut);
  /// No row goes from this cycle on.
  [[nodiscard]] std::uint64_t limit() const { return std::min(over_budget_from_, ends_at_); }
  /// Why a row does not go.
  [[nodiscard]] Progress held() const {
    return horizon_ < limit() ? Progress::kWaiting : Progress::kCut;
  }
  /// Cycles from one pair of bodies to the next: those of `ahead` go through the lanes.
  [[nodiscard]] int pair_cycles(bool ahead) const;
  /// The last of them is done `latency` cycles after its pair could have been followed by another.
  void pass_over_bodies(bool ahead, int latency);
  /// `over_budget_from_`, `ends_at_` or `horizon_` has changed.
  void set_limits();

  // The end of the run is known before its cycle has come: until then it may be cancelled, and rows
  // and instructions go on, but nothing that they do counts.
  /// The run ends with `stop` before cycle `end`.
  void stop_before(std::uint64_t end, const RunStop& stop);
  /// Tells the trace what has happened before `cycle`.
  void tell(std::uint64_t cycle);
  /// There is nothing more to do before the run is over.
  void settle();
  /// The run is over.
  void conclude();
  void finish_program();
  void finish_store();
  void abort();
  void finish_abort();

  void post(std::uint64_t cycle, std::uint32_t address, std::uint64_t bytes, bool write);
  /// Takes all responses; returns the cycle of the last one, or `none` if there were none.
  std::uint64_t take_responses(std::uint64_t none);
  void enter(EnginePhase phase, std::uint64_t cycle);
  void note(TraceKind kind, std::uint64_t cycle, std::uint64_t a, std::uint64_t b) {
    if (engine_.trace == nullptr) return;
    events_.push_back({cycle, kind, static_cast<std::uint8_t>(engine_.index), a, b});
  }
  void done(std::uint64_t cycle);

  const EngineSurroundings& engine_;
  RunCommand command_;
  RunReport report_;
  std::string message_;
  EnginePhase phase_ = EnginePhase::kIdle;
  std::uint64_t phase_start_ = 0;  ///< Cycle.
  bool watched_;                   ///< There is a trace or an observer.
  RowRecords records_;             ///< In device memory.
  RowPath& path_;
  FlippedWord flipped_;
  ppu_row lost_row_{};               ///< The row whose bodies are lost, without bodies.
  std::optional<RowCensus> census_;  ///< Of rows that are there.
  IssueStage& issue_;
  RowSearch& search_;
  DataflowIssue* dataflow_ = nullptr;  ///< Null where rows issue in slot order.
  std::optional<RowStream>& stream_;   ///< Where rows do not stay on chip.
  Sequencer& sequencer_;
  std::deque<Pass> passes_;            ///< That have rows left: two at most.
  std::uint64_t origin_ = 0;           ///< Cycle of the first instruction.
  std::uint64_t sequencer_cycle_ = 0;  ///< In which the next instruction would execute.
  /// Cycle after the last issue of the latest two passes that have finished, older one first: the
  /// pass after the next may come from then on.
  std::array<std::uint64_t, 2> pass_ends_{};
  std::uint64_t over_budget_from_ = kNever;  ///< Rows do not go from this cycle on.
  std::uint64_t ends_at_ = kNever;           ///< First cycle after the run, as far as is known.
  /// The cycle in which the next instruction executes, while its rows catch up with a program that
  /// does not wait for them: it goes on when that cycle has come.
  std::uint64_t horizon_ = kNever;
  ResidualMaxima maxima_;
  std::optional<std::uint32_t> awaited_residual_;  ///< Bits that a `bmax` waits to see exceeded.
  bool decided_ = false;                           ///< It is, by a row that has issued now.
  /// The last `bmax` waited from here on, and until here.
  std::uint64_t bmax_from_ = 0, bmax_until_ = 0;
  LoadedKernel last_kernel_;  ///< Of the last pass.
  std::uint64_t queued_ = 0;  ///< Passes so far.
  /// The first fault in program and slot order so far, of dataflow passes, and the number of its
  /// pass. The run ends with it when no row is left.
  std::optional<RunStop> fault_;
  std::uint64_t fault_pass_ = 0;
  std::uint64_t fault_from_ = kNever;  ///< No instruction executes from this cycle on.
  bool early_ = false;                 ///< Resident rows may issue while others come.
  std::uint64_t closed_ = 0;           ///< The rings of an early run are closed from here on.
  std::uint32_t come_ = 0;             ///< Rows of an early run that were handed over.
  bool cut_ = false;                   ///< The budget has cut a pass: it cuts all that follow.
  std::optional<RunStop> stop_;        ///< How the run ends, if not at its `halt`.
  bool settled_ = false;               ///< See settle().
  bool has_bad_row_ = false;           ///< A streamed row is bad, or a word may be lost.
  bool rows_unseen_ = false;           ///< Of streamed rows that is not known yet.
  bool awaits_rows_ = false;           ///< Rows wait for what device memory will do.
  std::uint64_t seen_ = 0;             ///< The cycle up to which that is known.
  std::vector<TraceEvent> events_;     ///< Events that the trace has not been told yet.
  std::optional<RunStop> store_lost_;  ///< A word that the store has read is lost.
  std::uint32_t stored_ = 0;           ///< Beats of the store that were accepted.
};

}  // namespace ppu::hw
