// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The devices of the fuzz, opened once, and what they make of a case.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/fuzz/fuzz_case.hpp"
#include "sim/parity/parity.hpp"

namespace ppu::sim {

/// What one back end made of a case.
struct FuzzOutcome {
  std::string sentence;  ///< What the driver says of a run that did not end well, else empty.
  bool lost = false;     ///< There was no end, or the RTL is not the model: not to be used again.
  std::vector<ppu_run_report> runs;
  std::vector<std::uint8_t> impulses, velocities;  ///< Of all runs, as they lie in device memory.
  DeviceCounters counters{};                       ///< Of the device, during the list.

  [[nodiscard]] bool ok() const { return sentence.empty(); }
};

struct FuzzResult {
  /// In the order of the back ends; none of those that the case is not for.
  std::vector<FuzzOutcome> outcomes;
  std::vector<std::string> differences;  ///< A line each.
};

class FuzzBench {
 public:
  FuzzBench(std::vector<std::string> backends, std::string config,
            std::vector<std::string> overrides);

  /// Runs the case on every back end and compares. Device cycles are compared where every run ends
  /// with `halt`; after a difference all devices are opened anew.
  FuzzResult run(const FuzzCase& fuzz);
  /// As if no case had run.
  void reopen();

  [[nodiscard]] FuzzTarget target(FuzzType type) const;
  /// Rows that cosim has compared in the RTL row pipes.
  [[nodiscard]] std::uint64_t lockstep_rows();

 private:
  /// A back end that is compared. Runs that end before `halt` take cycles that are not specified:
  /// from then on two devices are not in the same cycle, and meet other refreshes of their memory.
  /// So those runs are for a second device.
  struct Backend {
    std::string name;
    bool timed = false;
    std::optional<Device> steady, upset;
    std::uint64_t lockstep_rows = 0;  ///< Of devices that were closed.
  };

  [[nodiscard]] Device open(const std::string& backend) const;
  Device& device_of(Backend& backend, bool steady);
  void close(Backend& backend);
  void compare(const std::vector<const Backend*>& backends, bool steady, FuzzResult* result) const;

  std::string config_;
  std::vector<std::string> overrides_;
  std::vector<Backend> backends_;
  ppu_device_info info_;
  std::optional<Device> oracle_;  ///< Functional: tells beforehand how a case ends.
};

}  // namespace ppu::sim
