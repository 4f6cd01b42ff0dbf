// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The scenes of the parity comparison, and all its workloads.
#include "sim/parity/parity.hpp"

#include "model/files/row_problem_file.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/embedded.hpp"
#include "sim/parity/parity_workloads.hpp"

namespace ppu::sim {

const model::RowProblem& Scenes::get(const std::string& name) {
  const auto found = problems_.find(name);
  if (found != problems_.end()) return found->second;
  return problems_.emplace(name, read(name)).first->second;
}

model::RowProblem Scenes::read(const std::string& name) const {
  if (!folder_.empty()) return model::read_row_problem(folder_ + "/" + name + ".h5");
  const std::string_view image = embedded_scene(name);
  if (image.empty())
    throw CliError(kExitUsage,
                   "scene '" + name + "' is not in this command, name its folder " + "with --data");
  return model::read_row_problem(image.data(), image.size(), name);
}

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all = [] {
    std::vector<Workload> list = solve_workloads();
    for (const auto& more :
         {run_workloads(), overlap_workloads(), command_workloads(), fault_workloads()})
      list.insert(list.end(), more.begin(), more.end());
    return list;
  }();
  return all;
}

}  // namespace ppu::sim
