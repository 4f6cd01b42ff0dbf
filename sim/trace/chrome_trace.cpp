// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Writes the JSON that Perfetto calls a Chrome trace.
#include "sim/trace/chrome_trace.hpp"

#include <algorithm>

namespace ppu::sim {
namespace {

constexpr std::uint64_t kPsPerUs = 1000000;

/// Viewers want numbers of tracks that are unique in the trace.
std::uint64_t track_id(const ChromeTrace::Track& track) {
  return std::uint64_t{track.group} << 16U | track.number;
}

}  // namespace

ChromeTrace::ChromeTrace(const Window& window, std::uint32_t clock_mhz)
    : window_(window), period_ps_(clock_mhz == 0 ? kPsPerUs : kPsPerUs / clock_mhz) {
}

void ChromeTrace::name_group(std::uint32_t group, const std::string& name) {
  add({{"ph", "M"}, {"name", "process_name"}, {"pid", group}, {"args", {{"name", name}}}});
  add({{"ph", "M"},
       {"name", "process_sort_index"},
       {"pid", group},
       {"args", {{"sort_index", group}}}});
}

void ChromeTrace::name_track(const Track& track, const std::string& name) {
  const Json place{{"pid", track.group}, {"tid", track_id(track)}};
  Json title{{"ph", "M"}, {"name", "thread_name"}, {"args", {{"name", name}}}};
  Json order{{"ph", "M"}, {"name", "thread_sort_index"}, {"args", {{"sort_index", track.number}}}};
  title.update(place);
  order.update(place);
  add(title);
  add(order);
}

void ChromeTrace::slice(const Track& track, const std::string& name, std::uint64_t begin,
                        std::uint64_t end, Json arguments) {
  const std::uint64_t first = std::max(begin, window_.first);
  const std::uint64_t past = window_.last == kOpenEnd ? end : std::min(end, window_.last + 1);
  if (first >= past) return;
  const double duration = static_cast<double>(nanoseconds(past) - nanoseconds(first)) / 1000;
  add({{"ph", "X"},
       {"name", name},
       {"pid", track.group},
       {"tid", track_id(track)},
       {"ts", microseconds(first)},
       {"dur", duration},
       {"args", std::move(arguments)}});
}

void ChromeTrace::instant(const Track& track, const std::string& name, std::uint64_t cycle,
                          Json arguments) {
  if (!window_.holds(cycle)) return;
  add({{"ph", "i"},
       {"s", "t"},
       {"name", name},
       {"pid", track.group},
       {"tid", track_id(track)},
       {"ts", microseconds(cycle)},
       {"args", std::move(arguments)}});
}

void ChromeTrace::counter(std::uint32_t group, const std::string& name, std::uint64_t cycle,
                          Json values) {
  if (!window_.holds(cycle)) return;
  add({{"ph", "C"},
       {"name", name},
       {"pid", group},
       {"ts", microseconds(cycle)},
       {"args", std::move(values)}});
}

std::string ChromeTrace::str() && {
  return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" + std::move(text_) + "\n]}\n";
}

void ChromeTrace::add(const Json& event) {
  if (!text_.empty()) text_ += ",\n";
  text_ += event.dump();
}

/// Whole nanoseconds, the unit of the viewer: slices that meet in a cycle meet on the screen.
std::uint64_t ChromeTrace::nanoseconds(std::uint64_t cycle) const {
  return cycle / 1000 * period_ps_ + cycle % 1000 * period_ps_ / 1000;
}

double ChromeTrace::microseconds(std::uint64_t cycle) const {
  return static_cast<double>(nanoseconds(cycle)) / 1000;
}

}  // namespace ppu::sim
