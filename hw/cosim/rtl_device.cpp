// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Drives a Verilated ppu_top: clock, device memory, host link, whose times are device cycles. The
// clock may run while the device is idle: its cycle stands still. ppu_rtl_devices.hpp is generated
// by the build: it includes the models and lists them.
#include "hw/cosim/rtl_device.hpp"

#include <verilated.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/contract/host_records.hpp"
#include "hw/contract/mapped_memory.hpp"
#include "hw/cosim/response_queue.hpp"
#include "hw/cosim/trace_tap.hpp"
#include "hw/cosim/verilated_ports.hpp"
#include "hw/cosim/wave_file.hpp"
#include "hw/uncore/dram_timing.hpp"
#include "hw/uncore/link_timing.hpp"
#include "ppu_rtl_devices.hpp"

namespace ppu::hw {
namespace {

constexpr std::uint64_t kBeatBytes = spec::kBeatBytes;

bool holds(const Memory& memory, std::uint32_t beat) {
  return (beat + std::uint64_t{1}) * kBeatBytes <= memory.size_bytes;
}

/// Reads a beat; outside the memory it is zero.
void read_beat(const Memory& memory, std::uint32_t beat, ResponseQueue::Beat& to) {
  if (holds(memory, beat))
    std::memcpy(to.data(), memory.data + beat * kBeatBytes, kBeatBytes);
  else
    to.fill(std::byte{0});
}

/// Writes the bytes of a beat of device memory that the strobe names.
template <class Port>
void write_beat(const Memory& memory, const BeatPort<Port>& from) {
  std::byte* const to = memory.data + from.beat() * kBeatBytes;
  const std::uint64_t strobe = from.strobe();
  if (~strobe == 0) {
    std::memcpy(to, from.data(), kBeatBytes);
    return;
  }
  for (std::uint64_t n = 0; n < kBeatBytes; ++n)
    if ((strobe >> n & 1U) != 0) to[n] = from.data()[n];
}

template <class Port>
void show(Port& port, const ResponseQueue::Beat& beat) {
  static_assert(sizeof port == sizeof beat);
  std::memcpy(&port, beat.data(), sizeof beat);
}

template <class Model>
class VerilatedDevice final : public Device {
 public:
  VerilatedDevice(const Config& config, Memory host_memory, const WaveRequest& waves,
                  TraceSink* trace, int seed)
      : model_(prepare(context_, seed)),
        host_(host_memory),
        memory_(std::size_t{config.device_memory_mib} << 20U),
        dram_(config),
        link_(config) {
    reset(config);
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
    model_.reg_address_i = static_cast<CData>(offset);
    model_.reg_wdata_i = value;
    clock();
    model_.reg_write_i = 0;
    check();
  }

  std::uint32_t read_register(std::uint32_t offset) override {
    if (offset > kLastOffset) return 0;
    activate();
    model_.reg_address_i = static_cast<CData>(offset);
    model_.eval();
    return model_.reg_rdata_o;
  }

  bool step() override {
    activate();
    const CData interrupted = model_.irq_o;
    int cycles = 0;
    do clock();
    while (++cycles < kSliceCycles && model_.idle_o == 0 && model_.irq_o <= interrupted);
    check();
    return model_.idle_o == 0;
  }

  [[nodiscard]] bool interrupt() const override { return model_.irq_o != 0; }

  void close() override {
    activate();
    if (waves_) waves_->close();
  }

  std::uint32_t copy_profile(std::uint32_t, std::uint32_t) override { return 0; }

 private:
  static constexpr int kSliceCycles = 1000;
  static constexpr std::uint32_t kLastOffset = 0xff;
  static constexpr unsigned kMibBits = 12;  ///< Of each size in memory_sizes_i.

  static VerilatedContext* prepare(VerilatedContext& context, int seed) {
    context.randReset(2);
    context.randSeed(seed);
    context.traceEverOn(true);
    context.errorLimit(std::numeric_limits<int>::max());
    return &context;
  }

  void reset(const Config& config) {
    activate();
    const std::uint64_t hash = config_hash(config);
    model_.config_hash_i = hash;
    model_.memory_sizes_i = config.device_memory_mib << kMibBits | config.host_memory_mib;
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
  }

  /// One clock cycle: what memories answer, what the device asks for, the clock edge. Waves have
  /// device cycles only: an idle cycle has the number of the next one.
  void clock() {
    answer();
    model_.clk_i = 0;
    model_.eval();
    const bool idle = model_.idle_o != 0 && model_.reg_write_i == 0;
    if (waves_ && !idle) waves_->dump(cycle_, 0);
    if (tap_) tap_->in_cycle(cycle_);
    if (model_.host_read_valid_o != 0 && model_.host_read_ready_i != 0) read_host();
    if (model_.host_write_valid_o != 0 && model_.host_write_ready_i != 0) write_host();
    if (model_.mem_req_valid_o != 0 && model_.mem_req_ready_i != 0) access_memory();
    model_.clk_i = 1;
    model_.eval();
    if (waves_ && !idle) waves_->dump(cycle_, 1);
    cycle_ = model_.device_cycle_o;
    if (tap_) tap_->at_begin(cycle_);
  }

  void answer() {
    model_.mem_req_ready_i = dram_.ready(cycle_);
    model_.host_read_ready_i = link_.ready(LinkChannel::kRead, cycle_);
    model_.host_write_ready_i = link_.ready(LinkChannel::kWrite, cycle_);
    const ResponseQueue::Beat* beat = memory_responses_.take(cycle_);
    model_.mem_rsp_valid_i = beat != nullptr;
    if (beat != nullptr) show(model_.mem_rsp_data_i, *beat);
    beat = read_responses_.take(cycle_);
    model_.host_read_rsp_valid_i = beat != nullptr;
    if (beat != nullptr) show(model_.host_read_rsp_data_i, *beat);
    model_.host_write_rsp_valid_i = write_responses_.take(cycle_) != nullptr;
  }

  void read_host() {
    ResponseQueue::Beat& beat = read_responses_.push(link_.access(LinkChannel::kRead, cycle_));
    read_beat(host_, model_.host_read_beat_o, beat);
  }

  void write_host() {
    const BeatPort request(model_.host_write_o);
    const std::uint32_t beat = request.beat();
    if (!holds(host_, beat)) throw outside("host", beat);
    Beat bytes;
    std::memcpy(bytes.data(), request.data(), bytes.size());
    write_host_beat(host_, static_cast<std::uint32_t>(beat * kBeatBytes), bytes, request.strobe());
    write_responses_.push(link_.access(LinkChannel::kWrite, cycle_));
  }

  void access_memory() {
    const BeatPort request(model_.mem_req_o);
    const std::uint32_t beat = request.beat();
    if (!holds(memory_.memory(), beat)) throw outside("device", beat);
    const auto address = static_cast<std::uint32_t>(beat * kBeatBytes);
    ResponseQueue::Beat& response = memory_responses_.push(dram_.access(cycle_, address));
    if (request.write())
      write_beat(memory_.memory(), request);
    else
      read_beat(memory_.memory(), beat, response);
  }

  [[nodiscard]] std::runtime_error outside(const char* memory, std::uint32_t beat) const {
    return std::runtime_error("RTL device: beat " + std::to_string(beat) + " is outside " + memory +
                              " memory, in cycle " + std::to_string(cycle_));
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
  Memory host_;
  MappedMemory memory_;
  DramTiming dram_;
  LinkTiming link_;
  ResponseQueue memory_responses_, read_responses_, write_responses_;
  std::uint64_t cycle_ = 0;  ///< Number of the device cycle.
  std::optional<WaveFile> waves_;
  std::optional<TraceTap<Model>> tap_;
};

/// The values of the keys that shape the RTL, in the order of the specification.
using Shape = std::vector<std::uint32_t>;

Shape shape_of(const Config& config) {
  Shape shape;
  for (const spec::ConfigKey& key : spec::kConfigKeys)
    if (key.shape) shape.push_back(config.*key.member);
  return shape;
}

/// A shape that was built.
struct Built {
  std::string name;
  Shape shape;
};

/// The keys in which `built` is another shape than `wanted`: "pipes 2 instead of 1".
std::vector<std::string> differences(const Built& built, const Shape& wanted) {
  std::vector<std::string> list;
  std::size_t i = 0;
  for (const spec::ConfigKey& key : spec::kConfigKeys) {
    if (!key.shape) continue;
    if (built.shape[i] != wanted[i])
      list.push_back(std::string(key.name) + " " + std::to_string(built.shape[i]) + " instead of " +
                     std::to_string(wanted[i]));
    ++i;
  }
  return list;
}

/// Names what was built, and how the nearest of it differs from what is wanted.
[[noreturn]] void refuse(const std::vector<Built>& all, const Shape& wanted) {
  std::string names;
  const Built* nearest = &all.front();
  for (const Built& built : all) {
    names += (names.empty() ? "" : ", ") + built.name;
    if (differences(built, wanted).size() < differences(*nearest, wanted).size()) nearest = &built;
  }
  std::string text;
  for (const std::string& difference : differences(*nearest, wanted))
    text += (text.empty() ? "" : ", ") + difference;
  throw ConfigError("no RTL device of this shape was built, only " + names + "; the nearest, " +
                        nearest->name + ", has " + text,
                    false);
}

}  // namespace

std::unique_ptr<Device> create_rtl_device(const Config& config, Memory host_memory,
                                          const WaveRequest& waves, TraceSink* trace, int seed) {
  const Shape wanted = shape_of(config);
  std::vector<Built> all;
#define PPU_RTL_TRY(name, Model, ...)                                                         \
  if (wanted == Shape{__VA_ARGS__})                                                           \
    return std::make_unique<VerilatedDevice<Model>>(config, host_memory, waves, trace, seed); \
  all.push_back({name, Shape{__VA_ARGS__}});
  PPU_RTL_DEVICES(PPU_RTL_TRY)
#undef PPU_RTL_TRY
  refuse(all, wanted);
}

}  // namespace ppu::hw
