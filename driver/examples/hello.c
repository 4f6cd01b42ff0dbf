/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The open PPU authors
 * The driver from C: a body falls onto the ground and slides. docs/guide/driver.md shows this file.
 *   cc hello.c $(pkg-config --cflags --libs ppu) -o hello && ./hello [BACKEND] */
#include <stdio.h>

#include "ppu/ppu.h"

static int fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, ppu_last_error());
  return 1;
}

int main(int argc, char** argv) {
  /* Two rows: contact normal along y, friction along x. J and M^-1 J^T are equal for 1 kg. */
  const int32_t body[2][2] = {{0, -1}, {0, -1}};
  const int32_t parent[2] = {-1, 0};
  const float jacobian[24] = {[1] = 1.0f, [12] = 1.0f};
  const float rate_bias[2] = {-1.0f, 0.3f};
  const float inv_diagonal[2] = {1.0f, 1.0f};
  const float lower[2] = {0.0f, 0.0f}, upper[2] = {1e10f, 0.0f};
  const float friction[2] = {0.0f, 0.5f};
  const float zero[6] = {0.0f};
  const ppu_problem problem = {.row_count = 2,
                               .body_count = 1,
                               .body = body,
                               .parent = parent,
                               .jacobian = jacobian,
                               .inv_mass_jacobian = jacobian,
                               .rate_bias = rate_bias,
                               .inv_diagonal = inv_diagonal,
                               .lower = lower,
                               .upper = upper,
                               .friction = friction,
                               .compliance = zero,
                               .impulse = zero,
                               .velocity_change = zero};

  /* A device, and one of its programs. */
  ppu_device_def device_def = ppu_default_device_def();
  device_def.backend = argc > 1 ? argv[1] : "functional";
  ppu_device device;
  if (ppu_device_open(&device_def, &device) != PPU_OK) return fail("open");
  ppu_solve_def solve_def = ppu_default_solve_def();
  solve_def.true_residual = true;
  if (ppu_program_load(device, "boxed", &solve_def.program) != PPU_OK) return fail("load");

  /* Upload, run, read back. */
  solve_def.max_sweeps = 10;
  float impulse[2], velocity[6];
  ppu_solve_report report;
  if (ppu_solve(device, &problem, &solve_def, impulse, velocity, &report) != PPU_OK)
    return fail("solve");
  printf("impulses %g %g N s, velocity change %g %g m/s, residual %g m/s\n", (double)impulse[0],
         (double)impulse[1], (double)velocity[0], (double)velocity[1], report.max_residual);
  return ppu_device_close(device) == PPU_OK ? 0 : fail("close");
}
