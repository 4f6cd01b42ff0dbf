// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu distance`: distances of convex polyhedra by Lemke's complementary pivoting.
#include <algorithm>
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
#include "sim/commands/commands.hpp"
#include "sim/distance/distance_study.hpp"
#include "sim/distance/pairs_file.hpp"

namespace ppu::sim {
namespace {

namespace distance = model::distance;
using Json = nlohmann::ordered_json;

struct DistanceOptions {
  Options common;  ///< --json.
  std::string file;
  std::uint32_t random = 0;  ///< Pairs; 0: of the file.
  std::vector<std::uint32_t> faces{6, 12, 24};
  std::vector<std::string> placements = distance::placement_names();
  std::vector<std::string> peers;
  std::uint32_t seed = 1;
  std::uint32_t threads = 0;
  std::string table;
};

/// Beside which peers: "bullet 3 (1.8e-01)" is three pairs beyond 1e-5 m, the worst by 0.18 m.
std::vector<std::string> peer_cells(const DistanceCheck& check) {
  std::vector<std::string> cells;
  for (const PeerDistances& peer : check.peers) {
    cells.push_back(grouped(peer.beyond));
    cells.push_back(scientific(peer.largest));
  }
  return cells;
}

Json to_json(const DistanceCheck& check) {
  Json json{{"pairs", check.results.size()},        {"unsolved", check.unsolved},
            {"largest_error", check.largest_error}, {"mean_pivots", check.mean_pivots},
            {"most_pivots", check.most_pivots},     {"no_peer_agrees", check.alone}};
  for (const PeerDistances& peer : check.peers)
    json["peers"][peer.peer] = {
        {"beyond", peer.beyond}, {"largest_difference", peer.largest}, {"seconds", peer.seconds}};
  return json;
}

Json to_json(const StepTime& time) {
  return {{"least_us", time.least}, {"mean_us", time.mean}, {"largest_us", time.largest}};
}

std::string range_of(const StepTime& time) {
  return fixed(time.least, 2) + " - " + fixed(time.largest, 2);
}

// ---- of a file

/// With no "-0.000000".
std::string in_metres(const distance::Vector3& p) {
  std::string text;
  for (const double x : p)
    text += (text.empty() ? "" : " ") + fixed(std::fabs(x) < 5e-7 ? 0 : x, 6);
  return text;
}

int solve_file(const DistanceOptions& options) {
  const NamedPairs read = read_pairs(options.file);
  if (read.pairs.empty()) throw CliError(kExitUsage, options.file + ": pairs: found none");
  check_outputs(options.common, {{"the file", options.file}});
  const PairList list{read.shapes, read.pairs};
  const DistanceCheck check = check_distances(list, options.peers, options.threads);
  std::vector<std::string> header{"first",
                                  "second",
                                  "distance m",
                                  "pivots",
                                  "proven to m",
                                  "point of the first",
                                  "point of the second"};
  header.insert(header.end(), options.peers.begin(), options.peers.end());
  Table table(header);
  Json pairs = Json::array();
  for (std::size_t i = 0; i < list.pairs.size(); ++i) {
    const distance::DistanceResult& result = check.results[i];
    const bool solved = result.state == distance::LemkeTableau::State::kSolved;
    if (!solved)
      throw CliError(kExitMismatch, options.file + ": pair " + std::to_string(i) + ": found " +
                                        distance::in_words(result.state) + " after " +
                                        counted(result.pivots, "pivot") + ", expected a distance");
    const std::string& first = read.names[list.pairs[i].first];
    const std::string& second = read.names[list.pairs[i].second];
    std::vector<std::string> cells{first,
                                   second,
                                   fixed(result.distance, 9),
                                   grouped(result.pivots),
                                   scientific(check.error[i]),
                                   in_metres(result.first_point),
                                   in_metres(result.second_point)};
    Json json{{"first", first},
              {"second", second},
              {"distance", result.distance},
              {"first_point", result.first_point},
              {"second_point", result.second_point},
              {"pivots", result.pivots},
              {"error", check.error[i]}};
    for (const PeerDistances& peer : check.peers) {
      cells.push_back(fixed(peer.distance[i], 9));
      json[peer.peer] = peer.distance[i];
    }
    table.add(cells);
    pairs.push_back(json);
  }
  publish({{"file", options.file}, {"pairs", pairs}}, table.str(), options.common);
  return check.is_right() ? kExitOk : kExitMismatch;
}

// ---- of generated pairs

/// Table 33-1 of GPU Gems 3: microseconds on a GeForce 8800 GTX of 2006; queries a second for 6
/// faces, there and on a 3.0 GHz Pentium 4.
constexpr std::uint32_t kPaperFaces[] = {6, 12, 24};
constexpr const char* kPaperSetup[] = {"1.5", "3.1", "4.8"};
constexpr const char* kPaperSelect[] = {"0.04 - 0.2", "0.06 - 0.6", "0.16 - 1.6"};
constexpr const char* kPaperSolve[] = {"0.1 - 1.0", "0.2 - 3.9", "0.3 - 6.2"};

std::string gems_cell(const char* const (&row)[3], std::uint32_t faces) {
  for (std::size_t i = 0; i < 3; ++i)
    if (kPaperFaces[i] == faces) return row[i];
  return "-";
}

struct RandomStudy {
  Table agreement, times;
  Json results = Json::array();
  bool is_right = true;
  std::size_t pairs = 0, alone = 0;
};

std::vector<std::string> agreement_header(const std::vector<std::string>& peers) {
  std::vector<std::string> header{"faces",   "placed",      "pairs",          "pivots",
                                  "at most", "proven to m", "off the known m"};
  for (const std::string& peer : peers) {
    header.push_back(peer + " beyond");
    header.push_back(peer + " worst m");
  }
  return header;
}

double largest_gap_error(const distance::GeneratedPairs& made, const DistanceCheck& check) {
  double most = kNotMeasured;
  for (std::size_t i = 0; i < made.gap.size(); ++i)
    if (!std::isnan(made.gap[i]))
      most = std::fmax(most, std::fabs(made.gap[i] - check.results[i].distance));
  return most;
}

void check_placement(const DistanceOptions& options, std::uint32_t faces,
                     const std::string& placement, RandomStudy& study) {
  const auto& names = distance::placement_names();
  const auto kind = static_cast<distance::Placement>(
      std::find(names.begin(), names.end(), placement) - names.begin());
  const distance::GeneratedPairs made =
      distance::generate_pairs(faces, kind, options.random, options.seed);
  const DistanceCheck check =
      check_distances({made.shapes, made.pairs}, options.peers, options.threads);
  const double gap_error = largest_gap_error(made, check);
  std::vector<std::string> cells{std::to_string(faces),         placement,
                                 grouped(check.results.size()), fixed(check.mean_pivots, 1),
                                 grouped(check.most_pivots),    scientific(check.largest_error),
                                 scientific(gap_error)};
  for (const std::string& cell : peer_cells(check)) cells.push_back(cell);
  study.agreement.add(cells);
  Json json = to_json(check);
  json["faces"] = faces;
  json["placement"] = placement;
  json["gap_error"] = std::isnan(gap_error) ? Json() : Json(gap_error);
  study.results.push_back(json);
  study.pairs += check.results.size();
  study.alone += check.alone;
  study.is_right = study.is_right && check.is_right() && !(gap_error > kDistanceTolerance);
}

void time_faces(const DistanceOptions& options, std::uint32_t faces, RandomStudy& study) {
  const distance::GeneratedPairs made =
      distance::generate_pairs(faces, distance::Placement::kRandom, options.random, options.seed);
  const DistanceTimes times = time_distances({made.shapes, made.pairs}, options.threads);
  const bool is_six = faces == 6;
  const std::string face_text = std::to_string(faces);
  study.times.add({face_text, "this machine", range_of(times.set_up), range_of(times.select),
                   range_of(times.solve), grouped(static_cast<std::uint64_t>(times.one_thread)),
                   grouped(static_cast<std::uint64_t>(times.all_threads)) + " on " +
                       counted(times.threads, "thread")});
  study.times.add({face_text, "paper", gems_cell(kPaperSetup, faces),
                   gems_cell(kPaperSelect, faces), gems_cell(kPaperSolve, faces),
                   is_six ? "21,000 (Pentium 4)" : "-",
                   is_six ? "69,000 (GeForce 8800 GTX)" : "-"});
  study.results.push_back({{"faces", faces},
                           {"equations", 6 + 2 * faces},
                           {"set_up", to_json(times.set_up)},
                           {"select", to_json(times.select)},
                           {"solve", to_json(times.solve)},
                           {"queries_per_second", times.one_thread},
                           {"queries_per_second_all", times.all_threads},
                           {"threads", times.threads}});
}

std::string distance_verdict(const DistanceOptions& options, const RandomStudy& study) {
  std::string text = grouped(study.pairs) + " pairs. Distances are " +
                     (study.is_right ? "" : "NOT ") +
                     "all within 1e-05 m, proven pair by pair: both points lie in their "
                     "polyhedra, and a plane shows that no two others are nearer.";
  if (!options.peers.empty())
    text += " Pairs on which no peer agrees within 1e-05 m: " + grouped(study.alone) + ".";
  return text;
}

std::string distance_page(const DistanceOptions& options, const RandomStudy& study) {
  std::string command = "ppu distance --random " + std::to_string(options.random);
  if (!options.peers.empty()) {
    command += " --peers " + options.peers.front();
    for (std::size_t i = 1; i < options.peers.size(); ++i) command += "," + options.peers[i];
  }
  return "<!-- SPDX-License-Identifier: Apache-2.0 -->\n<!-- Generated by " + command +
         " --table " + options.table +
         "; do not edit. -->\n# Distances of polyhedra\n\n"
         "What the columns mean: [distances](../../guide/distance.md).\n\n## Agreement\n\n" +
         wrapped(distance_verdict(options, study), 118) + "\n" + study.agreement.markdown() +
         "\n## Time\n\nTable 33-1 of GPU Gems 3, chapter 33, in microseconds, with queries a "
         "second. The paper: GeForce 8800 GTX of 2006\nand a Pentium 4 of 3.0 GHz.\n\n" +
         study.times.markdown();
}

int study_random(const DistanceOptions& options) {
  check_outputs(options.common, {}, {{"--table", options.table}});
  RandomStudy study{Table(agreement_header(options.peers)),
                    Table({"faces", "on", "set up us", "select us", "solve us",
                           "queries/s, one core", "queries/s, all"})};
  {
    const Progress progress("measures distances");
    for (const std::uint32_t faces : options.faces)
      for (const std::string& placement : options.placements)
        check_placement(options, faces, placement, study);
    for (const std::uint32_t faces : options.faces) time_faces(options, faces, study);
  }
  std::vector<files::FileReplacement> files;
  const std::string page = distance_page(options, study);
  if (!options.table.empty()) files.emplace_back(options.table, page);
  Options common = options.common;
  common.schema += "-study";
  publish(
      {{"is_right", study.is_right}, {"no_peer_agrees", study.alone}, {"results", study.results}},
      study.agreement.str() + "\n" + wrapped(distance_verdict(options, study)) + "\n" +
          study.times.str(),
      common, std::move(files));
  return study.is_right ? kExitOk : kExitMismatch;
}

void check_list_words(const char* option, const std::vector<std::string>& words,
                      const std::vector<std::string>& known) {
  for (const std::string& word : words) {
    const std::string wrong = complaint_unless_one_of(known, word);
    if (!wrong.empty()) throw CliError(kExitUsage, std::string(option) + ": " + wrong);
  }
}

void check_distance_options(Command command, const DistanceOptions& options) {
  check_list_words("--placed", options.placements, distance::placement_names());
  check_list_words("--peers", options.peers, distance_peers());
  for (const std::uint32_t faces : options.faces)
    if (faces < 4 || faces > distance::kMaxFaces)
      throw CliError(kExitUsage, "--faces: found " + std::to_string(faces) + ", expected 4 to " +
                                     std::to_string(distance::kMaxFaces));
  if (options.file.empty() == (command.get_option("--random").count() == 0))
    throw CliError(kExitUsage, "expected one of FILE and --random");
  if (options.file.empty()) return;
  for (const char* of_random : {"--faces", "--placed", "--seed", "--table"})
    if (command.get_option(of_random).count() > 0)
      throw CliError(kExitUsage, std::string(of_random) + " means nothing to a FILE");
}

}  // namespace

void add_distance(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DistanceOptions>();
  Command command =
      add_command(app, "distance", "Distances of convex polyhedra, by Lemke's method");
  command.add_option("FILE", options->file, "Polyhedra and pairs, JSON").is_path("FILE.json");
  command.add_option("--random", options->random, "So many pairs of each kind, made here")
      .type_name("PAIRS")
      .check(in_range<std::uint32_t>(1, 10000000));
  add_list_option(command, "--faces", options->faces, "Of those: faces of a polyhedron");
  add_list_option(command, "--placed", options->placements,
                  "Of those: random, touching, parallel, near");
  command.add_option("--seed", options->seed, "Of those").type_name("NUMBER").capture_default_str();
  add_list_option(command, "--peers", options->peers, "Beside the GJK of: bullet, fcl");
  command.add_option("--threads", options->threads, "Threads; 0: one for each core")
      .type_name("NUMBER")
      .capture_default_str()
      .check(in_range<std::uint32_t>(0, 1024));
  command.add_option("--table", options->table, "Write the results as a page").is_path("FILE.md");
  add_json_option(command, options->common);
  add_examples(command, {"ppu distance --random 1000 --peers bullet",
                         "ppu distance two_boxes.json --json -"});
  command.callback([options, command, &exit_code] {
    check_distance_options(command, *options);
    exit_code = options->file.empty() ? study_random(*options) : solve_file(*options);
  });
}

}  // namespace ppu::sim
