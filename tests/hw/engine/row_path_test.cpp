// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The way of one row through the blocks of an engine: the cycles of its stages, the result of the
// row arithmetic, and where it is written.
#include "hw/engine/row_path.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "hw/program/known_control.hpp"
#include "tests/hw/support/test_job.hpp"

namespace ppu::hw::test {
namespace {

TEST(RowPath, TheStagesTakeTheCyclesOfTheRowPipe) {
  const ppu_row row = random_rows(1, 2, 1).front();
  for (const char* const lanes :
       {"lanes=1", "lanes=2", "lanes=3", "lanes=4", "lanes=6", "lanes=12"})
    for (const char* const mul : {"fp_mul_stages=1", "fp_mul_stages=5"})
      for (const char* const add : {"fp_add_stages=1", "fp_add_stages=4"})
        for (const float parent_impulse : {1.0F, 0.0F}) {
          const Config config = resolve_config("default", {lanes, mul, add});
          const DotLanes dot(config);
          const RowStep step(config);
          const AxpyLanes axpy(config);
          RowPipe pipe;
          pipe.connect(dot, step, axpy);
          RowInPipe in(row, 0, 100);
          in.operands.has_parent = true;
          in.operands.parent_impulse = parent_impulse;
          pipe.take(spec::ControlWord{kBoxed | kSkip}, &in);
          EXPECT_EQ(in.result.skipped, parent_impulse == 0);
          EXPECT_EQ(in.cycle, 100 + static_cast<std::uint64_t>(row_pipe_latency(config)))
              << lanes << " " << mul << " " << add;
        }
}

/// Bits, so that any NaN is equal to itself.
std::vector<std::uint32_t> bits_of_result(const model::RowResult& result) {
  std::vector<std::uint32_t> bits(result.velocity.size());
  std::memcpy(bits.data(), result.velocity.data(), 4 * bits.size());
  for (const float number : {result.impulse, result.delta, result.residual, result.lead})
    bits.push_back(bits_of(number));
  bits.insert(bits.end(), {result.mark_a, result.mark_b, result.skipped, result.fault});
  return bits;
}

TEST(RowPath, GivesTheBitsOfTheRowArithmeticAndWritesThemToEveryCopy) {
  constexpr std::uint32_t kBodies = 12;
  for (const char* const dataflow : {"dataflow=0", "dataflow=1"}) {
    const Config config = resolve_config("default", {"pipes=4", dataflow});
    const std::vector<ppu_row> rows = random_rows(200, kBodies, 5);
    Job job(rows, kBodies, program("boxed"));
    OwnRowPath own(config);
    RowPath& path = own.path;
    path.clear(job.command);
    path.load(job.memory(), job.command);
    for (std::uint32_t slot = 0; slot < rows.size(); ++slot) path.add(slot, rows[slot]);
    RowState state(job.command);
    state.set = WorkingSet::load(job.memory(), job.command);
    std::mt19937 random(1);
    LoadedKernel kernel;
    for (std::uint32_t slot = 0; slot < rows.size(); ++slot) {
      kernel.control.bits = static_cast<std::uint32_t>(random()) & (kBoxed | kSkip);
      const model::RowResult want = state.result(kernel, rows[slot], slot);
      const RowInPipe in = path.run(kernel.control, path.row(slot), slot, 7);
      EXPECT_EQ(bits_of_result(in.result), bits_of_result(want)) << slot;
      EXPECT_EQ(in.cycle, 7 + static_cast<std::uint64_t>(row_pipe_latency(config)));
      RowSums sums, expected_sums;
      float residual = 0, expected_residual = 0;
      EXPECT_EQ(path.keep(kernel.control, in, &sums, &residual), !want.fault);
      EXPECT_EQ(
          state.view().update(kernel.control, rows[slot], slot, &expected_sums, &expected_residual),
          !want.fault);
      EXPECT_EQ(sums.skipped, expected_sums.skipped);
    }
    EXPECT_EQ(path.impulses().impulses, state.set.impulses);
    for (const VelocityMemory* const copy : path.velocities())
      EXPECT_EQ(copy->velocities, state.set.velocities);
    EXPECT_EQ(path.velocities().size(), config.dataflow != 0 ? 2U : 1U);
  }
}

TEST(RowPath, StreamedRowsUseThePlacesInTurn) {
  const Config config = resolve_config("small", {"row_memory_rows=16"});
  const std::vector<ppu_row> rows = random_rows(40, 4, 3);
  RowMemory memory(config);
  const std::uint32_t places = config.row_memory_rows / config.pipes;
  std::vector<const ppu_row*> at;
  for (const ppu_row& row : rows) {
    at.push_back(&memory.arrive(row));
    EXPECT_EQ(&memory.arrive(row), at.back()) << "it is not gone";
    EXPECT_EQ(at.back()->bias, row.bias);
    memory.next_place();
  }
  EXPECT_EQ(at[2 * places], at[3 * places]);
  EXPECT_NE(at[2 * places], at[3 * places - 1]);
}

}  // namespace
}  // namespace ppu::hw::test
