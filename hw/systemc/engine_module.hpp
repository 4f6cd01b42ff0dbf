// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An engine as a module: the model, of modules under the names of the instances in the RTL, or
// the Verilated ppu_engine.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/cosim/lockstep.hpp"
#include "hw/cosim/rtl_engine.hpp"
#include "hw/engine/timed_engine.hpp"
#include "hw/systemc/offer.hpp"
#include "hw/systemc/rtl_choice.hpp"
#include "hw/uncore/register_block.hpp"

namespace ppu::systemc {

/// A part of an engine, which a run makes anew.
template <class What>
class EnginePart final : public sc_core::sc_module {
 public:
  explicit EnginePart(const sc_core::sc_module_name& name) : sc_module(name) {}
  std::optional<What> block;
  Offers<std::optional<What>> part{"part", block};
};

/// A part that stays.
template <class What>
class Lasting final : public sc_core::sc_module {
 public:
  template <class... Arguments>
  explicit Lasting(const sc_core::sc_module_name& name, const Arguments&... arguments)
      : sc_module(name), block(arguments...) {}
  What block;
  Offers<What> part{"part", block};
};

/// A row pipe. An RTL one gets every row together with what the model makes of it, and must come to
/// the same in the same cycle.
class RowPipe final : public sc_core::sc_module {
 public:
  /// `rtl` may be null.
  RowPipe(const sc_core::sc_module_name& name, const hw::Config& config,
          std::unique_ptr<hw::RtlRowPipe> rtl)
      : sc_module(name),
        u_dot("u_dot", config),
        u_step("u_step", config),
        u_axpy("u_axpy", config) {
    if (rtl != nullptr) checker.emplace(std::move(rtl));
    dot.bind(u_dot.part);
    step.bind(u_step.part);
    axpy.bind(u_axpy.part);
  }
  Lasting<hw::DotLanes> u_dot;
  Lasting<hw::RowStep> u_step;
  Lasting<hw::AxpyLanes> u_axpy;
  hw::RowPipe block;
  std::optional<hw::PipeChecker> checker;
  Offers<hw::RowPipe> rows{"rows", block};
  Offers<std::optional<hw::PipeChecker>> twin{"twin", checker};
  Needs<hw::DotLanes> dot{"dot"};
  Needs<hw::RowStep> step{"step"};
  Needs<hw::AxpyLanes> axpy{"axpy"};

 private:
  void end_of_elaboration() override { block.connect(dot.get(), step.get(), axpy.get()); }
};

/// The instance of ppu_engine_pipe, which holds the row pipe and its part of row memory.
class EnginePipe final : public sc_core::sc_module {
 public:
  EnginePipe(const sc_core::sc_module_name& name, const hw::Config& config, RtlChoice& rtl)
      : sc_module(name),
        u_rows("u_rows", config),
        u_pipe("u_pipe", config,
               rtl.takes(*this, "u_pipe") ? hw::RtlRowPipe::create(config) : nullptr) {}
  Lasting<hw::RowMemory> u_rows;
  RowPipe u_pipe;
};

/// `gen_pipe[n]`.
class PipeScope final : public sc_core::sc_module {
 public:
  PipeScope(const sc_core::sc_module_name& name, const hw::Config& config, RtlChoice& rtl)
      : sc_module(name), u_pipe("u_pipe", config, rtl) {}
  EnginePipe u_pipe;
};

/// A generate block, with what `inside` makes in it.
class Scope final : public sc_core::sc_module {
 public:
  Scope(const sc_core::sc_module_name& name, const std::function<void()>& inside)
      : sc_module(name) {
    inside();
  }
};

/// Impulses and velocities.
class WorkingSet final : public sc_core::sc_module {
 public:
  WorkingSet(const sc_core::sc_module_name& name, const hw::Config& config);
  Lasting<hw::ImpulseMemory> u_impulses{"u_impulses"};
  /// `gen_once.u_velocities`, or `gen_twice.gen_copy[n].u_velocities`.
  std::deque<Lasting<hw::VelocityMemory>> u_velocities;

 private:
  std::unique_ptr<Scope> block_;
  std::deque<Scope> copies_;
};

/// The rows of an engine: where they are, what they wait for, the pipes that they go through.
class EngineRows final : public sc_core::sc_module {
 public:
  EngineRows(const sc_core::sc_module_name& name, const hw::Config& config, RtlChoice& rtl);

  EnginePart<hw::RowStream> u_arrival{"u_arrival"};
  EnginePart<hw::RowSearch> u_scan{"u_scan"};
  /// In `gen_ordered`; with dataflow issue, where it only counts, it is `u_activity`.
  std::unique_ptr<EnginePart<hw::IssueStage>> u_issue;
  std::unique_ptr<EnginePart<hw::DataflowIssue>> u_dataflow;  ///< Or null; in `gen_dataflow`.
  WorkingSet u_set;
  Lasting<hw::BodyTags> u_live{"u_live", 0U};

  hw::RowPath block;
  Offers<hw::RowPath> path{"path", block};
  // The way of a row.
  NeedsEach<hw::RowMemory> rows{"rows"};
  NeedsEach<hw::VelocityMemory> velocities{"velocities"};
  Needs<hw::ImpulseMemory> impulses{"impulses"};
  NeedsEach<hw::RowPipe> pipes{"pipes"};
  Needs<hw::BodyTags> tags{"tags"};
  NeedsEach<std::optional<hw::PipeChecker>> twins{"twins"};

  /// Row pipes that are RTL; null if none is. All ports must be bound.
  [[nodiscard]] hw::RowObserver* observer();

 private:
  void end_of_elaboration() override;

  std::unique_ptr<Scope> gen_issue_;
  std::deque<PipeScope> gen_pipe_;
  std::optional<hw::LockstepChecker> lockstep_;
};

/// What an engine has to do with the rest of the device.
class Engine : public sc_core::sc_module {
 public:
  /// What all engines of a device have in common.
  struct Around {
    const hw::Config& config;
    hw::Memory device_memory;
    std::string& message;  ///< See hw::Device.
    hw::TraceSink* trace;  ///< May be null.
  };

  hw::EnginePort port;
  hw::EngineLink block;
  Offers<hw::EngineLink> engine{"engine", block};
  Offers<hw::BeatMaster> beats{"beats", block};
  Needs<hw::BeatSlave> memory{"memory"};
  Needs<hw::RegisterBlock> registers{"registers"};

  virtual void reset() = 0;
  /// Of the last run, a record per slot; empty if none is kept.
  [[nodiscard]] virtual std::vector<hw::RowProfile> profile() const { return {}; }
  [[nodiscard]] virtual std::uint64_t rows_checked() const { return 0; }

 protected:
  Engine(const sc_core::sc_module_name& name, const Around& around, std::uint32_t index)
      : sc_module(name), block(port, around.device_memory, index) {}
};

class ModelEngine final : public Engine {
 public:
  /// `observer` sees all rows in place of row pipes; may be null.
  ModelEngine(const sc_core::sc_module_name& name, const Around& around, std::uint32_t index,
              hw::RowObserver* observer, RtlChoice& rtl);

  EnginePart<hw::Sequencer> u_sequencer{"u_sequencer"};
  EngineRows u_rows;
  // What a run is carried out with.
  Needs<std::optional<hw::Sequencer>> sequencer{"sequencer"};
  Needs<std::optional<hw::RowStream>> arrival{"arrival"};
  Needs<std::optional<hw::RowSearch>> scan{"scan"};
  Needs<std::optional<hw::IssueStage>> issue{"issue"};
  sc_core::sc_port<Interface<std::optional<hw::DataflowIssue>>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>
      dataflow{"dataflow"};
  Needs<hw::RowPath> path{"path"};

  void reset() override { unit_->reset(); }
  [[nodiscard]] std::vector<hw::RowProfile> profile() const override { return unit_->profile(); }
  [[nodiscard]] std::uint64_t rows_checked() const override {
    return observer_ != nullptr ? observer_->rows_checked() : 0;
  }

 private:
  void end_of_elaboration() override;

  Around around_;
  std::uint32_t index_;
  hw::RowObserver* observer_;
  std::unique_ptr<hw::TimedEngine> unit_;  ///< Once the ports are bound.
};

class RtlEngine final : public Engine {
 public:
  RtlEngine(const sc_core::sc_module_name& name, const Around& around, std::uint32_t index);
  void reset() override { unit_->reset(); }

 private:
  void end_of_elaboration() override { block.connect(*unit_, memory.get(), registers.get()); }

  std::unique_ptr<hw::RtlEngine> unit_;
};

/// `gen_engine[n]`: the instance `u_engine`, which the platform may choose to be RTL.
class EngineScope final : public sc_core::sc_module {
 public:
  EngineScope(const sc_core::sc_module_name& name, const Engine::Around& around,
              std::uint32_t index, hw::RowObserver* observer, RtlChoice& rtl);
  std::unique_ptr<Engine> u_engine;
};

}  // namespace ppu::systemc
