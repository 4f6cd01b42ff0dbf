// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu bench`: speed of every back end beside plain CPU solvers of the same rows, and of the
// devices beside each other.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "hw/contract/config.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/bench/bench.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/problem/problem.hpp"
#include "sim/report/identity.hpp"
#include "sim/report/report_json.hpp"
#include "sim/solve/firmware_file.hpp"

namespace ppu::sim {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kRounds = 5;
constexpr double kSampleSeconds = 0.1;
constexpr std::uint32_t kMostWork = 1U << 17U;

constexpr const char* kBenchExplanation =
    "rows/s: row updates per second of host time; cycles/s: simulated cycles of the whole device\n"
    "(of the pipe, where it is alone) per second of host time; device MB/s: rows streamed, or "
    "bytes\n"
    "copied, per second of the device's own time at its clock, in the first frame or copy.\n"
    "A frame is upload, sweeps and read-back, the same one on every line; plan and packing "
    "on\n"
    "the host are left out. A copy is 128 KiB to device memory and back.\n"
    "clock: cpu is the processor time of this process; wall is the time the driver waited for the\n"
    "device, which may be another process: other load on the machine is in it.\n"
    "RTL row pipe alone: a row is offered in every cycle, none waits for another. Trace on: the "
    "event\n"
    "log goes to /dev/null.\n";

struct Measurement {
  const Contender* contender;
  std::uint32_t count = 1;
  std::vector<double> seconds;
  Sample first;  ///< Of one piece of work on a new device: in device time the same on all machines.
  Sample last;

  [[nodiscard]] double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  /// NaN if nothing was counted.
  [[nodiscard]] double per_second(std::uint64_t counted) const {
    return counted == 0 ? std::numeric_limits<double>::quiet_NaN()
                        : static_cast<double>(counted) / median();
  }
  [[nodiscard]] double rows_per_second() const { return per_second(last.row_updates); }
  [[nodiscard]] double cycles_per_second() const { return per_second(last.cycles); }
  /// Bytes per microsecond of device time.
  [[nodiscard]] double device_mb_per_second(double clock_mhz) const {
    return first.bytes == 0
               ? std::numeric_limits<double>::quiet_NaN()
               : static_cast<double>(first.bytes) * clock_mhz / static_cast<double>(first.cycles);
  }
};

/// Enough work for a sample that the clock resolves; then rounds that take turns, so that a busy
/// machine slows all contenders alike.
std::vector<Measurement> measure(const std::vector<Contender>& contenders) {
  std::vector<Measurement> measurements;
  for (const Contender& contender : contenders) {
    const Progress progress("sizes a sample of " + contender.name);
    Measurement measurement{&contender, 1, {}, contender.run(1), {}};
    for (double seconds = measurement.first.seconds;
         seconds < kSampleSeconds && measurement.count < kMostWork;
         seconds = contender.run(measurement.count).seconds) {
      measurement.count *= 2;
    }
    measurements.push_back(measurement);
  }
  for (int round = 1; round <= kRounds; ++round) {
    const Progress progress("bench round " + std::to_string(round) + " of " +
                            std::to_string(kRounds));
    for (Measurement& measurement : measurements) {
      measurement.last = measurement.contender->run(measurement.count);
      measurement.seconds.push_back(measurement.last.seconds);
    }
  }
  return measurements;
}

std::vector<Contender> solvers(const model::RowProblem& problem, const Options& options) {
  std::vector<Contender> list;
  for (const std::string& backend : backend_names())
    list.push_back(bench_backend(problem, options, backend));
  list.push_back(bench_rtl_row_pipe(problem, options));
  list.push_back(bench_bullet(problem));
  list.push_back(bench_plain(problem));
  return list;
}

/// The first of devices(): frames of equal work, to be compared.
enum SameFrames : std::size_t { kSystemc, kRtl, kTraced };

std::vector<Contender> devices(const model::RowProblem& problem, const Options& options,
                               const std::vector<std::string>& platforms) {
  Options systemc = options;
  systemc.backend = "systemc";
  Options rtl = options;
  rtl.backend = "rtl";
  Options streamed = systemc;
  streamed.stream = true;
  Options traced = systemc;
  traced.trace = "/dev/null";
  std::vector<Contender> list = {bench_frames(problem, systemc, "systemc"),
                                 bench_frames(problem, rtl, "rtl"),
                                 bench_frames(problem, traced, "systemc, trace on"),
                                 bench_frames(problem, streamed, "systemc, rows streamed"),
                                 bench_dma(systemc, "systemc, DMA alone"),
                                 bench_dma(rtl, "rtl, DMA alone")};
  for (const std::string& library : platforms) {
    Options on_platform = options;
    on_platform.backend = "platform:" + library;
    const std::string name = "platform " + std::filesystem::path(library).stem().string();
    list.push_back(bench_frames(problem, on_platform, name));
    list.push_back(bench_dma(on_platform, name + ", DMA alone"));
  }
  return list;
}

Json number_or_null(double value) {
  return value == value ? Json(value) : Json();
}

/// Adds the lines of a table and the entries of a JSON array.
void list(const std::vector<Measurement>& measurements, double clock_mhz, Table& table,
          Json& json) {
  for (const Measurement& m : measurements) {
    const double mb = m.device_mb_per_second(clock_mhz);
    table.add({m.contender->name, fixed(m.rows_per_second() * 1e-6, 3),
               fixed(m.cycles_per_second() * 1e-6, 3), fixed(mb, 0), grouped(m.count),
               m.contender->unit, fixed(m.median(), 4), m.contender->clock});
    json.push_back(Json{{"name", m.contender->name},
                        {"rows_per_second", number_or_null(m.rows_per_second())},
                        {"cycles_per_second", number_or_null(m.cycles_per_second())},
                        {"device_mb_per_second", number_or_null(mb)},
                        {m.contender->unit, m.count},
                        {"seconds", m.seconds},
                        {"clock", m.contender->clock}});
  }
}

std::vector<std::string> titles(const std::string& first) {
  return {first, "M rows/s", "M cycles/s", "device MB/s", "sample", "of", "median s", "clock"};
}

void bench(const Options& options, const std::vector<std::string>& platforms) {
  check_outputs(options);
  const model::RowProblem problem = load_problem(options.problem);
  const double clock = hw::resolve_config(options.config, options.overrides).clock_mhz;
  std::vector<Contender> contenders = solvers(problem, options);
  const auto solver_count = static_cast<std::ptrdiff_t>(contenders.size());
  for (Contender& contender : devices(problem, options, platforms))
    contenders.push_back(std::move(contender));
  const std::vector<Measurement> all = measure(contenders);
  const std::vector<Measurement> first(all.begin(), all.begin() + solver_count);
  const std::vector<Measurement> second(all.begin() + solver_count, all.end());

  Json json{{"problem", options.problem},
            {"problem_hash", hash_of_problem(problem)},
            {"rows", problem.rows()},
            {"program", options.program},
            {"program_hash", hash_of_program(options)},
            {"config", options.config},
            {"sweeps", options.sweeps},
            {"rounds", kRounds}};
  Table solver_table(titles("solver"));
  Table device_table(titles("device, frames of " + std::to_string(options.sweeps) + " sweeps"));
  list(first, clock, solver_table, json["solvers"]);
  list(second, clock, device_table, json["devices"]);
  const auto ratio = [&second](SameFrames a, SameFrames b) {
    return second[a].cycles_per_second() / second[b].cycles_per_second();
  };
  json["systemc_over_rtl"] = ratio(kSystemc, kRtl);
  json["trace_off_over_on"] = ratio(kSystemc, kTraced);
  publish(json,
          options.problem + ": " + grouped(problem.rows()) + " rows, median of " +
              std::to_string(kRounds) + " interleaved rounds\n" + solver_table.str() + "\n" +
              device_table.str() + "\nsystemc simulates " + fixed(ratio(kSystemc, kRtl), 1) +
              " times as many cycles per second as rtl on the same frames, " +
              fixed(ratio(kSystemc, kTraced), 1) + " times as many as with the trace on.\n\n" +
              kBenchExplanation,
          options);
}

}  // namespace

void add_bench(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<Options>();
  auto platforms = std::make_shared<std::vector<std::string>>();
  options->friction = "skip";  // As Bullet does, so that all contenders leave out the same rows.
  Command command = add_command(
      app, "bench", "Speed of every back end beside plain CPU solvers of the same rows");
  add_problem_option(command, *options, false);
  command.add_option("--program", options->program, "Firmware: " + program_names())
      .capture_default_str();
  command.add_option("--platform", *platforms,
                     "Also the device on this platform, a shared library; any number of them");
  add_config_options(command, *options);
  add_json_option(command, *options);
  add_examples(command, {"ppu bench", "ppu bench tests/data/ball_f110.h5 --json bench.json"});
  command.callback([options, platforms] { bench(*options, *platforms); });
}

}  // namespace ppu::sim
