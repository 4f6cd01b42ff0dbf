// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The public headers from C11, against the shared library: opens a device, solves two rows, runs a
// list, and reads a sentence.
#include <stdio.h>
#include <string.h>

#include "ppu/job.h"
#include "ppu/methods.h"
#include "ppu/ppu.h"
#include "ppu/records.h"

#define CHECK(condition)                                                   \
  do {                                                                     \
    if (!(condition)) {                                                    \
      printf("line %d: %s: %s\n", __LINE__, #condition, ppu_last_error()); \
      return 1;                                                            \
    }                                                                      \
  } while (0)

static int solve_two_rows(ppu_device device) {
  // Two unit masses at 1 m/s towards the ground, one row each.
  const int32_t body[2][2] = {{-1, 0}, {-1, 1}};
  const int32_t parent[2] = {-1, -1};
  const float jacobian[24] = {[7] = 1, [19] = 1};
  const float bias[2] = {-1, -2};
  const float one[2] = {1, 1};
  const float zero[12] = {0};
  const float upper[2] = {1e10f, 1.5f};
  ppu_problem problem = {.row_count = 2,
                         .body_count = 2,
                         .body = body,
                         .parent = parent,
                         .jacobian = jacobian,
                         .inv_mass_jacobian = jacobian,
                         .rate_bias = bias,
                         .inv_diagonal = one,
                         .lower = zero,
                         .upper = upper,
                         .friction = zero,
                         .compliance = zero,
                         .impulse = zero,
                         .velocity_change = zero};
  ppu_solve_def def = ppu_default_solve_def();
  def.true_residual = true;
  CHECK(ppu_program_load(device, "boxed", &def.program) == PPU_OK);
  float impulse[2], velocity[12];
  ppu_solve_report report;
  CHECK(ppu_solve(device, &problem, &def, impulse, velocity, &report) == PPU_OK);
  CHECK(impulse[0] == 1.0f && impulse[1] == 1.5f);
  CHECK(velocity[1] == 1.0f && velocity[7] == 1.5f);
  CHECK(report.max_residual == 0.0 && report.sweeps == def.max_sweeps);
  return 0;
}

static int solve_by_methods(ppu_device device) {
  // A body of 2 kg comes to the ground at 3 m/s.
  const int32_t body[1][2] = {{-1, 0}};
  const int32_t parent[1] = {-1};
  const float jacobian[12] = {[7] = 1}, inv_mass_jacobian[12] = {[7] = 0.5f};
  const float bias[1] = {-3}, diagonal[1] = {2}, upper[1] = {1e10f}, zero[6] = {0};
  const float inv_mass[1] = {0.5f}, inv_inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const ppu_problem problem = {.row_count = 1,
                               .body_count = 1,
                               .body = body,
                               .parent = parent,
                               .jacobian = jacobian,
                               .inv_mass_jacobian = inv_mass_jacobian,
                               .rate_bias = bias,
                               .inv_diagonal = diagonal,
                               .lower = zero,
                               .upper = upper,
                               .friction = zero,
                               .compliance = zero,
                               .impulse = zero,
                               .velocity_change = zero,
                               .inv_mass = inv_mass,
                               .inv_inertia = inv_inertia};
  for (size_t i = 0; ppu_method_name(i) != NULL; ++i) {
    ppu_method_def def = ppu_default_method_def((ppu_method)i);
    const char* const program = def.method == PPU_METHOD_MENDED ? "nesterov" : "boxed";
    CHECK(ppu_program_load(device, program, &def.solve.program) == PPU_OK);
    double impulse[1], velocity[6];
    ppu_method_report report;
    CHECK(ppu_method_solve(device, &problem, &def, impulse, velocity, &report) == PPU_OK);
    CHECK(report.reached);
    CHECK(impulse[0] > 5.999 && impulse[0] < 6.001);
    CHECK(velocity[1] > 2.999 && velocity[1] < 3.001);
  }
  return 0;
}

static int measure_a_distance(void) {
  // Two cubes of 2 m, their middles 5 m apart.
  const double planes[6][4] = {{1, 0, 0, 1},  {-1, 0, 0, 1}, {0, 1, 0, 1},
                               {0, -1, 0, 1}, {0, 0, 1, 1},  {0, 0, -1, 1}};
  const ppu_polyhedron cube = {.planes = planes, .plane_count = 6};
  const ppu_pair pair = {.first_pose = {{0, 0, 0}, {0, 0, 0, 1}},
                         .second_pose = {{5, 0, 0}, {0, 0, 0, 1}}};
  ppu_distance found;
  CHECK(ppu_distances(&cube, 1, &pair, 1, 1, &found) == PPU_OK);
  CHECK(found.distance > 2.999999 && found.distance < 3.000001);
  CHECK(found.proven_error < 1e-9 && found.pivots > 0);
  return 0;
}

static int run_a_list(ppu_device device) {
  // A program that doubles a4, between two copies.
  ppu_program program;
  const char* const source = "add t0, a4, a4\nsignal t0\nhalt\n";
  CHECK(ppu_program_assemble(device, "double.s", source, &program) == PPU_OK);
  ppu_buffer memory;
  CHECK(ppu_buffer_create(device, 64, &memory) == PPU_OK);
  ppu_run_def def = ppu_default_run_def();
  def.program = program;
  def.rows = def.impulses = def.velocities = memory;
  def.arguments[4] = 21;

  ppu_commands list;
  const char in[] = "in and out";
  char out[sizeof in] = "";
  CHECK(ppu_commands_create(device, &list) == PPU_OK);
  CHECK(ppu_commands_copy_in(list, memory, 3, in, sizeof in) == PPU_OK);
  CHECK(ppu_commands_barrier(list) == PPU_OK);
  uint32_t run = 7;
  CHECK(ppu_commands_run(list, &def, &run) == PPU_OK && run == 0);
  CHECK(ppu_commands_copy_out(list, memory, 3, out, sizeof out) == PPU_OK);
  ppu_fence fence;
  CHECK(ppu_commands_submit(list, &fence) == PPU_OK);
  CHECK(ppu_fence_wait(fence, PPU_NO_TIMEOUT) == PPU_OK);
  ppu_run_report report;
  CHECK(ppu_fence_report(fence, run, &report) == PPU_OK && report.progress == 42);
  CHECK(strcmp(out, in) == 0);
  CHECK(ppu_commands_destroy(list) == PPU_OK);
  return 0;
}

int main(void) {
  ppu_device_def def = ppu_default_device_def();
  ppu_device device;
  CHECK(ppu_device_open(&def, &device) == PPU_OK);
  if (solve_two_rows(device) != 0 || run_a_list(device) != 0) return 1;
  if (solve_by_methods(device) != 0 || measure_a_distance() != 0) return 1;
  CHECK(ppu_device_close(device) == PPU_OK);
  CHECK(ppu_device_close(device) == PPU_ERROR_INVALID_HANDLE);
  CHECK(strstr(ppu_last_error(), "stale") != NULL);
  printf("ppu %s: %s\n", ppu_version(), ppu_result_string(PPU_OK));
  return 0;
}
