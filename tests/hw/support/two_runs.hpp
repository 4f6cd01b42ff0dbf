// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A piece of work with everything in it: two runs at a time, resident and streamed, copies between
// them, an error, a query and fences with and without an interrupt.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "tests/hw/support/device_host.hpp"
#include "tests/hw/support/test_job.hpp"

namespace ppu::hw::test {

inline constexpr std::uint32_t kProgram = 0x1000;
inline constexpr std::uint32_t kState = 0x40000;
inline constexpr std::uint32_t kStateBytes = 0x20000;

inline CommandWords run_command(const RunCommand& run, std::uint32_t report_address, bool stream) {
  return make_command(spec::CommandOpcode::kRun,
                      {{field::kProgramWords, run.program_words},
                       {field::kRowCount, run.row_count},
                       {field::kBodyCount, run.body_count},
                       {field::kRowsAddress, run.rows_address},
                       {field::kImpulsesAddress, run.impulses_address},
                       {field::kVelocitiesAddress, run.velocities_address},
                       {field::kReportAddress, report_address},
                       {field::kFlags, stream ? spec::kFlagStream : 0},
                       {field::kArguments, run.arguments[0]},
                       {{field::kArguments.word + 1, 0, 32}, run.arguments[1]}});
}

/// Does it; returns host memory, where fences, counters and reports hold cycles, and from kState on
/// what the runs have computed.
inline std::vector<std::byte> do_two_runs(Device& device, DeviceHost& host) {
  Job job(random_rows(300, 40, 7), 40, program("pgs"));
  host.put_bytes(kState, job.memory().data, job.memory().size_bytes);
  host.put_bytes(kProgram, job.words.data(), 4 * job.words.size());
  RunCommand second = job.command;
  for (std::uint32_t* address :
       {&second.rows_address, &second.impulses_address, &second.velocities_address})
    *address += kStateBytes / 2;

  DeviceSession session(host, device);
  session.write(PPU_REGISTER_IRQ_MASK, 3);
  session.execute(
      {copy_command(spec::CommandOpcode::kCopyIn, {kState, 0, kStateBytes / 2, 0}),
       copy_command(spec::CommandOpcode::kCopyWithin, {0, kStateBytes / 2, kStateBytes / 2, 0}),
       copy_command(spec::CommandOpcode::kLoadProgram,
                    {kProgram, 0, static_cast<std::uint32_t>(4 * job.words.size()), 0}),
       fence_command(0, 1, true)});
  session.write(PPU_REGISTER_IRQ_STATUS, 1);
  session.execute({run_command(job.command, 0x2000, false), run_command(second, 0x3000, true),
                   copy_command(spec::CommandOpcode::kCopyIn, {kState, kStateBytes, 5000, 0}),
                   make_command(static_cast<spec::CommandOpcode>(0x77)), fence_command(16, 2)});
  session.execute({copy_command(spec::CommandOpcode::kCopyOut, {kState, 0, kStateBytes, 0}),
                   query_command(0x4000), fence_command(32, 3, true)});
  EXPECT_EQ(session.take_error().reason, PPU_COMMAND_ERROR_OPCODE);
  EXPECT_EQ(session.read(PPU_REGISTER_ERROR_COUNT), 0U);
  return host.bytes(0, host.memory().size_bytes);
}

}  // namespace ppu::hw::test
