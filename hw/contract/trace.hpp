// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What happens in a device, event by event. The model and the RTL report the same events in the
// same cycles; whoever steps them writes them to a sink (a file, a timeline, a pipeline view). No
// sink, no cost.
#pragma once

#include <cstdint>

#include "ppu_spec.hpp"

namespace ppu::hw {

enum class TraceKind : std::uint8_t {
  kCommandBegin,   ///< A command is begun and popped. a: number since reset, b: opcode.
  kCommandReject,  ///< a: number, b: reason.
  kFenceWritten,   ///< Last acknowledgement of a fence. a: value.
  kReportWritten,  ///< Last acknowledgement of a report. unit: engine.
  kDmaPhase,       ///< The DMA changes state, visible in this cycle. a: 0 idle, 1 move, 2 list.
  kMemoryAccept,   ///< A beat is accepted by device memory. unit: requester, a: address, b: write.
  kHostRead,       ///< A read of host memory is accepted. a: address.
  kHostWrite,      ///< A write of host memory is accepted. a: address.
  kEnginePhase,  ///< An engine changes phase, visible in this cycle. unit: engine, a: EnginePhase.
  kPassBegin,    ///< A `rows` executes. unit: engine, a: first slot, b: rows, at least one.
  kPassCut,      ///< The budget cuts a pass: none of its rows begins any more. unit: engine.
  kRdlate,       ///< An `rdlate` executes. unit: engine, a: what it reads.
  kRowIssue,     ///< unit: engine, a: slot, b: pipe.
  kRowRetire,    ///< A row leaves the pipe (issue + L). unit: engine, a: slot, b: pipe.
  // From this cycle on no row issues, for one reason. unit: engine, a: the slot of the row that
  // waits, ~0 without one; b: cycles. Their sums are the counters of the classes. RTL does not
  // tell.
  kWaitBodyA,   ///< Body a comes last.
  kWaitBodyB,   ///< Body b comes last.
  kWaitParent,  ///< The impulse of its parent, or its own.
  kWaitFetch,   ///< Its record.
  kWaitLane,    ///< Its pipe.
  kWaitBank,    ///< A bank.
  kWaitFilter,  ///< Rows before it are passed over.
  kDrain,       ///< No row: those in flight retire.
  kControl,     ///< No row: the program has not come to the next `rows` or `halt`.
};
/// True of what only models tell.
constexpr bool is_wait(TraceKind kind) {
  return kind >= TraceKind::kWaitBodyA;
}

using spec::EnginePhase;

struct TraceEvent {
  std::uint64_t cycle;
  TraceKind kind;
  std::uint8_t unit;
  std::uint64_t a, b;
};

/// Events of one unit come in the order of their cycles, but for waits, which come when they end;
/// those of different units may not.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void on_event(const TraceEvent& event) = 0;
};

}  // namespace ppu::hw
