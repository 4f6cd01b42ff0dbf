// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: the solver helper.
#include <algorithm>
#include <string>

#include "driver/api/registry.hpp"
#include "driver/plan/plan.hpp"
#include "driver/solve/problem.hpp"
#include "driver/solve/solver.hpp"
#include "hw/contract/fnv.hpp"

namespace ppu::driver {
namespace {

using ppu::hw::Config;

const spec::ConfigKey& key_of(std::uint32_t Config::*member) {
  return *std::find_if(spec::kConfigKeys.begin(), spec::kConfigKeys.end(),
                       [member](const spec::ConfigKey& key) { return key.member == member; });
}

[[noreturn]] void refuse_info(const char* field, std::uint32_t value, const std::string& range) {
  fail(PPU_ERROR_INVALID_ARGUMENT, "device->", field, " is ", value, ", expected ", range,
       ", as ppu_device_get_info() gives it");
}

/// Both refuse a value that no configuration has.
void check_info(const char* field, std::uint32_t value, const spec::ConfigKey& key) {
  if (!hw::is_value_of(key, value)) refuse_info(field, value, hw::range_of(key));
}
void check_info(const char* field, std::uint32_t value, std::uint32_t most) {
  if (value < 1 || value > most) refuse_info(field, value, "1 to " + std::to_string(most));
}

Machine machine_of(const ppu_device_info& info) {
  Config slowest;
  slowest.lanes = key_of(&Config::lanes).min;
  slowest.fp_mul_stages = key_of(&Config::fp_mul_stages).max;
  slowest.fp_add_stages = key_of(&Config::fp_add_stages).max;
  const auto most_interval = static_cast<std::uint32_t>(ppu::hw::initiation_interval(slowest));
  const auto most_latency = static_cast<std::uint32_t>(ppu::hw::body_latency(slowest));

  check_info("pipes", info.pipes, key_of(&Config::pipes));
  check_info("velocity_banks", info.velocity_banks, key_of(&Config::velocity_banks));
  check_info("initiation_interval_cycles", info.initiation_interval_cycles, most_interval);
  check_info("body_latency_cycles", info.body_latency_cycles, most_latency);
  return {info.pipes, info.initiation_interval_cycles, info.body_latency_cycles,
          info.velocity_banks};
}

}  // namespace
}  // namespace ppu::driver

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

ppu_result ppu_schedule(const ppu_problem* problem, ppu_order order, const ppu_device_info* device,
                        uint32_t* row_of_slot, uint32_t* device_body) {
  return guarded([&] {
    require(problem, "problem");
    require(device, "device");
    if (problem->row_count > 0) require(row_of_slot, "row_of_slot");
    PlanTarget target;
    target.order = order;
    target.machine = machine_of(*device);
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
