// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Flops, bytes and cycles of kernels: counted from the tables, equal to what the device does.
#include "firmware/assembler/cost.hpp"

#include <gtest/gtest.h>

#include "firmware/programs/programs.hpp"
#include "hw/contract/config.hpp"

namespace ppu::firmware {
namespace {

Assembly built(const char* name) {
  return assemble(name, find_program(name)->source);
}

TEST(Cost, OfEverySweepIsFiftyTwoFlopsInTheRateFormAndThreeMoreWithALead) {
  for (const Program& program : programs()) {
    for (const Kernel& kernel : built(program.name.data()).kernels) {
      const spec::ControlWord control = kernel.control;
      if (control.form() != spec::Form::kRate || control.step() != spec::Step::kOn) continue;
      const int lead = control.lead() == spec::Lead::kOn ? 3 : 0;
      EXPECT_EQ(kernel.flops.always, 52 + lead) << program.name << " " << kernel.name;
      EXPECT_EQ(kernel.flops.with_cfm, 2) << program.name << " " << kernel.name;
    }
  }
}

TEST(Cost, OfEveryShippedKernelIsReported) {
  const spec::Config config;
  const std::string sweep =
      ": 52 flops/row (+2 with cfm, +2 with a parent), initiation interval 1, latency 31 cycles, "
      "180 bytes read (+4 with a parent) + 52 written per row\n";
  const std::string probe =
      ": 24 flops/row (+2 with cfm, +2 with a parent), initiation interval 1, latency 25 cycles, "
      "180 bytes read (+4 with a parent) + 0 written per row\n";
  const std::string impulse =
      ": 56 flops/row (+2 with a parent), initiation interval 1, latency 31 cycles, "
      "180 bytes read (+4 with a parent) + 52 written per row\n";
  const std::string probes = "probe_clamp" + probe + "probe_skip" + probe;
  const std::string sweeps = "sweep_clamp" + sweep + "sweep_skip" + sweep;
  const std::string impulses = "impulse_clamp" + impulse + "impulse_skip" + impulse;
  EXPECT_EQ(cost_report(built("pgs"), config),
            "pgs: 52 flops/row (+2 with cfm), initiation interval 1, latency 31 cycles, "
            "180 bytes read + 52 written per row\n");
  EXPECT_EQ(cost_report(built("boxed"), config), "boxed_clamp" + sweep + "boxed_skip" + sweep);
  EXPECT_EQ(cost_report(built("reduced"), config),
            "reduced_clamp" + sweep + "reduced_skip" + sweep);
  EXPECT_EQ(cost_report(built("threshold"), config), probes + sweeps);
  EXPECT_EQ(cost_report(built("filter-literal"), config), probes + sweeps);
  EXPECT_EQ(cost_report(built("impulse"), config), impulses);
}

TEST(Cost, LatencyAndIntervalAreThoseOfTheDeviceInEveryConfiguration) {
  for (const char* name : {"pgs", "boxed", "impulse"}) {
    const Assembly assembly = built(name);
    for (const std::uint32_t lanes : {1U, 2U, 3U, 4U, 6U, 12U}) {
      for (std::uint32_t stages = 0; stages < 25; ++stages) {
        spec::Config config;
        config.lanes = lanes;
        config.fp_mul_stages = 1 + stages % 5;
        config.fp_add_stages = 1 + stages / 5;
        EXPECT_EQ(initiation_interval(config), hw::initiation_interval(config));
        for (const Kernel& kernel : assembly.kernels) {
          EXPECT_EQ(latency(kernel, config), hw::row_pipe_latency(config)) << kernel.name;
        }
      }
    }
  }
}

TEST(Cost, EveryOperationStartsAfterTheValuesItTakesAreThere) {
  // `dot` takes its bias into the middle of its tree, later than its own start.
  for (const Program& program : programs()) {
    const Assembly assembly = assemble(program.name, program.source);
    for (const std::uint32_t lanes : {1U, 4U, 12U}) {
      spec::Config config;
      config.lanes = lanes;
      for (const Kernel& kernel : assembly.kernels) {
        for (const spec::KernelOp* op : kernel.ops) {
          for (const spec::KernelOp* maker : kernel.ops) {
            const bool takes = std::find(op->operands.begin() + op->results, op->operands.end(),
                                         maker->operands[0]) != op->operands.end();
            if (!takes || maker->results == 0 || op->name == "dot") continue;
            if (maker == op || span(*maker, config).first > span(*op, config).first) continue;
            EXPECT_LE(span(*maker, config).end, span(*op, config).first)
                << maker->name << " -> " << op->name << " in " << kernel.name;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace ppu::firmware
