// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Curves over a quantity, both on logarithmic scales.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ppu::sim {

struct XyCurve {
  std::string label;
  std::vector<std::pair<double, double>> points;  ///< Those that are not above 0 are left out.
  bool marked_end = false;                        ///< A ring around the last point.
  bool is_bound = false;                          ///< Dashed.
};

struct XyChart {
  std::string x_title, y_title;
  std::vector<XyCurve> curves;
  std::optional<double> level{};   ///< A dashed line across, with its value.
  std::string ring{};              ///< What the rings say, for the legend.
  std::vector<double> x_values{};  ///< If there are any: the only ones, with a dot for each.
};

/// A file of its own: charts below each other under a title, with their style.
std::string svg_file(const std::string& title, const std::vector<XyChart>& charts);

}  // namespace ppu::sim
