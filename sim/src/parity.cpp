// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The scenes of the parity comparison, and all its workloads.
#include "parity.hpp"

#include "parity_workloads.hpp"

namespace ppu::sim {

const model::RowProblem& Scenes::get(const std::string& name) {
  const auto found = problems_.find(name);
  if (found != problems_.end()) return found->second;
  return problems_.emplace(name, model::read_row_problem(folder_ + "/" + name + ".h5"))
      .first->second;
}

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all = [] {
    std::vector<Workload> list = solve_workloads();
    for (const auto& more : {run_workloads(), command_workloads()})
      list.insert(list.end(), more.begin(), more.end());
    return list;
  }();
  return all;
}

}  // namespace ppu::sim
