// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Command fetch: reads the rings of the contexts ahead, by turns, and keeps up to four commands for
// the command processor. Commands of a context that was closed since are lost.
#pragma once

#include <array>
#include <cstring>
#include <optional>

#include "hw/contract/command.hpp"
#include "hw/contract/device_registers.hpp"
#include "hw/contract/host_records.hpp"

namespace ppu::hw {

class CommandFetch {
 public:
  using Heads = std::array<std::uint32_t, spec::kContexts>;

  /// Requests the next command, if there is one and room for it: where it lies now, whatever
  /// becomes of its ring before the request is accepted.
  void ask(const DeviceRegisters& registers) {
    if (requested_ || fetched_ - popped_ == kPlaces) return;
    for (ContextId n = 1; n <= spec::kContexts; ++n) {
      const ContextId id = (last_ + n) % spec::kContexts;
      const Context& context = registers.contexts()[id];
      if (!context.open || rings_[id].fetched(context) == registers.tail(id)) continue;
      requested_ = {context.command_address(rings_[id].fetched(context)), id, context.session};
      return;
    }
  }
  [[nodiscard]] bool requests() const { return requested_.has_value(); }
  /// The read is accepted; returns its address.
  std::uint32_t accept_read(const ContextTable& contexts) {
    const Request request = *requested_;
    Place& place = places_[fetched_++ % kPlaces];
    place.id = last_ = request.id;
    place.session = request.session;
    Ring& ring = rings_[request.id];
    if (!is_lost(place, contexts)) ring.note(contexts[request.id]).fetched_++;
    requested_.reset();
    return request.address;
  }
  /// The oldest command that was asked for is there.
  void receive(const Beat& beat) {
    Place& place = places_[arrived_++ % kPlaces];
    std::memcpy(place.words.data(), beat.data(), beat.size());
    place.checked.reset();
  }

  [[nodiscard]] bool empty() const { return arrived_ == popped_; }
  [[nodiscard]] const CommandWords& front() const { return places_[popped_ % kPlaces].words; }
  [[nodiscard]] ContextId front_id() const { return places_[popped_ % kPlaces].id; }
  /// The context of the command at the front was closed since it was fetched.
  [[nodiscard]] bool front_is_lost(const ContextTable& contexts) const {
    return is_lost(places_[popped_ % kPlaces], contexts);
  }
  /// What is wrong with it.
  ppu_command_error front_error(const CommandChecker& checker, const ContextTable& contexts) {
    Place& place = places_[popped_ % kPlaces];
    if (!place.checked || place.revision != contexts.revision()) {
      place.checked = checker.check(place.words, contexts, place.id);
      place.revision = contexts.revision();
    }
    return *place.checked;
  }
  /// Commands taken from each ring since its context was opened: what ring_head shows.
  [[nodiscard]] std::uint32_t head(ContextId id, const ContextTable& contexts) const {
    return rings_[id].session == contexts[id].session ? rings_[id].head_ : 0;
  }
  [[nodiscard]] Heads heads(const ContextTable& contexts) const {
    Heads all{};
    for (ContextId id = 0; id < spec::kContexts; ++id) all[id] = head(id, contexts);
    return all;
  }
  void pop(const ContextTable& contexts) {
    const Place& place = places_[popped_ % kPlaces];
    if (!is_lost(place, contexts)) rings_[place.id].note(contexts[place.id]).head_++;
    ++popped_;
  }
  /// No command, none to fetch.
  [[nodiscard]] bool idle(const DeviceRegisters& registers) const {
    if (fetched_ != popped_ || requested_) return false;
    for (ContextId id = 0; id < spec::kContexts; ++id)
      if (rings_[id].fetched(registers.contexts()[id]) != registers.tail(id)) return false;
    return true;
  }

 private:
  static constexpr std::uint32_t kPlaces = 4;
  struct Request {
    std::uint32_t address = 0;
    ContextId id = 0;
    std::uint32_t session = 0;
  };
  struct Place {
    CommandWords words;
    ContextId id;
    std::uint32_t session;
    std::optional<ppu_command_error> checked;
    std::uint32_t revision;  ///< Of the contexts, when it was checked.
  };
  /// Commands read and popped, modulo 2^32, in the session of the context in which they were
  /// counted.
  struct Ring {
    std::uint32_t session = 0, fetched_ = 0, head_ = 0;
    [[nodiscard]] std::uint32_t fetched(const Context& context) const {
      return session == context.session ? fetched_ : 0;
    }
    Ring& note(const Context& context) {
      if (session != context.session) *this = {context.session, 0, 0};
      return *this;
    }
  };
  static bool is_lost(const Place& place, const ContextTable& contexts) {
    return !contexts[place.id].open || place.session != contexts[place.id].session;
  }

  std::array<Place, kPlaces> places_{};
  std::array<Ring, spec::kContexts> rings_{};
  std::optional<Request> requested_;
  ContextId last_ = spec::kContexts - 1;  ///< That was served.
  /// Commands read, arrived and popped since reset, modulo 2^32.
  std::uint32_t fetched_ = 0, arrived_ = 0, popped_ = 0;
};

}  // namespace ppu::hw
