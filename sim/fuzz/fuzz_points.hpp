// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Cover points: each operation of a kernel, in a run whose rows lay in each place and form, that
// has ended in each way, and in which, if it ended well, rows have waited for each reason: the
// report of another run has no counters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ppu/ppu.h"

namespace ppu::sim {

class FuzzPoints {
 public:
  /// Of a program: what the kernels of a run hold, and the form and way of its rows.
  struct Runs {
    std::set<std::uint32_t> operations;  ///< Opcodes.
    bool reduced = false;
    bool stream = false;
    bool early = false;  ///< Rows come with copies behind the run, if they are to stay on chip.
  };

  /// A run on a back end with time.
  void add(const Runs& runs, const ppu_run_report& run);
  void add(const FuzzPoints& other);

  [[nodiscard]] std::size_t met() const;
  /// Without the scaled add of the other form.
  [[nodiscard]] static std::size_t all();
  /// The state with the fewest operations, of those that were met, and how many; "" if there is
  /// none.
  [[nodiscard]] std::pair<std::string, std::size_t> least() const;
  /// {"halt; on chip, full; body hazard": operations that were met}, of every state.
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  /// Numbers of an end, a place, a form and a reason to wait, which is 0 of a run that failed.
  using State = std::array<std::size_t, 4>;

  static std::vector<State> states();

  std::map<State, std::set<std::uint32_t>> operations_;
};

}  // namespace ppu::sim
