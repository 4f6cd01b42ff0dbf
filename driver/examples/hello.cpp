// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The driver from C++: the same as hello.c, with owners and exceptions. See
// docs/guide/driver.md.
//   c++ -std=c++17 hello.cpp $(pkg-config --cflags --libs ppu) -o hello && ./hello [BACKEND]
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "ppu/ppu.hpp"

/// Rows of one body, whose J and M^-1 J^T are equal since it has 1 kg.
struct Rows {
  std::vector<std::array<std::int32_t, 2>> body;
  std::vector<std::int32_t> parent;
  std::vector<float> jacobian, rate_bias, inv_diagonal, lower, upper, friction, zero;

  void add(int axis, float bias, float least, float most, int of_parent = -1, float mu = 0) {
    body.push_back({0, -1});
    parent.push_back(of_parent);
    jacobian.resize(jacobian.size() + 12);
    jacobian[jacobian.size() - 12 + static_cast<std::size_t>(axis)] = 1;
    rate_bias.push_back(bias);
    inv_diagonal.push_back(1);
    lower.push_back(least);
    upper.push_back(most);
    friction.push_back(mu);
    zero.resize(6 + parent.size());
  }

  [[nodiscard]] ppu_problem view() const {
    ppu_problem problem{};
    problem.row_count = static_cast<std::uint32_t>(parent.size());
    problem.body_count = 1;
    problem.body = reinterpret_cast<const std::int32_t(*)[2]>(body.data());
    problem.parent = parent.data();
    problem.jacobian = problem.inv_mass_jacobian = jacobian.data();
    problem.rate_bias = rate_bias.data();
    problem.inv_diagonal = inv_diagonal.data();
    problem.lower = lower.data();
    problem.upper = upper.data();
    problem.friction = friction.data();
    problem.compliance = problem.impulse = problem.velocity_change = zero.data();
    return problem;
  }
};

int main(int argc, char** argv) {
  try {
    // Contact normal along y at 1 m/s, friction along x at 0.3 m/s within half the normal impulse.
    Rows rows;
    rows.add(1, -1, 0, 1e10F);
    rows.add(0, 0.3F, 0, 0, 0, 0.5F);

    // Both are closed at the end of the block, or where something throws.
    ppu_device_def device_def = ppu_default_device_def();
    device_def.backend = argc > 1 ? argv[1] : "functional";
    const ppu::Device device(device_def);
    const ppu::Program program = ppu::Program::load(device, "boxed");

    ppu_solve_def solve_def = ppu_default_solve_def();
    solve_def.true_residual = true;
    solve_def.program = program.get();
    solve_def.max_sweeps = 10;
    std::array<float, 2> impulse{};
    std::array<float, 6> velocity{};
    const ppu_solve_report report =
        device.solve(rows.view(), solve_def, impulse.data(), velocity.data());
    std::printf("impulses %g %g N s, velocity change %g %g m/s, residual %g m/s\n", impulse[0],
                impulse[1], velocity[0], velocity[1], report.max_residual);
  } catch (const ppu::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
