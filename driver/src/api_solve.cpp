// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: the solver helper.
#include <algorithm>
#include <cstring>

#include "problem.hpp"
#include "registry.hpp"
#include "row_order.hpp"
#include "solver.hpp"

namespace ppu::driver {
namespace {

/// FNV-1a over the bytes of `count` floats, little-endian as everywhere in the product.
std::uint64_t fnv1a(std::uint64_t hash, const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, values + i, sizeof bits);
    for (unsigned shift = 0; shift < 32; shift += 8)
      hash = (hash ^ ((bits >> shift) & 0xffU)) * 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace
}  // namespace ppu::driver

using namespace ppu::driver;

extern "C" {

ppu_solve_def ppu_default_solve_def(void) {
  ppu_solve_def def{};
  def.max_sweeps = 10;
  def.order = PPU_ORDER_SCHEDULED;
  def.friction = PPU_FRICTION_CLAMP;
  def.start = PPU_START_WARM;
  def.timeout_ns = PPU_NO_TIMEOUT;
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

ppu_result ppu_schedule(const ppu_problem* problem, ppu_order order, uint32_t latency_cycles,
                        uint32_t* row_of_slot) {
  return guarded([&] {
    require(problem, "problem");
    if (problem->row_count > 0) require(row_of_slot, "row_of_slot");
    const RowOrder rows = order_rows(graph_of(*problem), order, latency_cycles);
    std::copy(rows.begin(), rows.end(), row_of_slot);
  });
}

uint64_t ppu_state_hash(const float* impulse, size_t row_count, const float* velocity_change,
                        size_t body_count) {
  constexpr std::uint64_t kOffsetBasis = 0xcbf29ce484222325ULL;
  return fnv1a(fnv1a(kOffsetBasis, impulse, row_count), velocity_change, body_count * 6);
}

}  // extern "C"
