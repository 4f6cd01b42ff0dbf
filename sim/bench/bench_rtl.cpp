// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The Verilated row pipe stepped on its own: how fast the RTL simulates when nothing else runs.
#include <algorithm>
#include <memory>
#include <vector>

#include "hw/cosim/rtl_row_pipe.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/bench/bench.hpp"
#include "sim/cli/firmware_file.hpp"

namespace ppu::sim {
namespace {

std::vector<hw::RtlRow> pack(const model::RowProblem& problem, spec::ControlWord control) {
  std::vector<hw::RtlRow> rows(problem.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    model::RowOperands& in = rows[i].operands;
    rows[i].tag = static_cast<std::uint32_t>(i);
    rows[i].control = control;
    in.jacobian = &problem.jacobian[12 * i];
    in.inv_mass_jacobian = &problem.inv_mass_jacobian[12 * i];
    in.bias = problem.rate_bias[i];
    in.inv_diagonal = problem.inv_diagonal[i];
    in.has_parent = problem.parent[i] >= 0;
    in.lower = problem.lower[i];
    in.upper = in.has_parent ? problem.friction[i] : problem.upper[i];
    in.compliance = problem.compliance[i];
    in.impulse = problem.impulse[i];
    in.parent_impulse =
        in.has_parent ? problem.impulse[static_cast<std::size_t>(problem.parent[i])] : 0.0F;
    for (std::size_t side = 0; side < 2; ++side) {
      const std::int32_t body = problem.body[i][side];
      if (body < 0) continue;
      std::copy_n(&problem.velocity_change[6 * static_cast<std::size_t>(body)], 6,
                  in.velocity.begin() + static_cast<std::ptrdiff_t>(6 * side));
    }
  }
  return rows;
}

Sample step_through(hw::RtlRowPipe& pipe, const std::vector<hw::RtlRow>& rows,
                    std::uint32_t sweeps) {
  const double begin = cpu_seconds();
  const std::uint64_t first_cycle = pipe.cycle();
  const std::uint64_t updates = sweeps * static_cast<std::uint64_t>(rows.size());
  std::uint64_t offered = 0;
  for (std::uint64_t done = 0; done < updates;) {
    const hw::RtlRow* row = offered < updates ? &rows[offered % rows.size()] : nullptr;
    const hw::RtlRowPipe::Step step = pipe.step(row);
    offered += step.accepted ? 1 : 0;
    done += step.result != nullptr ? 1 : 0;
  }
  return {cpu_seconds() - begin, updates, pipe.cycle() - first_cycle};
}

}  // namespace

Contender bench_rtl_row_pipe(const model::RowProblem& problem, const Options& options) {
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  const std::vector<firmware::Kernel> kernels = load_firmware(options.program).assembly.kernels;
  if (kernels.empty()) {
    throw CliError(kExitUsage,
                   options.program + ": has no kernel, expected one to send rows through");
  }
  auto rows = std::make_shared<std::vector<hw::RtlRow>>(pack(problem, kernels.front().control));
  std::shared_ptr<hw::RtlRowPipe> pipe = hw::RtlRowPipe::create(config);
  return {"RTL row pipe alone", "sweeps", "cpu",
          [rows, pipe](std::uint32_t sweeps) { return step_through(*pipe, *rows, sweeps); }};
}

}  // namespace ppu::sim
