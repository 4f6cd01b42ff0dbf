// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Friction contact by Siconos: nonsmooth Gauss-Seidel, one contact with its cone after the other.
#ifdef PPU_PEERS_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <cstdlib>
#include <ctime>
#include <stdexcept>

#include "sim/peers/peers.hpp"

namespace ppu::sim {

std::vector<double> nsgs_of_siconos(const std::vector<double>& numbers) {
  std::size_t next = 0;
  const auto contacts = static_cast<int>(numbers.at(next++));
  const double tolerance = numbers.at(next++);
  const auto iterations = static_cast<int>(numbers.at(next++));
  const auto entries = static_cast<std::size_t>(numbers.at(next++));
  const int size = 3 * contacts;
  // Blocks of contacts are what the solver walks over, those that are not empty.
  NumericsMatrix* const given = NM_create(NM_SPARSE, size, size);
  NM_triplet_alloc(given, static_cast<CS_INT>(entries));
  for (std::size_t i = 0; i < entries; ++i, next += 3)
    NM_entry(given, static_cast<int>(numbers.at(next)), static_cast<int>(numbers.at(next + 1)),
             numbers.at(next + 2));
  SparseBlockStructuredMatrix* const blocks = SBM_new();
  if (SBM_from_csparse(3, NM_csc(given), blocks) != 0)
    throw std::runtime_error("no blocks of this matrix");
  NumericsMatrix* const w = NM_new_SBM(size, size, blocks);
  const auto vector_of = [&](int count) {
    auto* const values =
        static_cast<double*>(std::malloc(static_cast<std::size_t>(count) * sizeof(double)));
    for (int i = 0; i < count; ++i) values[i] = numbers.at(next++);
    return values;
  };
  double* const q = vector_of(size);
  double* const mu = vector_of(contacts);
  FrictionContactProblem* const problem =
      frictionContactProblem_new_with_data(3, contacts, w, q, mu);
  SolverOptions* const options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
  std::vector<double> r(static_cast<std::size_t>(size)), u(static_cast<std::size_t>(size));
  const std::clock_t start = std::clock();
  fc3d_driver(problem, r.data(), u.data(), options);
  r.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  r.push_back(options->iparam[SICONOS_IPARAM_ITER_DONE]);
  r.push_back(options->dparam[SICONOS_DPARAM_RESIDU]);
  return r;
}

}  // namespace ppu::sim
#endif
