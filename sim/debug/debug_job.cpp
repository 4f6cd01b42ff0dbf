// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The one run of `ppu debug` on a device.
#include "sim/debug/debug_job.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "firmware/assembler/disassembler.hpp"
#include "firmware/programs/programs.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/problem/problem.hpp"
#include "sim/solve/firmware_file.hpp"
#include "sim/trace/timeline.hpp"

namespace ppu::sim {
namespace {

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream rest(text);
  for (std::string line; std::getline(rest, line);) lines.push_back(line);
  return lines;
}

DebugProgram load_program(const std::string& name) {
  DebugProgram program{load_firmware(name).assembly, name, {}};
  if (ends_with(name, ".s")) {
    program.lines = split_lines(read_file(name));
  } else if (const firmware::Program* shipped = firmware::find_program(name)) {
    program.file += ".s";
    program.lines = split_lines(std::string(shipped->source));
  } else {
    program.lines = split_lines(firmware::disassemble(program.assembly.image));
  }
  return program;
}

bool enters(const TraceEvent& event, EnginePhase phase) {
  return event.kind == TraceKind::kEnginePhase && static_cast<EnginePhase>(event.a) == phase;
}

/// Cuts a log into runs: each is what happens on an engine from its load to the next one there.
class LogSplitter {
 public:
  LogSplitter(const std::string& path, const std::vector<TraceEvent>& events)
      : path_(path), events_(events) {}

  std::vector<RunLog> split() {
    for (const TraceEvent& event : events_)
      if (event.kind == TraceKind::kCommandBegin &&
          event.b == static_cast<std::uint64_t>(spec::CommandOpcode::kRun))
        begin(event);
    for (const TraceEvent& event : events_)
      if (RunLog* const log = find(event.unit, event.cycle)) take(event, log);
    for (const RowUpdate& row : row_updates(path_, events_))
      if (RunLog* const log = find(row.engine, row.issue))
        log->observed.rows.push_back({row.issue, row.retire == kOpenEnd ? hw::kNever : row.retire,
                                      static_cast<std::uint32_t>(row.slot),
                                      static_cast<std::uint32_t>(row.pipe)});
    return std::move(logs_);
  }

 private:
  /// The engine that takes a run enters its load in the next cycle.
  void begin(const TraceEvent& command) {
    for (const TraceEvent& event : events_)
      if (event.cycle == command.cycle + 1 && enters(event, EnginePhase::kLoad)) {
        loads_.push_back(event);
        logs_.push_back({event.unit, 0, {}});
        return;
      }
    throw CliError(kExitMismatch, path_ + ": " + describe(command) + ", but no engine loads it");
  }

  static void take(const TraceEvent& event, RunLog* log) {
    if (enters(event, EnginePhase::kRun)) log->first_instruction = event.cycle;
    log->observed.take(event);
  }

  /// The run on `engine` in `cycle`.
  RunLog* find(std::uint8_t engine, std::uint64_t cycle) {
    RunLog* log = nullptr;
    for (std::size_t run = 0; run < loads_.size(); ++run)
      if (loads_[run].unit == engine && loads_[run].cycle <= cycle) log = &logs_[run];
    return log;
  }

  const std::string& path_;
  const std::vector<TraceEvent>& events_;
  std::vector<TraceEvent> loads_;
  std::vector<RunLog> logs_;
};

/// Faults of a run are what a debugger is for.
bool has_report(ppu_result result) {
  return result == PPU_OK || result == PPU_ERROR_FAULT;
}

Owner<ppu_job, ppu_job_destroy> job_of(const Solver& solver, const model::RowProblem& problem,
                                       const ppu_solve_def& def) {
  const ppu_problem rows = view(problem);
  ppu_job job;
  check(ppu_job_create(solver.device().get(), &rows, &def, &job));
  return Owner<ppu_job, ppu_job_destroy>(job);
}

}  // namespace

DebuggedJob solve_for_debugger(const model::RowProblem& problem, const Options& options) {
  Options with_log = options;
  std::optional<TemporaryFile> log;
  if (options.backend != "functional" && options.trace.empty())
    with_log.unnamed_trace = log.emplace().path();
  Solver solver(with_log);
  const ppu_solve_def def = solver.solve_def(problem, options.sweeps);
  DebuggedJob job{load_program(options.program),
                  hw::resolve_config(options.config, options.overrides),
                  {},
                  PPU_OK,
                  {},
                  job_of(solver, problem, def),
                  {}};
  job.result = solver.try_solve(problem, def, &job.solve);
  if (job.result != PPU_OK) job.failure = ppu_last_error();
  if (!has_report(job.result)) throw Error(job.result, options.problem + ": " + job.failure);
  solver.close();  // Then the log is complete.
  if (job.timed())
    job.logs = LogSplitter(with_log.log_path(), read_event_log(with_log.log_path()).events).split();
  return job;
}

}  // namespace ppu::sim
