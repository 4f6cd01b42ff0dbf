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
#include "sim/chart/svg_plot.hpp"

namespace ppu::sim {
namespace {

constexpr double kChartHeight = 340;
constexpr double kLegend = 150;
constexpr double kPlotRight = kWidth - kRight - kLegend;
constexpr double kPlotBottom = kChartHeight - kBottom;
/// Colours of chart.css, those that are told apart best first.
constexpr std::array kColours = {1, 2, 0, 3, 4, 6, 8, 5};
constexpr std::array kDashes = {"none", "7 4", "2 3"};
constexpr const char* kBoundDashes = "5 4";

/// Later curves are drawn over earlier ones, which are wider, so that all are seen where they are
/// one.
std::string stroke_of(const XyChart& chart, std::size_t curve) {
  const std::size_t count = chart.curves.size();
  const char* const dashes = chart.curves[curve].is_bound
                                 ? kBoundDashes
                                 : kDashes[curve / kColours.size() % kDashes.size()];
  constexpr double kThin = 1.5, kWide = 5;
  const double later = static_cast<double>(count - 1 - curve);
  const double most = static_cast<double>(std::max<std::size_t>(1, count - 1));
  return "stroke:var(--c" + std::to_string(kColours[curve % kColours.size()]) +
         ");stroke-dasharray:" + dashes +
         ";stroke-width:" + fixed(kThin + (kWide - kThin) * later / most, 1);
}

/// The first one of 1, 2 and 5 times a power of ten that is at least `value`.
double step_above(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (power * factor >= value) return power * factor;
  return 10 * power;
}

/// A logarithmic scale around all values.
struct Scale {
  double low = HUGE_VAL, high = 0;
  std::vector<double> ticks{};

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// From decade to decade; where all lies within two of them, from step to step.
  void widen() {
    const bool decades = high > 100 * low;
    const auto next = [decades](double value) {
      return decades ? 10 * value : step_above(1.001 * value);
    };
    ticks = {std::pow(10, std::floor(std::log10(low)))};
    while (next(ticks.back()) <= low) ticks = {next(ticks.back())};
    while (ticks.back() < 1.0001 * high) ticks.push_back(next(ticks.back()));
    low = ticks.front();
    high = ticks.back();
  }
  /// At these values, with some room beside them.
  void set(const std::vector<double>& values) {
    constexpr double kRoom = 1.2;
    ticks = values;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    low = *least / kRoom;
    high = *most * kRoom;
  }
  [[nodiscard]] double share(double value) const {
    return std::log(value / low) / std::log(high / low);
  }
};

struct Scales {
  Scale x, y;

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
  chart.x_values.empty() ? scales.x.widen() : scales.x.set(chart.x_values);
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
  for (const double y : scales.y.ticks) {
    const double at = scales.at_y(y);
    svg += straight("class='grid'", kLeft, at, kPlotRight, at) +
           text_at(kLeft - 8, at + 4, "end", short_value(y));
  }
  for (const double x : scales.x.ticks) {
    const double at = scales.at_x(x);
    svg += straight("class='grid'", at, kTop, at, kPlotBottom) +
           text_at(at, kPlotBottom + 18, "middle", short_value(x));
  }
  const double middle = (kTop + kPlotBottom) / 2;
  return svg +
         text_at(14, middle, "middle", chart.y_title,
                 "class='axis' transform='rotate(-90 14 " + fixed(middle, 1) + ")'") +
         text_at((kLeft + kPlotRight) / 2, kChartHeight - 12, "middle", chart.x_title,
                 "class='axis'");
}

std::string curve_of(const XyCurve& curve, const Scales& scales, const std::string& stroke,
                     bool has_dots) {
  std::string points;
  std::string dots, last;
  for (const auto& point : curve.points) {
    if (!is_shown(point)) continue;
    const std::string x = fixed(scales.at_x(point.first), 1);
    const std::string y = fixed(scales.at_y(point.second), 1);
    points += x + "," + y + " ";
    dots += "<circle class='curve' style='" + stroke + "' cx='" + x + "' cy='" + y +
            "' r='2'><title>" + escaped(curve.label) + ": " + short_value(point.second) +
            "</title></circle>\n";
    last = "<circle class='curve' style='" + stroke + ";stroke-width:2" + "' cx='" + x + "' cy='" +
           y + "' r='5'/>\n";
  }
  return "<polyline class='curve' style='" + stroke + "' points='" + points + "'><title>" +
         escaped(curve.label) + "</title></polyline>\n" + (has_dots ? dots : "") +
         (curve.marked_end ? last : "");
}

std::string legend_of(const XyChart& chart) {
  constexpr double kPitch = 20;
  std::string svg;
  double y = kTop + 6;
  for (std::size_t i = 0; i < chart.curves.size(); ++i, y += kPitch) {
    svg += straight("class='curve' style='" + stroke_of(chart, i) + "'", kPlotRight + 14, y,
                    kPlotRight + 38, y) +
           text_at(kPlotRight + 44, y + 4, "start", chart.curves[i].label);
  }
  const bool rings = std::any_of(chart.curves.begin(), chart.curves.end(),
                                 [](const XyCurve& curve) { return curve.marked_end; });
  if (rings) svg += text_at(kPlotRight + 14, y + 4, "start", chart.ring);
  return svg;
}

std::string xy_chart(const XyChart& chart) {
  const std::optional<Scales> scales = scales_of(chart);
  std::string svg = open_svg(kChartHeight);
  if (!scales) return svg + text_at(kLeft, kTop, "start", "no value above 0") + "</svg>\n";
  svg += axes(chart, *scales);
  if (chart.level && *chart.level > 0) {
    const double y = scales->at_y(*chart.level);
    svg += straight("style='stroke:var(--ink);stroke-dasharray:3 3'", kLeft, y, kPlotRight, y) +
           text_at(kPlotRight + 6, y + 4, "start", short_value(*chart.level));
  }
  for (std::size_t i = 0; i < chart.curves.size(); ++i)
    svg += curve_of(chart.curves[i], *scales, stroke_of(chart, i), !chart.x_values.empty());
  return svg + legend_of(chart) + "</svg>\n";
}

}  // namespace

std::string svg_file(const std::string& title, const std::vector<XyChart>& charts) {
  constexpr double kTitleHeight = 36;
  const double height = kTitleHeight + (kChartHeight + 12) * static_cast<double>(charts.size());
  std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + fixed(kWidth, 0) +
                    " " + fixed(height, 0) + "'>\n<style>\n" + chart_style() +
                    "</style>\n<rect width='100%' height='100%' fill='#fff'/>\n" +
                    text_at(kLeft, 24, "start", title, "class='title'");
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const double y = kTitleHeight + (kChartHeight + 12) * static_cast<double>(i);
    svg += "<svg y='" + fixed(y, 0) + "' width='" + fixed(kWidth, 0) + "' height='" +
           fixed(kChartHeight, 0) + "'>\n" + xy_chart(charts[i]) + "</svg>\n";
  }
  return svg + "</svg>\n";
}

}  // namespace ppu::sim
