// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Small inline SVG charts for reports; colours come from the page's CSS (classes s0..s7, bar,
// line).
#pragma once

#include <string>
#include <vector>

namespace ppu::sim {

/// Text with &, <, > and " made safe for HTML.
std::string escaped(const std::string& text);

struct ChartPart {
  std::string label;
  double value;
};

/// One horizontal bar cut into shares of the sum, with a legend below.
std::string stacked_bar(const std::vector<ChartPart>& parts);

/// Vertical bars with their labels below and their values above.
std::string bar_chart(const std::vector<ChartPart>& bars, const std::string& x_title,
                      const std::string& y_title);

/// A line over equally spaced positions from 0 to `x_end`.
std::string line_chart(const std::vector<double>& values, double x_end, const std::string& x_title,
                       const std::string& y_title);

struct Curve {
  std::string label;
  std::vector<double> values;  ///< > 0; one for each position.
};

/// Curves over positions, from the lowest to the highest value on a logarithmic scale, with a
/// legend inside.
std::string curve_chart(const std::vector<std::string>& positions, const std::vector<Curve>& curves,
                        const std::string& x_title, const std::string& y_title);

/// Height of the charts above.
inline constexpr double kChartHeight = 260;

/// A file of its own: charts of one height below each other under a title, with their style.
std::string svg_file(const std::string& title, const std::vector<std::string>& charts,
                     double chart_height = kChartHeight);

}  // namespace ppu::sim
