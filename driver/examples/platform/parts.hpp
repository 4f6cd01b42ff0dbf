// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a virtual platform has beside its PPUs: a bus that one transaction uses at a time, a memory,
// and somebody else who wants the bus.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

/// Hands transactions to the target at their address, one after another: who comes while the bus is
/// taken waits for it, in the time that he annotates.
class Bus : public sc_core::sc_module {
 public:
  Bus(const sc_core::sc_module_name& name, int initiators, int targets, double bytes_per_ns)
      : sc_module(name), bytes_per_ns_(bytes_per_ns) {
    SC_HAS_PROCESS(Bus);
    SC_METHOD(show_busy);
    sensitive << taken_anew_;
    dont_initialize();
    for (int n = 0; n < initiators; ++n) {
      from_.push_back(std::make_unique<From>(("from" + std::to_string(n)).c_str()));
      from_.back()->register_b_transport(this, &Bus::transport, n);
      from_.back()->register_transport_dbg(this, &Bus::debug, n);
    }
    for (int n = 0; n < targets; ++n)
      to_.push_back(std::make_unique<To>(("to" + std::to_string(n)).c_str()));
  }

  /// The next socket for an initiator.
  auto& add_initiator() { return *from_.at(initiators_++); }
  /// The next socket for a target, which is at these addresses and sees the offset.
  auto& add_target(std::uint64_t base, std::uint64_t size) {
    ranges_.push_back({base, size});
    return *to_.at(ranges_.size() - 1);
  }

  [[nodiscard]] sc_core::sc_time taken() const { return taken_; }
  sc_core::sc_signal<bool> busy{"busy"};  ///< For the waves.

 private:
  using From = tlm_utils::simple_target_socket_tagged<Bus>;
  using To = tlm_utils::simple_initiator_socket<Bus>;
  struct Range {
    std::uint64_t base, size;
  };
  int find(tlm::tlm_generic_payload& payload) const {
    for (std::size_t n = 0; n < ranges_.size(); ++n)
      if (payload.get_address() - ranges_[n].base < ranges_[n].size) return static_cast<int>(n);
    return -1;
  }
  void transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const int target = find(payload);
    if (target < 0) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const sc_core::sc_time begin = std::max(now + delay, free_at_);
    const sc_core::sc_time time(payload.get_data_length() / bytes_per_ns_, sc_core::SC_NS);
    free_at_ = begin + time;
    taken_ += time;
    delay = free_at_ - now;
    taken_anew_.notify(sc_core::SC_ZERO_TIME);
    const std::uint64_t address = payload.get_address();
    payload.set_address(address - ranges_[target].base);
    (*to_[target])->b_transport(payload, delay);
    payload.set_address(address);
  }
  /// Up as long as somebody has the bus.
  void show_busy() {
    const bool taken = free_at_ > sc_core::sc_time_stamp();
    busy.write(taken);
    if (taken) next_trigger(free_at_ - sc_core::sc_time_stamp(), taken_anew_);
  }
  unsigned debug(int, tlm::tlm_generic_payload& payload) {
    const int target = find(payload);
    if (target < 0) return 0;
    payload.set_address(payload.get_address() - ranges_[target].base);
    return (*to_[target])->transport_dbg(payload);
  }

  double bytes_per_ns_;
  std::vector<std::unique_ptr<From>> from_;
  std::vector<std::unique_ptr<To>> to_;
  std::vector<Range> ranges_;
  std::size_t initiators_ = 0;  ///< That have a socket.
  sc_core::sc_event taken_anew_{"taken_anew"};
  sc_core::sc_time free_at_, taken_;
};

/// Bytes behind a latency.
class Memory : public sc_core::sc_module {
 public:
  Memory(const sc_core::sc_module_name& name, std::size_t size_bytes, sc_core::sc_time latency)
      : sc_module(name), bytes(size_bytes), latency_(latency) {
    socket.register_b_transport(this, &Memory::transport);
  }
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  std::vector<unsigned char> bytes;

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t at = payload.get_address();
    const unsigned length = payload.get_data_length();
    if (at > bytes.size() || bytes.size() - at < length)
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), &bytes[at], length);
    } else {
      for (unsigned n = 0; n < length; ++n)
        if (enables == nullptr || enables[n % payload.get_byte_enable_length()] != 0)
          bytes[at + n] = payload.get_data_ptr()[n];
    }
    delay += latency_;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  sc_core::sc_time latency_;
};

/// A DMA of somebody else: copies 256 bytes every so often.
class Traffic : public sc_core::sc_module {
 public:
  Traffic(const sc_core::sc_module_name& name, std::uint64_t base, sc_core::sc_time pause)
      : sc_module(name), base_(base), pause_(pause) {
    SC_HAS_PROCESS(Traffic);
    SC_THREAD(live);
  }
  tlm_utils::simple_initiator_socket<Traffic> socket{"socket"};
  std::uint64_t bytes = 0;

 private:
  void live() {
    std::vector<unsigned char> data(256);
    for (std::uint64_t at = 0;; at = (at + data.size()) % 65536) {
      for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(base_ + at + (command == tlm::TLM_WRITE_COMMAND ? 65536 : 0));
        payload.set_data_ptr(data.data());
        payload.set_data_length(static_cast<unsigned>(data.size()));
        payload.set_streaming_width(static_cast<unsigned>(data.size()));
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(payload, delay);
        wait(delay);
        bytes += data.size();
      }
      wait(pause_);
    }
  }

  std::uint64_t base_;
  sc_core::sc_time pause_;
};
