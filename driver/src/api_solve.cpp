// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: the solver helper.
#include <algorithm>

#include "plan.hpp"
#include "ppu/hw/fnv.hpp"
#include "problem.hpp"
#include "registry.hpp"
#include "solver.hpp"

using namespace ppu::driver;

extern "C" {

ppu_solve_def ppu_default_solve_def(void) {
  ppu_solve_def def{};
  def.max_sweeps = 10;
  def.order = PPU_ORDER_SCHEDULED;
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
    const auto target = registry().devices.find(device);
    const auto program = registry().programs.find(def->program);
    solve(*target, *program, *problem, *def, impulse, velocity_change, report);
  });
}

ppu_result ppu_schedule(const ppu_problem* problem, ppu_order order, const ppu_device_info* device,
                        uint32_t* row_of_slot, uint32_t* device_body) {
  return guarded([&] {
    require(problem, "problem");
    require(device, "device");
    if (problem->row_count > 0) require(row_of_slot, "row_of_slot");
    PlanTarget target;
    target.order = order;
    target.machine = {device->pipes, device->initiation_interval_cycles,
                      device->body_latency_cycles, device->velocity_banks};
    target.capacity = {problem->row_count,
                       std::max(problem->body_count, device->body_memory_bodies)};
    const Plan plan = make_plan(graph_of(*problem), target);
    const RowOrder& rows = plan.runs.front().order;
    std::copy(rows.begin(), rows.end(), row_of_slot);
    if (device_body != nullptr)
      std::copy(plan.device_body.begin(), plan.device_body.end(), device_body);
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
