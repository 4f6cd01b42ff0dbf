// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study papers`: the tables of the two papers in their shape, on problems of the corpus and on
// walls of the papers' sizes, beside the papers' own figures.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/cli_error.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/method/brick_wall.hpp"
#include "sim/method/paper_study.hpp"
#include "sim/problem/frozen.hpp"
#include "sim/problem/problem.hpp"
#include "sim/solve/solver.hpp"
#include "sim/studies/studies.hpp"

namespace ppu::sim {
namespace {

/// Walls about as large as the problems of Morales, Nocedal and Smelyanskiy, width x height.
const std::vector<std::string>& paper_walls() {
  static const std::vector<std::string> walls{"1x2",   "1x4",   "5x10",  "7x12", "29x9",
                                              "27x12", "30x12", "32x12", "35x12"};
  return walls;
}

struct PaperStudy {
  std::vector<std::string> problems;
  Options solve;
  std::vector<std::string> walls = paper_walls();
  std::uint32_t sweeps = 50000;
  std::string table;
};

struct PaperCase {
  std::string name;
  PaperResult result;
};

constexpr std::size_t kMostIncomplete = 600;  // Rows.

std::vector<PaperCase> measure_cases(const PaperStudy& study) {
  Options options = study.solve;
  options.program = "boxed";
  options.start = "cold";
  const PaperLimits limits{static_cast<int>(study.sweeps), kMostIncomplete};
  std::vector<PaperCase> cases;
  const auto add = [&](const std::string& name, const model::RowProblem& problem) {
    const Progress progress("measures " + name);
    // A device of its own: no cycle depends on the problems before.
    Solver device(options);
    try {
      cases.push_back({name, measure_for_papers(problem, device, limits)});
    } catch (const model::methods::MethodFailure& failure) {
      throw CliError(kExitMismatch, name + ": " + failure.what());
    }
    device.close();
  };
  for (const std::string& file : study.problems) {
    const std::size_t first = file.find_last_of('/') + 1;
    add(file.substr(first, file.rfind('.') - first), frozen(load_problem(file), file));
  }
  for (const std::string& word : study.walls) add("wall" + word, brick_wall(word));
  return cases;
}

std::string sweeps_or_more(int sweeps, std::uint32_t most) {
  return sweeps > 0 ? grouped(static_cast<std::uint64_t>(sweeps)) : ">" + grouped(most);
}

double device_ms_of(const PlainSweeps& plain, int sweeps) {
  return sweeps > 0 ? plain.device_ms + sweeps * plain.device_ms_each : NAN;
}

Table sweeps_table(const PaperStudy& study, const std::vector<PaperCase>& cases) {
  Table table({"problem", "bodies", "n", "nz(A)", "to 1e-1", "to 1e-2", "to 1e-8", "host seconds",
               "device us each", "device ms to 1e-1", "to 1e-2"});
  for (const PaperCase& one : cases) {
    const PlainSweeps& plain = one.result.plain;
    std::vector<std::string> cells{one.name, grouped(one.result.bodies), grouped(one.result.rows),
                                   grouped(one.result.nonzeros)};
    for (const int sweeps : plain.sweeps) cells.push_back(sweeps_or_more(sweeps, study.sweeps));
    cells.push_back(fixed(plain.seconds, 2));
    cells.push_back(fixed(1e3 * plain.device_ms_each, 1));
    cells.push_back(fixed(device_ms_of(plain, plain.sweeps[0]), 2));
    cells.push_back(fixed(device_ms_of(plain, plain.sweeps[1]), 2));
    table.add(cells);
  }
  return table;
}

Table active_table(const std::vector<PaperCase>& cases) {
  Table table({"problem", "k = 2", "k = 20", "k = 100", "k = 1000", "k = 10000"});
  for (const PaperCase& one : cases) {
    const PlainSweeps& plain = one.result.plain;
    std::vector<std::string> cells{one.name};
    for (std::size_t i = 0; i < plain.found.size(); ++i)
      cells.push_back(static_cast<int>(i) < plain.looks
                          ? grouped(plain.found[i]) + "/" + grouped(plain.active)
                          : "");
    table.add(cells);
  }
  return table;
}

std::string count_of(const FactorCosts& costs) {
  return std::to_string(costs.factorizations) + (costs.reached ? "" : " (not reached)");
}

std::string factors(const FactorCosts& costs) {
  return count_of(costs) + " / " + fixed(1e3 * costs.seconds, 1) +
         (costs.sweeps > 0 ? " / " + fixed(costs.device_ms, 2) : "");
}

Table cost_table(const std::vector<PaperCase>& cases) {
  Table table({"problem", "host seconds", "device ms", "nz(L)", "factorizations", "sweeps", "r_1"});
  for (const PaperCase& one : cases) {
    const FactorCosts &point = one.result.interior, &subspace = one.result.subspace[1];
    table.add({one.name, fixed(point.seconds, 3) + " / " + fixed(subspace.seconds, 3),
               "- / " + fixed(subspace.device_ms, 2),
               grouped(point.factor_numbers) + " / " + grouped(subspace.factor_numbers),
               count_of(point) + " / " + count_of(subspace),
               "- / " + grouped(static_cast<std::uint64_t>(subspace.sweeps)),
               scientific(point.residual) + " / " + scientific(subspace.residual)});
  }
  return table;
}

Table variant_table(const std::vector<PaperCase>& cases) {
  Table table({"problem", "PGS(2)-SM(3)", "PGS(5)-SM(3)", "PGS(5)-SM(2)", "interior point"});
  for (const PaperCase& one : cases) {
    std::vector<std::string> cells{one.name};
    for (const FactorCosts& costs : one.result.subspace) cells.push_back(factors(costs));
    cells.push_back(factors(one.result.interior));
    table.add(cells);
  }
  return table;
}

Table cause_table(const std::vector<PaperCase>& cases) {
  Table table({"problem", "as in [M]", "proximal term alone", "bounds alone", "both"});
  for (const PaperCase& one : cases) {
    const FactorCauses& causes = one.result.causes;
    std::vector<std::string> cells{one.name};
    for (const FactorCosts& costs : {causes.as_in_paper, causes.proximal_alone, causes.bounds_alone,
                                     causes.bounds_and_proximal})
      cells.push_back(costs.sweeps == 0 ? "singular" : count_of(costs));
    table.add(cells);
  }
  return table;
}

Table size_table(const std::vector<PaperCase>& cases) {
  Table table({"problem", "rows", "iterations", "(1)", "(1) symrcm", "(2)", "(2) symrcm",
               "smaller, symrcm"});
  for (const PaperCase& one : cases) {
    const FactorSizes& sizes = one.result.sizes;
    table.add({one.name, grouped(one.result.rows),
               std::to_string(one.result.interior.factorizations), grouped(sizes.primal),
               grouped(sizes.primal_ordered), grouped(sizes.dual), grouped(sizes.dual_ordered),
               grouped(sizes.smaller_ordered)});
  }
  return table;
}

Table incomplete_table(const std::vector<PaperCase>& cases) {
  Table table({"problem", "drop tol", "seconds", "iterations", "CG iter", "nnz"});
  for (const PaperCase& one : cases)
    for (const IncompleteCosts& costs : one.result.incomplete)
      table.add({one.name, scientific(costs.drop_tolerance), fixed(costs.seconds, 3),
                 costs.reached ? std::to_string(costs.iterations) : "none",
                 grouped(costs.gradient_steps), grouped(costs.factor_numbers)});
  return table;
}

/// Of Morales, Nocedal and Smelyanskiy (2008): sweeps of Table 1, active sets of Table 2, seconds,
/// nz(L) and factorizations of Tables 3 and 4, on a Pentium 4 (Dell Precision 340).
Table figures_of_morales() {
  Table table({"problem", "n", "to 1e-1", "to 1e-2", "active, k = 2", "k = 100",
               "IPM / PGS(5)-SM(3) seconds", "nz(L)", "factorizations"});
  table.add({"nb8_nc48", "48", "17", "111", "8/10", "10/10", "-", "-", "-"});
  table.add({"nb235_nc1044", "1,044", "61", "312", "12/58", "52/58", "- / 0.03", "-", "- / 6"});
  table.add(
      {"nb449_nc1821", "1,821", "132", "414", "156/254", "248/254", "- / 0.03", "-", "- / 5"});
  table.add({"nb907_nc5832", "5,832", "21", "16,785", "1,253/1,512", "1,333/1,512", "0.50 / 0.22",
             "216,080 / 114,864", "17 / 7"});
  table.add({"nb948_nc7344", "7,344", "3,123", ">50,000", "1,504/1,828", "1,542/1,828",
             "1.02 / 0.46", "406,152 / 218,522", "18 / 9"});
  table.add({"nb966_nc8220", "8,220", "1,601", "39,103", "2,112/2,321", "2,109/2,321",
             "2.40 / 0.63", "797,989 / 398,821", "16 / 7"});
  table.add({"nb976_nc8745", "8,745", "7,184", ">50,000", "1,728/2,158", "1,758/2,158",
             "1.79 / 0.66", "646,929 / 341,911", "19 / 9"});
  table.add({"nb977_nc9534", "9,534", "1,246", ">50,000", "2,513/2,728", "2,505/2,728",
             "4.67 / 0.87", "1,222,209 / 604,892", "17 / 6"});
  return table;
}

/// Of Ferris, Wathen and Armand (2007), mean/largest over suites of up to some 400 rows, on a
/// machine that they do not name.
Table figures_of_ferris() {
  Table table({"table", "problem", "system", "preconditioner", "seconds", "CG iter", "nnz"});
  table.add({"1", "ball", "(1)", "diagonal", "0.30/0.53", "1223/2057", "67/118"});
  table.add({"1", "ball", "(1)", "incomplete, 1e-4", "0.06/0.12", "47/74", "1222/1846"});
  table.add({"1", "topple", "(1)", "incomplete, 1e-4", "0.07/0.38", "47/125", "876/5111"});
  table.add({"2", "ball", "(2)", "incomplete, 1e-4", "0.06/0.15", "43/103", "1284/2564"});
  table.add({"2", "topple", "(2)", "incomplete, 1e-4", "0.04/0.13", "30/64", "242/1340"});
  table.add({"3", "ball", "smaller", "incomplete, 1e-4", "0.05/0.15", "37/102", "1151/2023"});
  table.add({"3", "topple", "smaller", "incomplete, 1e-4", "0.04/0.13", "30/64", "242/1340"});
  table.add({"4", "ball", "smaller, symrcm", "1e-3", "0.06/0.22", "60/330", "543/703"});
  table.add({"4", "ball", "smaller, symrcm", "1e-4", "0.05/0.11", "32/80", "563/811"});
  table.add({"4", "ball", "smaller, symrcm", "1e-8", "0.04/0.08", "12/24", "575/945"});
  table.add({"4", "topple", "smaller, symrcm", "1e-3", "0.05/0.15", "46/108", "198/836"});
  table.add({"4", "topple", "smaller, symrcm", "1e-4", "0.04/0.13", "27/60", "215/902"});
  table.add({"4", "topple", "smaller, symrcm", "1e-8", "0.04/0.12", "13/22", "233/982"});
  return table;
}

/// A heading, what stands below it, and the table.
struct Section {
  const char* heading;
  const char* words;
  Table table;
};

std::vector<Section> sections(const PaperStudy& study, const std::vector<PaperCase>& cases) {
  return {
      {"Sweeps alone",
       "Table 1 of [M]: sweeps of projected Gauss-Seidel from zero until r_1 is at a level, in "
       "double precision on the host, and seconds of its processor for all of them. On the "
       "device each takes as long as the others; the last columns are so many of them and the "
       "copies.",
       sweeps_table(study, cases)},
      {"Active sets",
       "Table 2 of [M]: rows that are at a bound in the solution and are so after k sweeps, of all "
       "that are at a bound in the solution.",
       active_table(cases)},
      {"Interior point / PGS(5)-SM(3)",
       "Table 3 of [M]: each to its end, r_1 <= 1e-8 for PGS-SM, the stop of [F] for the interior "
       "point; both numbers in each cell in this order. Sweeps of PGS-SM run on the device.",
       cost_table(cases)},
      {"Variants", "Table 4 of [M]: factorizations / host ms / device ms.", variant_table(cases)},
      {"Why more factorizations than in [M]",
       "Problems (1.1) of [M] have bounds at zero or none; friction here has a bound on either "
       "side. And A of [M] is positive definite; that of contacts is not always, so subspace "
       "steps here have a proximal term. Factorizations of PGS(5)-SM(3), all on the host, within "
       "30 rounds: with neither (friction rows without bounds), with one of the two, with both. "
       "`singular`: without the term there is no factor.",
       cause_table(cases)},
      {"[M]'s own figures", "On a Pentium 4 (Dell Precision 340), 2008.", figures_of_morales()},
      {"Memory of exact factors",
       "Doubles that an exact factor of the primal system (1) and of the dual system (2) takes, as "
       "given and by symmetric reverse Cuthill-McKee; and iterations of the interior point.",
       size_table(cases)},
      {"Incomplete factors",
       "Table 4 of [F]: the smaller system, symrcm, conjugate gradients with an incomplete factor, "
       "up to 600 rows. `none`: conjugate gradients did not end.",
       incomplete_table(cases)},
      {"[F]'s own figures",
       "Mean/largest of each suite, 2007, on a machine that [F] does not name.",
       figures_of_ferris()}};
}

std::string papers_page(const PaperStudy& study, const std::vector<Section>& all) {
  std::string command = "ppu study papers";
  if (!study.problems.empty()) command += " --problems";
  for (const std::string& file : study.problems) command += " " + file;
  if (study.walls != paper_walls()) {
    command += " --walls ";
    for (const std::string& word : study.walls)
      command += (word == study.walls.front() ? "" : ",") + word;
  }
  if (study.sweeps != PaperStudy().sweeps) command += " --sweeps " + std::to_string(study.sweeps);
  for (const std::string& word : study.solve.overrides) command += " --set " + word;
  std::string page =
      "<!-- SPDX-License-Identifier: Apache-2.0 -->\n<!-- Generated by " + command + " --table " +
      study.table + "; do not edit. -->\n# The tables of the papers\n\n" +
      wrapped(
          "Boxed problems by the methods of Morales, Nocedal and Smelyanskiy (2008), [M], and of "
          "Ferris, Wathen and Armand (2007), [F], from zero. Host time is that of its processor, "
          "device time is simulated, copies included. "
          "Problems of the corpus have friction frozen; `wallWxH` are generated walls of W x H "
          "bricks, about as large as the problems of [M]. What the methods are: "
          "[methods](../../guide/methods.md).",
          118);
  for (const Section& section : all)
    page += "\n## " + std::string(section.heading) + "\n\n" + wrapped(section.words, 118) + "\n" +
            section.table.markdown();
  return page;
}

nlohmann::ordered_json json_of(const std::vector<PaperCase>& cases) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PaperCase& one : cases) {
    const PaperResult& result = one.result;
    list.push_back({{"problem", one.name},
                    {"rows", result.rows},
                    {"plain_sweeps", result.plain.sweeps},
                    {"active", result.plain.active},
                    {"active_found", result.plain.found},
                    {"pgs_sm_factorizations", result.subspace[1].factorizations},
                    {"pgs_sm_residual", result.subspace[1].residual},
                    {"pgs_sm_host_seconds", result.subspace[1].seconds},
                    {"pgs_sm_device_ms", result.subspace[1].device_ms},
                    {"factorizations_as_in_paper", result.causes.as_in_paper.factorizations},
                    {"sweep_device_ms", result.plain.device_ms_each},
                    {"interior_point_iterations", result.interior.factorizations},
                    {"interior_point_reached", result.interior.reached},
                    {"primal", result.sizes.primal},
                    {"dual", result.sizes.dual},
                    {"smaller_ordered", result.sizes.smaller_ordered}});
  }
  return list;
}

void study_papers(const PaperStudy& study) {
  check_outputs(study.solve, {}, {{"--table", study.table}});
  const std::vector<PaperCase> cases = measure_cases(study);
  const std::vector<Section> all = sections(study, cases);
  std::string text;
  for (const Section& section : all)
    text += (text.empty() ? "" : "\n") + std::string(section.heading) + "\n" + section.table.str();
  const std::string page = papers_page(study, all);
  std::vector<files::FileReplacement> files;
  if (!study.table.empty()) files.emplace_back(study.table, page);
  publish({{"results", json_of(cases)}}, text, study.solve, std::move(files));
}

}  // namespace

void add_papers(CLI::App& app, int& /*exit_code*/) {
  auto study = std::make_shared<PaperStudy>();
  Command command = add_command(app, "papers", "The tables of the papers, in their shape");
  command.add_option("--problems", study->problems, "Row problems beside the walls")
      .type_name("FILE");
  add_list_option(command, "--walls", study->walls, "Walls to generate, WIDTHxHEIGHT");
  command.add_option("--sweeps", study->sweeps, "Of projected Gauss-Seidel alone, at most")
      .type_name("COUNT")
      .capture_default_str()
      .check(in_range<std::uint32_t>(1, 100000000));
  command.add_option("--table", study->table, "Write the results as a page").is_path("FILE.md");
  add_backend_option(command, study->solve);
  add_config_options(command, study->solve);
  add_json_option(command, study->solve);
  add_examples(command, {"ppu study papers --walls 1x2,1x4,5x10",
                         "ppu study papers --problems tests/data/ball_f110.h5 --json -"});
  command.callback([study] { study_papers(*study); });
}

}  // namespace ppu::sim
