// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Flipped bits in the memories of an engine and in device memory, through ring and driver, on every
// back end: one bit of a word changes nothing but a counter, two fail what reads the word, and name
// it.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ppu_spec.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/expect_error.hpp"

namespace ppu::driver {
namespace {

using test::expect_error;

constexpr std::uint32_t kRows = 3, kBodies = 3;

/// How the rows come on chip.
enum class Way { kResident, kStreamed, kChained };

struct Flip {
  ppu_fault_detail memory;
  std::uint32_t word;
};

/// Rows 0 and 1 are on bodies 0 and 1, row 2 is on 1 and 2 and has row 1 as its parent.
std::vector<ppu_row> chain_of_rows() {
  std::vector<ppu_row> rows(kRows);
  for (std::uint32_t slot = 0; slot < kRows; ++slot) {
    ppu_row& row = rows[slot];
    row = {};
    row.jacobian[1] = row.inv_mass_jacobian[1] = 1;
    row.jacobian[7] = row.inv_mass_jacobian[7] = -1;
    row.inv_diagonal = 0.5F;
    row.bias = 0.25F * static_cast<float>(slot + 1);
    row.lower = -1;
    row.upper = 1;
    row.body_a = slot / 2;
    row.body_b = slot / 2 + 1;
    row.parent = slot == 2 ? 1 : PPU_NONE;
  }
  return rows;
}

class FlipsOnBackend : public testing::TestWithParam<std::string> {
 protected:
  void record_flip(const Flip& flip, bool two) {
    namespace field = spec::command_field;
    std::array<std::uint32_t, 16> words{};
    const auto put = [&words](const spec::CommandField& at, std::uint32_t value) {
      words[at.word] |= value << at.lsb;
    };
    put(field::kOpcode, static_cast<std::uint32_t>(spec::CommandOpcode::kFlip));
    put(field::kFlags, two ? spec::kFlagTwo : 0);
    put(field::kFlipMemory, flip.memory);
    put(field::kFlipBit, 3);
    put(field::kFlipWord, flip.word);
    list_.raw(words);
  }

  /// What is to be waited for: three sweeps over the rows, which begin at rest. With `memory`, bits
  /// of device memory flip before.
  Fence run(const Program& program, Way way, const std::optional<Flip>& memory = {},
            bool two = false) {
    const std::vector<ppu_row> rows = chain_of_rows();
    const std::vector<std::uint8_t> rest(kBodies * sizeof(ppu_velocity));
    const auto copy_rows = [&] {
      list_.copy_in(rows_, rows.data(), rows.size() * sizeof(ppu_row));
    };
    if (way != Way::kChained) copy_rows();
    list_.copy_in(impulses_, rest.data(), kRows * sizeof(float));
    list_.copy_in(velocities_, rest.data(), rest.size());
    list_.barrier();
    if (memory) record_flip(*memory, two);
    ppu_run_def def = ppu_default_run_def();
    def.program = program.get();
    def.rows = rows_.get();
    def.impulses = impulses_.get();
    def.velocities = velocities_.get();
    def.row_count = kRows;
    def.body_count = kBodies;
    def.arguments[0] = kRows;
    def.arguments[1] = 3;
    def.stream = way == Way::kStreamed;
    def.chained = way == Way::kChained;
    list_.run(def);
    if (way == Way::kChained) copy_rows();
    return list_.submit();
  }

  std::uint64_t corrected() const {
    return device_.counters()[PPU_DEVICE_COUNTER_MEMORY_WORDS_CORRECTED];
  }

  std::vector<std::uint32_t> answer() const {
    std::vector<std::uint32_t> words(kRows + kBodies * sizeof(ppu_velocity) / 4);
    impulses_.read(words.data(), kRows * sizeof(float));
    velocities_.read(words.data() + kRows, kBodies * sizeof(ppu_velocity));
    return words;
  }

  Device device_ = test::open(GetParam(), "protected");
  Buffer rows_{device_, kRows * sizeof(ppu_row)};
  Buffer impulses_{device_, 64};
  Buffer velocities_{device_, 128};
  Commands list_{device_};
};

constexpr Flip kOfRuns[] = {
    {PPU_FAULT_ROW_BODIES, 1},    {PPU_FAULT_ROW_JACOBIAN, 2},    {PPU_FAULT_ROW_SCALARS, 0},
    {PPU_FAULT_ROW_MASS, 1},      {PPU_FAULT_VELOCITY_MEMORY, 2}, {PPU_FAULT_IMPULSE_MEMORY, 2},
    {PPU_FAULT_PARENT_MEMORY, 1},
};

TEST_P(FlipsOnBackend, AreCorrectedOrFailTheRunWithTheNameOfTheWord) {
  const Program program = Program::load(device_, "boxed");
  for (const Way way : {Way::kResident, Way::kStreamed, Way::kChained}) {
    list_.reset();
    Fence fence = run(program, way);
    fence.wait();
    const ppu_run_report whole = fence.report();
    const std::vector<std::uint32_t> expected = answer();
    ASSERT_NE(expected, std::vector<std::uint32_t>(expected.size()));
    EXPECT_EQ(whole.counters[PPU_COUNTER_WORDS_CORRECTED], 0U);
    for (const Flip& flip : kOfRuns) {
      SCOPED_TRACE("memory " + std::to_string(flip.memory) + ", way " +
                   std::to_string(static_cast<int>(way)));
      list_.reset();
      record_flip(flip, false);
      fence = run(program, way);
      fence.wait();
      ppu_run_report report = fence.report();
      EXPECT_EQ(answer(), expected);
      EXPECT_GT(report.counters[PPU_COUNTER_WORDS_CORRECTED], 0U);
      // Streamed rows come as device memory gives them.
      if (way != Way::kStreamed) {
        EXPECT_EQ(report.counters[PPU_COUNTER_CYCLES], whole.counters[PPU_COUNTER_CYCLES]);
      }

      list_.reset();
      record_flip(flip, true);
      fence = run(program, way);
      expect_error(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_FAULT,
                   "two bits of word " + std::to_string(flip.word) + " of ");
      report = fence.report();
      EXPECT_EQ(report.status, PPU_RUN_MEMORY_FAULT);
      EXPECT_EQ(report.fault_detail, static_cast<std::uint32_t>(flip.memory));
    }
    // What was armed is forgotten.
    list_.reset();
    fence = run(program, way);
    fence.wait();
    EXPECT_EQ(answer(), expected);
    EXPECT_EQ(fence.report().counters[PPU_COUNTER_WORDS_CORRECTED], 0U);
  }
}

TEST_P(FlipsOnBackend, OfAProgramAreFoundWhenItExecutes) {
  for (const bool two : {false, true}) {
    list_.reset();
    record_flip({PPU_FAULT_INSTRUCTION_MEMORY, 1}, two);
    list_.submit().wait();
    // The first program of a device is at word 0.
    const Program program = Program::load(device_, "boxed");
    list_.reset();
    const Fence fence = run(program, Way::kResident);
    if (two) {
      expect_error(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_FAULT,
                   "two bits of word 1 of instruction_memory have flipped: run it again; a device "
                   "that says so again is broken");
    } else {
      fence.wait();
      EXPECT_GT(fence.report().counters[PPU_COUNTER_WORDS_CORRECTED], 0U);
    }
  }
}

// Buffers lie one behind the other, the first at address 0.
constexpr std::uint32_t kImpulses = kRows * sizeof(ppu_row), kVelocities = kImpulses + 64;
constexpr Flip kOfDeviceMemory[] = {{PPU_FAULT_DEVICE_MEMORY, kImpulses / 8},
                                    {PPU_FAULT_DEVICE_MEMORY, (kVelocities + 32) / 8},
                                    {PPU_FAULT_DEVICE_MEMORY, 2}};

TEST_P(FlipsOnBackend, OfDeviceMemoryAreCorrectedOrFailTheRunThatReadsThem) {
  const Program program = Program::load(device_, "boxed");
  for (const Way way : {Way::kResident, Way::kStreamed, Way::kChained}) {
    list_.reset();
    run(program, way).wait();
    const std::vector<std::uint32_t> expected = answer();
    for (const Flip& flip : kOfDeviceMemory) {
      // The rows of a chained run do not come from device memory.
      if (way == Way::kChained && flip.word < kImpulses / 8) continue;
      SCOPED_TRACE("word " + std::to_string(flip.word) + ", way " +
                   std::to_string(static_cast<int>(way)));
      const std::uint64_t before = corrected();
      list_.reset();
      Fence fence = run(program, way, flip, false);
      fence.wait();
      EXPECT_EQ(answer(), expected);
      EXPECT_GT(corrected(), before);

      list_.reset();
      fence = run(program, way, flip, true);
      expect_error(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_FAULT,
                   "two bits of the 8 bytes at " + std::to_string(flip.word * 8) +
                       " in device memory have flipped");
      // What is written anew is whole.
      list_.reset();
      run(program, way).wait();
      EXPECT_EQ(answer(), expected);
    }
  }
}

TEST_P(FlipsOnBackend, OfDeviceMemoryAreFoundByCopies) {
  std::vector<std::uint8_t> bytes(128, 7), found(128);
  velocities_.write(bytes.data(), bytes.size());
  const Flip flip{PPU_FAULT_DEVICE_MEMORY, (kVelocities + 72) / 8};
  const std::uint64_t before = corrected();
  record_flip(flip, false);
  list_.submit().wait();
  velocities_.read(found.data(), found.size());
  EXPECT_EQ(found, bytes);
  EXPECT_GT(corrected(), before);

  list_.reset();
  record_flip(flip, true);
  list_.submit().wait();
  // A part of the word does not make it whole.
  velocities_.write(bytes.data(), 4, 72);
  const std::string sentence = "two bits of the 8 bytes at " + std::to_string(kVelocities + 72);
  expect_error(ppu_buffer_read(velocities_.get(), 0, found.data(), found.size()), PPU_ERROR_FAULT,
               sentence);
  list_.reset();
  list_.copy_out(velocities_, found.data(), found.size());
  expect_error(ppu_fence_wait(list_.submit().get(), PPU_NO_TIMEOUT), PPU_ERROR_FAULT, sentence);
  velocities_.write(bytes.data(), 8, 72);
  velocities_.read(found.data(), found.size());
  EXPECT_EQ(found, bytes);
}

TEST_P(FlipsOnBackend, AreUnknownToADeviceWithoutCheckBits) {
  const Device plain = test::open(GetParam(), "small");
  const Commands list(plain);
  list.raw(std::array<std::uint32_t, 16>{static_cast<std::uint32_t>(spec::CommandOpcode::kFlip)});
  expect_error(ppu_fence_wait(list.submit().get(), PPU_NO_TIMEOUT), PPU_ERROR_COMMAND,
               "was rejected: opcode: ");
}

INSTANTIATE_TEST_SUITE_P(All, FlipsOnBackend, testing::ValuesIn(test::backends()),
                         [](const auto& each) { return test::name_of(each.param); });

}  // namespace
}  // namespace ppu::driver
