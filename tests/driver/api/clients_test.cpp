// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Clients that share a device, on every back end: what one does to another is tried in
// tests/hw/contexts, command by command.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/expect_error.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::def_of;
using test::solve;

class Clients : public testing::TestWithParam<std::string> {
 protected:
  const Device owner = test::open(GetParam());
};

ppu_client_def with_quota(std::uint32_t cycles) {
  ppu_client_def def = ppu_default_client_def();
  def.quota_cycles = cycles;
  return def;
}

std::uint64_t hash_on(const Device& device, const model::RowProblem& problem) {
  const Program program = Program::load(device, "boxed");
  const auto answer = solve(device, test::view(problem), def_of(program));
  EXPECT_EQ(answer.result, PPU_OK) << ppu_last_error();
  return answer.hash();
}

ppu_run_def run_of(const Program& program, const Buffer& memory) {
  ppu_run_def run = ppu_default_run_def();
  run.program = program.get();
  run.rows = run.impulses = run.velocities = memory.get();
  return run;
}

TEST_P(Clients, SolveSideBySideWithTheBitsOfADeviceOfTheirOwn) {
  const std::vector<model::RowProblem> problems = {test::columns(3, 6), test::column(5)};
  std::vector<std::uint64_t> expected;
  for (const model::RowProblem& problem : problems)
    expected.push_back(hash_on(test::open("functional"), problem));
  std::vector<Device> clients;
  for (std::size_t n = 0; n < problems.size(); ++n) clients.push_back(owner.client());
  std::vector<std::thread> threads;
  for (std::size_t n = 0; n < problems.size(); ++n)
    threads.emplace_back([&, n] {
      try {
        const Device client = std::move(clients[n]);
        for (int round = 0; round < 3; ++round)
          EXPECT_EQ(hash_on(client, problems[n]), expected[n]);
      } catch (const Error& error) {
        ADD_FAILURE() << error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Clients, DoNotStarveBehindOneThatNeverEnds) {
  constexpr std::uint32_t kQuota = 6'000;
  const Device greedy = owner.client(with_quota(kQuota));
  const Device client = owner.client();
  const Program endless = Program::assemble(greedy, "for-ever.s", "loop: j loop\n");
  const Buffer memory(greedy, 64);
  Commands list(greedy);
  const ppu_run_def run = run_of(endless, memory);
  constexpr int kRuns = 40;
  for (int n = 0; n < kRuns; ++n) ASSERT_EQ(ppu_commands_run(list.get(), &run, nullptr), PPU_OK);
  const Program program = Program::load(client, "boxed");
  const model::RowProblem problem = test::column(4);
  const Fence fence = list.submit();
  const auto answer = solve(client, test::view(problem), def_of(program));
  EXPECT_EQ(answer.result, PPU_OK) << ppu_last_error();
  // The fetch takes turns: at most the four commands in the device are ahead of each of its own,
  // of which a solve has about ten, with those of loading the program.
  if (owner.info().timed) {
    EXPECT_LT(answer.report.device_cycles, 40U * (kQuota + 3'000));
    EXPECT_GT(answer.report.device_cycles, kQuota / 2);
  }
  EXPECT_EQ(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_COMMAND);
  EXPECT_NE(std::string(ppu_last_error()).find("was ended: quota"), std::string::npos)
      << ppu_last_error();
}

TEST_P(Clients, FindNothingOfThoseBeforeThem) {
  const std::vector<std::uint8_t> secret(5000, 0x5e);
  std::vector<std::uint8_t> found(secret.size(), 1);
  {
    const Device client = owner.client();
    const Buffer buffer(client, secret.size());
    buffer.write(secret.data(), secret.size());
    hash_on(client, test::column(2));
  }
  const Device client = owner.client();
  const Buffer buffer(client, found.size());
  buffer.read(found.data(), found.size());
  EXPECT_EQ(found, std::vector<std::uint8_t>(found.size()));
}

TEST_P(Clients, AreThreeAtMost) {
  ppu_client_def def = ppu_default_client_def();
  def.device_bytes = def.host_bytes = 1U << 18U;
  def.program_words = 64;
  std::vector<Device> clients;
  for (int n = 0; n < 3; ++n) clients.push_back(owner.client(def));
  ppu_device more;
  EXPECT_EQ(ppu_client_open(owner.get(), &def, &more), PPU_ERROR_CAPACITY);
  clients.pop_back();
  ASSERT_EQ(ppu_client_open(owner.get(), &def, &more), PPU_OK) << ppu_last_error();
  EXPECT_EQ(ppu_device_close(more), PPU_OK);
  EXPECT_EQ(clients[0].info().device_memory_bytes, def.device_bytes);
  EXPECT_EQ(ppu_client_open(clients[0].get(), &def, &more), PPU_ERROR_INVALID_ARGUMENT);
}

TEST_P(Clients, CloseInTheMidstOfARun) {
  const Device other = owner.client();
  {
    const Device client = owner.client(with_quota(0));
    const Program endless = Program::assemble(client, "for-ever.s", "loop: j loop\n");
    const Buffer memory(client, 64);
    [[maybe_unused]] const Fence fence = Fence::submit(client, run_of(endless, memory));
  }
  EXPECT_NE(hash_on(other, test::column(2)), 0U);
}

TEST_P(Clients, CloseWithTheirOwner) {
  Device device = test::open(GetParam());
  const ppu_client_def def = ppu_default_client_def();
  ppu_device client;
  ASSERT_EQ(ppu_client_open(device.get(), &def, &client), PPU_OK) << ppu_last_error();
  device.close();
  ppu_buffer buffer;
  EXPECT_EQ(ppu_buffer_create(client, 64, &buffer), PPU_ERROR_INVALID_HANDLE);
}

TEST_P(Clients, ChainNoRuns) {
  const Program program = Program::load(owner, "boxed");
  const Buffer memory(owner, 64);
  ppu_run_def run = run_of(program, memory);
  run.chained = true;
  Commands recorded(owner);
  ASSERT_EQ(ppu_commands_run(recorded.get(), &run, nullptr), PPU_OK) << ppu_last_error();
  // Recorded before there was a client, submitted when there is one.
  Device client = owner.client();
  ppu_fence fence;
  EXPECT_EQ(ppu_commands_submit(recorded.get(), &fence), PPU_ERROR_INVALID_ARGUMENT);
  client.close();
  EXPECT_EQ(ppu_fence_wait(recorded.submit().get(), PPU_NO_TIMEOUT), PPU_OK) << ppu_last_error();
}

TEST_P(Clients, SeeTheirOwnCyclesAndNoCountersOfOthers) {
  const Device client = owner.client();
  hash_on(client, test::column(2));
  const auto counters = client.counters();
  for (std::size_t n = 0; n < counters.size(); ++n) {
    if (n == PPU_DEVICE_COUNTER_DEVICE_CYCLES) {
      EXPECT_EQ(counters[n] > 0, owner.info().timed);
    } else {
      EXPECT_EQ(counters[n], 0U);
    }
  }
}

std::vector<std::string> shared_backends() {
  std::vector<std::string> names = test::own_backends();
  names.insert(names.begin(), "functional");
  return names;
}
INSTANTIATE_TEST_SUITE_P(Backends, Clients, testing::ValuesIn(shared_backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });

}  // namespace
}  // namespace ppu::driver
