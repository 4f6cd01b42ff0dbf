// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study which`: which method for how much time: error against device and host time, errors at
// deadlines, performance profiles.
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/cli_error.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/chart/svg_xy.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/corpus.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/method/method_curve.hpp"
#include "sim/problem/frozen.hpp"
#include "sim/problem/problem.hpp"
#include "sim/studies/studies.hpp"

namespace ppu::sim {
namespace {

constexpr double kDeadlines[] = {1, 4, 16};       // ms
constexpr double kLevels[] = {1e-2, 1e-3, 1e-5};  // Errors of profiles.
constexpr double kRatios[] = {1, 2, 4, 10, 100};  // Of times to the best.

struct WhichStudy {
  Corpus corpus;
  Options solve;
  std::vector<std::string> methods;
  std::string table, svg;
};

/// One problem, frozen or coupled, by every method.
struct WhichCase {
  std::string name;
  bool frozen;
  std::size_t rows;
  std::vector<MethodCurve> curves;
};

std::string stem_of(const std::string& file) {
  const std::size_t first = file.find_last_of('/') + 1;
  return file.substr(first, file.rfind('.') - first);
}

std::vector<WhichCase> measure_cases(const WhichStudy& study) {
  std::vector<WhichCase> cases;
  for (const std::string& file : problems_of(study.corpus)) {
    const model::RowProblem given = load_problem(file);
    for (const bool is_frozen : {true, false}) {
      WhichCase one{stem_of(file), is_frozen, given.rows(), {}};
      const model::RowProblem problem = is_frozen ? frozen(given, file) : given;
      Options options = study.solve;
      options.problem = file;
      for (const std::string& method : study.methods)
        one.curves.push_back(measure_curve(problem, options, method));
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

Table deadline_table(const WhichStudy& study, const std::vector<WhichCase>& cases) {
  std::vector<std::string> header{"problem", "friction", "rows", "within ms"};
  header.insert(header.end(), study.methods.begin(), study.methods.end());
  Table table(header);
  for (const WhichCase& one : cases) {
    for (const double deadline : kDeadlines) {
      std::vector<std::string> cells{one.name, one.frozen ? "frozen" : "coupled", grouped(one.rows),
                                     fixed(deadline, 0)};
      for (const MethodCurve& curve : one.curves)
        cells.push_back(scientific(curve.error_within(deadline)));
      table.add(cells);
    }
  }
  return table;
}

/// The share of cases that a method brings to `level` within `ratio` times the best of all methods:
/// Dolan and More, Math. Program. 91 (2002).
double profile_at(const std::vector<WhichCase>& cases, std::size_t method, double level,
                  double ratio) {
  std::size_t within = 0, all = 0;
  for (const WhichCase& one : cases) {
    double best = kNotMeasured;
    for (const MethodCurve& curve : one.curves) best = std::fmin(best, curve.ms_to(level));
    if (std::isnan(best)) continue;
    ++all;
    if (one.curves[method].ms_to(level) <= ratio * best * (1 + 1e-12)) ++within;
  }
  return all == 0 ? kNotMeasured : static_cast<double>(within) / static_cast<double>(all);
}

std::vector<WhichCase> cases_of(const std::vector<WhichCase>& cases, bool is_frozen) {
  std::vector<WhichCase> some;
  for (const WhichCase& one : cases)
    if (one.frozen == is_frozen) some.push_back(one);
  return some;
}

Table profile_table(const WhichStudy& study, const std::vector<WhichCase>& cases) {
  std::vector<std::string> header{"friction", "to error", "within"};
  header.insert(header.end(), study.methods.begin(), study.methods.end());
  Table table(header);
  for (const bool is_frozen : {true, false}) {
    const std::vector<WhichCase> some = cases_of(cases, is_frozen);
    for (const double level : kLevels) {
      for (const double ratio : kRatios) {
        std::vector<std::string> cells{is_frozen ? "frozen" : "coupled", scientific(level),
                                       fixed(ratio, 0) + " x best"};
        for (std::size_t i = 0; i < study.methods.size(); ++i)
          cells.push_back(percent(profile_at(some, i, level, ratio)));
        table.add(cells);
      }
    }
  }
  return table;
}

XyChart curve_chart(const WhichCase& one) {
  XyChart chart{
      "device and host time in milliseconds: " + one.name + (one.frozen ? ", frozen" : ", coupled"),
      "|F_nat| / |b|",
      {}};
  for (const MethodCurve& curve : one.curves) {
    XyCurve line{curve.method, {}};
    for (const CurvePoint& point : curve.points) line.points.emplace_back(point.ms, point.error);
    chart.curves.push_back(line);
  }
  return chart;
}

XyChart profile_chart(const WhichStudy& study, const std::vector<WhichCase>& cases, bool is_frozen,
                      double level) {
  XyChart chart{"time in parts of the best method's, to " + scientific(level) +
                    (is_frozen ? ", frozen" : ", coupled"),
                "share of problems",
                {}};
  const std::vector<WhichCase> some = cases_of(cases, is_frozen);
  for (std::size_t i = 0; i < study.methods.size(); ++i) {
    XyCurve line{study.methods[i], {}};
    for (double ratio = 1; ratio < 1000; ratio *= 1.1)
      line.points.emplace_back(ratio, profile_at(some, i, level, ratio));
    chart.curves.push_back(line);
  }
  return chart;
}

std::string which_svg(const WhichStudy& study, const std::vector<WhichCase>& cases) {
  const auto most =
      std::max_element(cases.begin(), cases.end(),
                       [](const WhichCase& a, const WhichCase& b) { return a.rows < b.rows; });
  std::vector<XyChart> charts;
  for (const WhichCase& one : cases)
    if (one.name == most->name) charts.push_back(curve_chart(one));
  for (const bool is_frozen : {true, false})
    charts.push_back(profile_chart(study, cases, is_frozen, kLevels[0]));
  return svg_file("Which method: error against time, and performance profiles", charts);
}

std::string which_page(const WhichStudy& study, const Table& deadlines, const Table& profiles) {
  std::string command = "ppu study which";
  if (!study.corpus.problems.empty()) command += " --problems";
  for (const std::string& file : study.corpus.problems) command += " " + file;
  command += " --start " + study.solve.start;
  for (const std::string& word : study.solve.overrides) command += " --set " + word;
  if (!study.svg.empty()) command += " --svg " + study.svg;
  return "<!-- SPDX-License-Identifier: Apache-2.0 -->\n<!-- Generated by " + command +
         " --table " + study.table + "; do not edit. -->\n# Which method\n\n" +
         wrapped(
             "Error is |F_nat| / |b|. Time is that of the device, simulated, copies included, "
             "plus that of the host's processor for what the method does there. Each method runs "
             "again and again, twice as far each time, until a run has taken longer than " +
                 fixed(kLongestCurveMs, 0) + " ms, or " + grouped(kMostCurveSweeps) +
                 " sweeps. What the "
                 "methods are, and what follows: [methods](../../guide/methods.md).",
             118) +
         (study.svg.empty() ? ""
                            : "\n![Error against time](../../images/" +
                                  study.svg.substr(study.svg.find_last_of('/') + 1) + ")\n") +
         "\n## Error at a deadline\n\n" + deadlines.markdown() + "\n## Performance profiles\n\n" +
         wrapped(
             "The share of problems that a method brings to an error within so many times the "
             "time of the best method (Dolan and More, 2002).",
             118) +
         "\n" + profiles.markdown();
}

nlohmann::ordered_json json_of(const std::vector<WhichCase>& cases) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const WhichCase& one : cases) {
    nlohmann::ordered_json methods;
    for (const MethodCurve& curve : one.curves) {
      nlohmann::ordered_json points = nlohmann::ordered_json::array();
      for (const CurvePoint& point : curve.points)
        points.push_back({{"ms", point.ms}, {"error", point.error}});
      methods[curve.method] = points;
    }
    list.push_back({{"problem", one.name},
                    {"friction", one.frozen ? "frozen" : "coupled"},
                    {"rows", one.rows},
                    {"methods", methods}});
  }
  return list;
}

void study_which(const WhichStudy& study) {
  check_outputs(study.solve, {}, {{"--table", study.table}, {"--svg", study.svg}});
  std::vector<WhichCase> cases;
  {
    const Progress progress("runs every method on every problem");
    cases = measure_cases(study);
  }
  const Table deadlines = deadline_table(study, cases), profiles = profile_table(study, cases);
  std::vector<files::FileReplacement> files;
  const std::string page = which_page(study, deadlines, profiles);
  const std::string svg = which_svg(study, cases);
  if (!study.table.empty()) files.emplace_back(study.table, page);
  if (!study.svg.empty()) files.emplace_back(study.svg, svg);
  publish({{"results", json_of(cases)}}, deadlines.str() + "\n" + profiles.str(), study.solve,
          std::move(files));
}

}  // namespace

void add_which(CLI::App& app, int& /*exit_code*/) {
  auto study = std::make_shared<WhichStudy>();
  study->methods = curve_methods();
  Command command = add_command(app, "which", "Which method: error against time, and deadlines");
  add_corpus_options(command, study->corpus);
  add_list_option(command, "--methods", study->methods,
                  "Of pgs, sor, filter, nesterov, pgs-sm, interior-point");
  command
      .add_option("--start", study->solve.start, "warm: from the problem's impulses; cold: from 0")
      .type_name("WORD")
      .capture_default_str()
      .check(member_of(start_names()));
  command.add_option("--table", study->table, "Write the results as a page").is_path("FILE.md");
  command.add_option("--svg", study->svg, "Write the curves as a picture").is_path("OUT.svg");
  add_backend_option(command, study->solve);
  add_config_options(command, study->solve);
  add_json_option(command, study->solve);
  add_examples(command,
               {"ppu study which --problems tests/data/ball_f110.h5 --start cold",
                "ppu study which --methods pgs,nesterov --set pipes=4 --set velocity_banks=32"});
  command.callback([study] {
    for (const std::string& name : study->methods) {
      const std::string wrong = complaint_unless_one_of(curve_methods(), name);
      if (!wrong.empty()) throw CliError(kExitUsage, "--methods: " + wrong);
    }
    study_which(*study);
  });
}

}  // namespace ppu::sim
