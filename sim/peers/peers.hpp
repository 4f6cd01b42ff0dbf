// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The peers inside ppu-peers: each answers doubles with doubles.
#pragma once

#include <string>
#include <vector>

namespace ppu::sim {

struct Peer {
  const char* name;
  std::vector<double> (*answer)(const std::vector<double>& numbers);
};

/// Null for one that is not in this build.
const Peer* find_peer(const std::string& name);

/// Distances of the pairs of a PairList, see pair_list.hpp, and the seconds of processor time that
/// they took: GJK of Bullet in double precision, with its penetration solver, as in the engine...
std::vector<double> gjk_of_bullet(const std::vector<double>& numbers);
/// ... and of FCL, by libccd.
std::vector<double> gjk_of_fcl(const std::vector<double>& numbers);

/// A local friction-contact problem: contacts, tolerance, most iterations, the number of entries of
/// W and each as row, column, value, then q and mu. Back come r, then the seconds, the iterations
/// and the error that the solver says. NSGS of Siconos, which ends at that tolerance.
std::vector<double> nsgs_of_siconos(const std::vector<double>& numbers);

/// A boxed problem, see boxed_list.hpp: ODE's Dantzig solver as Bullet has it, Bullet's Lemke
/// solver, 100 sweeps of its projected Gauss-Seidel...
std::vector<double> dantzig_of_bullet(const std::vector<double>& numbers);
std::vector<double> lemke_of_bullet(const std::vector<double>& numbers);
std::vector<double> pgs_of_bullet(const std::vector<double>& numbers);
/// ... the lexicographic Lemke method of Siconos, and Ipopt for the converged answer.
std::vector<double> lemke_of_siconos(const std::vector<double>& numbers);
std::vector<double> quadratic_of_ipopt(const std::vector<double>& numbers);

/// A world of contacts, see world_list.hpp: ODE's quickstep, and its step by Dantzig's method.
std::vector<double> quickstep_of_ode(const std::vector<double>& numbers);
std::vector<double> dantzig_of_ode(const std::vector<double>& numbers);

}  // namespace ppu::sim
