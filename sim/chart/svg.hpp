// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Small inline SVG charts for reports; colours come from chart.css.
#pragma once

#include <string>
#include <vector>

namespace ppu::sim {

/// The style of charts, and that of every report: of its charts, and its layout.
std::string chart_style();
std::string report_style();

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

}  // namespace ppu::sim
