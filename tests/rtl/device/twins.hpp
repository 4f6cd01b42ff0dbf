// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The RTL device and the timed device, each with a host of its own: whatever is done to one is done
// to the other, and everything that can be seen of them must be equal, in the same cycles.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "hw/contract/trace_log.hpp"
#include "hw/cosim/rtl_device.hpp"
#include "hw/timed/timed_device.hpp"
#include "tests/hw/support/device_host.hpp"

namespace ppu::hw::test {

/// Events of model and RTL, sorted: those of different units may come in any order.
class EventList final : public TraceSink {
 public:
  using Event = std::tuple<std::uint64_t, TraceKind, int, std::uint64_t, std::uint64_t>;
  void on_event(const TraceEvent& event) override {
    if (is_wait(event.kind)) return;
    all_.emplace_back(event.cycle, event.kind, event.unit, event.a, event.b);
  }
  const std::vector<Event>& sorted() {
    std::sort(all_.begin(), all_.end());
    return all_;
  }

 private:
  std::vector<Event> all_;
};

inline std::string describe(const EventList::Event& event) {
  const auto& [cycle, kind, unit, a, b] = event;
  return std::to_string(cycle) + " " + std::string(name_of(kind)) + " " + std::to_string(unit) +
         " " + std::to_string(a) + " " + std::to_string(b);
}

class Twins {
 public:
  explicit Twins(const Config& config, int seed = 1)
      : rtl_host(config),
        model_host(config),
        rtl(create_rtl_device(config, rtl_host.memory(), {}, &rtl_events_, seed)),
        model(std::make_unique<TimedDevice>(config, model_host.memory(), RowObservers{},
                                            &model_events_)),
        rtl_session(rtl_host, *rtl),
        model_session(model_host, *model) {}

  void put_bytes(std::uint32_t address, const void* data, std::size_t size) {
    rtl_host.put_bytes(address, data, size);
    model_host.put_bytes(address, data, size);
  }
  template <class T>
  void put(std::uint32_t address, const T& value) {
    put_bytes(address, &value, sizeof value);
  }
  void write(std::uint32_t offset, std::uint32_t value) {
    rtl_session.write(offset, value);
    model_session.write(offset, value);
  }
  /// Commands, one doorbell, and the end of them.
  void execute(const std::vector<CommandWords>& commands) {
    execute(commands, [](Device&) {});
  }
  /// Commands, one doorbell, what `act` does to each device meanwhile, and the end of them.
  template <class Act>
  void execute(const std::vector<CommandWords>& commands, Act act) {
    for (const CommandWords& command : commands) {
      rtl_host.add(command);
      model_host.add(command);
    }
    rtl_session.ring();
    act(*rtl);
    rtl_session.finish();
    model_session.ring();
    act(*model);
    model_session.finish();
  }
  /// The oldest error, taken from both queues, in which it must be the same.
  CommandError take_error() {
    const CommandError expected = model_session.take_error();
    const CommandError error = rtl_session.take_error();
    EXPECT_EQ(error.command, expected.command);
    EXPECT_EQ(error.reason, expected.reason);
    EXPECT_EQ(error.detail, expected.detail);
    return error;
  }

  /// Registers, host memory and events.
  void expect_equal() {
    expect_equal_state({});
    expect_equal_events();
  }
  /// Registers and host memory, but for the cycles that fences have written at `fences`: after runs
  /// that ended before `halt`, which they do in a time that is not specified.
  void expect_equal_state(const std::vector<std::uint32_t>& fences) {
    for (std::uint32_t offset = 0; offset < 0x100; offset += 4)
      EXPECT_EQ(rtl_session.read(offset), model_session.read(offset)) << "register " << offset;
    EXPECT_EQ(rtl->interrupt(), model->interrupt());
    const std::vector<std::byte> found = timeless(rtl_host, fences);
    const std::vector<std::byte> expected = timeless(model_host, fences);
    const auto [at, other] = std::mismatch(found.begin(), found.end(), expected.begin());
    if (at == found.end()) return;
    ADD_FAILURE() << "host memory differs from byte " << at - found.begin() << " on: RTL "
                  << std::to_integer<int>(*at) << ", model " << std::to_integer<int>(*other);
  }

  /// What the engines did until they were done: phases, rows issued, rows retired.
  void expect_equal_runs() {
    const std::vector<std::string> found = runs_of(rtl_events_), expected = runs_of(model_events_);
    const auto [rtl_run, model_run] =
        std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
    if (rtl_run == found.end() && model_run == expected.end()) return;
    ADD_FAILURE() << "the first event of a run that differs: RTL "
                  << (rtl_run == found.end() ? "none" : *rtl_run) << ", model "
                  << (model_run == expected.end() ? "none" : *model_run);
  }

  DeviceHost rtl_host, model_host;

 private:
  static std::vector<std::string> runs_of(EventList& events) {
    std::vector<std::string> list;
    for (const EventList::Event& event : events.sorted()) {
      const auto& [cycle, kind, unit, a, b] = event;
      const bool phase = kind == TraceKind::kEnginePhase;
      const bool ended = a == static_cast<std::uint64_t>(EnginePhase::kDone) ||
                         a == static_cast<std::uint64_t>(EnginePhase::kIdle);
      if ((phase && !ended) || kind == TraceKind::kRowIssue || kind == TraceKind::kRowRetire)
        list.push_back(describe(event));
    }
    return list;
  }
  static std::vector<std::byte> timeless(DeviceHost& host,
                                         const std::vector<std::uint32_t>& fences) {
    std::vector<std::byte> bytes = host.bytes(0, host.memory().size_bytes);
    for (const std::uint32_t fence : fences)
      std::fill_n(&bytes[fence + offsetof(FenceRecord, device_cycle)], sizeof(std::uint64_t),
                  std::byte{0});
    return bytes;
  }
  void expect_equal_events() {
    const auto& rtl_events = rtl_events_.sorted();
    const auto& model_events = model_events_.sorted();
    const auto [rtl_event, model_event] = std::mismatch(rtl_events.begin(), rtl_events.end(),
                                                        model_events.begin(), model_events.end());
    if (rtl_event == rtl_events.end() && model_event == model_events.end()) return;
    ADD_FAILURE() << "the first event that differs: RTL "
                  << (rtl_event == rtl_events.end() ? "none" : describe(*rtl_event)) << ", model "
                  << (model_event == model_events.end() ? "none" : describe(*model_event));
  }

  EventList rtl_events_, model_events_;

 public:
  std::unique_ptr<Device> rtl;
  std::unique_ptr<TimedDevice> model;
  DeviceSession rtl_session, model_session;
};

}  // namespace ppu::hw::test
