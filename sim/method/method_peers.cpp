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

const std::vector<WorldPeer>& world_peers() {
  static const std::vector<WorldPeer> peers{
      {"quickstep-ode", "ODE quickstep, 20 sweeps", 20, model::kMaxRows},
      {"quickstep-ode", "ODE quickstep, 1,000 sweeps", 1000, model::kMaxRows},
      {"dantzig-ode", "ODE step, Dantzig", 0, 2000}};
  return peers;
}

bool is_in_build(const WorldPeer& peer) {
  return has_peer(peer.name);
}

namespace {

/// Takes off what a peer appends to its impulses.
PeerSolution take_head(std::vector<double>& answer) {
  PeerSolution solution;
  solution.ended = answer.back() != 0;
  answer.pop_back();
  solution.seconds = answer.back();
  answer.pop_back();
  return solution;
}

}  // namespace

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
  PeerSolution solution = take_head(answer);
  solution.residual = residual_of(problem, answer);
  return solution;
}

PeerSolution solve_by_peer(const model::RowProblem& problem, const ContactWorld& world,
                           const WorldPeer& peer) {
  WorldList list = world.list;
  list.sweeps = peer.sweeps;
  std::vector<double> answer = ask_peer(peer.name, to_numbers(list));
  PeerSolution solution = take_head(answer);
  std::vector<double> impulse(problem.rows());
  for (std::size_t c = 0; c < world.rows.size(); ++c)
    for (std::size_t k = 0; k < 3; ++k) impulse[world.rows[c][k]] = answer.at(3 * c + k);
  solution.residual = residual_of(problem, impulse);
  return solution;
}

}  // namespace ppu::sim
