// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the study of contact blocks found, as text, Markdown and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/study/block_study.hpp"

namespace ppu::sim {

struct BlockReport {
  std::string config;                   ///< Of the problems, as --config names it.
  std::string shorter;                  ///< See shorter_multipliers().
  std::vector<BlockLatency> latencies;  ///< As measure_block_latencies() gives them.
  std::vector<BlockStudy> studies;

  /// Every sweep over one contact took the cycles of the formula.
  [[nodiscard]] bool as_expected() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string markdown() const;
  [[nodiscard]] nlohmann::ordered_json json() const;
  /// What follows from the numbers, in words.
  [[nodiscard]] std::string conclusion() const;

 private:
  [[nodiscard]] Table latency_table() const;
  [[nodiscard]] Table gain_table() const;
};

}  // namespace ppu::sim
