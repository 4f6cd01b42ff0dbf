// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Boxed problems by Ipopt's interior point, as min 1/2 x'A x + b'x, lo <= x <= hi.
#ifdef PPU_PEERS_IPOPT
#include <IpStdCInterface.h>

#include <stdexcept>

#include "sim/peers/boxed_list.hpp"
#include "sim/peers/peers.hpp"

namespace ppu::sim {
namespace {

const BoxedList& list_of(UserDataPtr data) {
  return *static_cast<const BoxedList*>(data);
}

Bool objective_of(Index n, Number* x, Bool /*is_new*/, Number* value, UserDataPtr data) {
  const BoxedList& list = list_of(data);
  *value = 0;
  for (const BoxedEntry& e : list.a) *value += 0.5 * e.value * x[e.row] * x[e.column];
  for (Index i = 0; i < n; ++i) *value += list.b[static_cast<std::size_t>(i)] * x[i];
  return TRUE;
}

Bool gradient_of(Index n, Number* x, Bool /*is_new*/, Number* gradient, UserDataPtr data) {
  const BoxedList& list = list_of(data);
  for (Index i = 0; i < n; ++i) gradient[i] = list.b[static_cast<std::size_t>(i)];
  for (const BoxedEntry& e : list.a) gradient[e.row] += e.value * x[e.column];
  return TRUE;
}

Bool no_constraints(Index /*n*/, Number* /*x*/, Bool /*is_new*/, Index /*m*/, Number* /*g*/,
                    UserDataPtr /*data*/) {
  return TRUE;
}

Bool no_jacobian(Index /*n*/, Number* /*x*/, Bool /*is_new*/, Index /*m*/, Index /*count*/,
                 Index* /*row*/, Index* /*column*/, Number* /*value*/, UserDataPtr /*data*/) {
  return TRUE;
}

/// The lower triangle of A: its places without `value`, else its numbers.
Bool hessian_of(Index /*n*/, Number* /*x*/, Bool /*is_new*/, Number factor, Index /*m*/,
                Number* /*lambda*/, Bool /*is_new_lambda*/, Index /*count*/, Index* row,
                Index* column, Number* value, UserDataPtr data) {
  std::size_t next = 0;
  for (const BoxedEntry& e : list_of(data).a) {
    if (e.column > e.row) continue;
    if (value == nullptr) {
      row[next] = static_cast<Index>(e.row);
      column[next] = static_cast<Index>(e.column);
    } else {
      value[next] = factor * e.value;
    }
    ++next;
  }
  return TRUE;
}

}  // namespace

std::vector<double> quadratic_of_ipopt(const std::vector<double>& numbers) {
  BoxedList list = boxed_list_of(numbers);
  Index entries = 0;
  for (const BoxedEntry& e : list.a) entries += e.column <= e.row ? 1 : 0;
  IpoptProblem problem = CreateIpoptProblem(
      static_cast<Index>(list.b.size()), list.lower.data(), list.upper.data(), 0, nullptr, nullptr,
      0, entries, 0, objective_of, no_constraints, gradient_of, no_jacobian, hessian_of);
  if (problem == nullptr) throw std::runtime_error("no Ipopt problem of these numbers");
  char silent[] = "sb", yes[] = "yes", level[] = "print_level", constant[] = "hessian_constant";
  char tolerance[] = "tol";
  AddIpoptStrOption(problem, silent, yes);
  AddIpoptIntOption(problem, level, 0);
  AddIpoptStrOption(problem, constant, yes);
  AddIpoptNumOption(problem, tolerance, 1e-10);
  std::vector<double> answer(list.b.size());
  const PeerWatch watch;
  const ApplicationReturnStatus status =
      IpoptSolve(problem, answer.data(), nullptr, nullptr, nullptr, nullptr, nullptr, &list);
  const double seconds = watch.seconds();
  FreeIpoptProblem(problem);
  answer.push_back(seconds);
  answer.push_back(status == Solve_Succeeded ? 1 : 0);
  return answer;
}

}  // namespace ppu::sim
#endif
