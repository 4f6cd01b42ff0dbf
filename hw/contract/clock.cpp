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

/// What an engine that was measured says of the one that is asked for.
struct Candidate {
  Clock clock;
  bool same_protection;
};

/// The earlier origin is nearer; of engines that cannot be faster the fastest, of the others the
/// slowest with check bits, or without.
bool nearer(const Candidate& a, const Candidate& b) {
  if (a.clock.origin != b.clock.origin) return a.clock.origin < b.clock.origin;
  if (a.clock.origin != ClockOrigin::kSlowestEngine) return a.clock.mhz > b.clock.mhz;
  return a.same_protection != b.same_protection ? a.same_protection : a.clock.mhz < b.clock.mhz;
}

std::uint32_t protection_of(const MeasuredClock& measured) {
  const auto key =
      std::find_if(spec::kClockKeys.begin(), spec::kClockKeys.end(),
                   [](const spec::ClockKey& k) { return k.member == &Config::memory_protection; });
  return measured.shape[static_cast<std::size_t>(key - spec::kClockKeys.begin())];
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
  std::vector<Candidate> found;
  for (const MeasuredClock& measured : spec::kMeasuredClocks)
    if (measured.technology == draft.technology)
      found.push_back(
          {{measured.mhz, origin(measured, draft.config), measured.technology, measured.engine},
           protection_of(measured) == draft.config.memory_protection});
  return std::min_element(found.begin(), found.end(), nearer)->clock;
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
