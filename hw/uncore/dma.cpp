// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/uncore/dma.hpp"

#include <cstring>
#include <utility>

namespace ppu::hw {

using spec::CommandOpcode;

Dma::Dma(const Config& config, LoadLine load_line, DeviceCounters& counters)
    : checker_(config),
      load_line_(std::move(load_line)),
      counters_(counters),
      buffer_(config.dma_buffer_beats) {
}

void Dma::begin(const CommandWords& command, std::uint32_t number) {
  opcode_ = opcode_of(command);
  number_ = number;
  reads_host_ = opcode_ == CommandOpcode::kCopyIn || opcode_ == CommandOpcode::kLoadProgram;
  writes_host_ = opcode_ == CommandOpcode::kCopyOut;
  writes_memory_ = opcode_ == CommandOpcode::kCopyIn || opcode_ == CommandOpcode::kCopyWithin;
  list_address_ = get_field(command, spec::command_field::kListAddress);
  list_count_ = get_field(command, spec::command_field::kListCount);
  next_ = 0;
  list_requested_ = list_held_ = false;
  move(first_descriptor(command));
}

void Dma::move(const Descriptor& descriptor) {
  state_ = State::kMove;
  range_ = descriptor;
  std::uint32_t source = descriptor.host_address;
  std::uint32_t target = descriptor.device_address;
  if (writes_host_) std::swap(source, target);
  first_read_ = beat_address(source);
  first_write_ = beat_address(target);
  beats_ = beats_of(std::uint64_t{source % spec::kBeatBytes} + descriptor.bytes);
  read_ = arrived_ = written_ = acknowledged_ = 0;
}

void Dma::accept_read() {
  ++read_;
  memory_read_waits_ = false;
}

StrobedBeat Dma::accept_write() {
  const std::uint32_t offset = range_.device_address % spec::kBeatBytes;
  const std::uint32_t begin = written_ == 0 ? offset : 0;
  const std::uint32_t last = (offset + range_.bytes - 1) % spec::kBeatBytes;
  const std::uint32_t end = written_ + 1 == beats_ ? last + 1 : spec::kBeatBytes;
  return {buffer_[written_++ % buffer_.size()], strobe_of(begin, end)};
}

Dma::Work Dma::work() {
  if (state_ == State::kMove && loading() && wants_write()) {
    std::array<std::uint32_t, spec::kBeatBytes / sizeof(std::uint32_t)> line;
    std::memcpy(line.data(), buffer_[written_ % buffer_.size()].data(), sizeof line);
    load_line_(range_.device_address + written_ * static_cast<std::uint32_t>(line.size()),
               line.data());
    ++written_;
    acknowledge();
    return Work::kDone;
  }
  if (state_ == State::kList && list_held_) {
    const Descriptor& descriptor = held_[next_ % kPerBeat];
    if (!checker_.is_valid(descriptor, opcode_)) {
      stop();
      return Work::kBadDescriptor;
    }
    ++next_;
    list_requested_ = list_held_ = next_ % kPerBeat != 0;
    move(descriptor);
    return Work::kDone;
  }
  return Work::kNone;
}

void Dma::receive_list(const Beat& beat) {
  std::memcpy(held_.data(), beat.data(), beat.size());
  list_held_ = true;
}

void Dma::acknowledge() {
  if (++acknowledged_ == beats_) finish_descriptor();
}

void Dma::finish_descriptor() {
  const auto count = [this](ppu_device_counter which, std::uint64_t amount) {
    counters_[which] += amount;
  };
  count(PPU_DEVICE_COUNTER_DESCRIPTORS, 1);
  count(reads_host_    ? PPU_DEVICE_COUNTER_BYTES_IN
        : writes_host_ ? PPU_DEVICE_COUNTER_BYTES_OUT
                       : PPU_DEVICE_COUNTER_BYTES_WITHIN,
        range_.bytes);
  stop();
  if (next_ < list_count_) state_ = State::kList;
}

void Dma::stop() {
  state_ = State::kIdle;
  beats_ = read_ = arrived_ = written_ = acknowledged_ = 0;
}

}  // namespace ppu::hw
