// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Turns what ppu_top_trace sees in a Verilated ppu_top, and its ports, into events.
#pragma once

#include <vector>

#include "hw/contract/config.hpp"
#include "hw/contract/trace.hpp"
#include "hw/cosim/verilated_ports.hpp"

namespace ppu::hw {

/// A signal of ppu_top_trace, which is bound into the device.
#define PPU_TRACE(signal) model_.rootp->ppu_top__DOT__u_trace__DOT__##signal

template <class Model>
class TraceTap {
 public:
  TraceTap(const Model& model, const Config& config, TraceSink& sink)
      : model_(model), sink_(sink), pipes_(config.pipes), engine_phases_(config.engines, 0) {}

  /// What happens in the middle of `cycle`.
  void in_cycle(std::uint64_t cycle) {
    if (PPU_TRACE(command_begin) != 0)
      emit(cycle, TraceKind::kCommandBegin, 0, PPU_TRACE(command_number),
           PPU_TRACE(command_opcode));
    if (PPU_TRACE(command_reject) != 0)
      emit(cycle, TraceKind::kCommandReject, 0, PPU_TRACE(command_number),
           PPU_TRACE(command_reason));
    if (PPU_TRACE(fence) != 0) emit(cycle, TraceKind::kFenceWritten, 0, PPU_TRACE(fence_value), 0);
    for (std::size_t engine = 0; engine < engine_phases_.size(); ++engine) {
      if (port_bit(PPU_TRACE(report), engine)) emit(cycle, TraceKind::kReportWritten, engine, 0, 0);
      passes(cycle, engine);
      rows(cycle, engine);
    }
    memory(cycle);
  }

  /// What is visible at the begin of `cycle`.
  void at_begin(std::uint64_t cycle) {
    if (PPU_TRACE(dma_phase) != dma_phase_) {
      dma_phase_ = PPU_TRACE(dma_phase);
      emit(cycle, TraceKind::kDmaPhase, 0, dma_phase_, 0);
    }
    for (std::size_t engine = 0; engine < engine_phases_.size(); ++engine) {
      const std::uint32_t phase = phase_of(engine);
      if (phase == engine_phases_[engine]) continue;
      engine_phases_[engine] = phase;
      emit(cycle, TraceKind::kEnginePhase, engine, phase, 0);
    }
  }

 private:
  void emit(std::uint64_t cycle, TraceKind kind, std::size_t unit, std::uint64_t a,
            std::uint64_t b) {
    sink_.on_event({cycle, kind, static_cast<std::uint8_t>(unit), a, b});
  }

  void passes(std::uint64_t cycle, std::size_t engine) {
    if (port_bit(PPU_TRACE(pass), engine))
      emit(cycle, TraceKind::kPassBegin, engine, port_word(PPU_TRACE(pass_first), engine),
           port_word(PPU_TRACE(pass_count), engine));
    const std::uint32_t cut =
        port_bit(PPU_TRACE(cut), 2 * engine) + 2U * port_bit(PPU_TRACE(cut), 2 * engine + 1);
    for (std::uint32_t pass = 0; pass < cut; ++pass) emit(cycle, TraceKind::kPassCut, engine, 0, 0);
    if (port_bit(PPU_TRACE(rdlate), engine))
      emit(cycle, TraceKind::kRdlate, engine, port_word(PPU_TRACE(passes_cut), engine), 0);
  }

  void rows(std::uint64_t cycle, std::size_t engine) {
    for (std::size_t pipe = 0; pipe < pipes_; ++pipe) {
      const std::size_t index = engine * pipes_ + pipe;
      if (port_bit(PPU_TRACE(issue), index))
        emit(cycle, TraceKind::kRowIssue, engine, port_word(PPU_TRACE(issue_slot), index), pipe);
      if (port_bit(PPU_TRACE(retire), index))
        emit(cycle, TraceKind::kRowRetire, engine, port_word(PPU_TRACE(retire_slot), index), pipe);
    }
  }

  void memory(std::uint64_t cycle) {
    constexpr std::uint64_t kBytes = spec::kBeatBytes;
    if (model_.host_read_valid_o != 0 && model_.host_read_ready_i != 0)
      emit(cycle, TraceKind::kHostRead, 0, kBytes * model_.host_read_beat_o, 0);
    if (model_.host_write_valid_o != 0 && model_.host_write_ready_i != 0)
      emit(cycle, TraceKind::kHostWrite, 0, kBytes * BeatPort(model_.host_write_o).beat(), 0);
    const BeatPort request(model_.mem_req_o);
    if (model_.mem_req_valid_o == 0 || model_.mem_req_ready_i == 0) return;
    for (std::uint64_t n = 0; n < (request.pair() ? 2U : 1U); ++n)
      emit(cycle, TraceKind::kMemoryAccept, PPU_TRACE(requester), kBytes * (request.beat() + n),
           request.write());
  }

  [[nodiscard]] std::uint32_t phase_of(std::size_t engine) const {
    constexpr std::size_t kBits = 3;
    std::uint32_t phase = 0;
    for (std::size_t bit = 0; bit < kBits; ++bit)
      if (port_bit(PPU_TRACE(phase), engine * kBits + bit)) phase |= 1U << bit;
    return phase;
  }

  const Model& model_;
  TraceSink& sink_;
  std::size_t pipes_;
  std::uint32_t dma_phase_ = 0;
  std::vector<std::uint32_t> engine_phases_;
};

#undef PPU_TRACE

}  // namespace ppu::hw
