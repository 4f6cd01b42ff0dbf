// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: other methods than sweeps alone, and distances.
#include <memory>
#include <optional>

#include "driver/api/registry.hpp"
#include "driver/method/distances.hpp"
#include "driver/method/method.hpp"
#include "ppu/methods.h"

using namespace ppu::driver;

extern "C" {

const char* ppu_method_name(size_t index) {
  return method_name(index);
}

ppu_method_def ppu_default_method_def(ppu_method method) {
  ppu_method_def def{};
  def.cookie = kCookie;
  def.method = method;
  def.solve = ppu_default_solve_def();
  const bool is_mended = method == PPU_METHOD_MENDED;
  def.solve.max_sweeps = is_mended ? 20000 : 1000;
  def.solve.threshold = is_mended ? 0.01F : 1e-6F;
  return def;
}

ppu_result ppu_method_solve(ppu_device device, const ppu_problem* problem,
                            const ppu_method_def* def, double* impulse, double* velocity_change,
                            ppu_method_report* report) {
  return guarded([&] {
    require_def(def, "ppu_default_method_def");
    require(problem, "problem");
    if (problem->row_count > 0) require(impulse, "impulse");
    if (!uses_device(def->method)) {
      solve_by_method({}, *problem, *def, impulse, velocity_change, report);
      return;
    }
    const auto target = use_device(device);
    const auto program = registry().programs.find(def->solve.program);
    solve_by_method({&target->solver, program.get()}, *problem, *def, impulse, velocity_change,
                    report);
  });
}

ppu_result ppu_distances(const ppu_polyhedron* polyhedra, uint32_t polyhedron_count,
                         const ppu_pair* pairs, uint32_t pair_count, uint32_t threads,
                         ppu_distance* distances) {
  return guarded([&] {
    if (polyhedron_count > 0) require(polyhedra, "polyhedra");
    if (pair_count > 0) require(pairs, "pairs");
    if (pair_count > 0) require(distances, "distances");
    find_distances(polyhedra, polyhedron_count, pairs, pair_count, threads, distances);
  });
}

}  // extern "C"
