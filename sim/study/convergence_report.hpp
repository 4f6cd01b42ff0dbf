// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Convergence of several programs on one problem, as text, JSON and a picture.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/convergence.hpp"

namespace ppu::sim {

struct ProgramConvergence : Convergence {
  std::optional<ConvergencePoint> reached;  ///< See first_at().
};

struct ConvergenceReport {
  std::string problem;  ///< As given.
  std::string title;    ///< What was solved, in words.
  double level = 0;     ///< The residual to reach, in m/s or rad/s.
  bool frozen = false;
  double clock_mhz = 0;  ///< 1 us = clock_mhz cycles.
  std::string horizon;   ///< "at most 1,000 sweeps": how far the programs were run.
  std::vector<ProgramConvergence> programs;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::ordered_json json() const;
  [[nodiscard]] std::string svg() const;

 private:
  [[nodiscard]] bool timed() const { return programs.front().timed(); }
  [[nodiscard]] double milliseconds(const ConvergencePoint& point) const;
  [[nodiscard]] std::string table_of_ends() const;
  [[nodiscard]] std::string table_of_residuals() const;
  [[nodiscard]] double position(const ConvergencePoint& point) const;
};

}  // namespace ppu::sim
