// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The driver's side of ring, fences, errors and interrupts, against a device that runs nothing.
#include "driver/device/device.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

#include "driver/base/failure.hpp"
#include "driver/device/outcome.hpp"
#include "driver/session/local_session.hpp"
#include "tests/driver/support/fake_chip.hpp"

namespace ppu::driver {
namespace {

using test::FakeChip;

constexpr std::uint64_t kMillisecond = 1'000'000;

hw::Config small_config() {
  hw::Config config;
  config.host_memory_mib = 1;
  config.device_memory_mib = 1;
  return config;
}

class DeviceTest : public testing::Test {
 protected:
  DeviceTest() : device_(make_device([](FakeChip&) {})) {}

  /// A device around a chip that `change` has changed.
  template <class Change>
  Device make_device(Change change) {
    auto session = std::make_unique<LocalSession>(small_config(), [&](hw::Memory host) {
      auto chip = std::make_unique<FakeChip>(small_config(), host);
      change(*chip);
      chip_ = chip.get();
      return chip;
    });
    return Device(kBackends[1], "small", small_config(), 2000 * kMillisecond, std::move(session));
  }

  std::shared_ptr<Batch> make_batch() const {
    return std::make_shared<Batch>(device_.host_memory());
  }

  std::shared_ptr<Batch> runs_of(const std::vector<std::uint32_t>& row_counts) const {
    auto batch = make_batch();
    for (const std::uint32_t rows : row_counts) {
      hw::RunCommand run;
      run.row_count = rows;
      batch->add_run(run, no_words_, false);
    }
    return batch;
  }

  static Command unknown_command() {
    Command command{};
    command[0] = 0xee;
    return command;
  }

  FakeChip* chip_ = nullptr;
  ProgramWords no_words_ = std::make_shared<const std::vector<std::uint32_t>>();
  Device device_;
};

/// Result and sentence of what `body` throws.
template <class Body>
std::pair<ppu_result, std::string> failure_of(Body body) {
  const ppu_result result = guarded(body);
  return {result, result == PPU_OK ? "" : last_error()};
}

TEST_F(DeviceTest, RefusesADeviceOfAnotherKindSpecificationOrConfiguration) {
  for (const auto& [offset, part] :
       {std::pair{PPU_REGISTER_MAGIC, "says 0x5"},
        std::pair{PPU_REGISTER_SPEC_HASH, "was made from specification 0x5"},
        std::pair{PPU_REGISTER_CONFIG_HASH_HI, "reports configuration 0x5"}}) {
    const auto wrong = [at = offset](FakeChip& chip) { chip.set_register(at, 5); };
    const auto [result, sentence] = failure_of([&] { make_device(wrong); });
    EXPECT_EQ(result, PPU_ERROR_VERSION);
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  }
}

TEST_F(DeviceTest, RingsOneDoorbellPerBatchAndWrapsTheRing) {
  for (std::uint32_t round = 0; round < 5; ++round) {
    const auto batch = make_batch();
    for (int i = 0; i < 600; ++i) batch->add(plain_command(spec::CommandOpcode::kNop));
    device_.execute(batch);
    EXPECT_EQ(chip_->commands.size(), 601U * (round + 1));
    EXPECT_EQ(device_.read_register(PPU_REGISTER_RING_TAIL), 601U * (round + 1));
  }
}

TEST_F(DeviceTest, RefusesABatchLargerThanTheRing) {
  const auto batch = make_batch();
  for (std::uint32_t i = 0; i < Device::kRingEntries; ++i)
    batch->add(plain_command(spec::CommandOpcode::kNop));
  const auto [result, sentence] = failure_of([&] { device_.submit(batch); });
  EXPECT_EQ(result, PPU_ERROR_CAPACITY);
  EXPECT_EQ(sentence, "the list has 1025 commands with its fence, the ring holds 1024");
  EXPECT_FALSE(batch->under_way());
}

TEST_F(DeviceTest, IsBusyWhenTheRingHasNoRoomUntilAFenceHasBeenWritten) {
  const auto endless = runs_of({FakeChip::kEndlessRows});
  device_.submit(endless);
  const auto large = make_batch();
  for (int i = 0; i < 1022; ++i) large->add(plain_command(spec::CommandOpcode::kNop));
  EXPECT_EQ(failure_of([&] { device_.submit(large); }),
            std::pair(PPU_ERROR_BUSY,
                      std::string("the list has 1023 commands with its fence, the ring has room "
                                  "for 1022; wait for an earlier fence first")));
  device_.cancel(*endless);
  EXPECT_EQ(failure_of([&] { device_.execute(large); }).first, PPU_OK);
}

TEST_F(DeviceTest, EndsBatchesInTheOrderOfTheirSubmission) {
  std::vector<std::shared_ptr<Batch>> batches;
  for (std::uint32_t rows = 1; rows <= 20; ++rows) {
    batches.push_back(runs_of({rows}));
    device_.submit(batches.back());
  }
  EXPECT_TRUE(device_.wait(*batches.back(), PPU_NO_TIMEOUT));
  for (std::uint32_t rows = 1; rows <= 20; ++rows) {
    EXPECT_FALSE(batches[rows - 1]->under_way());
    EXPECT_EQ(batches[rows - 1]->report(0).progress, rows);
  }
}

TEST_F(DeviceTest, ABatchCanBeSubmittedAgain) {
  const auto batch = runs_of({3});
  for (int round = 0; round < 3; ++round) {
    device_.execute(batch);
    EXPECT_EQ(batch->report(0).progress, 3U);
  }
}

TEST_F(DeviceTest, WaitEndsAtItsTimeoutAndMayBeRepeated) {
  const auto endless = runs_of({FakeChip::kEndlessRows});
  device_.submit(endless);
  EXPECT_FALSE(device_.wait(*endless, 0));
  EXPECT_FALSE(device_.wait(*endless, kMillisecond));
  device_.cancel(*endless);
  EXPECT_TRUE(device_.wait(*endless, 0));
  EXPECT_EQ(endless->report(0).status, PPU_RUN_CANCELLED);
}

TEST_F(DeviceTest, CancelEndsEveryRunOfABatchAndThoseBefore) {
  const auto first = runs_of({FakeChip::kEndlessRows, FakeChip::kEndlessRows});
  const auto second = runs_of({1, FakeChip::kEndlessRows, FakeChip::kEndlessRows});
  device_.submit(first);
  device_.submit(second);
  device_.cancel(*second);
  EXPECT_EQ(first->report(1).status, PPU_RUN_CANCELLED);
  EXPECT_EQ(second->report(0).status, PPU_RUN_OK);
  EXPECT_EQ(second->report(2).status, PPU_RUN_CANCELLED);
  EXPECT_EQ(
      failure_of([&] { check_outcome(*second); }),
      std::pair(PPU_ERROR_CANCELLED, std::string("run 1 of the list: the run was cancelled")));
}

TEST_F(DeviceTest, RejectedCommandsAreNamedByTheirPlaceInTheBatch) {
  const auto good = runs_of({1});
  const auto bad = make_batch();
  bad->add(plain_command(spec::CommandOpcode::kNop));
  bad->add(unknown_command());
  device_.submit(good);
  device_.submit(bad);
  device_.submit(runs_of({2}));
  EXPECT_TRUE(device_.wait(*bad, PPU_NO_TIMEOUT));
  EXPECT_EQ(failure_of([&] { check_outcome(*good); }).first, PPU_OK);
  EXPECT_EQ(failure_of([&] { check_outcome(*bad); }),
            std::pair(PPU_ERROR_COMMAND,
                      std::string("command 1 of the list, an unknown command, was rejected: "
                                  "opcode: there is no such command")));
}

TEST_F(DeviceTest, EveryErrorIsTakenOrKnownToBeLost) {
  const auto bad = make_batch();
  for (int i = 0; i < 100; ++i) bad->add(unknown_command());
  for (int round = 0; round < 2; ++round) {
    const auto [result, sentence] = failure_of([&] { device_.execute(bad); });
    EXPECT_EQ(result, PPU_ERROR_COMMAND);
    EXPECT_EQ(sentence.find("command 0 of the list"), 0U) << sentence;
    EXPECT_EQ(bad->errors().size() + bad->lost_errors(), 100U);
  }
}

TEST_F(DeviceTest, CountsLostErrorsOnceAndAcrossTheWrapOfTheirRegister) {
  const auto lost_of = [&](std::uint32_t lost) {
    chip_->set_register(PPU_REGISTER_ERROR_LOST, lost);
    return failure_of([&] { device_.execute(make_batch()); }).second;
  };
  EXPECT_NE(lost_of(UINT32_MAX).find("; 4294967295 errors found its error queue full"),
            std::string::npos);
  EXPECT_EQ(lost_of(UINT32_MAX), "");
  EXPECT_NE(lost_of(1).find("; 2 errors found its error queue full"), std::string::npos);
}

TEST_F(DeviceTest, ALostErrorIsOfEveryListThatMayHaveHadIt) {
  const auto unknown = [&](int count) {
    const auto batch = make_batch();
    for (int i = 0; i < count; ++i) batch->add(unknown_command());
    return batch;
  };
  const std::shared_ptr<Batch> lists[] = {unknown(spec::kErrorQueueEntries), unknown(1)};
  chip_->holds = true;
  for (const auto& list : lists) device_.submit(list);
  chip_->holds = false;
  while (device_.read_register(PPU_REGISTER_RING_HEAD) < spec::kErrorQueueEntries + 3) continue;
  for (const auto& list : lists) {
    EXPECT_TRUE(device_.wait(*list, PPU_NO_TIMEOUT));
    EXPECT_EQ(failure_of([&] { check_outcome(*list); }).first, PPU_ERROR_COMMAND);
  }
}

TEST_F(DeviceTest, ALostWordOfDeviceMemoryFailsEveryListThatHadBegun) {
  const std::shared_ptr<Batch> lists[] = {make_batch(), make_batch()};
  lists[1]->add(Command{});  // nop
  chip_->loses_words = true;
  chip_->holds = true;
  for (const auto& list : lists) device_.submit(list);
  chip_->holds = false;
  // Else the driver may end the first list before the second has lost the word.
  while (chip_->ended < 2) std::this_thread::yield();
  for (const auto& list : lists) {
    EXPECT_TRUE(device_.wait(*list, PPU_NO_TIMEOUT));
    const auto [result, sentence] = failure_of([&] { check_outcome(*list); });
    EXPECT_EQ(result, PPU_ERROR_FAULT);
    EXPECT_EQ(sentence.substr(0, 61),
              "two bits of the 8 bytes at 4112 in device memory have flipped");
  }
}

TEST_F(DeviceTest, ARunWithoutAReportWasRejected) {
  chip_->rejects_runs = true;
  const auto batch = runs_of({1});
  EXPECT_EQ(failure_of([&] { device_.execute(batch); }),
            std::pair(PPU_ERROR_COMMAND,
                      std::string("command 0 of the list, run, was rejected: capacity: program, "
                                  "rows or bodies do not fit the engine's memories, or the program "
                                  "does not lie in the context's window")));
  EXPECT_EQ(batch->report(0).status, PPU_RUN_BAD_COMMAND);
}

TEST_F(DeviceTest, MismatchIsToldInTheDevicesWords) {
  const auto batch = runs_of({FakeChip::kMismatchRows});
  EXPECT_EQ(failure_of([&] { device_.execute(batch); }),
            std::pair(PPU_ERROR_MISMATCH, std::string("the adder differs")));
}

TEST_F(DeviceTest, ARawRunThatFailedIsToldFromItsError) {
  hw::RunCommand run;
  run.row_count = FakeChip::kMismatchRows;
  const auto batch = make_batch();
  batch->add(plain_command(spec::CommandOpcode::kNop));
  batch->add(run_command(run, 65536));
  EXPECT_EQ(failure_of([&] { device_.execute(batch); }),
            std::pair(PPU_ERROR_MISMATCH,
                      std::string("command 1 of the list, run, has failed: mismatch: lockstep: "
                                  "the RTL row pipe and the model differ")));
}

TEST_F(DeviceTest, TimeStampsAndCountersComeWithTheirBatch) {
  const auto batch = make_batch();
  const std::uint32_t first = batch->add_time_stamp();
  const std::uint32_t query = batch->add_query();
  const std::uint32_t second = batch->add_time_stamp();
  device_.execute(batch);
  EXPECT_EQ(batch->time_stamp(first), 1U);
  EXPECT_EQ(batch->time_stamp(second), 3U);
  EXPECT_EQ(batch->counters(query)[PPU_DEVICE_COUNTER_DOORBELLS], 0x0707070707070707U);
}

TEST_F(DeviceTest, ProfilesAreThoseOfTheLastRunOfTheEngine) {
  const auto batch = make_batch();
  hw::RunCommand run;
  run.row_count = 2;
  const std::uint32_t first = batch->add_run(run, no_words_, true);
  const std::uint32_t last = batch->add_run(run, no_words_, true);
  device_.execute(batch);
  const auto cycles = [&](std::uint32_t of) {
    return reinterpret_cast<const ppu_row_profile*>(batch->profile(of))[1].cycles;
  };
  EXPECT_EQ(cycles(first), 0U);
  EXPECT_EQ(cycles(last), 1U);
}

TEST_F(DeviceTest, NothingFollowsARunWhoseProfileHasNotBeenTaken) {
  const auto batch = make_batch();
  hw::RunCommand run;
  run.row_count = FakeChip::kEndlessRows;
  batch->add_run(run, no_words_, true);
  device_.submit(batch);
  EXPECT_EQ(failure_of([&] { device_.submit(runs_of({1})); }),
            std::pair(PPU_ERROR_BUSY,
                      std::string("a run under way is profiled; wait for its fence first")));
  device_.cancel(*batch);
  EXPECT_EQ(failure_of([&] { device_.execute(runs_of({1})); }).first, PPU_OK);
}

TEST_F(DeviceTest, NothingIsDoneBetweenAFenceAndItsInterrupt) {
  chip_->holds_interrupts = true;
  const auto batch = runs_of({1});
  device_.submit(batch);
  while (chip_->ended < batch->command_count()) std::this_thread::yield();
  const auto begin = std::chrono::steady_clock::now();
  std::thread look([&] { EXPECT_TRUE(device_.poll()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const bool early = chip_->cleared_early;
  // On a machine that has slept for longer the interrupt counted as lost.
  const bool in_time = std::chrono::steady_clock::now() - begin < std::chrono::seconds(1);
  EXPECT_FALSE(early && in_time);
  chip_->holds_interrupts = false;
  look.join();
}

TEST_F(DeviceTest, DeviceThatWritesNoFenceIsLostInTime) {
  chip_->silent = true;
  const auto [result, sentence] = failure_of([&] { device_.execute(runs_of({1})); });
  EXPECT_EQ(result, PPU_ERROR_DEVICE_LOST);
  EXPECT_EQ(sentence,
            "the device did not answer within 2 s; close the device; "
            "under way: submission 1 (run)");
  const auto batch = runs_of({1});
  device_.submit(batch);
  EXPECT_EQ(failure_of([&] { device_.cancel(*batch); }).first, PPU_ERROR_DEVICE_LOST);
}

TEST_F(DeviceTest, ExceptionOfTheDeviceKeepsItsOwnResult) {
  const auto batch = runs_of({1});
  chip_->out_of_memory = true;
  // Whichever call sees it first, and those after it.
  const auto submit_and_wait = [&] {
    device_.submit(batch);
    device_.wait(*batch, PPU_NO_TIMEOUT);
  };
  EXPECT_EQ(failure_of(submit_and_wait).first, PPU_ERROR_SYSTEM);
  EXPECT_EQ(failure_of([&] { device_.wait(*batch, PPU_NO_TIMEOUT); }).first, PPU_ERROR_SYSTEM);
}

}  // namespace
}  // namespace ppu::driver
