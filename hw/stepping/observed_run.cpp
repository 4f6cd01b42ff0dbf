// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/stepping/observed_run.hpp"

#include <algorithm>

namespace ppu::hw {

void ObservedRun::take(const TraceEvent& event) {
  const auto a = static_cast<std::uint32_t>(event.a);
  if (event.kind == TraceKind::kPassBegin)
    passes.push_back({event.cycle, a, static_cast<std::uint32_t>(event.b)});
  if (event.kind == TraceKind::kPassCut)
    cuts.insert(std::upper_bound(cuts.begin(), cuts.end(), event.cycle), event.cycle);
  if (event.kind == TraceKind::kRdlate) rdlates.push_back({event.cycle, a});
}

}  // namespace ppu::hw
