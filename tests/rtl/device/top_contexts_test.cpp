// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Attacks of a client on another one, on the RTL; and two clients side by side on RTL and model, in
// the same cycles.
#include <array>

#include "tests/hw/support/context_attacks.hpp"
#include "tests/hw/support/context_scenarios.hpp"
#include "tests/rtl/device/twins.hpp"

namespace ppu::hw::test {
namespace {

template <class Act>
void on_the_rtl(Act act) {
  const Config config = plain_config();
  DeviceHost host{config};
  const std::unique_ptr<Device> device = create_rtl_device(config, host.memory());
  ContextBench bench(config, host, *device);
  act(bench);
}

TEST(RtlTopContexts, StopAttacks) {
  for (const Attack& attack : attacks::all()) {
    SCOPED_TRACE(attack.name + ": " + attack.how);
    on_the_rtl([&attack](ContextBench& bench) { try_attack(attack, bench); });
  }
}

TEST(RtlTopContexts, StopScenarios) {
  for (const Scenario& scenario : context_scenarios()) {
    SCOPED_TRACE(scenario.name + ": " + scenario.how);
    on_the_rtl([&scenario](ContextBench& bench) {
      scenario.act(bench);
      bench.expect_untouched();
    });
  }
}

/// RTL and model, each with its owner and its clients.
class ContextTwins : public testing::Test {
 protected:
  ContextTwins() = default;
  explicit ContextTwins(const Config& other) : config(other) {}

  template <class Act>
  void both(Act act) {
    act(on_rtl);
    act(on_model);
  }
  template <class Commands>
  void submit(Client ContextBench::*who, Commands commands) {
    both([&](ContextBench& bench) {
      for (const CommandWords& command : commands(bench)) bench.add(bench.*who, command);
    });
  }
  void ring(Client ContextBench::*who) {
    both([who](ContextBench& bench) { bench.ring(bench.*who); });
  }
  void finish() {
    both([](ContextBench& bench) { bench.finish(); });
  }
  /// So many cycles, in each of which both must show the same in these registers.
  void expect_same(const std::vector<std::uint32_t>& registers, std::uint32_t cycles) {
    constexpr std::uint32_t kNoRegister = 0xfc;
    for (std::uint32_t n = 0; n < cycles; ++n) {
      twins.write(kNoRegister, 0);
      for (const std::uint32_t offset : registers)
        ASSERT_EQ(twins.rtl_session.read(offset), twins.model_session.read(offset))
            << "register " << offset << " after " << n << " cycles";
    }
  }

  Config config = plain_config();
  Twins twins{config};
  ContextBench on_rtl{config, twins.rtl_host, *twins.rtl};
  ContextBench on_model{config, twins.model_host, *twins.model};
};

using Words = std::vector<CommandWords>;

TEST_F(ContextTwins, TakeTheSameCyclesSideBySide) {
  for (Client ContextBench::*who : {&ContextBench::attacker, &ContextBench::victim})
    submit(who, [who](ContextBench& bench) {
      Client& own = bench.*who;
      Words commands = {
          bench.load(own, "li t0, 40\nagain: addi t1, t1, 1\nbne t0, t1, again\nhalt\n")};
      for (int n = 0; n < 4; ++n) {
        commands.push_back(ContextBench::run(own));
        commands.push_back(
            copy_command(spec::CommandOpcode::kCopyIn, {own.data(), own.device + 64, 1000, 0}));
        commands.push_back(fence_command(own.fence(), 3 + n));
      }
      return commands;
    });
  ring(&ContextBench::attacker);
  ring(&ContextBench::victim);
  finish();
  twins.expect_equal();
}

TEST_F(ContextTwins, AreScrubbedInTheSameCycles) {
  both([](ContextBench& bench) {
    Client third{3, 0x30000, 0x50000, 384};
    EXPECT_TRUE(bench.open(third));
    bench.execute(third, {bench.load(third, "halt\n"), ContextBench::run(third)});
    EXPECT_TRUE(bench.set_open(3, false));
    bench.scrub(3);
  });
  twins.expect_equal();
}

TEST_F(ContextTwins, RejectTheSameInTheSameCycles) {
  for (const Attack& attack : attacks::all()) {
    submit(&ContextBench::attacker, attack.commands);
    submit(&ContextBench::victim,
           [](ContextBench& bench) { return Words{ContextBench::run(bench.victim)}; });
    ring(&ContextBench::victim);
    ring(&ContextBench::attacker);
    finish();
  }
  twins.expect_equal();
}

TEST_F(ContextTwins, EndACopyAtItsQuotaInTheSameCycle) {
  both(scenarios::copy_without_end);
  twins.expect_equal();
}

TEST_F(ContextTwins, ShowTheSameWhileTheirCommandsAreUnderWay) {
  std::vector<std::uint32_t> registers = {PPU_REGISTER_STATUS};
  for (Client ContextBench::*who : {&ContextBench::attacker, &ContextBench::victim}) {
    for (const std::uint32_t offset :
         {PPU_REGISTER_STATUS, PPU_REGISTER_RING_HEAD, PPU_REGISTER_IRQ_STATUS})
      registers.push_back((on_rtl.*who).page(offset));
    submit(who, [who](ContextBench& bench) {
      Client& own = bench.*who;
      return Words{bench.load(own, "halt\n"), ContextBench::run(own),
                   fence_command(own.fence(), 3, true)};
    });
    ring(who);
    ASSERT_NO_FATAL_FAILURE(expect_same(registers, 30));
  }
  ASSERT_NO_FATAL_FAILURE(expect_same(registers, 250));
  finish();
  twins.expect_equal();
}

// It is clean when its program is zero, too, and not before.
TEST_F(ContextTwins, AreCleanFromTheSameCycleOn) {
  both([](ContextBench& bench) {
    EXPECT_TRUE(bench.set_open(bench.attacker.id, false));
    bench.owner.write(PPU_REGISTER_CONTEXT, bench.attacker.id);
    bench.host.add(ContextBench::scrub_command(bench.attacker.id));
    bench.owner.ring();
  });
  ASSERT_NO_FATAL_FAILURE(
      expect_same({PPU_REGISTER_CONTEXT_STATE}, Client::kBytes / spec::kBeatBytes + 200));
  EXPECT_EQ(twins.rtl_session.read(PPU_REGISTER_CONTEXT_STATE), 2U);
  finish();
}

TEST_F(ContextTwins, EndARunAtAnyQuota) {
  for (const std::uint32_t quota : {1U, 2U, 63U}) {
    both([quota](ContextBench& bench) {
      Client& own = bench.attacker;
      EXPECT_TRUE(bench.set_open(own.id, false));
      EXPECT_TRUE(bench.open(own, quota));
      bench.execute(own, {bench.load(own, "again: j again\n"), ContextBench::run(own)});
      EXPECT_EQ(bench.take_error(own).reason, PPU_COMMAND_ERROR_QUOTA);
    });
    twins.expect_equal_state({});
  }
}

// From one quota to the next, in a list of copies, one copy more begins: in the same cycle.
TEST_F(ContextTwins, EndAListOfCopiesAtAnyQuota) {
  constexpr std::uint32_t kRanges = 8;
  const auto copies = [](ContextBench& bench, std::uint32_t quota) {
    Client& own = bench.attacker;
    EXPECT_TRUE(bench.set_open(own.id, false));
    EXPECT_TRUE(bench.open(own, quota));
    for (std::uint32_t n = 0; n < kRanges; ++n)
      bench.host.put(own.list() + n * spec::kDescriptorBytes,
                     Descriptor{own.host, own.device, 64, 0});
    bench.execute(own, {copy_command(spec::CommandOpcode::kCopyIn, {own.host, own.device, 64, 0},
                                     own.list(), kRanges)});
    EXPECT_EQ(bench.read(own, PPU_REGISTER_ERROR_COUNT), 1U);
    return bench.take_error(own).detail;
  };
  DeviceHost host{config};
  TimedDevice device(config, host.memory(), RowObservers{}, nullptr);
  ContextBench alone(config, host, device);
  std::uint32_t quota = 60;
  const std::uint32_t done = copies(alone, quota);
  while (copies(alone, quota + 1) == done) ++quota;
  for (const std::uint32_t its : {quota, quota + 1}) {
    EXPECT_EQ(copies(on_model, its), its - quota + done);
    EXPECT_EQ(copies(on_rtl, its), its - quota + done);
    twins.expect_equal_state({});
  }
}

/// The same on a device of two engines, whose memories have check bits.
class ContextTwinsOfTwoEngines : public ContextTwins {
 protected:
  ContextTwinsOfTwoEngines() : ContextTwins(plain_config({}, "protected")) {}
};

TEST_F(ContextTwinsOfTwoEngines, ShowTheProgressOfTheirOwnRuns) {
  const std::array<Client ContextBench::*, 2> clients = {&ContextBench::attacker,
                                                         &ContextBench::victim};
  std::vector<std::uint32_t> registers;
  for (const auto who : clients) {
    registers.push_back((on_rtl.*who).page(PPU_REGISTER_PROGRESS));
    submit(who, [who](ContextBench& bench) {
      Client& own = bench.*who;
      return Words{bench.load(own, "li t0, " + std::to_string(40 * own.id) +
                                       "\nagain: addi t1, t1, 1\nsignal t1\nbne t0, t1, again\n"
                                       "halt\n"),
                   ContextBench::run(own), fence_command(own.fence(), 3)};
    });
    ring(who);
  }
  ASSERT_NO_FATAL_FAILURE(expect_same(registers, 300));
  finish();
  for (const auto who : clients)
    EXPECT_EQ(on_rtl.read(on_rtl.*who, PPU_REGISTER_PROGRESS), 40 * (on_rtl.*who).id);
  twins.expect_equal();
}

TEST_F(ContextTwinsOfTwoEngines, NameTheRunThatSpendsItsQuota) {
  both([](ContextBench& bench) {
    for (const std::uint32_t waits : {0U, 600U}) {
      Client& own = bench.attacker;
      EXPECT_TRUE(bench.set_open(own.id, false));
      EXPECT_TRUE(bench.open(own, 900));
      // On the other engine a run goes on, or none.
      bench.submit(bench.victim, {bench.load(bench.victim, "li t0, " + std::to_string(waits) +
                                                               "\nagain: addi t1, t1, 1\n"
                                                               "bltu t1, t0, again\nhalt\n"),
                                  ContextBench::run(bench.victim)});
      bench.submit(own, {bench.load(own, "again: j again\n"), ContextBench::run(own)});
      bench.finish();
      EXPECT_EQ(bench.take_error(own).reason, PPU_COMMAND_ERROR_QUOTA);
      EXPECT_EQ(bench.status(bench.victim), PPU_RUN_OK);
      EXPECT_EQ(bench.read(bench.victim, PPU_REGISTER_ERROR_COUNT), 0U);
    }
  });
  twins.expect_equal_state({});
}

}  // namespace
}  // namespace ppu::hw::test
