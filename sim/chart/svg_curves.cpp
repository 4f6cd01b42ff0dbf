// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Curves on a logarithmic scale, and pictures that are files of their own.
#include <algorithm>
#include <cmath>

#include "sim/base/text.hpp"
#include "sim/chart/svg.hpp"
#include "sim/chart/svg_frame.hpp"

namespace ppu::sim {
namespace {

/// 1, 2 or 5 times a power of ten: the first one that is at least `value`.
double step_above(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (power * factor >= value) return power * factor;
  return 10 * power;
}

/// Between a step below all values and one above all.
struct LogScale {
  double low, high;

  [[nodiscard]] double y(double value) const {
    return kTop + kPlotHeight * (1 - std::log(value / low) / std::log(high / low));
  }
};

LogScale scale_of(const std::vector<Curve>& curves) {
  double low = HUGE_VAL;
  double high = 0;
  for (const Curve& curve : curves) {
    for (const double value : curve.values) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return {step_above(low * 0.4), step_above(high * 1.001)};
}

/// "500", "20 k", "1 M".
std::string short_number(double value) {
  if (value >= 1e6) return fixed(value * 1e-6, 0) + " M";
  return value >= 1e3 ? fixed(value * 1e-3, 0) + " k" : fixed(value, 0);
}

std::string log_axes(const LogScale& scale, const std::string& x_title,
                     const std::string& y_title) {
  std::string svg = axis_titles(x_title, y_title);
  for (double value = scale.low; value <= scale.high; value = step_above(value * 1.001))
    svg += grid_line(scale.y(value), short_number(value));
  return svg;
}

constexpr const char* kStyle = R"css(
  text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #5b6675 }
  text.axis, text.title { fill: #1c2430 } text.title { font-size: 15px; font-weight: 600 }
  .grid { stroke: #dfe3e8 } .curve { fill: none; stroke-width: 2 }
  .c0 { stroke: #2da44e; stroke-dasharray: 5 4 } .c1 { stroke: #8250df; stroke-dasharray: 5 4 }
  .c2 { stroke: #1f6feb } .c3 { stroke: #b8860b }
  .dot { stroke: none } .dot.c0 { fill: #2da44e } .dot.c1 { fill: #8250df }
  .dot.c2 { fill: #1f6feb } .dot.c3 { fill: #b8860b }
)css";

}  // namespace

std::string curve_chart(const std::vector<std::string>& positions, const std::vector<Curve>& curves,
                        const std::string& x_title, const std::string& y_title) {
  const LogScale scale = scale_of(curves);
  std::string svg = open_svg(kHeight) + log_axes(scale, x_title, y_title);
  const double pitch = kPlotWidth / static_cast<double>(positions.size());
  const auto x = [&](std::size_t i) { return kLeft + pitch * (static_cast<double>(i) + 0.5); };
  for (std::size_t i = 0; i < positions.size(); ++i)
    svg += text_at(x(i), kTop + kPlotHeight + 18, "middle", positions[i]);
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const std::string css = "c" + std::to_string(c);
    std::string points;
    std::string dots;
    for (std::size_t i = 0; i < curves[c].values.size(); ++i) {
      const std::string y = fixed(scale.y(curves[c].values[i]), 1);
      points += fixed(x(i), 1) + "," + y + " ";
      dots += "<circle class='dot " + css + "' cx='" + fixed(x(i), 1) + "' cy='" + y +
              "' r='3.5'><title>" + escaped(curves[c].label) + ": " +
              fixed(curves[c].values[i], 0) + "</title></circle>\n";
    }
    svg += "<polyline class='curve " + css + "' points='" + points + "'/>\n" + dots;
    const double legend = kLeft + 12 + 130 * static_cast<double>(c);
    svg += "<line class='curve " + css + "' x1='" + fixed(legend, 0) + "' x2='" +
           fixed(legend + 24, 0) + "' y1='10' y2='10'/>\n" +
           text_at(legend + 30, 14, "start", curves[c].label);
  }
  return svg + "</svg>\n";
}

std::string svg_file(const std::string& title, const std::vector<std::string>& charts,
                     double chart_height) {
  constexpr double kTitleHeight = 36;
  const double height = kTitleHeight + (chart_height + 12) * static_cast<double>(charts.size());
  std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + fixed(kWidth, 0) +
                    " " + fixed(height, 0) + "'>\n<style>" + kStyle +
                    "</style>\n<rect width='100%' height='100%' fill='#fff'/>\n" +
                    text_at(kLeft, 24, "start", title, "class='title'");
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const double y = kTitleHeight + (chart_height + 12) * static_cast<double>(i);
    svg += "<svg y='" + fixed(y, 0) + "' width='" + fixed(kWidth, 0) + "' height='" +
           fixed(chart_height, 0) + "'>\n" + charts[i] + "</svg>\n";
  }
  return svg + "</svg>\n";
}

}  // namespace ppu::sim
