// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Boxed problems by the lexicographic Lemke method of Siconos. Its problems have one bound: with
// x = lo + z and a multiplier y for each upper bound,
//
//     w = A z + (b + A lo) + y,   s = (hi - lo) - z,   0 <= z, w, y, s,   z'w = y's = 0
#ifdef PPU_PEERS_SICONOS
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <cmath>
#include <stdexcept>

#include "sim/peers/boxed_list.hpp"
#include "sim/peers/peers.hpp"

namespace ppu::sim {

std::vector<double> lemke_of_siconos(const std::vector<double>& numbers) {
  const BoxedList list = boxed_list_of(numbers);
  const std::size_t size = list.b.size();
  std::vector<std::size_t> bounded;
  for (std::size_t i = 0; i < size; ++i) {
    if (!std::isfinite(list.lower[i])) throw std::runtime_error("a row without a lower bound");
    if (std::isfinite(list.upper[i])) bounded.push_back(i);
  }
  const std::size_t all = size + bounded.size();
  NumericsMatrix* const m = NM_create(NM_DENSE, static_cast<int>(all), static_cast<int>(all));
  std::vector<double> q(all), z(all), w(all);
  for (std::size_t i = 0; i < size; ++i) q[i] = list.b[i];
  for (const BoxedEntry& e : list.a) {
    NM_entry(m, static_cast<int>(e.row), static_cast<int>(e.column), e.value);
    q[e.row] += e.value * list.lower[e.column];
  }
  for (std::size_t k = 0; k < bounded.size(); ++k) {
    const int row = static_cast<int>(size + k), column = static_cast<int>(bounded[k]);
    NM_entry(m, column, row, 1);
    NM_entry(m, row, column, -1);
    q[size + k] = list.upper[bounded[k]] - list.lower[bounded[k]];
  }
  LinearComplementarityProblem* const problem = newLCP();
  problem->size = static_cast<int>(all);
  problem->M = m;
  problem->q = q.data();
  SolverOptions* const options = solver_options_create(SICONOS_LCP_LEMKE);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = static_cast<int>(10 * all);
  const PeerWatch watch;
  const int failed = linearComplementarity_driver(problem, z.data(), w.data(), options);
  const double seconds = watch.seconds();
  std::vector<double> answer;
  for (std::size_t i = 0; i < size; ++i) answer.push_back(list.lower[i] + z[i]);
  answer.push_back(seconds);
  answer.push_back(failed == 0 ? 1 : 0);
  return answer;
}

}  // namespace ppu::sim
#endif
