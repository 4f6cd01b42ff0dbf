// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Commands that go through the ring together, closed by a fence, with the host memory that they use
// and what came of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "driver/device/command.hpp"
#include "driver/device/host_memory.hpp"
#include "driver/session/session.hpp"
#include "hw/contract/run.hpp"

namespace ppu::driver {

/// What the device reported about one command.
struct CommandError {
  std::uint32_t command = 0;  ///< Place in the batch.
  ppu_command_error reason = PPU_COMMAND_ERROR_NONE;
  std::uint32_t detail = 0;
};

/// The words of a program, for as long as something reports about its runs.
using ProgramWords = std::shared_ptr<const std::vector<std::uint32_t>>;

class Batch {
 public:
  explicit Batch(HostMemory memory);

  // ------------------------------------------------------------------------------------ recording

  /// A block of host memory for as long as the batch has it.
  HostBlock& stage(std::uint64_t size_bytes);
  void add(const Command& command) { commands_.push_back(command); }
  /// One command for all `count` ranges, at least one.
  void add_copy(spec::CommandOpcode opcode, const Descriptor* ranges, std::size_t count);
  /// Returns the number of the run in the batch.
  std::uint32_t add_run(const hw::RunCommand& run, const ProgramWords& words, bool profile);
  /// A fence whose device cycle is wanted; returns its number.
  std::uint32_t add_time_stamp();
  /// A query; returns its number. Of a client it is a fence, which knows the device cycle alone.
  std::uint32_t add_query();
  /// Copies `size_bytes` from `source`, in a block of the batch, to `target` at delivery.
  void deliver_to(void* target, const std::byte* source, std::size_t size_bytes);
  /// Keeps memory allocated for as long as the batch uses it.
  void keep(std::shared_ptr<const Allocation> memory) { kept_.push_back(std::move(memory)); }
  /// Back to an empty batch, which takes as many commands as before without an allocation.
  void clear();

  // ----------------------------------------------------------------------- on its way (see Device)

  /// Commands with the closing fence.
  [[nodiscard]] std::uint32_t command_count() const {
    return static_cast<std::uint32_t>(commands_.size()) + 1;
  }
  /// The commands of submission `number`, which is not 0; what earlier ones left is forgotten.
  [[nodiscard]] const std::vector<Command>& start(std::uint64_t number);
  [[nodiscard]] bool under_way() const { return under_way_; }
  void add_error(const CommandError& error) { errors_.push_back(error); }
  void add_lost_errors(std::uint32_t count) { lost_errors_ += count; }
  /// True once the closing fence has been written.
  [[nodiscard]] bool fence_written() const;
  /// Takes what the device has written, once the closing fence has been.
  void end(Session& session);

  // ---------------------------------------------------------------------------------- when it
  // ended

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] bool wants_profile() const;
  [[nodiscard]] bool has_chained_run() const;
  [[nodiscard]] const Command& command(std::uint32_t index) const { return commands_[index]; }
  /// Its commands in their order, without the closing fence: "3 x copy_in, run".
  [[nodiscard]] std::string commands_text() const;
  [[nodiscard]] const std::vector<CommandError>& errors() const { return errors_; }
  [[nodiscard]] std::uint32_t lost_errors() const { return lost_errors_; }
  [[nodiscard]] std::uint32_t runs() const { return static_cast<std::uint32_t>(runs_.size()); }
  [[nodiscard]] const hw::RunReport& report(std::uint32_t run) const { return runs_[run].report; }
  [[nodiscard]] const hw::RunCommand& run_def(std::uint32_t run) const { return runs_[run].def; }
  [[nodiscard]] const std::vector<std::uint32_t>& words(std::uint32_t run) const {
    return *runs_[run].words;
  }
  /// Run that command `index` is, if it is one.
  [[nodiscard]] std::optional<std::uint32_t> run_of(std::uint32_t index) const;
  /// A record per row of the run; all zero if its engine took another run later.
  [[nodiscard]] const std::byte* profile(std::uint32_t run) const {
    return runs_[run].profile->data();
  }
  [[nodiscard]] std::uint64_t time_stamp(std::uint32_t index) const;
  [[nodiscard]] std::uint32_t queries() const {
    return static_cast<std::uint32_t>(queries_.size());
  }
  [[nodiscard]] hw::DeviceCounters counters(std::uint32_t query) const;
  [[nodiscard]] const std::string& device_text() const { return device_text_; }
  /// Copies to the targets, at the first call after an end.
  void deliver();

 private:
  struct Run {
    std::uint32_t command;
    hw::RunCommand def;
    ProgramWords words;
    const HostBlock* report_block;
    const HostBlock* profile;  ///< Null if not wanted.
    hw::RunReport report;
  };
  struct Delivery {
    void* target;
    const std::byte* source;
    std::size_t size_bytes;
  };
  void take_profile(Session& session, const Run& run) const;

  HostMemory memory_;
  HostBlock closing_fence_;
  std::vector<std::unique_ptr<HostBlock>> blocks_;  ///< Their addresses stay.
  std::size_t blocks_used_ = 0;                     ///< The others are empty.
  std::vector<Command> commands_;
  std::vector<Command> started_;  ///< The same with the closing fence.
  std::vector<Run> runs_;
  std::vector<const HostBlock*> time_stamps_, queries_;
  std::vector<Delivery> deliveries_;
  std::vector<std::shared_ptr<const Allocation>> kept_;

  std::uint64_t number_ = 0;
  bool under_way_ = false;
  bool delivered_ = false;
  std::vector<CommandError> errors_;
  std::uint32_t lost_errors_ = 0;
  std::string device_text_;
};

}  // namespace ppu::driver
