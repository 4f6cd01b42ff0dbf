// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Parity of back ends: jobs that the SystemC model and the RTL both carry out, what is measured of
// them, and what differs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "ppu/ppu.hpp"

namespace ppu::sim {

using DeviceCounters = std::array<std::uint64_t, PPU_DEVICE_COUNTER_COUNT>;

/// What a back end made of a workload. Everything in it is the same whenever the host happens to
/// answer an interrupt.
struct Measurement {
  std::uint64_t state_hash = 0;      ///< Of everything that the workload reads back.
  std::vector<ppu_run_report> runs;  ///< Of a solve: all runs together.
  DeviceCounters counters{};         ///< Of the device, during the workload.
  /// Device cycles of parts of the workload, by name.
  std::vector<std::pair<std::string, std::uint64_t>> cycles;
  std::string error;  ///< What the driver says of commands that the device rejected, else empty.

  [[nodiscard]] std::uint64_t device_cycles() const {
    return counters[PPU_DEVICE_COUNTER_DEVICE_CYCLES];
  }
  [[nodiscard]] std::uint64_t row_updates() const;
};

/// Row problems by name, each read once.
class Scenes {
 public:
  /// `folder` holds NAME.h5; empty: those that travel inside the command.
  explicit Scenes(std::string folder) : folder_(std::move(folder)) {}
  /// Throws RowProblemError, CliError (usage) if the command has no such scene inside.
  const model::RowProblem& get(const std::string& name);

 private:
  [[nodiscard]] model::RowProblem read(const std::string& name) const;

  std::string folder_;
  std::map<std::string, model::RowProblem> problems_;
};

/// Where a workload runs.
struct Bench {
  const Device& device;
  Scenes& scenes;
};

struct Workload {
  std::string name;
  std::string what;
  bool quick = false;  ///< Part of the short form.
  Measurement (*run)(const Bench& bench);
  std::string parts = {};                   ///< Of the configuration: "+pci".
  std::vector<std::string> overrides = {};  ///< Keys of what surrounds the RTL.
};

/// Every workload, in the order of the table.
const std::vector<Workload>& workloads();

/// What differs, a line each: "run 0, counter issue_cycles: 120 on systemc, 121 on rtl".
std::vector<std::string> differences(const std::string& name_a, const Measurement& a,
                                     const std::string& name_b, const Measurement& b);

}  // namespace ppu::sim
