// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a parity comparison found, as a table for people, as JSON and as a page of the manual.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/parity/parity.hpp"

namespace ppu::sim {

/// One workload on one configuration.
struct ParityResult {
  std::string workload;
  std::string config;
  std::array<Measurement, 2> measured;   ///< Of the two back ends.
  std::vector<std::string> differences;  ///< Empty: everything is equal.

  [[nodiscard]] std::uint64_t cycles(std::size_t backend) const {
    return measured[backend].device_cycles();
  }
  [[nodiscard]] std::uint64_t commands() const {
    return measured[0].counters[PPU_DEVICE_COUNTER_COMMANDS];
  }
  /// Cycles that the second back end takes more.
  [[nodiscard]] std::int64_t more_cycles() const;
  /// ... in percent of the first one's.
  [[nodiscard]] double more_percent() const;
};

struct ParityTable {
  std::array<std::string, 2> backends;
  std::string command;  ///< The command line that makes it.
  std::vector<ParityResult> results;

  [[nodiscard]] bool equal() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string markdown() const;
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  [[nodiscard]] std::string summary() const;
};

}  // namespace ppu::sim
