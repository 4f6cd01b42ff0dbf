// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Which peers this build has.
#include "sim/peers/peers.hpp"

namespace ppu::sim {

const Peer* find_peer(const std::string& name) {
  static const Peer peers[] = {
      {"gjk-bullet", gjk_of_bullet},
      {"dantzig-bullet", dantzig_of_bullet},
      {"lemke-bullet", lemke_of_bullet},
      {"pgs-bullet", pgs_of_bullet},
#ifdef PPU_PEERS_FCL
      {"gjk-fcl", gjk_of_fcl},
#endif
#ifdef PPU_PEERS_SICONOS
      {"nsgs-siconos", nsgs_of_siconos},
      {"lemke-siconos", lemke_of_siconos},
#endif
#ifdef PPU_PEERS_ODE
      {"quickstep-ode", quickstep_of_ode},
      {"dantzig-ode", dantzig_of_ode},
#endif
#ifdef PPU_PEERS_IPOPT
      {"ipopt", quadratic_of_ipopt},
#endif
  };
  for (const Peer& peer : peers)
    if (name == peer.name) return &peer;
  return nullptr;
}

}  // namespace ppu::sim
