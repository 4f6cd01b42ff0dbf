// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study pivot`: the pivot of Lemke's method on the row pipe.
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/pivot/pivot_rows.hpp"
#include "sim/studies/studies.hpp"

namespace ppu::sim {
namespace {

struct PivotOptions {
  Options solve;
  std::vector<std::uint32_t> faces{6, 12, 24};
  std::uint32_t distances = 4;
};

int run_pivots(const PivotOptions& options) {
  check_outputs(options.solve);
  Table table({"faces", "equations", "pivots", "cells that differ", "rows/pivot", "cycles/pivot",
               "rows/cycle", "bytes in/pivot", "device us/pivot", "host us/pivot"});
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  std::size_t different = 0;
  for (const std::uint32_t faces : options.faces) {
    const PivotStudy study = study_pivots(options.solve, faces, options.distances);
    const auto pivots = static_cast<double>(study.pivots);
    const bool timed = study.sweep_cycles > 0;
    const auto rows = static_cast<double>(study.rows);
    const double cycles = timed ? static_cast<double>(study.sweep_cycles) : kNotMeasured;
    const double device =
        timed ? static_cast<double>(study.device_cycles) / study.clock_mhz : kNotMeasured;
    different += study.different;
    table.add({std::to_string(faces), grouped(study.equations), grouped(study.pivots),
               grouped(study.different), fixed(rows / pivots, 0), fixed(cycles / pivots, 0),
               fixed(rows / cycles, 2), fixed(static_cast<double>(study.bytes_in) / pivots, 0),
               fixed(device / pivots, 1), fixed(study.host_us, 2)});
    results.push_back({{"faces", faces},
                       {"equations", study.equations},
                       {"pivots", study.pivots},
                       {"different", study.different},
                       {"rows", study.rows},
                       {"sweep_cycles", study.sweep_cycles},
                       {"device_cycles", study.device_cycles},
                       {"bytes_in", study.bytes_in},
                       {"host_us", study.host_us}});
  }
  publish({{"results", results}}, table.str(), options.solve);
  return different == 0 ? kExitOk : kExitMismatch;
}

}  // namespace

void add_pivot(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<PivotOptions>();
  Command command = add_command(app, "pivot", "The pivot of Lemke's method on the row pipe");
  add_list_option(command, "--faces", options->faces, "Faces of the polyhedra");
  command.add_option("--distances", options->distances, "Whose pivots are done")
      .type_name("COUNT")
      .capture_default_str()
      .check(in_range<std::uint32_t>(1, 10000));
  add_backend_option(command, options->solve);
  add_config_options(command, options->solve);
  add_json_option(command, options->solve);
  add_examples(command, {"ppu study pivot --faces 6 --backend rtl",
                         "ppu study pivot --distances 1 --json -"});
  command.callback([options, &exit_code] {
    for (const std::uint32_t faces : options->faces)
      if (faces < 4 || faces > 60)
        throw CliError(kExitUsage,
                       "--faces: found " + std::to_string(faces) + ", expected 4 to 60");
    exit_code = run_pivots(*options);
  });
}

}  // namespace ppu::sim
