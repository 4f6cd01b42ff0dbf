// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solvers of others, in a process of their own, `ppu-peers`: their libraries, some of which are
// optional and some of which exist in two builds with the same names, stay out of this one, and so
// does what they print and how they crash. Numbers go there and come back as doubles.
//
//   ppu-peers NUMBERS_FD RESULT_FD HOST_PID PEER
#pragma once

#include <string>
#include <vector>

namespace ppu::sim {

/// What the peer answers to the numbers. Throws CliError (environment) for a peer that is not in
/// this build, and for one that ends without an answer.
std::vector<double> ask_peer(const std::string& peer, const std::vector<double>& numbers);

/// The peers of this build.
bool has_peer(const std::string& peer);

}  // namespace ppu::sim
