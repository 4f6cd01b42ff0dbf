// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu bench`: speed of every back end beside plain CPU solvers of the same rows.
#include <time.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "bench.hpp"
#include "commands.hpp"
#include "firmware_file.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "publish.hpp"
#include "report_json.hpp"
#include "run.hpp"
#include "text.hpp"

namespace ppu::sim {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Contender bench_backend(const model::RowProblem& problem, const Options& options,
                        const std::string& backend) {
  return {backend + " back end", "wall", [&problem, options, backend](std::uint32_t sweeps) {
            Options mine = options;
            mine.backend = backend;
            mine.sweeps = sweeps;
            const Run run = run_solve(problem, mine);
            return Sample{run.report.device_seconds, run.counter(PPU_COUNTER_ROW_UPDATES),
                          run.counter(PPU_COUNTER_CYCLES)};
          }};
}

namespace {

constexpr int kRounds = 5;
constexpr double kSampleSeconds = 0.1;
constexpr std::uint32_t kMostSweeps = 1U << 17U;

struct Measurement {
  const Contender* contender;
  std::uint32_t sweeps = 1;
  std::vector<double> seconds;
  Sample last;

  [[nodiscard]] double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  [[nodiscard]] double rows_per_second() const {
    return static_cast<double>(last.row_updates) / median();
  }
  [[nodiscard]] double cycles_per_second() const {
    return last.cycles == 0 ? std::numeric_limits<double>::quiet_NaN()
                            : static_cast<double>(last.cycles) / median();
  }
};

/// Enough sweeps for a sample that the clock resolves; then rounds that take turns, so that a busy
/// machine slows all contenders alike.
std::vector<Measurement> measure(const std::vector<Contender>& contenders) {
  std::vector<Measurement> measurements;
  for (const Contender& contender : contenders) {
    const Progress progress("sizes a sample of " + contender.name);
    Measurement measurement{&contender, 1, {}, {}};
    while (contender.run(measurement.sweeps).seconds < kSampleSeconds &&
           measurement.sweeps < kMostSweeps) {
      measurement.sweeps *= 2;
    }
    measurements.push_back(measurement);
  }
  for (int round = 1; round <= kRounds; ++round) {
    const Progress progress("bench round " + std::to_string(round) + " of " +
                            std::to_string(kRounds));
    for (Measurement& measurement : measurements) {
      measurement.last = measurement.contender->run(measurement.sweeps);
      measurement.seconds.push_back(measurement.last.seconds);
    }
  }
  return measurements;
}

void bench(const Options& options) {
  const model::RowProblem problem = load_problem(options.problem);
  std::vector<Contender> contenders;
  for (const std::string& backend : backend_names()) {
    contenders.push_back(bench_backend(problem, options, backend));
  }
  contenders.push_back(bench_rtl_row_pipe(problem, options));
  contenders.push_back(bench_bullet(problem));
  contenders.push_back(bench_plain(problem));

  Table table({"solver", "rows/s", "cycles/s", "sweeps", "median s", "clock"});
  nlohmann::ordered_json json{{"problem", options.problem},
                              {"rows", problem.rows()},
                              {"program", options.program},
                              {"config", options.config},
                              {"rounds", kRounds}};
  for (const Measurement& m : measure(contenders)) {
    const bool timed = m.last.cycles > 0;
    table.add({m.contender->name, grouped(static_cast<std::uint64_t>(m.rows_per_second())),
               timed ? grouped(static_cast<std::uint64_t>(m.cycles_per_second())) : "-",
               grouped(m.sweeps), fixed(m.median(), 4), m.contender->clock});
    json["solvers"].push_back(
        {{"name", m.contender->name},
         {"rows_per_second", m.rows_per_second()},
         {"cycles_per_second", timed ? nlohmann::ordered_json(m.cycles_per_second()) : nullptr},
         {"sweeps", m.sweeps},
         {"seconds", m.seconds},
         {"clock", m.contender->clock}});
  }
  publish(
      json,
      options.problem + ": " + grouped(problem.rows()) + " rows, median of " +
          std::to_string(kRounds) + " interleaved rounds\n" + table.str() +
          "\nrows/s: row updates per second of host time; cycles/s: simulated cycles per second.\n"
          "A sample is that many sweeps; scheduling and copying before and after are left out.\n"
          "clock: cpu is the processor time of this process; wall is the time the driver waited\n"
          "for the device, which may be another process: other load on the machine is in it.\n"
          "RTL row pipe alone: a row is offered in every cycle, none waits for another.\n",
      options);
}

}  // namespace

void add_bench(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<Options>();
  options->friction = "skip";  // As Bullet does, so that all contenders leave out the same rows.
  CLI::App* command = app.add_subcommand(
      "bench", "Speed of every back end beside plain CPU solvers of the same rows");
  add_problem_option(*command, *options, false);
  command->add_option("--program", options->program, "Firmware: " + program_names())
      ->capture_default_str();
  add_config_options(*command, *options);
  add_json_option(*command, *options);
  command->callback([options] { bench(*options); });
}

}  // namespace ppu::sim
