// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Boxed problems by solvers of others, judged as the methods here are.
#pragma once

#include <string>
#include <vector>

#include "sim/method/contact_world.hpp"
#include "sim/method/method.hpp"

namespace ppu::sim {

struct BoxedPeer {
  const char* name;       ///< "dantzig-bullet", as ask_peer() takes it.
  const char* in_words;   ///< "Bullet btDantzigSolver".
  std::size_t most_rows;  ///< With more it takes minutes: its matrix is full.
  bool is_optional;       ///< Not in every build.
  bool needs_lower;       ///< It needs a lower bound on every row.
};
const std::vector<BoxedPeer>& boxed_peers();
bool is_in_build(const BoxedPeer& peer);

struct PeerSolution {
  double seconds = 0;  ///< Of the processor, in the solver alone.
  bool ended = false;  ///< As it says itself.
  model::methods::Residual residual;
};

/// `problem` without parents. Throws what ask_peer() does.
PeerSolution solve_by_peer(const model::RowProblem& problem, const std::string& peer);

/// Peers that take worlds of contacts in place of rows; none are in every build.
struct WorldPeer {
  const char* name;
  const char* in_words;
  int sweeps;             ///< 0: it does not sweep.
  std::size_t most_rows;  ///< As of a BoxedPeer.
};
const std::vector<WorldPeer>& world_peers();
bool is_in_build(const WorldPeer& peer);

/// The same problem as a world without an obstacle.
PeerSolution solve_by_peer(const model::RowProblem& problem, const ContactWorld& world,
                           const WorldPeer& peer);

}  // namespace ppu::sim
