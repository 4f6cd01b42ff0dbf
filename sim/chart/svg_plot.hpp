// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the charts share: the size of the plot, text, titles of the axes, grid lines.
#pragma once

#include <string>

#include "sim/chart/svg.hpp"

namespace ppu::sim {

inline constexpr double kWidth = 920;
inline constexpr double kHeight = 260;
inline constexpr double kLeft = 64, kRight = 16, kTop = 18, kBottom = 52;
inline constexpr double kPlotWidth = kWidth - kLeft - kRight;
inline constexpr double kPlotHeight = kHeight - kTop - kBottom;

/// The first tag of a chart of that height.
std::string open_svg(double height);

std::string text_at(double x, double y, const std::string& anchor, const std::string& content,
                    const std::string& attributes = "");

std::string axis_titles(const std::string& x_title, const std::string& y_title);

/// A line across the plot with its value at the left.
std::string grid_line(double y, const std::string& value);

}  // namespace ppu::sim
