// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Parity of back ends: workloads that the SystemC model and the RTL both carry out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "ppu/ppu.hpp"
#include "sim/outcome/outcome.hpp"

namespace ppu::sim {

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
  Outcome (*run)(const Bench& bench);
  std::string parts = {};                   ///< Of the configuration: "+pci".
  std::vector<std::string> overrides = {};  ///< Keys of what surrounds the RTL.
};

/// Every workload, in the order of the table.
const std::vector<Workload>& workloads();

}  // namespace ppu::sim
