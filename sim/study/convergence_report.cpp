// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Convergence of several programs on one problem, as text, JSON and a picture.
#include "sim/study/convergence_report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"
#include "sim/chart/svg_xy.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRing = "ring: stops by itself";

/// 1, 3, 10, 30, ...: the first one above `value`.
double next_of_scale(double value) {
  const double power = std::pow(10, std::floor(std::log10(value) + 1e-9));
  return value < 2.5 * power ? 3 * power : 10 * power;
}

}  // namespace

double ConvergenceReport::milliseconds(const ConvergencePoint& point) const {
  if (!timed()) return kNotMeasured;
  return static_cast<double>(point.cycles) / clock_mhz * 1e-3;
}

/// On the axis of the second table: milliseconds, without time row updates.
double ConvergenceReport::position(const ConvergencePoint& point) const {
  return timed() ? milliseconds(point) : static_cast<double>(point.row_updates);
}

std::string ConvergenceReport::table_of_ends() const {
  Table table({"program", "reached after ms", "sweeps", "row updates", "stops after ms", "sweeps",
               "row updates", "residual there"});
  for (const ProgramConvergence& program : programs) {
    std::vector<std::string> cells{program.program};
    if (program.reached) {
      cells.insert(cells.end(),
                   {fixed(milliseconds(*program.reached), 3), grouped(program.reached->sweeps),
                    grouped(program.reached->row_updates)});
    } else {
      cells.insert(cells.end(),
                   {"not reached (best " + significant(program.best().residual) + ")", "", ""});
    }
    const ConvergencePoint& end = program.end();
    if (program.stopped) {
      cells.insert(cells.end(), {fixed(milliseconds(end), 3), grouped(end.sweeps),
                                 grouped(end.row_updates), significant(end.residual)});
    } else {
      cells.insert(cells.end(), {"does not stop", "", "", ""});
    }
    table.add(cells);
  }
  return table.str();
}

std::string ConvergenceReport::table_of_residuals() const {
  double first = HUGE_VAL;
  double last = 0;
  std::vector<std::string> header{timed() ? "residual after ms" : "residual after row updates"};
  for (const ProgramConvergence& program : programs) {
    header.push_back(program.program);
    for (const ConvergencePoint& point : program.points) {
      if (position(point) > 0) first = std::min(first, position(point));
      last = std::max(last, position(point));
    }
  }
  Table table(header);
  for (double at = next_of_scale(first / 3); at < next_of_scale(last); at = next_of_scale(at)) {
    if (at < first) continue;
    std::vector<std::string> cells{timed() ? significant(at)
                                           : grouped(static_cast<std::uint64_t>(at + 0.5))};
    for (const ProgramConvergence& program : programs) {
      const auto after = std::find_if(
          program.points.begin(), program.points.end(),
          [&](const ConvergencePoint& point) { return position(point) > at * (1 + 1e-9); });
      cells.push_back(significant((after - 1)->residual));
    }
    table.add(cells);
  }
  return table.str();
}

std::string ConvergenceReport::text() const {
  return title + "\nresidual to reach: " + significant(level) + " m/s or rad/s; " + horizon +
         "\n\n" + table_of_ends() + "\n" + table_of_residuals() +
         "\nThe true residual of the impulses, in double precision on the host. Reached: at the\n"
         "first sweep found at or below the level. Stops: by the program's own test. Below: the\n"
         "residual of the last point measured by then.\n";
}

Json ConvergenceReport::json() const {
  const auto json_of = [this](const ConvergencePoint& point) {
    return Json{{"sweeps", point.sweeps},
                {"row_updates", point.row_updates},
                {"cycles", timed() ? Json(point.cycles) : Json()},
                {"us", timed() ? Json(1e3 * milliseconds(point)) : Json()},
                {"residual", point.residual}};
  };
  Json list = Json::array();
  for (const ProgramConvergence& program : programs) {
    Json points = Json::array();
    for (const ConvergencePoint& point : program.points) points.push_back(json_of(point));
    list.push_back(Json{{"program", program.program},
                        {"stopped", program.stopped},
                        {"reached", program.reached ? json_of(*program.reached) : Json()},
                        {"best", json_of(program.best())},
                        {"points", points}});
  }
  return Json{{"problem", problem}, {"frozen", frozen},       {"level", level},
              {"horizon", horizon}, {"clock_mhz", clock_mhz}, {"programs", list}};
}

std::string ConvergenceReport::svg() const {
  XyChart by_time{"device time in milliseconds", "true residual", {}, level, kRing};
  XyChart by_updates{"row updates", "true residual", {}, level, kRing};
  for (const ProgramConvergence& program : programs) {
    XyCurve time{program.program, {}, program.stopped};
    XyCurve updates = time;
    for (const ConvergencePoint& point : program.points) {
      time.points.emplace_back(milliseconds(point), point.residual);
      updates.points.emplace_back(static_cast<double>(point.row_updates), point.residual);
    }
    by_time.curves.push_back(time);
    by_updates.curves.push_back(updates);
  }
  std::vector<XyChart> charts;
  if (timed()) charts.push_back(by_time);
  charts.push_back(by_updates);
  return svg_file(title, charts);
}

}  // namespace ppu::sim
