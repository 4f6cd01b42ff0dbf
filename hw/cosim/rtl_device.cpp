// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Drives a Verilated ppu_top: clock, device memory, host link, whose times are device cycles. The
// clock may run while the device is idle: its cycle stands still. ppu_rtl_devices.hpp is generated
// by the build: it includes the models and lists them.
#include "hw/cosim/rtl_device.hpp"

#include <verilated.h>

#include <deque>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/contract/host_records.hpp"
#include "hw/contract/mapped_memory.hpp"
#include "hw/cosim/response_queue.hpp"
#include "hw/cosim/rtl_shapes.hpp"
#include "hw/cosim/trace_tap.hpp"
#include "hw/cosim/verilated_ports.hpp"
#include "hw/cosim/wave_file.hpp"
#include "hw/uncore/beat_channel.hpp"
#include "ppu_rtl_devices.hpp"

namespace ppu::hw {
namespace {

template <class Port>
void show(Port& port, const Beat& beat) {
  static_assert(sizeof port == sizeof beat);
  std::memcpy(&port, beat.data(), sizeof beat);
}

std::uint32_t address_of(std::uint32_t beat) {
  return beat * spec::kBeatBytes;
}

template <class Port>
Beat data_of(const BeatPort<Port>& port) {
  Beat beat;
  std::memcpy(beat.data(), port.data(), beat.size());
  return beat;
}

/// The ports of the device: requests that were accepted, and the answers that will come.
struct Ports {
  Ports(const Config& config, const Surroundings& surroundings)
      : link(config, surroundings), dram(config, surroundings) {}

  /// Takes notice of answers whose cycles are known now, `least` or later.
  void learn(std::uint64_t least) {
    while (const auto* answer = link.reads().next(least))
      read_answers.push(answer->cycle) = answer->data;
    while (const auto* answer = link.writes().next(least)) write_answers.push(answer->cycle);
    while (const auto* answer = dram.channel().next(least)) {
      memory_answers.push(answer->cycle) = answer->data;
      if (answer->pair) memory_answers.push(answer->cycle) = answer->second;
      if (answer->flaw.found()) flaws.push_back({answer->cycle, answer->flaw});
    }
  }

  HostLink link;
  Dram dram;
  ResponseQueue memory_answers, read_answers, write_answers;
  struct FlawedAnswer {
    std::uint64_t cycle;
    MemoryFlaw flaw;
  };
  std::deque<FlawedAnswer> flaws;  ///< Of answers that will come.
};

template <class Model>
class VerilatedDevice final : public ClockedDevice {
 public:
  /// `own` may be null: the memories live elsewhere.
  VerilatedDevice(const Config& config, const Surroundings& surroundings,
                  std::unique_ptr<OwnMemories> own, const WaveRequest& waves, TraceSink* trace,
                  int seed)
      : model_(prepare(context_, seed)),
        config_(config),
        own_(std::move(own)),
        surroundings_(surroundings) {
    reset_model();
    if (!waves.path.empty()) waves_.emplace(model_, waves, "ppu_top");
    if (trace != nullptr) tap_.emplace(model_, config, *trace);
  }

  ~VerilatedDevice() override {
    activate();
    waves_.reset();
    model_.final();
  }

  void write_register(std::uint32_t offset, std::uint32_t value) override {
    activate();
    model_.reg_write_i = offset <= kLastOffset;
    model_.reg_address_i = static_cast<SData>(offset);
    model_.reg_wdata_i = value;
    clock();
    model_.reg_write_i = 0;
    check();
  }

  std::uint32_t read_register(std::uint32_t offset) override {
    if (offset > kLastOffset) return 0;
    activate();
    model_.reg_address_i = static_cast<SData>(offset);
    model_.eval();
    return model_.reg_rdata_o;
  }

  bool step() override {
    clock_until(cycle_ + kSliceCycles);
    return busy();
  }

  [[nodiscard]] std::uint64_t cycle() const override { return cycle_; }
  [[nodiscard]] bool busy() const override { return model_.idle_o == 0; }
  void run_until(std::uint64_t end) override {
    if (busy() && cycle_ < end) clock_until(end);
  }
  void stop() override { stopped_ = true; }
  [[nodiscard]] std::uint64_t next_change() const override { return cycle_; }

  void reset() override { reset_model(); }

  [[nodiscard]] std::uint32_t interrupts() const override { return model_.irq_o; }

  void close() override {
    activate();
    if (waves_) waves_->close();
  }

  std::uint32_t copy_profile(std::uint32_t, std::uint32_t) override { return 0; }

 private:
  static constexpr int kSliceCycles = 1000;
  static constexpr std::uint32_t kLastOffset = spec::kContexts * spec::kContextPageBytes - 1;
  static constexpr unsigned kWordBits = 29;  ///< Of a word of device memory.
  static constexpr unsigned kMibBits = 12;   ///< Of each size in memory_sizes_i.

  static VerilatedContext* prepare(VerilatedContext& context, int seed) {
    context.randReset(2);
    context.randSeed(seed);
    context.traceEverOn(true);
    context.errorLimit(std::numeric_limits<int>::max());
    return &context;
  }

  void reset_model() {
    activate();
    ports_.emplace(config_, surroundings_);
    model_.config_hash_i = config_hash(config_);
    model_.memory_sizes_i = config_.device_memory_mib << kMibBits | config_.host_memory_mib;
    model_.reg_write_i = 0;
    model_.mem_req_ready_i = model_.host_read_ready_i = model_.host_write_ready_i = 0;
    model_.mem_rsp_valid_i = model_.host_read_rsp_valid_i = model_.host_write_rsp_valid_i = 0;
    model_.rst_ni = 0;
    for (int half = 0; half < 4; ++half) {
      model_.clk_i = static_cast<CData>(half % 2);
      model_.eval();
    }
    model_.rst_ni = 1;
    model_.eval();
    cycle_ = model_.device_cycle_o;
  }

  /// At least one clock cycle.
  void clock_until(std::uint64_t end) {
    activate();
    const CData interrupted = model_.irq_o;
    stopped_ = false;
    do clock();
    while (cycle_ < end && model_.idle_o == 0 && (model_.irq_o & ~interrupted) == 0 && !stopped_);
    check();
  }

  /// One clock cycle: what memories answer, what the device asks for, the clock edge. Waves have
  /// device cycles only: an idle cycle has the number of the next one.
  void clock() {
    answer();
    dump(0);
    model_.clk_i = 0;
    model_.eval();
    dump(1);
    if (tap_) tap_->in_cycle(cycle_);
    if (model_.host_read_valid_o != 0 && model_.host_read_ready_i != 0) read_host();
    if (model_.host_write_valid_o != 0 && model_.host_write_ready_i != 0) write_host();
    if (model_.mem_req_valid_o != 0 && model_.mem_req_ready_i != 0) access_memory();
    flip_memory();
    model_.clk_i = 1;
    model_.eval();
    cycle_ = model_.device_cycle_o;
    if (tap_) tap_->at_begin(cycle_);
  }

  /// The clock is high in the first half of a cycle, when its inputs are there already: in waves
  /// all of a cycle stands from its rising edge on.
  void dump(std::uint64_t half) {
    if (!waves_) return;
    model_.eval();
    if (model_.idle_o == 0 || model_.reg_write_i != 0) waves_->dump(cycle_, half);
  }

  void answer() {
    ports_->learn(cycle_);
    model_.mem_req_ready_i = ports_->dram.channel().ready(cycle_);
    model_.host_read_ready_i = ports_->link.reads().ready(cycle_);
    model_.host_write_ready_i = ports_->link.writes().ready(cycle_);
    const Beat* beat = ports_->memory_answers.take(cycle_);
    model_.mem_rsp_valid_i = beat != nullptr;
    if (beat != nullptr) show(model_.mem_rsp_data_i, *beat);
    beat = ports_->memory_answers.take(cycle_);  // of a pair
    if (beat != nullptr) show(model_.mem_rsp_second_i, *beat);
    show_flaw();
    beat = ports_->read_answers.take(cycle_);
    model_.host_read_rsp_valid_i = beat != nullptr;
    if (beat != nullptr) show(model_.host_read_rsp_data_i, *beat);
    model_.host_write_rsp_valid_i = ports_->write_answers.take(cycle_) != nullptr;
  }

  /// As ppu_device_pkg::memory_flaw_t.
  void show_flaw() {
    model_.mem_rsp_flaw_i = 0;
    if (ports_->flaws.empty() || ports_->flaws.front().cycle != cycle_) return;
    const MemoryFlaw flaw = ports_->flaws.front().flaw;
    ports_->flaws.pop_front();
    model_.mem_rsp_flaw_i = std::uint64_t{flaw.corrected} << (kWordBits + 1);
    if (flaw.lost != PPU_NONE) model_.mem_rsp_flaw_i |= std::uint64_t{1} << kWordBits | flaw.lost;
  }

  /// As ppu_device_pkg::memory_flip_t.
  void flip_memory() {
    const std::uint32_t flip = model_.mem_flip_o;
    if ((flip >> (kWordBits + 1)) == 0) return;
    const std::uint32_t word = flip & ((1U << kWordBits) - 1U);
    ports_->dram.channel().flip(word, (flip >> kWordBits & 1U) != 0);
  }

  void read_host() {
    ports_->link.reads().access(cycle_, {address_of(model_.host_read_beat_o)}, 0);
    ports_->learn(cycle_ + 1);
  }

  void write_host() {
    const BeatPort request(model_.host_write_o);
    ports_->link.writes().access(
        cycle_, {address_of(request.beat()), true, request.strobe(), data_of(request)}, 0);
    ports_->learn(cycle_ + 1);
  }

  void access_memory() {
    const BeatPort request(model_.mem_req_o);
    ports_->dram.channel().access(cycle_,
                                  {address_of(request.beat()), request.write(), request.strobe(),
                                   data_of(request), request.pair()},
                                  0);
    ports_->learn(cycle_ + 1);
  }

  /// Other models may have run on this thread; errors are counted in the thread's context.
  void activate() { Verilated::threadContextp(&context_); }

  void check() const {
    if (context_.errorCount() != 0)
      throw std::runtime_error("RTL device: an assertion failed by cycle " +
                               std::to_string(cycle_));
  }

  VerilatedContext context_;
  Model model_;
  Config config_;
  std::unique_ptr<OwnMemories> own_;
  Surroundings surroundings_;
  std::optional<Ports> ports_;
  std::uint64_t cycle_ = 0;  ///< Number of the device cycle.
  bool stopped_ = false;     ///< See stop().
  std::optional<WaveFile> waves_;
  std::optional<TraceTap<Model>> tap_;
};

std::unique_ptr<ClockedDevice> create(const Config& config, const Surroundings& surroundings,
                                      std::unique_ptr<OwnMemories> own, const WaveRequest& waves,
                                      TraceSink* trace, int seed) {
  const Shape wanted = shape_of(config);
  std::vector<BuiltShape> all;
#define PPU_RTL_TRY(name, Model, ...)                                                            \
  if (wanted == Shape{__VA_ARGS__})                                                              \
    return std::make_unique<VerilatedDevice<Model>>(config, surroundings, std::move(own), waves, \
                                                    trace, seed);                                \
  all.push_back({name, Shape{__VA_ARGS__}});
  PPU_RTL_DEVICES(PPU_RTL_TRY)
#undef PPU_RTL_TRY
  refuse_shape("RTL device", all, wanted);
}

}  // namespace

std::unique_ptr<ClockedDevice> create_rtl_device(const Config& config, Memory host_memory,
                                                 const WaveRequest& waves, TraceSink* trace,
                                                 int seed) {
  auto own = std::make_unique<OwnMemories>(config, host_memory);
  const Surroundings surroundings = own->all.surroundings();
  return create(config, surroundings, std::move(own), waves, trace, seed);
}

std::unique_ptr<ClockedDevice> create_rtl_device(const Config& config,
                                                 const Surroundings& surroundings,
                                                 const WaveRequest& waves, TraceSink* trace,
                                                 int seed) {
  return create(config, surroundings, nullptr, waves, trace, seed);
}

}  // namespace ppu::hw
