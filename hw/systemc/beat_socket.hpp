// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Beats of a device on a TLM-2.0 initiator socket, one object for each channel of a port: what the
// device accepts in a cycle becomes a transaction at the time of that cycle.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/contract/beat_target.hpp"
#include "hw/systemc/device_clock.hpp"

namespace ppu::systemc {

/// A transaction of one beat, and its data.
class BeatTransaction : public tlm::tlm_generic_payload {
 public:
  explicit BeatTransaction(tlm::tlm_mm_interface* owner) : tlm::tlm_generic_payload(owner) {}
  /// Sets all attributes anew.
  void prepare(std::uint64_t address, const hw::BeatAccess& access, const hw::Beat& data);
  [[nodiscard]] const hw::Beat& data() const { return data_; }

 private:
  hw::Beat data_{};
  hw::Beat enables_{};
};

/// Ranges of memory that a platform lets the device reach by pointers.
class DmiRanges {
 public:
  [[nodiscard]] const tlm::tlm_dmi* find(std::uint64_t address, bool write) const;
  void add(const tlm::tlm_dmi& range) { ranges_.push_back(range); }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last);

 private:
  std::vector<tlm::tlm_dmi> ranges_;
};

using Socket = sc_core::sc_port_b<tlm::tlm_fw_transport_if<>>;

/// A socket and what its channels share.
class BeatSocket final : public tlm::tlm_bw_transport_if<>, public tlm::tlm_mm_interface {
 public:
  struct Rules {
    bool approximate, dmi;
    std::uint64_t base;  ///< Address of the device's address 0.
  };
  /// `answered` is notified when an answer has come.
  BeatSocket(Socket& socket, const Rules& rules, const DeviceClock& clock,
             sc_core::sc_event& answered);
  ~BeatSocket() override;

  /// A channel: its answers come in order.
  class Channel final : public hw::BeatTarget {
   public:
    Channel(BeatSocket& socket, hw::Memory shadow) : socket_(socket), shadow_(shadow) {}
    std::uint64_t access(const hw::BeatAccess& access, hw::Beat& data) override;
    std::uint64_t finish(hw::Beat& data) override;
    void peek(std::uint32_t address, std::size_t size_bytes) override;

   private:
    friend class BeatSocket;
    struct Pending {
      BeatTransaction* transaction;
      std::uint64_t begin_ps;
      bool done = false;
      sc_core::sc_time at;  ///< Done at this time.
    };
    BeatSocket& socket_;
    hw::Memory shadow_;  ///< Where peek() puts what it finds; may be empty.
    std::deque<Pending> pending_;
  };

  Channel& add_channel(hw::Memory shadow = {});
  /// Called in a cycle whose request will be answered later.
  void on_request(std::function<void()> stop) { stop_ = std::move(stop); }
  /// Answers that come no more count.
  void reset();
  /// There are requests without an answer.
  [[nodiscard]] bool waits() const { return waits_ > 0; }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    dmi_.invalidate(first, last);
  }

 private:
  [[nodiscard]] std::uint64_t block(const hw::BeatAccess& access, hw::Beat& data);
  [[nodiscard]] bool access_directly(const hw::BeatAccess& access, hw::Beat& data,
                                     std::uint64_t* latency_ps) const;
  /// Begins the next request, if none is under way.
  void send();
  void end_request(const BeatTransaction& transaction, const sc_core::sc_time& delay);
  /// What came of the newest request on the socket.
  void follow(BeatTransaction& transaction, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
              const sc_core::sc_time& delay);
  void complete(BeatTransaction& transaction, const sc_core::sc_time& delay);
  void check(const tlm::tlm_generic_payload& payload) const;
  BeatTransaction& allocate();
  void free(tlm::tlm_generic_payload* payload) override;

  Socket& socket_;
  Rules rules_;
  const DeviceClock& clock_;
  sc_core::sc_event& answered_;
  std::function<void()> stop_;
  std::deque<Channel> channels_;
  std::deque<BeatTransaction*> to_send_;
  BeatTransaction* requesting_ = nullptr;  ///< Sent, and its request has not ended.
  sc_core::sc_time free_at_;               ///< The next request may begin from then on.
  sc_core::sc_event free_{sc_core::sc_gen_unique_name("free")};
  std::size_t waits_ = 0;
  DmiRanges dmi_;
  std::vector<std::unique_ptr<BeatTransaction>> all_;
  std::vector<BeatTransaction*> unused_;
};

}  // namespace ppu::systemc
