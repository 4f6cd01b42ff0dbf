// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Small inline SVG charts for reports; colours come from the page's CSS (classes s0..s7, bar,
// line).
#include "sim/chart/svg.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/embedded.hpp"
#include "sim/base/text.hpp"
#include "sim/chart/svg_plot.hpp"

namespace ppu::sim {
namespace {

std::string rectangle(const std::string& css, double x, double y, double width, double height,
                      const std::string& hint) {
  return "<rect class='" + css + "' x='" + fixed(x, 2) + "' y='" + fixed(y, 2) + "' width='" +
         fixed(width, 2) + "' height='" + fixed(height, 2) + "'><title>" + escaped(hint) +
         "</title></rect>\n";
}

/// 1, 2 or 5 times a power of ten, so that about four steps reach `top`.
double nice_step(double top) {
  const double power = std::pow(10, std::floor(std::log10(top / 4)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor * 4 >= top * 0.8) return power * factor;
  }
  return power * 10;
}

/// Horizontal grid lines with their values, and both axis titles.
std::string axes(double top, const std::string& x_title, const std::string& y_title) {
  std::string svg = axis_titles(x_title, y_title);
  const double step = nice_step(top);
  for (double value = 0; value <= top * 1.0001; value += step)
    svg += grid_line(kTop + kPlotHeight * (1 - value / top), fixed(value, step < 1 ? 1 : 0));
  return svg;
}

}  // namespace

std::string chart_style() {
  return std::string(embedded_report_file("chart.css"));
}

std::string report_style() {
  return chart_style() + std::string(embedded_report_file("report.css"));
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string stacked_bar(const std::vector<ChartPart>& parts) {
  double sum = 0;
  for (const ChartPart& part : parts) sum += part.value;
  std::string svg = open_svg(44);
  std::string legend = "<ul class='legend'>\n";
  double x = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double share = sum > 0 ? parts[i].value / sum : 0;
    const std::string percent = fixed(100 * share, 1) + " %";
    const std::string css = "s" + std::to_string(i);
    svg += rectangle(css, x, 0, share * kWidth, 44, parts[i].label + " " + percent);
    if (share > 0.07) svg += text_at(x + share * kWidth / 2, 27, "middle", percent, "class='on'");
    legend += "<li><i class='" + css + "'></i>" + escaped(parts[i].label) + " <b>" + percent +
              "</b></li>\n";
    x += share * kWidth;
  }
  return svg + "</svg>\n" + legend + "</ul>\n";
}

std::string bar_chart(const std::vector<ChartPart>& bars, const std::string& x_title,
                      const std::string& y_title) {
  double top = 1;
  for (const ChartPart& bar : bars) top = std::max(top, bar.value);
  std::string svg = open_svg(kHeight) + axes(top, x_title, y_title);
  const double pitch = kPlotWidth / static_cast<double>(bars.size());
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const double height = kPlotHeight * bars[i].value / top;
    const double x = kLeft + pitch * static_cast<double>(i);
    const double y = kTop + kPlotHeight - height;
    svg += rectangle("bar", x + pitch * 0.1, y, pitch * 0.8, height,
                     bars[i].label + ": " + fixed(bars[i].value, 0));
    svg += text_at(x + pitch / 2, kTop + kPlotHeight + 18, "middle", bars[i].label);
    if (bars[i].value > 0) svg += text_at(x + pitch / 2, y - 5, "middle", fixed(bars[i].value, 0));
  }
  return svg + "</svg>\n";
}

std::string line_chart(const std::vector<double>& values, double x_end, const std::string& x_title,
                       const std::string& y_title) {
  double top = 1;
  for (const double value : values) top = std::max(top, value);
  std::string svg = open_svg(kHeight) + axes(top, x_title, y_title);
  std::string points;
  const double pitch = kPlotWidth / static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double y = kTop + kPlotHeight * (1 - values[i] / top);
    const double x = kLeft + pitch * static_cast<double>(i);
    points += fixed(x, 1) + "," + fixed(y, 1) + " " + fixed(x + pitch, 1) + "," + fixed(y, 1) + " ";
  }
  const std::string base = fixed(kTop + kPlotHeight, 1);
  svg += "<polygon class='area' points='" + fixed(kLeft, 1) + "," + base + " " + points +
         fixed(kLeft + kPlotWidth, 1) + "," + base + "'/>\n<polyline class='line' points='" +
         points + "'/>\n";
  for (int tick = 0; tick <= 4; ++tick) {
    svg += text_at(kLeft + kPlotWidth * tick / 4, kTop + kPlotHeight + 18,
                   tick == 4 ? "end" : "middle",
                   grouped(static_cast<std::uint64_t>(x_end * tick / 4)));
  }
  return svg + "</svg>\n";
}

}  // namespace ppu::sim
