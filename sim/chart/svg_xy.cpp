// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Curves over a quantity, both on logarithmic scales, with the legend at the right.
#include "sim/chart/svg_xy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "sim/base/text.hpp"
#include "sim/chart/svg.hpp"
#include "sim/chart/svg_frame.hpp"

namespace ppu::sim {
namespace {

constexpr double kLegend = 150;
constexpr double kPlotRight = kWidth - kRight - kLegend;
constexpr double kPlotBottom = kXyChartHeight - kBottom;
constexpr std::array kColours = {"#1f6feb", "#cf222e", "#2da44e", "#b8860b",
                                 "#8250df", "#0b7285", "#d4639b", "#57606a"};
constexpr std::array kDashes = {"none", "7 4", "2 3"};

/// Later curves are drawn over earlier ones, which are wider, so that all are seen where they are
/// one.
std::string stroke_of(std::size_t curve, std::size_t count) {
  constexpr double kThin = 1.5, kWide = 5;
  const double later = static_cast<double>(count - 1 - curve);
  const double most = static_cast<double>(std::max<std::size_t>(1, count - 1));
  return std::string("stroke:") + kColours[curve % kColours.size()] +
         ";stroke-dasharray:" + kDashes[curve / kColours.size() % kDashes.size()] +
         ";stroke-width:" + fixed(kThin + (kWide - kThin) * later / most, 1);
}

/// Whole decades around all values.
struct Decades {
  double low = HUGE_VAL, high = 0;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widen() {
    low = std::pow(10, std::floor(std::log10(low)));
    high = std::pow(10, std::ceil(std::log10(high * 1.0001)));
  }
  [[nodiscard]] double share(double value) const {
    return std::log(value / low) / std::log(high / low);
  }
};

struct Scales {
  Decades x, y;

  [[nodiscard]] double at_x(double value) const {
    return kLeft + (kPlotRight - kLeft) * x.share(value);
  }
  [[nodiscard]] double at_y(double value) const {
    return kPlotBottom - (kPlotBottom - kTop) * y.share(value);
  }
};

bool is_shown(const std::pair<double, double>& point) {
  return point.first > 0 && point.second > 0;
}

std::optional<Scales> scales_of(const XyChart& chart) {
  Scales scales;
  bool any = false;
  for (const XyCurve& curve : chart.curves) {
    for (const auto& point : curve.points) {
      if (!is_shown(point)) continue;
      any = true;
      scales.x.include(point.first);
      scales.y.include(point.second);
    }
  }
  if (!any) return std::nullopt;
  if (chart.level && *chart.level > 0) scales.y.include(*chart.level);
  scales.x.widen();
  scales.y.widen();
  return scales;
}

/// "0.01", "500", "20 k", "1 M".
std::string short_value(double value) {
  const char* unit = "";
  for (const char* next : {" k", " M", " G"}) {
    if (value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text + std::string(unit);
}

std::string straight(const std::string& attributes, double x1, double y1, double x2, double y2) {
  return "<line " + attributes + " x1='" + fixed(x1, 1) + "' y1='" + fixed(y1, 1) + "' x2='" +
         fixed(x2, 1) + "' y2='" + fixed(y2, 1) + "'/>\n";
}

std::string axes(const XyChart& chart, const Scales& scales) {
  std::string svg;
  for (double y = scales.y.low; y < scales.y.high * 1.5; y *= 10) {
    const double at = scales.at_y(y);
    svg += straight("class='grid'", kLeft, at, kPlotRight, at) +
           text_at(kLeft - 8, at + 4, "end", short_value(y));
  }
  for (double x = scales.x.low; x < scales.x.high * 1.5; x *= 10) {
    const double at = scales.at_x(x);
    svg += straight("class='grid'", at, kTop, at, kPlotBottom) +
           text_at(at, kPlotBottom + 18, "middle", short_value(x));
  }
  const double middle = (kTop + kPlotBottom) / 2;
  return svg +
         text_at(14, middle, "middle", chart.y_title,
                 "class='axis' transform='rotate(-90 14 " + fixed(middle, 1) + ")'") +
         text_at((kLeft + kPlotRight) / 2, kXyChartHeight - 12, "middle", chart.x_title,
                 "class='axis'");
}

std::string curve_of(const XyCurve& curve, const Scales& scales, const std::string& stroke) {
  std::string points;
  std::string last;
  for (const auto& point : curve.points) {
    if (!is_shown(point)) continue;
    const std::string x = fixed(scales.at_x(point.first), 1);
    const std::string y = fixed(scales.at_y(point.second), 1);
    points += x + "," + y + " ";
    last = "<circle class='curve' style='" + stroke + ";stroke-width:2" + "' cx='" + x + "' cy='" +
           y + "' r='5'/>\n";
  }
  return "<polyline class='curve' style='" + stroke + "' points='" + points + "'><title>" +
         escaped(curve.label) + "</title></polyline>\n" + (curve.marked_end ? last : "");
}

std::string legend_of(const XyChart& chart) {
  constexpr double kPitch = 20;
  std::string svg;
  double y = kTop + 6;
  for (std::size_t i = 0; i < chart.curves.size(); ++i, y += kPitch) {
    svg += straight("class='curve' style='" + stroke_of(i, chart.curves.size()) + "'",
                    kPlotRight + 14, y, kPlotRight + 38, y) +
           text_at(kPlotRight + 44, y + 4, "start", chart.curves[i].label);
  }
  const bool rings = std::any_of(chart.curves.begin(), chart.curves.end(),
                                 [](const XyCurve& curve) { return curve.marked_end; });
  if (rings) svg += text_at(kPlotRight + 14, y + 4, "start", chart.ring);
  return svg;
}

}  // namespace

std::string xy_chart(const XyChart& chart) {
  const std::optional<Scales> scales = scales_of(chart);
  std::string svg = open_svg(kXyChartHeight);
  if (!scales) return svg + text_at(kLeft, kTop, "start", "no value above 0") + "</svg>\n";
  svg += axes(chart, *scales);
  if (chart.level && *chart.level > 0) {
    const double y = scales->at_y(*chart.level);
    svg += straight("style='stroke:#1c2430;stroke-dasharray:3 3'", kLeft, y, kPlotRight, y) +
           text_at(kPlotRight + 6, y + 4, "start", short_value(*chart.level));
  }
  for (std::size_t i = 0; i < chart.curves.size(); ++i)
    svg += curve_of(chart.curves[i], *scales, stroke_of(i, chart.curves.size()));
  return svg + legend_of(chart) + "</svg>\n";
}

}  // namespace ppu::sim
