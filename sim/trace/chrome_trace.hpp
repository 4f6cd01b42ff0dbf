// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Writes the JSON that Perfetto calls a Chrome trace: slices, instants and counters on named
// tracks.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/trace/timeline.hpp"

namespace ppu::sim {

class ChromeTrace {
 public:
  using Json = nlohmann::ordered_json;
  /// Where something is drawn: a group of tracks, and a track of it.
  struct Track {
    std::uint32_t group;
    std::uint32_t number;
  };

  /// What lies outside `window` is left out, what reaches over its edges is cut.
  ChromeTrace(const Window& window, std::uint32_t clock_mhz);

  /// Groups come in the order of their numbers.
  void name_group(std::uint32_t group, const std::string& name);
  void name_track(const Track& track, const std::string& name);
  /// Cycles [begin, end).
  void slice(const Track& track, const std::string& name, std::uint64_t begin, std::uint64_t end,
             Json arguments);
  void instant(const Track& track, const std::string& name, std::uint64_t cycle, Json arguments);
  /// `values`: one line of the counter each.
  void counter(std::uint32_t group, const std::string& name, std::uint64_t cycle, Json values);

  /// The whole trace. Nothing may be added after it.
  std::string str() &&;

 private:
  void add(const Json& event);
  [[nodiscard]] double microseconds(std::uint64_t cycle) const;
  [[nodiscard]] std::uint64_t nanoseconds(std::uint64_t cycle) const;

  Window window_;
  std::uint64_t period_ps_;
  std::string text_;
};

}  // namespace ppu::sim
