// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/uncore/dma.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ppu::hw {

using spec::CommandOpcode;

Dma::Dma(const Config& config, TraceSink* trace) : trace_(trace), buffer_(config.dma_buffer_beats) {
}

void Dma::reset() {
  stop();
  shown_ = state_;
  opcode_ = CommandOpcode::kNop;
  reads_host_ = writes_host_ = writes_memory_ = memory_read_waits_ = false;
  host_reads_.reset();
  host_writes_.reset();
  memory_.reset();
}

void Dma::begin(const CommandWords& command, ContextId id, std::uint32_t number,
                std::uint64_t cycle) {
  opcode_ = opcode_of(command);
  id_ = id;
  number_ = number;
  begin_cycle_ = cycle;
  reads_host_ = opcode_ == CommandOpcode::kCopyIn || opcode_ == CommandOpcode::kLoadProgram;
  writes_host_ = opcode_ == CommandOpcode::kCopyOut;
  writes_memory_ =
      opcode_ == CommandOpcode::kCopyIn || opcode_ == CommandOpcode::kCopyWithin || scrubbing();
  list_address_ = get_field(command, spec::command_field::kListAddress);
  list_count_ = get_field(command, spec::command_field::kListCount);
  next_ = 0;
  list_requested_ = list_held_ = false;
  checksum_.reset();
  if (has_flag(command, spec::kFlagChecked) && loading_program())
    checksum_ = get_field(command, spec::command_field::kChecksum);
  written_checksum_ = {};
  if (!scrubbing()) return move(first_descriptor(command));
  list_count_ = 1;
  const Window& window = ports_.registers->contexts()[id].device;
  move({0, static_cast<std::uint32_t>(window.first),
        static_cast<std::uint32_t>(window.end - window.first), 0});
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

std::uint32_t Dma::accept_list() {
  list_requested_ = true;
  return list_address_ + next_ / kPerBeat * spec::kBeatBytes;
}

std::uint32_t Dma::accept_read() {
  memory_read_waits_ = false;
  return first_read_ + read_++ * spec::kBeatBytes;
}

BeatRequest Dma::accept_write() {
  const std::uint32_t offset = range_.device_address % spec::kBeatBytes;
  const std::uint32_t begin = written_ == 0 ? offset : 0;
  const std::uint32_t last = (offset + range_.bytes - 1) % spec::kBeatBytes;
  const std::uint32_t end = written_ + 1 == beats_ ? last + 1 : spec::kBeatBytes;
  const std::uint32_t beat = written_++;
  return {first_write_ + beat * spec::kBeatBytes, true, strobe_of(begin, end),
          buffer_[beat % buffer_.size()]};
}

BeatRequest Dma::accept_memory_write(std::uint64_t cycle) {
  const BeatRequest request = accept_write();
  for (EngineLink* engine : ports_.engines) engine->write(cycle, request.address, request.data);
  return request;
}

bool Dma::work(std::uint64_t cycle) {
  const bool writes = state_ == State::kMove && writes_lines() && wants_write();
  if (takes_zeros_) {
    ++read_;
    buffer_[arrived_ % buffer_.size()] = {};
  }
  if (writes) write_line();
  if (takes_zeros_) ++arrived_;
  if (writes || takes_zeros_) return true;
  if (state_ == State::kList && scrubbing()) return scrub_lines();
  return state_ == State::kList && list_held_ && take_descriptor(cycle);
}

void Dma::write_line() {
  std::array<std::uint32_t, spec::kBeatBytes / sizeof(std::uint32_t)> line;
  constexpr auto kWords = static_cast<std::uint32_t>(line.size());
  std::memcpy(line.data(), buffer_[written_ % buffer_.size()].data(), sizeof line);
  const std::uint32_t address = range_.device_address + written_ * kWords;
  for (EngineLink* engine : ports_.engines) engine->load_program(address, line.data(), kWords);
  written_checksum_.add(line.data(), sizeof line);
  ++written_;
  acknowledge();
}

bool Dma::scrub_lines() {
  const Window& window = ports_.registers->contexts()[id_].program;
  const auto first = static_cast<std::uint32_t>(window.first);
  ++next_;
  move({0, first, static_cast<std::uint32_t>((window.end - window.first) * sizeof(std::uint32_t)),
        0});
  return true;
}

bool Dma::take_descriptor(std::uint64_t cycle) {
  const Descriptor& descriptor = held_[next_ % kPerBeat];
  const Context& context = ports_.registers->contexts()[id_];
  const bool spent = context.quota != 0 && cycle - begin_cycle_ >= context.quota;
  const bool valid = CommandChecker::is_valid(descriptor, opcode_, context);
  if (!valid || spent) {
    ports_.registers->fail_descriptor(
        {id_, {number_, valid ? PPU_COMMAND_ERROR_QUOTA : PPU_COMMAND_ERROR_DESCRIPTOR, next_}});
    stop();
    return true;
  }
  ++next_;
  list_requested_ = list_held_ = next_ % kPerBeat != 0;
  move(descriptor);
  return true;
}

bool Dma::receive(std::uint64_t cycle) {
  const auto read = [this](const BeatAnswer& answer) { receive_read(answer); };
  const auto written = [this](const BeatAnswer&) { acknowledge(); };
  bool changed = host_reads_.receive(cycle, read);
  changed |= host_writes_.receive(cycle, written);
  changed |= memory_.receive(
      cycle, [&](const BeatAnswer& answer) { answer.write ? written(answer) : read(answer); });
  if (state_ != shown_ && trace_ != nullptr)
    trace_->on_event({cycle + 1, TraceKind::kDmaPhase, 0, static_cast<std::uint64_t>(state_), 0});
  shown_ = state_;
  return changed;
}

std::uint64_t Dma::next_event() const {
  return std::min({host_reads_.next_event(), host_writes_.next_event(), memory_.next_event()});
}

void Dma::receive_read(const BeatAnswer& answer) {
  if (state_ == State::kMove) {
    buffer_[arrived_++ % buffer_.size()] = answer.data;
    return;
  }
  std::memcpy(held_.data(), answer.data.data(), answer.data.size());
  list_held_ = true;
}

void Dma::acknowledge() {
  if (++acknowledged_ == beats_) finish_descriptor();
}

void Dma::finish_descriptor() {
  if (scrubbing()) {
    stop();
    if (next_ < list_count_)
      state_ = State::kList;
    else
      ports_.registers->end_scrub(id_);
    return;
  }
  ports_.counters->add(PPU_DEVICE_COUNTER_DESCRIPTORS);
  ports_.counters->add(reads_host_    ? PPU_DEVICE_COUNTER_BYTES_IN
                       : writes_host_ ? PPU_DEVICE_COUNTER_BYTES_OUT
                                      : PPU_DEVICE_COUNTER_BYTES_WITHIN,
                       range_.bytes);
  stop();
  if (next_ < list_count_) state_ = State::kList;
  if (checksum_ && *checksum_ != written_checksum_.value())
    ports_.registers->fail_descriptor(
        {id_, {number_, PPU_COMMAND_ERROR_CHECKSUM, written_checksum_.value()}});
}

void Dma::stop() {
  state_ = State::kIdle;
  beats_ = read_ = arrived_ = written_ = acknowledged_ = 0;
}

}  // namespace ppu::hw
