// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the charts share.
#include "sim/chart/svg_frame.hpp"

#include "sim/base/text.hpp"
#include "sim/chart/svg.hpp"

namespace ppu::sim {

std::string open_svg(double height) {
  return "<svg viewBox='0 0 " + fixed(kWidth, 0) + " " + fixed(height, 0) + "' role='img'>\n";
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& content,
                    const std::string& attributes) {
  return "<text x='" + fixed(x, 1) + "' y='" + fixed(y, 1) + "' text-anchor='" + anchor + "' " +
         attributes + ">" + escaped(content) + "</text>\n";
}

std::string axis_titles(const std::string& x_title, const std::string& y_title) {
  const double middle = kTop + kPlotHeight / 2;
  return text_at(14, middle, "middle", y_title,
                 "class='axis' transform='rotate(-90 14 " + fixed(middle, 1) + ")'") +
         text_at(kLeft + kPlotWidth / 2, kHeight - 6, "middle", x_title, "class='axis'");
}

std::string grid_line(double y, const std::string& value) {
  return "<line class='grid' x1='" + fixed(kLeft, 0) + "' x2='" + fixed(kWidth - kRight, 0) +
         "' y1='" + fixed(y, 1) + "' y2='" + fixed(y, 1) + "'/>\n" +
         text_at(kLeft - 8, y + 4, "end", value);
}

}  // namespace ppu::sim
