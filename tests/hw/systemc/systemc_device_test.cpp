// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The SystemC device does the same in the same cycles as the plain timed device. SystemC elaborates
// once in a process, so there is one test.
#include "hw/systemc/systemc_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "hw/timed/timed_device.hpp"
#include "tests/hw/support/two_runs.hpp"

namespace ppu::hw::test {
namespace {

/// Events, sorted: those of different units may come in any order.
class Events final : public TraceSink {
 public:
  using Event = std::tuple<std::uint64_t, int, int, std::uint64_t, std::uint64_t>;
  void on_event(const TraceEvent& event) override {
    all_.emplace_back(event.cycle, static_cast<int>(event.kind), event.unit, event.a, event.b);
  }
  std::vector<Event> sorted() {
    std::sort(all_.begin(), all_.end());
    return all_;
  }

 private:
  std::vector<Event> all_;
};

TEST(SystemcDevice, TakesTheCyclesOfTheTimedDevice) {
  const Config config = resolve_config(
      "small", {"host_memory_mib=1", "device_memory_mib=1", "dram_stall_percent=10"});
  Events plain_events;
  Events systemc_events;
  DeviceHost plain_host(config);
  DeviceHost systemc_host(config);
  TimedDevice plain(config, plain_host.memory(), {}, &plain_events);
  SystemcDevice systemc(config, systemc_host.memory(), {}, &systemc_events);

  // Fences, counters and reports hold cycles.
  EXPECT_EQ(do_two_runs(systemc, systemc_host), do_two_runs(plain, plain_host));
  EXPECT_EQ(systemc_events.sorted(), plain_events.sorted());
}

}  // namespace
}  // namespace ppu::hw::test
