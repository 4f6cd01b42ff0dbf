// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The PPU on a TLM platform does what the timed device does, however the platform speaks to it.
// SystemC elaborates once in a process: each test is one.
#include "tests/hw/systemc/test_platform.hpp"

namespace ppu::systemc::test {
namespace {

using sc_core::SC_MS;
using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_US;

Kind loose(const std::string& name, Manner manner = {}) {
  return {name, small_settings(), manner};
}
Kind approximate(const std::string& name, Manner manner = {}) {
  return {name, small_settings(Coding::kApproximate), manner, false, true};
}
Kind with_quantum(const std::string& name, const sc_time& quantum, Manner manner = {}) {
  Kind kind = loose(name, manner);
  kind.settings.quantum = quantum;
  return kind;
}
Kind outside(Kind kind) {
  kind.settings.memory_outside = true;
  kind.name += "Outside";
  return kind;
}
Kind rtl(Kind kind) {
  kind.rtl = true;
  kind.name += "Rtl";
  return kind;
}
Manner random_manner(unsigned seed) {
  return {sc_time(400, SC_NS), false, true, false, seed};
}
/// For the RTL, which takes every cycle of host time.
Manner short_manner(unsigned seed) {
  return {sc_time(40, SC_NS), false, true, false, seed};
}

std::vector<std::byte> work(TestPlatform& platform) {
  std::vector<std::byte> bytes;
  platform.run([&] { bytes = do_two_runs(platform.master, platform.host); });
  return bytes;
}

std::string name_of(const ::testing::TestParamInfo<Kind>& info) {
  return info.param.name;
}

/// A memory that takes no time: what the device does and when is that of the device alone.
class PpuModuleInNoTime : public ::testing::TestWithParam<Kind> {};

TEST_P(PpuModuleInNoTime, GivesBytesAndCyclesOfTheTimedDevice) {
  TestPlatform platform(GetParam());
  EXPECT_TRUE(work(platform) == expected_bytes(platform.config));
}

Manner dmi() {
  Manner manner;
  manner.dmi = true;
  return manner;
}

INSTANTIATE_TEST_SUITE_P(Kinds, PpuModuleInNoTime,
                         ::testing::Values(loose("Loose"), loose("LooseDmi", dmi()),
                                           approximate("Approximate"),
                                           with_quantum("QuantumOfACycle", sc_time(1, SC_NS)),
                                           with_quantum("QuantumOf100Ns", sc_time(100, SC_NS)),
                                           with_quantum("QuantumOf1Ms", sc_time(1, SC_MS)),
                                           rtl(loose("Loose")), rtl(approximate("Approximate"))),
                         name_of);

/// A memory that takes any time, and goes any way through the phases.
class PpuModuleOnASlowBus : public ::testing::TestWithParam<Kind> {};

TEST_P(PpuModuleOnASlowBus, GivesTheBitsOfTheTimedDevice) {
  TestPlatform platform(GetParam());
  EXPECT_TRUE(state_of(work(platform)) == state_of(expected_bytes(platform.config)));
  if (GetParam().settings.coding == Coding::kLoose) return;
  for (const char* const phase : {"BEGIN_REQ", "END_REQ", "BEGIN_RESP", "END_RESP"})
    EXPECT_GT(platform.host_monitor.count(phase), 0) << phase;
  EXPECT_GT(platform.host_monitor.most_under_way(), 1U) << "requests overlap";
  if (platform.memory_monitor == nullptr) return;
  EXPECT_GT(platform.memory_monitor->count("BEGIN_REQ"), 1000);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, PpuModuleOnASlowBus,
    ::testing::Values(loose("Annotated", {sc_time(123, SC_NS)}),
                      loose("Waiting", {sc_time(123, SC_NS), true}),
                      loose("Random", random_manner(1)),
                      with_quantum("QuantumOfACycle", sc_time(1, SC_NS), {sc_time(123, SC_NS)}),
                      with_quantum("QuantumOf1Ms", sc_time(1, SC_MS), {sc_time(123, SC_NS)}),
                      approximate("Random1", random_manner(1)),
                      approximate("Random2", random_manner(2)),
                      approximate("Random3", random_manner(3)), outside(loose("Loose")),
                      outside(approximate("Random4", random_manner(4))),
                      rtl(outside(approximate("Short", short_manner(5))))),
    name_of);

/// A host that takes its time with every phase, and another one on the same socket.
class PpuModuleWithSlowHosts : public ::testing::TestWithParam<Kind> {};

TEST_P(PpuModuleWithSlowHosts, GivesTheBitsOfTheTimedDevice) {
  TestPlatform platform(GetParam());
  BusMaster& host = platform.master;
  host.delays = sc_time(300, SC_NS);
  int reads = 0;
  host.beside = [&] {
    for (; !host.done; sc_core::wait(sc_time(1, SC_US)), ++reads)
      EXPECT_EQ(host.read_register(PPU_REGISTER_MAGIC), PPU_MAGIC);
  };
  EXPECT_TRUE(state_of(work(platform)) == state_of(expected_bytes(platform.config)));
  EXPECT_GT(reads, 10);
  if (!GetParam().approximate_host) return;
  const ProtocolMonitor& monitor = platform.registers_monitor;
  EXPECT_GT(monitor.most_under_way(), 1U) << "requests of both overlap";
  EXPECT_GT(monitor.count("END_RESP"), 0) << "by a call or on the return path";
  EXPECT_GT(monitor.count("return path"), monitor.count("END_RESP")) << "ended at once";
}

INSTANTIATE_TEST_SUITE_P(Kinds, PpuModuleWithSlowHosts,
                         ::testing::Values(loose("Loose", random_manner(8)),
                                           approximate("Approximate", random_manner(9)),
                                           rtl(approximate("Short", short_manner(10)))),
                         name_of);

/// The same platform, once with the model and once with the RTL, in one simulation.
class PpuModuleTwins : public ::testing::TestWithParam<Kind> {};

TEST_P(PpuModuleTwins, TakeTheSameCycles) {
  TestPlatform model(GetParam(), "_model");
  TestPlatform twin(rtl(GetParam()), "_twin");
  std::vector<std::byte> model_bytes, twin_bytes;
  model.master.program = [&] { model_bytes = do_two_runs(model.master, model.host); };
  twin.run([&] { twin_bytes = do_two_runs(twin.master, twin.host); });
  ASSERT_TRUE(model.master.done);
  EXPECT_TRUE(model_bytes == twin_bytes);
  EXPECT_EQ(model.device->cycle(), twin.device->cycle());
}

INSTANTIATE_TEST_SUITE_P(Kinds, PpuModuleTwins,
                         ::testing::Values(loose("Annotated", {sc_time(123, SC_NS)}),
                                           loose("Waiting", {sc_time(123, SC_NS), true}),
                                           approximate("Fixed", {sc_time(321, SC_NS)}),
                                           outside(approximate("Fixed", {sc_time(77, SC_NS)})),
                                           approximate("Short", short_manner(6)),
                                           outside(approximate("Short", short_manner(7)))),
                         name_of);

}  // namespace
}  // namespace ppu::systemc::test
