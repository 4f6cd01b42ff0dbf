// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Attacks of a client on another one, on the device without time and on the timed one; those on the
// RTL are in tests/rtl/device/top_contexts_test.cpp.
#include <gtest/gtest.h>

#include "hw/functional/functional_device.hpp"
#include "hw/timed/timed_device.hpp"
#include "tests/hw/support/context_attacks.hpp"
#include "tests/hw/support/context_scenarios.hpp"

namespace ppu::hw::test {
namespace {

template <class Tested>
class Contexts : public ::testing::Test {};
using Devices = ::testing::Types<FunctionalDevice, TimedDevice>;
TYPED_TEST_SUITE(Contexts, Devices);

template <class Tested, class Act>
void on_a_device(Act act) {
  const Config config = plain_config();
  DeviceHost host{config};
  Tested device{config, host.memory()};
  ContextBench bench(config, host, device);
  act(bench);
}

TYPED_TEST(Contexts, StopAttacks) {
  for (const Attack& attack : attacks::all()) {
    SCOPED_TRACE(attack.name + ": " + attack.how);
    on_a_device<TypeParam>([&attack](ContextBench& bench) { try_attack(attack, bench); });
  }
}

TYPED_TEST(Contexts, StopScenarios) {
  for (const Scenario& scenario : context_scenarios()) {
    SCOPED_TRACE(scenario.name + ": " + scenario.how);
    on_a_device<TypeParam>([&scenario](ContextBench& bench) {
      scenario.act(bench);
      bench.expect_untouched();
    });
  }
}

TEST(ContextAttacks, AreMany) {
  EXPECT_GE(attacks::all().size() + context_scenarios().size(), 60U);
}

}  // namespace
}  // namespace ppu::hw::test
