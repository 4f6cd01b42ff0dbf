// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu counters`: what every counter of the device counts, from the specification.
#include <iostream>

#include "ppu_spec.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/commands/commands.hpp"

namespace ppu::sim {

void add_counters(CLI::App& app, int& /*exit_code*/) {
  Command command = add_command(app, "counters", "List the counters and what they count");
  add_examples(command, {"ppu counters", "ppu counters | grep row"});
  command.callback([] {
    Table of_run({"counter of a run", "label", "timed", "meaning"});
    for (const spec::Counter& counter : spec::kCounters) {
      of_run.add({std::string(counter.name), std::string(counter.label),
                  counter.timed ? "yes" : "no", std::string(counter.doc)});
    }
    Table of_device({"counter of the device", "timed", "meaning"});
    for (const spec::Counter& counter : spec::kDeviceCounters) {
      of_device.add(
          {std::string(counter.name), counter.timed ? "yes" : "no", std::string(counter.doc)});
    }
    std::cout << of_run.str() << "\n"
              << of_device.str() << "\nThe counters with a label are classes of engine cycles and "
              << "sum to `" << spec::kCounters[PPU_COUNTER_CYCLES].name
              << "`, those of a solve of several runs to its `engine_cycles`; timed counters "
              << "are 0 on the functional back end.\n";
  });
}

}  // namespace ppu::sim
