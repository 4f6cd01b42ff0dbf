// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The matrix A of the rows goes to the peer, its impulses come back.
#include "sim/method/method_peers.hpp"

#include "model/methods/explicit_matrix.hpp"
#include "sim/peers/boxed_list.hpp"
#include "sim/peers/peer_process.hpp"

namespace ppu::sim {

const std::vector<BoxedPeer>& boxed_peers() {
  static const std::vector<BoxedPeer> peers{
      {"pgs-bullet", "Bullet btSolveProjectedGaussSeidel, 100 sweeps", 2000, false, false},
      {"dantzig-bullet", "Bullet btDantzigSolver (ODE's)", 2000, false, false},
      {"lemke-bullet", "Bullet btLemkeSolver", 200, false, false},
      {"lemke-siconos", "Siconos lexico-Lemke", 600, true, true},
      {"ipopt", "Ipopt, to 1e-10", 2000, true, false}};
  return peers;
}

bool is_in_build(const BoxedPeer& peer) {
  return has_peer(peer.name);
}

PeerSolution solve_by_peer(const model::RowProblem& problem, const std::string& peer) {
  const model::methods::ExplicitProblem given = model::methods::explicit_problem(problem);
  BoxedList list;
  for (std::size_t i = 0; i < given.rows(); ++i)
    for (std::size_t p = given.a.start[i]; p < given.a.start[i + 1]; ++p)
      list.a.push_back({i, given.a.column[p], given.a.value[p]});
  list.b = given.bias;
  list.lower = given.lower;
  list.upper = given.upper;
  std::vector<double> answer = ask_peer(peer, to_numbers(list));
  PeerSolution solution;
  solution.ended = answer.back() != 0;
  answer.pop_back();
  solution.seconds = answer.back();
  answer.pop_back();
  solution.residual = residual_of(problem, answer);
  return solution;
}

}  // namespace ppu::sim
