// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study peers`: the same boxed problems by solvers of others and by the methods here.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/cli_error.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/corpus.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/method/brick_wall.hpp"
#include "sim/method/method_curve.hpp"
#include "sim/method/method_peers.hpp"
#include "sim/problem/frozen.hpp"
#include "sim/problem/problem.hpp"
#include "sim/studies/studies.hpp"

namespace ppu::sim {
namespace {

struct PeerStudy {
  Corpus corpus;
  std::vector<std::string> walls;
  Options solve;
  bool optional = false;
  std::string table;
};

/// What is written of a solver that is over.
struct PeerLine {
  std::string problem;
  std::size_t rows;
  std::string solver;
  std::string ended;
  double ms;  ///< NaN: not known.
  double error;
};

/// What the papers measured against and cannot be had. [F]: Ferris, Wathen and Armand (2007),
/// Tables 5, 6 and 10, mean/largest of their suites of ball and topple; [M]: Morales, Nocedal and
/// Smelyanskiy (2008), Table 4.
Table absent_peers() {
  Table table(
      {"solver", "paper", "problems", "seconds", "iterations or factorizations", "doubles"});
  table.add({"PATH", "[F] 2007", "ball", "0.004/0.01", "30/84", "2230/4184"});
  table.add({"PATH", "[F] 2007", "topple", "0.01/0.13", "70/355", "2574/19766"});
  table.add({"SEMI", "[F] 2007", "ball", "0.01/0.14", "6/15", "2018/3824"});
  table.add({"SEMI", "[F] 2007", "topple", "0.1/1.77", "11/30", "2312/13900"});
  table.add({"TRON", "[F] 2007", "ball", "0.036/0.065", "6.6/10", "866/2129"});
  table.add({"TRON", "[F] 2007", "topple", "0.040/0.204", "5.6/13", "1035/6867"});
  table.add({"TRON", "[M] 2008", "nb907_nc5832", "22.3", "100", "-"});
  table.add({"PGS(5)-SM(3)", "[M] 2008", "nb907_nc5832", "0.22", "7", "-"});
  table.add({"TRON", "[M] 2008", "nb977_nc9534", "186", "229", "-"});
  table.add({"PGS(5)-SM(3)", "[M] 2008", "nb977_nc9534", "0.87", "6", "-"});
  return table;
}

constexpr const char* kAbsent =
    "PATH, SEMI and TRON, which the papers measured against, cannot be had here: they are in no "
    "package, and PATH asks for a licence from 300 rows on. The papers' own figures: [F] Ferris, "
    "Wathen and Armand, mean/largest, on a machine that they do not name; [M] Morales, Nocedal and "
    "Smelyanskiy, on a Pentium 4 (Dell Precision 340).";

/// `parent` is that of the rows before friction was frozen.
void add_worlds_of(const std::string& name, const model::RowProblem& problem,
                   const std::vector<std::int32_t>& parent, std::vector<PeerLine>& lines) {
  const ContactWorld world = contact_world(problem, parent);
  if (!world.obstacle.empty()) {
    lines.push_back({name, problem.rows(), "ODE, no world: " + world.obstacle, "-", kNotMeasured,
                     kNotMeasured});
    return;
  }
  for (const WorldPeer& peer : world_peers()) {
    if (problem.rows() > peer.most_rows || !is_in_build(peer)) continue;
    const PeerSolution solution = solve_by_peer(problem, world, peer);
    lines.push_back({name, problem.rows(), peer.in_words,
                     peer.sweeps > 0  ? "-"
                     : solution.ended ? "yes"
                                      : "no",
                     1e3 * solution.seconds, solution.residual.relative});
  }
}

void add_peers_of(const std::string& name, const model::RowProblem& problem, bool optional,
                  std::vector<PeerLine>& lines) {
  const bool is_bounded_below = std::all_of(
      problem.lower.begin(), problem.lower.end(),
      [](float lower) { return static_cast<double>(lower) > -model::methods::kNoBound; });
  for (const BoxedPeer& peer : boxed_peers()) {
    if (problem.rows() > peer.most_rows) continue;
    if (peer.is_optional && (!optional || !is_in_build(peer))) continue;
    if (peer.needs_lower && !is_bounded_below) continue;
    const PeerSolution solution = solve_by_peer(problem, peer.name);
    lines.push_back({name, problem.rows(), peer.in_words, solution.ended ? "yes" : "no",
                     1e3 * solution.seconds, solution.residual.relative});
  }
}

void add_methods_of(const std::string& name, const model::RowProblem& problem,
                    const Options& options, std::vector<PeerLine>& lines) {
  for (const std::string method : {"pgs-sm", "interior-point", "crossover"}) {
    MethodOptions how;
    how.method = method;
    const MethodResult result = solve_by_method(problem, options, how);
    double ms = 1e3 * result.host_seconds;
    if (result.device)
      ms += static_cast<double>(result.device->cycles) / result.device->clock_mhz / 1e3;
    lines.push_back({name, problem.rows(), "PPU " + std::string(method),
                     result.reached ? "yes" : "no", ms, result.residual.relative});
  }
  const MethodCurve curve = measure_curve(problem, options, "nesterov");
  lines.push_back({name, problem.rows(), "PPU nesterov, at its best", "-", curve.points.back().ms,
                   curve.points.back().error});
}

std::vector<PeerLine> measure_peers(const PeerStudy& study) {
  std::vector<PeerLine> lines;
  const auto add = [&](const std::string& name, const model::RowProblem& given,
                       const model::RowProblem& problem) {
    const Progress progress("runs solvers of others on " + name);
    Options options = study.solve;
    options.problem = name;
    options.start = "cold";
    if (given.reference) {
      const auto& impulse = given.reference->impulse;
      lines.push_back({name, given.rows(),
                       "Bullet sequential impulse, " +
                           counted(static_cast<std::uint64_t>(given.reference->sweeps), "sweep"),
                       "-", kNotMeasured,
                       residual_of(problem, {impulse.begin(), impulse.end()}).relative});
    }
    if (study.optional) add_worlds_of(name, problem, given.parent, lines);
    add_peers_of(name, problem, study.optional, lines);
    add_methods_of(name, problem, options, lines);
  };
  for (const std::string& file : problems_of(study.corpus)) {
    const model::RowProblem given = load_problem(file);
    const std::size_t first = file.find_last_of('/') + 1;
    add(file.substr(first, file.rfind('.') - first), given, frozen(given, file));
  }
  for (const std::string& word : study.walls) {
    const model::RowProblem wall = brick_wall(word);
    add("wall" + word, wall, wall);
  }
  return lines;
}

std::string peer_page(const PeerStudy& study, const Table& table) {
  std::string command = "ppu study peers";
  if (!study.corpus.problems.empty()) command += " --problems";
  for (const std::string& file : study.corpus.problems) command += " " + file;
  for (const std::string& word : study.walls)
    command += (word == study.walls.front() ? " --walls " : ",") + word;
  if (study.optional) command += " --all";
  return "<!-- SPDX-License-Identifier: Apache-2.0 -->\n<!-- Generated by " + command +
         " --table " + study.table + "; do not edit. -->\n# Peers\n\n" +
         wrapped(
             "Boxed problems, friction frozen, from zero, by solvers of others and by the "
             "methods here. Error is |F_nat| / |b|; time that of the processor in the "
             "solver, of the PPU with the device's simulated time. Solvers of full matrices "
             "stand only where they end within a minute. Bullet's solvers of matrices get A with "
             "its "
             "diagonal larger by a part of 1e-6, as they give up on the singular matrix of a box "
             "on "
             "four corners; the error is that of the given A. ODE takes worlds, not rows, and "
             "gets one whose contact joints make the same rows: a target velocity, a softness and "
             "a bound of friction for each. Its time is that of a whole step. It has one point to "
             "a contact and no row for joints of other engines; where rows need more, the line "
             "says what. `wallWxH` are the generated walls of [papers](papers.md). OSQP is in no "
             "package of Debian 12.",
             118) +
         "\n" + table.markdown() + "\n" + wrapped(kAbsent, 118) + "\n" + absent_peers().markdown();
}

void study_peers(const PeerStudy& study) {
  check_outputs(study.solve, {}, {{"--table", study.table}});
  const std::vector<PeerLine> lines = measure_peers(study);
  Table table({"problem", "rows", "solver", "ended", "ms", "error"});
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const PeerLine& line : lines) {
    table.add({line.problem, grouped(line.rows), line.solver, line.ended, fixed(line.ms, 2),
               scientific(line.error)});
    results.push_back({{"problem", line.problem},
                       {"rows", line.rows},
                       {"solver", line.solver},
                       {"ended", line.ended},
                       {"ms", line.ms},
                       {"error", line.error}});
  }
  std::vector<files::FileReplacement> files;
  const std::string page = peer_page(study, table);
  if (!study.table.empty()) files.emplace_back(study.table, page);
  publish({{"results", results}},
          table.str() + "\n" + wrapped(kAbsent) + "\n" + absent_peers().str(), study.solve,
          std::move(files));
}

}  // namespace

void add_peers(CLI::App& app, int& /*exit_code*/) {
  auto study = std::make_shared<PeerStudy>();
  Command command = add_command(app, "peers", "Solvers of others beside the methods here");
  add_corpus_options(command, study->corpus);
  command.add_flag("--all", study->optional,
                   "Those of Siconos, Ipopt and ODE, too, if this build has them");
  add_list_option(command, "--walls", study->walls, "Walls to generate, WIDTHxHEIGHT");
  command.add_option("--table", study->table, "Write the results as a page").is_path("FILE.md");
  add_backend_option(command, study->solve);
  add_config_options(command, study->solve);
  add_json_option(command, study->solve);
  add_examples(command,
               {"ppu study peers --problems tests/data/ball_f110.h5",
                "ppu study peers --problems tests/data/ball_f110.h5 --walls 1x2,5x10 --all",
                "ppu study peers --all --json -"});
  command.callback([study] { study_peers(*study); });
}

}  // namespace ppu::sim
