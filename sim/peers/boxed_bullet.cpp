// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Boxed problems by Bullet's solvers of matrices, in double precision.
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <algorithm>

#include "sim/peers/boxed_list.hpp"
#include "sim/peers/peers.hpp"

namespace ppu::sim {
namespace {

/// Added to the diagonal, in parts of it: a box on four corners makes A singular, and both pivoting
/// solvers give up there. The engine's m_globalCfm is for that.
constexpr double kSoftness = 1e-6;

std::vector<double> solve_boxed_by(btMLCPSolverInterface& solver,
                                   const std::vector<double>& numbers, int iterations) {
  constexpr double kMost = 1e30;  // Bullet's infinity.
  const BoxedList list = boxed_list_of(numbers);
  const int size = static_cast<int>(list.b.size());
  btMatrixXu a(size, size);
  a.setZero();
  for (const BoxedEntry& e : list.a)
    a.setElem(static_cast<int>(e.row), static_cast<int>(e.column),
              e.row == e.column ? (1 + kSoftness) * e.value : e.value);
  btVectorXu b(size), x(size), lower(size), upper(size);
  btAlignedObjectArray<int> depends;
  for (int i = 0; i < size; ++i) {
    const auto k = static_cast<std::size_t>(i);
    b[i] = -list.b[k];  // It solves A x = b + w.
    x[i] = 0;
    lower[i] = std::max(list.lower[k], -kMost);
    upper[i] = std::min(list.upper[k], kMost);
    depends.push_back(-1);
  }
  const PeerWatch watch;
  const bool solved = solver.solveMLCP(a, b, x, lower, upper, depends, iterations);
  const double seconds = watch.seconds();
  std::vector<double> answer;
  for (int i = 0; i < size; ++i) answer.push_back(x[i]);
  answer.push_back(seconds);
  answer.push_back(solved ? 1 : 0);
  return answer;
}

}  // namespace

std::vector<double> dantzig_of_bullet(const std::vector<double>& numbers) {
  btDantzigSolver solver;
  return solve_boxed_by(solver, numbers, 1);
}

std::vector<double> lemke_of_bullet(const std::vector<double>& numbers) {
  btLemkeSolver solver;
  return solve_boxed_by(solver, numbers, 1);
}

std::vector<double> pgs_of_bullet(const std::vector<double>& numbers) {
  constexpr int kSweeps = 100;
  btSolveProjectedGaussSeidel solver;
  return solve_boxed_by(solver, numbers, kSweeps);
}

}  // namespace ppu::sim
