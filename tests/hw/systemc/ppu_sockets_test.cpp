// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The sockets and pins of a PPU: what registers answer to which access, reset in the midst of work,
// the interrupt, other devices beside it. SystemC elaborates once in a process: each test is one.
#include <array>

#include "tests/hw/systemc/test_platform.hpp"

namespace ppu::systemc::test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_US;

/// Blocking and non-blocking transport.
class PpuRegisters : public ::testing::TestWithParam<bool> {
 protected:
  static Kind kind() { return {"Kind", small_settings(), {}, false, GetParam()}; }
};

TEST_P(PpuRegisters, AnswerWithTheStatusOfTheAccess) {
  TestPlatform platform(kind());
  platform.run([&] {
    BusMaster& host = platform.master;
    std::array<std::uint32_t, 2> words{};
    const auto read = [&](std::uint64_t address, unsigned bytes = 4, unsigned width = 0) {
      return host.transport(tlm::TLM_READ_COMMAND, address, words.data(), bytes, nullptr, width);
    };
    const auto write = [&](std::uint64_t address, unsigned char* enables = nullptr) {
      return host.transport(tlm::TLM_WRITE_COMMAND, address, words.data(), 4, enables);
    };
    EXPECT_EQ(read(PPU_REGISTER_MAGIC), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(words[0], PPU_MAGIC);
    EXPECT_EQ(read(PPU_REGISTER_MAGIC, 8), tlm::TLM_OK_RESPONSE) << "two registers at once";
    EXPECT_EQ(words[1], PPU_SPEC_HASH);
    EXPECT_EQ(read(0x80), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "no register there";
    EXPECT_EQ(read(std::uint64_t{1} << 40U), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(read(2), tlm::TLM_BURST_ERROR_RESPONSE) << "not aligned";
    EXPECT_EQ(read(0, 3), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(read(0, 8, 4), tlm::TLM_BURST_ERROR_RESPONSE) << "streaming";
    EXPECT_EQ(write(PPU_REGISTER_MAGIC), tlm::TLM_COMMAND_ERROR_RESPONSE) << "read only";
    EXPECT_EQ(read(PPU_REGISTER_CONTROL), tlm::TLM_COMMAND_ERROR_RESPONSE) << "write only";

    std::array<unsigned char, 4> enables = {0xff, 0xff, 0, 0};
    EXPECT_EQ(write(PPU_REGISTER_RING_TAIL, enables.data()), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    words[0] = 2;
    enables = {0, 0, 0, 0};
    EXPECT_EQ(write(PPU_REGISTER_IRQ_MASK, enables.data()), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(host.read_register(PPU_REGISTER_IRQ_MASK), 0U) << "no byte was enabled";
    EXPECT_EQ(write(PPU_REGISTER_IRQ_MASK), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(host.read_register(PPU_REGISTER_IRQ_MASK), 2U);
    EXPECT_EQ(host.transport(tlm::TLM_IGNORE_COMMAND, 0, words.data(), 4), tlm::TLM_OK_RESPONSE);
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, PpuRegisters, ::testing::Bool(), [](const auto& kind_info) {
  return std::string(kind_info.param ? "Approximate" : "Loose");
});

TEST(PpuSockets, DebugAccessTakesNoTimeAndDmiIsRefused) {
  TestPlatform platform({"Kind", small_settings(), {}});
  platform.run([&] {
    std::uint32_t value = 0;
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_address(PPU_REGISTER_MAGIC);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof value);
    payload.set_streaming_width(sizeof value);
    const sc_time before = sc_core::sc_time_stamp();
    EXPECT_EQ(platform.master.socket->transport_dbg(payload), sizeof value);
    EXPECT_EQ(value, PPU_MAGIC);
    payload.set_address(0x80);
    EXPECT_EQ(platform.master.socket->transport_dbg(payload), 0U);
    tlm::tlm_dmi range;
    EXPECT_FALSE(platform.master.socket->get_direct_mem_ptr(payload, range));
    EXPECT_EQ(sc_core::sc_time_stamp(), before);
  });
}

TEST(PpuSockets, TheInterruptIsUpUntilTheHostClearsIt) {
  TestPlatform platform({"Kind", small_settings(), {sc_time(50, SC_NS)}});
  platform.run([&] {
    BusMaster& host = platform.master;
    hw::test::DeviceSession session(platform.host, host);
    session.write(PPU_REGISTER_IRQ_MASK, 3);
    platform.host.add(hw::test::fence_command(0, 7, true));
    session.ring();
    EXPECT_FALSE(platform.irq.read());
    sc_core::wait(sc_time(100, SC_US), platform.irq.posedge_event());
    EXPECT_TRUE(platform.irq.read());
    EXPECT_EQ(platform.host.get<std::uint32_t>(0), 7U);
    session.write(PPU_REGISTER_IRQ_STATUS, 1);
    sc_core::wait(platform.device->period());
    EXPECT_FALSE(platform.irq.read());
  });
}

/// In reset and after it, whatever was under way.
class PpuReset : public ::testing::TestWithParam<Kind> {};

TEST_P(PpuReset, InTheMidstOfWorkLeavesADeviceThatWorks) {
  TestPlatform platform(GetParam());
  std::vector<std::byte> bytes;
  platform.run([&] {
    for (const double after_us : {0.3, 4.0, 17.0, 40.0}) {
      hw::test::DeviceSession session(platform.host, platform.master);
      platform.host.add(
          hw::test::copy_command(spec::CommandOpcode::kCopyIn, {0x40000, 0, 0x20000, 0}));
      session.ring();
      sc_core::wait(sc_time(after_us, SC_US));
      EXPECT_EQ(platform.master.read_register(PPU_REGISTER_STATUS) & 1U, 1U) << after_us;
      platform.reset.write(false);
      sc_core::wait(sc_time(100, SC_NS));
      platform.master.read_register(PPU_REGISTER_MAGIC);
      EXPECT_EQ(platform.master.status, tlm::TLM_GENERIC_ERROR_RESPONSE) << "in reset";
      platform.reset.write(true);
      sc_core::wait(sc_time(100, SC_NS));
      EXPECT_EQ(platform.master.read_register(PPU_REGISTER_STATUS), 0U);
      EXPECT_EQ(platform.device->cycle(), 0U);
      platform.host = hw::test::DeviceHost(platform.config);
      platform.memory.use(platform.host.memory().data);
    }
    bytes = do_two_runs(platform.master, platform.host);
  });
  EXPECT_TRUE(state_of(bytes) == state_of(expected_bytes(platform.config)));
}

Kind resetting(const std::string& name, Coding coding, bool rtl, bool outside) {
  Kind kind{name, small_settings(coding), {sc_time(40, SC_NS), false, true}, rtl};
  kind.settings.memory_outside = outside;
  return kind;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, PpuReset,
    ::testing::Values(resetting("Loose", Coding::kLoose, false, false),
                      resetting("Approximate", Coding::kApproximate, false, false),
                      resetting("ApproximateOutside", Coding::kApproximate, false, true),
                      resetting("ApproximateRtl", Coding::kApproximate, true, false)),
    [](const auto& kind_info) { return kind_info.param.name; });

/// Moves the ring while a run is under way, and goes on there; what the run has computed.
std::vector<std::byte> move_the_ring(hw::Device& device, hw::test::DeviceHost& host,
                                     const std::function<void()>& let_time_pass) {
  using namespace hw::test;
  constexpr std::uint32_t kRing = 0x10000, kEntries = 2;
  Job job(random_rows(300, 40, 7), 40, program("pgs"));
  host.put_bytes(kState, job.memory().data, job.memory().size_bytes);
  host.put_bytes(kProgram, job.words.data(), 4 * job.words.size());
  DeviceSession session(host, device);
  host.add({copy_command(spec::CommandOpcode::kCopyIn, {kState, 0, kStateBytes, 0}),
            copy_command(spec::CommandOpcode::kLoadProgram,
                         {kProgram, 0, static_cast<std::uint32_t>(4 * job.words.size()), 0}),
            run_command(job.command, 0x2000, false)});
  session.ring();
  while (session.read(PPU_REGISTER_RING_HEAD) != host.tail()) let_time_pass();
  EXPECT_EQ(session.read(PPU_REGISTER_STATUS) & 1U, 1U) << "the run is under way";
  session.write(PPU_REGISTER_RING_BASE, kRing);
  session.write(PPU_REGISTER_RING_ENTRIES, kEntries);
  std::uint32_t tail = host.tail();
  for (const hw::CommandWords& command :
       {fence_command(0, 5),
        copy_command(spec::CommandOpcode::kCopyOut, {kState, 0, kStateBytes, 0})})
    host.put(kRing + tail++ % kEntries * spec::kCommandBytes, command);
  session.write(PPU_REGISTER_RING_TAIL, tail);
  session.finish();
  EXPECT_EQ(host.get<std::uint32_t>(0), 5U);
  return state_of(host.bytes(0, host.memory().size_bytes));
}

TEST(PpuSockets, TheRingMovesWhileARunIsUnderWay) {
  TestPlatform platform({"Kind", small_settings(), {sc_time(40, SC_NS), false, true}});
  std::vector<std::byte> moved;
  platform.run([&] {
    moved = move_the_ring(platform.master, platform.host, [] { sc_core::wait(sc_time(1, SC_US)); });
  });
  hw::test::DeviceHost host(platform.config);
  hw::TimedDevice device(platform.config, host.memory());
  EXPECT_TRUE(moved ==
              move_the_ring(device, host, [&] { device.run_until(device.cycle() + 100); }));
  EXPECT_FALSE(moved == std::vector<std::byte>(moved.size())) << "something has been computed";
}

TEST(PpuSockets, SeveralDevicesWorkInOneSimulation) {
  const Kind kind{"Kind", small_settings(), {sc_time(30, SC_NS)}};
  TestPlatform first(kind, "_first"), second(kind, "_second"), third(kind, "_third");
  std::vector<std::byte> bytes[3];
  first.master.program = [&] { bytes[0] = do_two_runs(first.master, first.host); };
  second.master.program = [&] {
    sc_core::wait(sc_time(7, SC_US));
    bytes[1] = do_two_runs(second.master, second.host);
  };
  third.run([&] { bytes[2] = do_two_runs(third.master, third.host); });
  while (!first.master.done || !second.master.done) sc_core::sc_start(sc_time(1, SC_US));
  const std::vector<std::byte> expected = state_of(expected_bytes(first.config));
  for (const std::vector<std::byte>& found : bytes) EXPECT_TRUE(state_of(found) == expected);
  EXPECT_EQ(first.device->cycle(), third.device->cycle());
}

TEST(PpuSockets, DmiIsUsedUntilItIsTakenBack) {
  Manner manner;
  manner.dmi = true;
  TestPlatform platform({"Kind", small_settings(), manner});
  platform.run([&] {
    do_two_runs(platform.master, platform.host);
    EXPECT_EQ(platform.host_monitor.count("dmi"), 1);
    EXPECT_EQ(platform.host_monitor.count("b_transport"), 1) << "the one that asked";
    platform.memory.socket->invalidate_direct_mem_ptr(0, 63);
    hw::test::DeviceSession session(platform.host, platform.master);
    platform.host.add(hw::test::fence_command(0, 9));
    session.ring();
    session.finish();
    EXPECT_EQ(platform.host.get<std::uint32_t>(0), 9U);
    EXPECT_EQ(platform.host_monitor.count("dmi"), 2) << "asked again";
  });
}

TEST(PpuSockets, WhoReadsThatTheDeviceIsIdleHasItsInterrupt) {
  Kind kind{"Kind", small_settings(), {}};
  kind.settings.quantum = sc_core::sc_time(1, sc_core::SC_MS);
  TestPlatform platform(kind);
  platform.run([&] {
    platform.master.write_register(PPU_REGISTER_IRQ_MASK, 1);
    hw::test::DeviceSession session(platform.host, platform.master);
    platform.host.add(hw::test::fence_command(16, 7, true));
    session.ring();
    while ((platform.master.read_register(PPU_REGISTER_STATUS) & 1U) != 0) {
    }
    sc_core::wait(1, sc_core::SC_PS);
    EXPECT_TRUE(platform.irq.read());
  });
}

/// With these instances in RTL, both runs give the bytes and cycles of the timed device. Returns
/// how many rows were compared.
std::uint64_t compare_with(const std::vector<std::string>& rtl,
                           const std::string& config = "small") {
  Kind kind{"Kind", small_settings(), {}};
  kind.settings.config = config;
  kind.settings.rtl = rtl;
  TestPlatform platform(kind);
  std::vector<std::byte> bytes;
  platform.run([&] { bytes = do_two_runs(platform.master, platform.host); });
  EXPECT_TRUE(bytes == expected_bytes(platform.config));
  return platform.device->rows_compared();
}

TEST(PpuSockets, RtlRowPipesCompareEveryRow) {
  EXPECT_GT(compare_with({"gen_engine[*].u_engine.u_rows.gen_pipe[*].u_pipe.u_pipe"}), 1000U);
}

TEST(PpuSockets, AnRtlRowPipeComparesItsRows) {
  EXPECT_GT(compare_with({"gen_engine[1].u_engine.u_rows.gen_pipe[0].u_pipe.u_pipe"}), 100U);
}

TEST(PpuSockets, AnRtlEngineRunsBesideOneOfTheModel) {
  EXPECT_EQ(compare_with({"gen_engine[0].u_engine"}), 0U);
}

TEST(PpuSockets, RtlEnginesTakeTheCyclesOfTheModel) {
  EXPECT_EQ(compare_with({"gen_engine[*].u_engine"}), 0U);
}

TEST(PpuSockets, AnRtlEngineOfSixteenPipesTakesTheCyclesOfTheModel) {
  EXPECT_EQ(compare_with({"gen_engine[0].u_engine"}, "wide"), 0U);
}

TEST(PpuSockets, RtlOfAnInstanceThatIsNotThereIsRefused) {
  Settings settings = small_settings();
  settings.rtl = {"u_dma"};
  EXPECT_THROW(Ppu("ppu", settings), std::runtime_error);
}

TEST(PpuSockets, TheMonitorSeesAPayloadThatIsUsedTwice) {
  TestPlatform platform({"Kind", small_settings(), {}, false, true});
  platform.master.program = [&] {
    std::uint32_t value = 0;
    tlm::tlm_generic_payload payload(&platform.master);
    payload.acquire();
    payload.set_read();
    payload.set_address(PPU_REGISTER_MAGIC);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof value);
    payload.set_streaming_width(sizeof value);
    for (int n = 0; n < 2; ++n) {
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_time delay = sc_core::SC_ZERO_TIME;
      platform.registers_monitor.nb_transport_fw(payload, phase, delay);
    }
    payload.acquire();
    sc_core::wait(sc_time(1, SC_US));
  };
  sc_core::sc_start(sc_time(1, SC_US));
  ASSERT_EQ(platform.registers_monitor.violations().size(), 2U);
  EXPECT_NE(platform.registers_monitor.violations()[0].find("used again"), std::string::npos);
  EXPECT_NE(platform.registers_monitor.violations()[1].find("before the one before"),
            std::string::npos);
}

TEST(PpuSockets, AMemoryThatIsMissingHangsNothing) {
  // All reads of host memory beyond its end: the ring lies behind it.
  TestPlatform platform({"Kind", small_settings(), {}});
  sc_core::sc_report_handler::set_actions("/ppu/bus", sc_core::SC_DO_NOTHING);
  platform.run([&] {
    BusMaster& host = platform.master;
    host.write_register(PPU_REGISTER_RING_BASE, 0x7f000000);
    host.write_register(PPU_REGISTER_RING_ENTRIES, 16);
    host.write_register(PPU_REGISTER_RING_TAIL, 3);
    while (host.step()) {
    }
    EXPECT_EQ(host.read_register(PPU_REGISTER_RING_HEAD), 3U);
  });
  EXPECT_EQ(sc_core::sc_report_handler::get_count("/ppu/bus"), 3);
}

}  // namespace
}  // namespace ppu::systemc::test
