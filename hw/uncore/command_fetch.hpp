// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Command fetch: reads the ring ahead and keeps up to four commands for the command processor.
#pragma once

#include <array>
#include <cstring>
#include <optional>

#include "hw/contract/command.hpp"
#include "hw/contract/host_records.hpp"

namespace ppu::hw {

class CommandFetch {
 public:
  /// There is a command to read, number next(); `tail` is that of the ring.
  [[nodiscard]] bool can_read(std::uint32_t tail) const {
    return fetched_ != tail && fetched_ - head_ < kPlaces;
  }
  [[nodiscard]] std::uint32_t next() const { return fetched_; }
  /// Requests it at `address`, whatever becomes of the ring before it is accepted.
  void request(std::uint32_t address) { requested_ = address; }
  [[nodiscard]] const std::optional<std::uint32_t>& requested() const { return requested_; }
  /// The read is accepted.
  void accept_read() {
    requested_.reset();
    ++fetched_;
  }
  /// The oldest command that was asked for is there.
  void receive(const Beat& beat, const CommandChecker& checker) {
    Place& place = places_[arrived_++ % kPlaces];
    std::memcpy(place.words.data(), beat.data(), beat.size());
    place.error = checker.check(place.words);
  }

  [[nodiscard]] bool empty() const { return arrived_ == head_; }
  [[nodiscard]] const CommandWords& front() const { return places_[head_ % kPlaces].words; }
  /// What is wrong with it.
  [[nodiscard]] ppu_command_error error() const { return places_[head_ % kPlaces].error; }
  /// Number of the command at the front since reset: what the register ring_head shows.
  [[nodiscard]] std::uint32_t head() const { return head_; }
  void pop() { ++head_; }
  /// No command, none to fetch.
  [[nodiscard]] bool idle(std::uint32_t tail) const {
    return fetched_ == tail && fetched_ == head_ && !requested_;
  }

 private:
  static constexpr std::uint32_t kPlaces = 4;
  struct Place {
    CommandWords words;
    ppu_command_error error;
  };
  std::array<Place, kPlaces> places_{};
  std::optional<std::uint32_t> requested_;  ///< Address.
  std::uint32_t fetched_ = 0;  ///< Commands read, arrived and popped since reset, modulo 2^32.
  std::uint32_t arrived_ = 0;
  std::uint32_t head_ = 0;
};

}  // namespace ppu::hw
