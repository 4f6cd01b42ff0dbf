// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study frame PROBLEM...`: what a frame costs over different host links, and from how many
// rows on it is faster than the plain CPU solver.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "hw/contract/config.hpp"
#include "sim/base/embedded.hpp"
#include "sim/base/text.hpp"
#include "sim/bench/frame_times.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/problem/problem.hpp"
#include "sim/solve/firmware_file.hpp"
#include "sim/studies/studies.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

struct FrameOptions {
  Options solve;
  std::vector<std::string> problems;
  std::vector<std::string> links = {"pci", "pcie4x8"};
};

/// The frames of each link, in the order of the problems.
using FramesByLink = std::vector<std::vector<FrameTime>>;

FramesByLink measure(const FrameOptions& options) {
  FramesByLink frames(options.links.size());
  for (const std::string& path : options.problems) {
    const model::RowProblem problem = load_problem(path);
    Options mine = options.solve;
    mine.problem = path;
    const double cpu = measure_cpu(problem, mine.sweeps);
    for (std::size_t i = 0; i < options.links.size(); ++i) {
      frames[i].push_back(measure_frame(problem, mine, options.links[i]));
      frames[i].back().cpu = cpu;
    }
  }
  return frames;
}

std::string table_of(const std::vector<FrameTime>& frames) {
  Table table({frames.front().link, "rows", "upload", "sweeps", "store", "read-back", "fixed",
               "frame", "CPU", "CPU/frame"});
  for (const FrameTime& frame : frames) {
    table.add({frame.name, grouped(frame.rows), fixed(frame.upload, 1), fixed(frame.sweeps, 1),
               fixed(frame.store, 1), fixed(frame.read_back, 1), fixed(frame.fixed, 1),
               fixed(frame.whole(), 1), fixed(frame.cpu, 1), fixed(frame.cpu / frame.whole(), 2)});
  }
  return table.str();
}

std::string cross_over_in_words(const std::vector<FrameTime>& frames) {
  const auto [least, most] =
      std::minmax_element(frames.begin(), frames.end(),
                          [](const FrameTime& a, const FrameTime& b) { return a.rows < b.rows; });
  const auto with_rows = [](const FrameTime& frame) {
    return frame.name + " (" + grouped(frame.rows) + " rows)";
  };
  const std::string over = "Over " + frames.front().link + " the frame is ";
  const FrameTime* first = cross_over(frames);
  const bool one = least->rows == most->rows;
  if (first == nullptr) {
    return over + "slower than the CPU on " + with_rows(*most) +
           (one ? ".\n" : ", the problem with the most rows: no cross-over.\n");
  }
  if (one) return over + "faster than the CPU on " + with_rows(*first) + ".\n";
  if (first->rows == least->rows) {
    return over + "faster than the CPU on all of these problems, from " + with_rows(*first) +
           " on: the cross-over lies below.\n";
  }
  return over + "faster than the CPU from " + with_rows(*first) +
         " on, on that problem and on all with more rows.\n";
}

Json json_of(const FrameTime& frame) {
  return Json{{"problem", frame.problem},
              {"rows", frame.rows},
              {"link", frame.link},
              {"upload_us", frame.upload},
              {"sweeps_us", frame.sweeps},
              {"store_us", frame.store},
              {"read_back_us", frame.read_back},
              {"fixed_us", frame.fixed},
              {"frame_us", frame.whole()},
              {"cpu_us", frame.cpu}};
}

void frame(const FrameOptions& options) {
  NamedFiles problems;
  for (const std::string& path : options.problems)
    problems.push_back({"the problem", path == kEmbeddedProblem ? "" : path});
  check_outputs(options.solve, problems);
  const hw::Config config = hw::resolve_config(options.solve.config, options.solve.overrides);
  const FramesByLink by_link = measure(options);
  Json json{{"config", options.solve.config},
            {"clock_mhz", config.clock_mhz},
            {"sweeps", options.solve.sweeps},
            {"frames", Json::array()},
            {"cross_over", Json::object()}};
  std::string text = "A frame of " + grouped(options.solve.sweeps) +
                     " sweeps in microseconds, config " + options.solve.config + " at " +
                     std::to_string(config.clock_mhz) + " MHz\n\n";
  for (const std::vector<FrameTime>& frames : by_link) {
    text += table_of(frames) + cross_over_in_words(frames) + "\n";
    for (const FrameTime& one : frames) json["frames"].push_back(json_of(one));
    const FrameTime* first = cross_over(frames);
    json["cross_over"][frames.front().link] =
        first == nullptr ? Json() : Json{{"rows", first->rows}, {"problem", first->problem}};
  }
  publish(
      json,
      text +
          "fixed: a frame of a single row; the other parts are what the problem adds. CPU: the\n"
          "plain scalar loop of ppu bench, measured on this machine, the same sweeps.\n"
          "Plan and packing on the host are in neither.\n",
      options.solve);
}

}  // namespace

void add_frame(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<FrameOptions>();
  options->solve.friction = "skip";  // As the CPU solver does.
  Command command =
      add_command(app, "frame", "What a frame costs over host links, beside the CPU solver");
  command
      .add_option("problems", options->problems,
                  std::string("HDF5 row problems, or '") + kEmbeddedProblem + "'")
      .required();
  add_list_option(command, "--link", options->links,
                  "Parts of the configuration to try as host links, separated by commas");
  command.add_option("--sweeps", options->solve.sweeps, "Sweeps of a frame")
      .capture_default_str()
      .check(in_range(1U, 1000000U));
  command.add_option("--program", options->solve.program, "Firmware: " + program_names())
      .capture_default_str();
  add_config_options(command, options->solve);
  add_json_option(command, options->solve);
  add_examples(command,
               {"ppu study frame wall10", "ppu study frame wall10 --link pci,pcie4x8 --sweeps 4"});
  command.callback([options] { frame(*options); });
}

}  // namespace ppu::sim
