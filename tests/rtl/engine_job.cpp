// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "engine_job.hpp"

#include <cmath>
#include <random>

#include "ppu/hw/timed_engine.hpp"

namespace ppu::test {
namespace {

using Random = std::mt19937_64;

class Maker {
 public:
  Maker(const hw::Config& config, std::uint64_t seed) : config_(config), random_(seed) {}

  EngineJob make(std::uint32_t rows, std::uint32_t bodies) {
    EngineJob job;
    hw::RunCommand& command = job.command;
    command.command = below(1000);
    command.row_count = rows;
    command.body_count = bodies;
    command.stream = below(3) == 0;
    lay_out(job);
    for (std::uint32_t slot = 0; slot < rows; ++slot) put_row(job, slot);
    fill(job, command.impulses_address, rows, 1);
    for (std::uint32_t body = 0; body < bodies; ++body)
      fill(job, command.velocities_address + body * spec::kVelocityBytes, 6, 1);
    write_program(job);
    const bool smooth = below(3) == 0;
    job.pace = MemoryPace(random_(), smooth ? 0 : below(70), below(40));
    return job;
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  float normal() { return normal_(random_); }

  void lay_out(EngineJob& job) {
    hw::RunCommand& command = job.command;
    std::uint32_t end = 0;
    const auto place = [&](std::uint32_t bytes) {
      const std::uint32_t address = end + 64 * below(4);
      end = (address + bytes + 63) / 64 * 64;
      return address;
    };
    command.velocities_address = place(command.body_count * spec::kVelocityBytes);
    command.rows_address = place(command.row_count * PPU_ROW_BYTES);
    command.impulses_address = place(command.row_count * spec::kImpulseBytes);
    job.memory.assign(end, std::byte{0xa5});
  }

  void fill(EngineJob& job, std::uint32_t address, std::uint32_t count, float scale) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const float value = scale * normal();
      std::memcpy(job.memory.data() + address + 4 * i, &value, sizeof value);
    }
  }

  void put_row(EngineJob& job, std::uint32_t slot) {
    const std::uint32_t bodies = job.command.body_count;
    const std::uint32_t rows = job.command.row_count;
    ppu_row row{};
    for (float& value : row.jacobian) value = normal();
    for (float& value : row.inv_mass_jacobian) value = 0.1F * normal();
    row.bias = normal();
    row.inv_diagonal = 0.05F;
    row.lower = -std::fabs(normal());
    row.upper = std::fabs(normal());
    row.compliance = below(3) == 0 ? 0.0F : 0.01F;
    row.body_a = body(bodies, PPU_NONE);
    row.body_b = body(bodies, row.body_a);
    row.parent = PPU_NONE;
    if (rows > 1 && below(3) == 0)
      while (row.parent == PPU_NONE || row.parent == slot)
        row.parent = below(2) == 0 && slot > 0 ? slot - 1 - below(std::min(slot, 4U)) : below(rows);
    std::memcpy(job.memory.data() + job.command.rows_address + slot * PPU_ROW_BYTES, &row,
                sizeof row);
  }

  /// A body other than `taken`, or none.
  std::uint32_t body(std::uint32_t bodies, std::uint32_t taken) {
    if (bodies == 0 || below(5) == 0) return PPU_NONE;
    const std::uint32_t index = below(bodies);
    return index == taken ? PPU_NONE : index;
  }

  // -----------------------------------------------------------------------------------------------
  // Programs: a loop around passes, waits and signals, and behind it kernels of any operations.
  // -----------------------------------------------------------------------------------------------
  static std::uint32_t word(spec::Opcode opcode, std::uint32_t ra = 0, std::uint32_t rb = 0,
                            std::uint32_t imm = 0) {
    return spec::encode({static_cast<std::uint32_t>(opcode), ra, rb, imm & 0xffffU, 0});
  }

  void write_program(EngineJob& job) {
    constexpr std::uint32_t kFirst = 9, kCount = 10, kTurn = 11, kTurns = 12, kMax = 13;
    std::vector<std::uint32_t>& words = job.words;
    const std::uint32_t rows = job.command.row_count;
    std::vector<std::size_t> kernel_calls;
    const auto call = [&] {
      kernel_calls.push_back(words.size());
      words.push_back(word(spec::Opcode::kKernel));
    };
    call();
    words.push_back(word(spec::Opcode::kLi, kTurns, 0, 1 + below(3)));
    const std::size_t loop = words.size();
    for (std::uint32_t n = 2 + below(7); n > 0; --n) {
      const std::uint32_t first = below(3) == 0 ? below(rows + 1) : 0;
      const std::uint32_t count = below(3) == 0 ? below(rows - first + 1) : rows - first;
      words.push_back(word(spec::Opcode::kLi, kFirst, 0, first));
      if (below(2) == 0) words.push_back(word(spec::Opcode::kLi, kMax, 0, below(100)));
      words.push_back(word(spec::Opcode::kLi, kCount, 0, below(4) == 0 ? below(6) : count));
      // Not past the last row: count = min(count, rows - first).
      words.push_back(word(spec::Opcode::kSub, kMax, 1, kFirst));
      words.push_back(
          word(spec::Opcode::kBgeu, kMax, kCount, static_cast<std::uint32_t>(words.size()) + 2));
      words.push_back(word(spec::Opcode::kAddi, kCount, kMax, 0));
      words.push_back(word(spec::Opcode::kRows, kFirst, kCount));
      const std::uint32_t kind = below(8);
      if (kind == 0) words.push_back(word(spec::Opcode::kWait));
      if (kind == 1) words.push_back(word(spec::Opcode::kRdmax, kMax));
      if (kind == 2) words.push_back(word(spec::Opcode::kSignal, kTurn));
      if (kind == 3) call();
    }
    words.push_back(word(spec::Opcode::kAddi, kTurn, kTurn, 1));
    words.push_back(word(spec::Opcode::kBltu, kTurn, kTurns, static_cast<std::uint32_t>(loop)));
    if (below(2) == 0) words.push_back(word(spec::Opcode::kRdmax, kMax));
    words.push_back(word(spec::Opcode::kSignal, kMax));
    words.push_back(word(spec::Opcode::kHalt));
    for (const std::size_t at : kernel_calls) {
      words[at] |= static_cast<std::uint32_t>(words.size());
      append_kernel(words);
    }
    job.command.program_words = static_cast<std::uint32_t>(words.size());
    job.command.entry =
        16 * below((config_.instruction_memory_words - job.command.program_words) / 16 + 1);
    job.command.arguments[0] = rows;
  }

  void append_kernel(std::vector<std::uint32_t>& words) {
    using namespace spec;
    // Mostly a whole update; always one whose values stay small.
    ControlWord control{static_cast<std::uint32_t>(random_()) & ((1U << kControlBits) - 1)};
    const std::uint32_t update = 0x04 | 0x40 | 0x80 | 0x100 | 0x200;
    if (below(4) != 0) control.bits = (control.bits & ~0x60U) | update;
    if (control.clamp() > Clamp::kMed) control.bits &= ~0x40U;
    if (control.resid() > Resid::kDelta) control.bits &= ~0x400U;
    std::uint32_t left = control.bits;
    for (std::uint32_t n = 1 + below(12); n > 0; --n) {
      const KernelOp& op = kKernelOps[below(kKernelOps.size() - 1)];
      const std::uint32_t bits = n == 1 ? left : left & static_cast<std::uint32_t>(random_());
      words.push_back(std::uint32_t{op.opcode} << 24U | bits);
    }
    words.push_back(word(Opcode::kKernelEnd));
  }

  const hw::Config& config_;
  Random random_;
  std::normal_distribution<float> normal_;
};

/// Keeps the events of one engine.
class Sink final : public hw::TraceSink {
 public:
  void on_event(const hw::TraceEvent& event) override {
    events.push_back({event.cycle, event.kind, event.a, event.b});
  }
  std::vector<Event> events;
};

}  // namespace

EngineJob make_job(const hw::Config& config, std::uint64_t seed, std::uint32_t rows,
                   std::uint32_t bodies) {
  EngineJob job = Maker(config, seed).make(rows, bodies);
  job.name = "seed " + std::to_string(seed);
  return job;
}

EngineOutcome run_model(const hw::Config& config, const EngineJob& job) {
  EngineOutcome outcome;
  outcome.memory = job.memory;
  hw::EnginePort port;
  Sink sink;
  MemoryPace pace = job.pace;
  hw::TimedEngine engine(config, 0, {outcome.memory.data(), outcome.memory.size()}, port, nullptr,
                         &sink);
  engine.load_program(job.command.entry, job.words.data(),
                      static_cast<std::uint32_t>(job.words.size()));
  engine.start(kStartCycle, job.command);
  for (std::uint64_t cycle = kStartCycle + 1; port.done_cycle > cycle; ++cycle) {
    while (port.limit() <= cycle) engine.advance();
    if (!port.requests.empty() && port.requests.front().cycle <= cycle && pace.ready(cycle)) {
      const hw::EnginePort::Request& request = port.requests.front();
      sink.events.push_back({cycle, hw::TraceKind::kMemoryAccept, request.address, request.write});
      if (request.write) engine.accept_write();
      port.accept(cycle, pace.access(cycle));
    }
    if (cycle == job.cancel_cycle) engine.cancel(cycle);
  }
  outcome.report = engine.report();
  outcome.events = std::move(sink.events);
  std::sort(outcome.events.begin(), outcome.events.end());
  return outcome;
}

}  // namespace ppu::test
