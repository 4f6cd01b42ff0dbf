// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: the solver helper.
#include <algorithm>

#include "driver/api/registry.hpp"
#include "driver/plan/row_order.hpp"
#include "driver/solve/problem.hpp"
#include "driver/solve/solver.hpp"
#include "hw/contract/fnv.hpp"

using namespace ppu::driver;

extern "C" {

ppu_solve_def ppu_default_solve_def(void) {
  ppu_solve_def def{};
  def.max_sweeps = 10;
  def.order = kDefaultOrder;
  def.friction = PPU_FRICTION_CLAMP;
  def.start = PPU_START_WARM;
  def.timeout_ns = PPU_NO_TIMEOUT;
  def.relaxation = 1;
  def.cookie = kCookie;
  return def;
}

ppu_result ppu_solve(ppu_device device, const ppu_problem* problem, const ppu_solve_def* def,
                     float* impulse, float* velocity_change, ppu_solve_report* report) {
  return guarded([&] {
    require_def(def, "ppu_default_solve_def");
    require(problem, "problem");
    if (problem->row_count > 0) require(impulse, "impulse");
    if (problem->body_count > 0) require(velocity_change, "velocity_change");
    const auto target = use_device(device);
    const auto program = registry().programs.find(def->program);
    target->solver.solve(*program, *problem, *def, impulse, velocity_change, report);
  });
}

ppu_result ppu_row_order(const ppu_problem* problem, ppu_order order, uint32_t* row_of_slot) {
  return guarded([&] {
    require(problem, "problem");
    if (problem->row_count > 0) require(row_of_slot, "row_of_slot");
    const RowOrder rows = order_rows(graph_of(*problem), order);
    std::copy(rows.begin(), rows.end(), row_of_slot);
  });
}

uint64_t ppu_state_hash(const float* impulse, size_t row_count, const float* velocity_change,
                        size_t body_count) {
  // Little-endian floats, as everywhere in the product.
  ppu::hw::Fnv1a hash;
  hash.add(impulse, row_count * sizeof(float));
  hash.add(velocity_change, body_count * 6 * sizeof(float));
  return hash.value();
}

}  // extern "C"
