// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Parity workloads: runs that end before `halt`. In how many cycles they do is not specified, so
// the counters of time are left out; the words of their reports are part of the state.
#include <limits>

#include "firmware/assembler/assembler.hpp"
#include "firmware/programs/programs.hpp"
#include "sim/parity/parity_job.hpp"
#include "sim/parity/parity_workloads.hpp"

namespace ppu::sim {
namespace {

namespace field = spec::command_field;
using spec::CommandOpcode;

/// Places in device memory, which the workload owns as a whole.
constexpr std::uint32_t kRows = 0;
constexpr std::uint32_t kImpulses = 0x10000;
constexpr std::uint32_t kVelocities = 0x11000;
constexpr std::uint32_t kReports = 0x20000;
constexpr std::uint32_t kEnd = 0x21000;

/// Some islands, with one thing wrong.
struct Failing {
  std::string source = std::string(firmware::find_program("boxed")->source);
  std::vector<ppu_row> rows;
  std::uint32_t bodies = 0;
};

/// The run as a raw command, so that its report can be read word for word.
RawCommand raw_run(const Failing& failing, std::uint32_t program_words, std::uint32_t report,
                   std::uint32_t flags) {
  RawCommand command = raw_command(CommandOpcode::kRun);
  set_field(&command, field::kFlags, flags);
  set_field(&command, field::kProgramWords, program_words);
  set_field(&command, field::kRowCount, static_cast<std::uint32_t>(failing.rows.size()));
  set_field(&command, field::kBodyCount, failing.bodies);
  set_field(&command, field::kRowsAddress, kRows);
  set_field(&command, field::kImpulsesAddress, kImpulses);
  set_field(&command, field::kVelocitiesAddress, kVelocities);
  set_field(&command, field::kReportAddress, report);
  // The arguments a0 and a1: rows and sweeps.
  command[field::kArguments.word] = static_cast<std::uint32_t>(failing.rows.size());
  command[field::kArguments.word + 1] = 3;
  return command;
}

/// The run with its rows resident, streamed, chained, early, and streamed and early, then what it
/// has left of impulses and velocities, and the heads of the reports.
template <class Break>
Outcome failing_runs(const Bench& bench, Break break_it) {
  const model::RowProblem problem = make_islands({4, 20, 40, 11});
  Failing failing;
  failing.rows = device_rows(problem, {});
  failing.bodies = static_cast<std::uint32_t>(problem.bodies());
  break_it(&failing);
  // The first program of a device is at word 0.
  const Program program = Program::assemble(bench.device, "failing.s", failing.source);
  const auto words = static_cast<std::uint32_t>(
      firmware::assemble("failing.s", failing.source).image.words.size());
  const Buffer all(bench.device, bench.device.info().device_memory_bytes);  // At address 0.
  const std::vector<std::uint8_t> state = std::vector<std::uint8_t>(kEnd - kImpulses);
  const std::uint32_t report = host_scratch(bench);
  RecordedJob job(bench.device);
  job.expect_faults();
  const auto copy_rows = [&] {
    job.commands().copy_in(all, failing.rows.data(), failing.rows.size() * sizeof(ppu_row), kRows);
  };
  copy_rows();
  job.commands().copy_in(all, state.data(), state.size(), kImpulses);
  std::uint32_t place = kReports;
  for (const std::uint32_t flags :
       {0U, spec::kFlagStream, spec::kFlagChained, spec::kFlagChained | spec::kFlagEarly,
        spec::kFlagStream | spec::kFlagChained | spec::kFlagEarly}) {
    job.commands().barrier();
    job.commands().raw(raw_run(failing, words, report, flags));
    if ((flags & spec::kFlagChained) != 0) copy_rows();
    job.commands().barrier();
    job.commands().raw(raw_copy(CommandOpcode::kCopyIn, report, place, spec::kReportHeaderBytes));
    place += spec::kReportHeaderBytes;
  }
  return finish(&job, {{&all, kEnd}});
}

Outcome row_fault(const Bench& bench) {
  return failing_runs(bench, [](Failing* failing) {
    failing->rows[40].bias = std::numeric_limits<float>::infinity();
  });
}

Outcome bad_row(const Bench& bench) {
  return failing_runs(bench,
                      [](Failing* failing) { failing->rows[40].body_a = failing->bodies + 3; });
}

Outcome illegal_instruction(const Bench& bench) {
  return failing_runs(
      bench, [](Failing* failing) { failing->source = "  signal a1\n  rows zero, a0\n  halt\n"; });
}

}  // namespace

std::vector<Workload> fault_workloads() {
  return {
      {"row-fault", "a row that is not finite; times are not compared", false, row_fault},
      {"bad-row", "a row of a body that the run does not have; times are not compared", false,
       bad_row},
      {"illegal-instruction", "rows before any kernel; times are not compared", false,
       illegal_instruction},
  };
}

}  // namespace ppu::sim
