// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Stands between an initiator and a target, hands everything on, and holds both to the rules of the
// TLM-2.0 base protocol: order of the phases, one request and one response at a time, payloads that
// are neither changed nor used again on their way, annotated times that do not go back.
#pragma once

#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace ppu::systemc::test {

class ProtocolMonitor : public sc_core::sc_module,
                        public tlm::tlm_fw_transport_if<>,
                        public tlm::tlm_bw_transport_if<> {
 public:
  explicit ProtocolMonitor(const sc_core::sc_module_name& name) : sc_module(name) {
    target.bind(*this);
    initiator.bind(*this);
  }

  tlm::tlm_target_socket<> target{"target"};           ///< Towards the initiator.
  tlm::tlm_initiator_socket<> initiator{"initiator"};  ///< Towards the target.

  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
  /// Transactions that have begun and not ended.
  [[nodiscard]] std::size_t under_way() const { return live_.size(); }
  [[nodiscard]] std::size_t most_under_way() const { return most_; }
  /// Transactions, and phases of them, that were seen.
  [[nodiscard]] int count(const std::string& what) const {
    const auto found = counts_.find(what);
    return found == counts_.end() ? 0 : found->second;
  }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    ++counts_["b_transport"];
    check_begin(payload);
    const Attributes before(payload);
    const sc_core::sc_time start = sc_core::sc_time_stamp() + delay;
    initiator->b_transport(payload, delay);
    expect(before == Attributes(payload), "b_transport changed an attribute");
    expect(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE,
           "b_transport returned without a response");
    expect(sc_core::sc_time_stamp() + delay >= start, "b_transport went back in time");
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    begin_or_end(payload, phase, delay);
    const tlm::tlm_phase sent = phase;
    const tlm::tlm_sync_enum status = initiator->nb_transport_fw(payload, phase, delay);
    returned(payload, sent, phase, delay, status);
    return status;
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    answer(payload, phase, delay);
    const tlm::tlm_phase sent = phase;
    const tlm::tlm_sync_enum status = target->nb_transport_bw(payload, phase, delay);
    returned(payload, sent, phase, delay, status);
    return status;
  }

  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& range) override {
    ++counts_["dmi"];
    return initiator->get_direct_mem_ptr(payload, range);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    ++counts_["debug"];
    return initiator->transport_dbg(payload);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    target->invalidate_direct_mem_ptr(first, last);
  }

 private:
  struct Attributes {
    explicit Attributes(const tlm::tlm_generic_payload& payload)
        : command(payload.get_command()),
          address(payload.get_address()),
          data(payload.get_data_ptr()),
          length(payload.get_data_length()),
          enables(payload.get_byte_enable_ptr()),
          width(payload.get_streaming_width()) {}
    bool operator==(const Attributes& other) const {
      return command == other.command && address == other.address && data == other.data &&
             length == other.length && enables == other.enables && width == other.width;
    }
    tlm::tlm_command command;
    sc_dt::uint64 address;
    const unsigned char* data;
    unsigned length;
    const unsigned char* enables;
    unsigned width;
  };
  enum class State { kRequest, kWaiting, kResponse };
  struct Live {
    State state;
    Attributes attributes;
    sc_core::sc_time time;
  };

  void expect(bool condition, const std::string& rule) {
    if (!condition)
      violations_.push_back(std::string(name()) + ": " + rule + " at " +
                            sc_core::sc_time_stamp().to_string());
  }

  void check_begin(const tlm::tlm_generic_payload& payload) {
    expect(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE,
           "a request has a response already");
    expect(payload.get_data_ptr() != nullptr && payload.get_data_length() > 0, "no data");
    expect(!payload.is_dmi_allowed(), "the initiator sets the DMI hint");
    expect((payload.get_byte_enable_ptr() == nullptr) == (payload.get_byte_enable_length() == 0),
           "byte enables and their length do not agree");
    expect(live_.count(&payload) == 0, "a payload is used again before its end");
  }

  /// BEGIN_REQ or END_RESP of the initiator.
  void begin_or_end(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                    const sc_core::sc_time& delay) {
    ++counts_[phase.get_name()];
    if (phase == tlm::END_RESP) return end(payload, delay);
    expect(phase == tlm::BEGIN_REQ, "the initiator sends a phase of the target");
    check_begin(payload);
    expect(payload.get_ref_count() > 0, "a payload without memory management");
    expect(requesting_ == nullptr, "a request begins before the one before has ended");
    const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
    expect(time >= last_request_, "requests go back in time");
    last_request_ = time;
    live_.emplace(&payload, Live{State::kRequest, Attributes(payload), time});
    most_ = std::max(most_, live_.size());
    requesting_ = &payload;
  }

  /// END_REQ or BEGIN_RESP of the target.
  void answer(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
              const sc_core::sc_time& delay) {
    ++counts_[phase.get_name()];
    Live* const live = find(payload, delay);
    if (live == nullptr) return;
    if (requesting_ == &payload) requesting_ = nullptr;
    if (phase == tlm::END_REQ) {
      expect(live->state == State::kRequest, "END_REQ without a request");
      live->state = State::kWaiting;
      return;
    }
    expect(phase == tlm::BEGIN_RESP, "the target sends a phase of the initiator");
    expect(live->state != State::kResponse, "a second response");
    expect(responding_ == nullptr, "a response begins before the one before has ended");
    expect(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "an empty response");
    live->state = State::kResponse;
    responding_ = &payload;
  }

  void end(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    const Live* const live = find(payload, delay);
    expect(live != nullptr && live->state == State::kResponse, "END_RESP without a response");
    if (requesting_ == &payload) requesting_ = nullptr;
    if (responding_ == &payload) responding_ = nullptr;
    live_.erase(&payload);
  }

  /// What came back on the return path.
  void returned(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& sent,
                const tlm::tlm_phase& phase, const sc_core::sc_time& delay,
                tlm::tlm_sync_enum status) {
    if (status == tlm::TLM_ACCEPTED) return;
    ++counts_["return path"];
    if (status == tlm::TLM_COMPLETED) {
      expect(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "an empty response");
      if (requesting_ == &payload) requesting_ = nullptr;
      if (responding_ == &payload) responding_ = nullptr;
      live_.erase(&payload);
    } else if (sent == tlm::BEGIN_RESP) {
      ++counts_[phase.get_name()];
      end(payload, delay);
    } else {
      answer(payload, phase, delay);
    }
  }

  Live* find(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    const auto found = live_.find(&payload);
    expect(found != live_.end(), "a phase of a transaction that is not under way");
    if (found == live_.end()) return nullptr;
    expect(found->second.attributes == Attributes(payload), "an attribute changed on the way");
    const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
    expect(time >= found->second.time, "phases go back in time");
    found->second.time = time;
    return &found->second;
  }

  std::map<const tlm::tlm_generic_payload*, Live> live_;
  const tlm::tlm_generic_payload* requesting_ = nullptr;
  const tlm::tlm_generic_payload* responding_ = nullptr;
  sc_core::sc_time last_request_;
  std::size_t most_ = 0;
  std::map<std::string, int> counts_;
  std::vector<std::string> violations_;
};

}  // namespace ppu::systemc::test
