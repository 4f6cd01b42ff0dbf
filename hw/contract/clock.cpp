// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/contract/clock.hpp"

#include <algorithm>

#include "ppu_clocks.hpp"

namespace ppu::hw {
namespace {

using spec::MeasuredClock;
using spec::SlowerWith;

/// Whether `value` of a key makes an engine as slow as `wanted` does, or slower.
bool as_slow(SlowerWith slower, std::uint32_t value, std::uint32_t wanted) {
  return value == wanted || (slower == SlowerWith::kMore && value > wanted) ||
         (slower == SlowerWith::kFewer && value < wanted);
}

bool as_slow(const MeasuredClock& measured, const Config& config) {
  for (std::size_t i = 0; i < spec::kClockKeys.size(); ++i) {
    const spec::ClockKey& key = spec::kClockKeys[i];
    if (!as_slow(key.slower, measured.shape[i], config.*(key.member))) return false;
  }
  return true;
}

bool same_shape(const MeasuredClock& measured, const Config& config) {
  for (std::size_t i = 0; i < spec::kClockKeys.size(); ++i)
    if (measured.shape[i] != config.*(spec::kClockKeys[i].member)) return false;
  return true;
}

ClockOrigin origin(const MeasuredClock& measured, const Config& config) {
  if (same_shape(measured, config)) return ClockOrigin::kMeasured;
  return as_slow(measured, config) ? ClockOrigin::kSlowerEngine : ClockOrigin::kSlowestEngine;
}

/// The earlier origin is nearer; of engines that cannot be faster the fastest, of the others the
/// slowest.
bool nearer(const Clock& a, const Clock& b) {
  if (a.origin != b.origin) return a.origin < b.origin;
  return a.origin == ClockOrigin::kSlowestEngine ? a.mhz < b.mhz : a.mhz > b.mhz;
}

constexpr std::size_t kProtection = [] {
  std::size_t i = 0;
  while (spec::kClockKeys[i].member != &Config::memory_protection) ++i;
  return i;
}();

/// The engines of a technology: with check bits in their memories or without, as the configuration
/// has it, if there are such; else all.
std::vector<MeasuredClock> engines_for(const ConfigDraft& draft) {
  std::vector<MeasuredClock> all, alike;
  for (const MeasuredClock& measured : spec::kMeasuredClocks) {
    if (measured.technology != draft.technology) continue;
    all.push_back(measured);
    if (measured.shape[kProtection] == draft.config.memory_protection) alike.push_back(measured);
  }
  return alike.empty() ? all : alike;
}

}  // namespace

std::vector<std::string_view> technologies() {
  std::vector<std::string_view> names;
  for (const MeasuredClock& measured : spec::kMeasuredClocks)
    if (std::find(names.begin(), names.end(), measured.technology) == names.end())
      names.push_back(measured.technology);
  return names;
}

Clock clock_of(const ConfigDraft& draft) {
  if (draft.technology.empty()) return {draft.config.clock_mhz, ClockOrigin::kByHand, {}, {}};
  std::vector<Clock> clocks;
  for (const MeasuredClock& measured : engines_for(draft))
    clocks.push_back(
        {measured.mhz, origin(measured, draft.config), measured.technology, measured.engine});
  return *std::min_element(clocks.begin(), clocks.end(), nearer);
}

std::string origin_of(const Clock& clock) {
  const std::string technology(clock.technology);
  const std::string engine = " (" + std::string(clock.engine) + ")";
  switch (clock.origin) {
    case ClockOrigin::kByHand:
      return "by hand";
    case ClockOrigin::kMeasured:
      return technology;
    case ClockOrigin::kSlowerEngine:
      return technology + ", of a slower engine" + engine;
    case ClockOrigin::kSlowestEngine:
      return technology + ", not measured: of its slowest engine" + engine;
  }
  return {};
}

}  // namespace ppu::hw
