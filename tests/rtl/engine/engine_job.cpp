// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "tests/rtl/engine/engine_job.hpp"

#include <cmath>
#include <random>

#include "hw/contract/row_records.hpp"
#include "hw/engine/timed_engine.hpp"

namespace ppu::test {
namespace {

using Random = std::mt19937_64;

// Registers of the programs: arguments, and what they count with.
constexpr std::uint32_t register_of(spec::Argument argument) {
  return spec::kFirstArgumentRegister + static_cast<std::uint32_t>(argument);
}

// Lead factors are where no argument has a meaning of its own.
constexpr std::uint32_t kFactorArgument = 5;

enum Register : std::uint32_t {
  kRows = register_of(spec::Argument::kRowCount),
  kMark = register_of(spec::Argument::kMarkThreshold),
  kFactor = spec::kFirstArgumentRegister + kFactorArgument,
  kOtherFactor,
  kLimit = register_of(spec::Argument::kBudgetCycles),
  kFirst,
  kCount,
  kTurn,
  kTurns,
  kMax,
  kBudget
};

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
    command.reduced = below(3) == 0;
    filters_ = below(2) == 0;
    leads_ = below(2) == 0;
    set_arguments(command);
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

  /// Thresholds of marks from one that every row exceeds to one that few rows do; lead factors
  /// under which velocities stay small.
  void set_arguments(hw::RunCommand& command) {
    const auto argument = [&command](spec::Argument index) -> std::uint32_t& {
      return command.arguments[static_cast<std::size_t>(index)];
    };
    constexpr float kMarkThresholds[] = {0, 0.1F, 3, 6, 9};
    const float threshold = kMarkThresholds[below(std::size(kMarkThresholds))];
    std::memcpy(&argument(spec::Argument::kMarkThreshold), &threshold, sizeof threshold);
    argument(spec::Argument::kRowCount) = command.row_count;
    argument(spec::Argument::kBudgetCycles) = below(3) == 0 ? below(4000) : 0;
    const float factors[] = {0.25F * static_cast<float>(below(5)), 0.3F * normal()};
    std::memcpy(&command.arguments[kFactorArgument], factors, sizeof factors);
  }

  void lay_out(EngineJob& job) {
    hw::RunCommand& command = job.command;
    std::uint32_t end = 0;
    const auto place = [&](std::uint32_t bytes) {
      const std::uint32_t address = end + 64 * below(4);
      end = (address + bytes + 63) / 64 * 64;
      return address;
    };
    command.velocities_address = place(command.body_count * spec::kVelocityBytes);
    command.rows_address = place(
        static_cast<std::uint32_t>(hw::RowRecords::bytes(command.reduced, 0, command.row_count)));
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
    edit_record(job, slot, [&row](ppu_row& record) { record = row; });
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
    using spec::Opcode;
    std::vector<std::uint32_t>& words = job.words;
    words.push_back(word(Opcode::kBudget, kLimit));
    call_kernel(job);
    if (below(2) == 0) words.push_back(word(Opcode::kSetmark, kMark));
    if (below(2) == 0) {
      words.push_back(word(Opcode::kTagall));
      words.push_back(word(Opcode::kTagnext));
    }
    if (leads_) {
      if (below(4) != 0) words.push_back(word(Opcode::kSetlead, kFactor));
      words.push_back(word(Opcode::kSettle));
    }
    words.push_back(word(Opcode::kLi, kTurns, 0, 1 + below(3)));
    const std::size_t loop = words.size();
    for (std::uint32_t n = 2 + below(7); n > 0; --n) {
      put_pass(job);
      put_other(job);
    }
    words.push_back(word(Opcode::kAddi, kTurn, kTurn, 1));
    words.push_back(word(Opcode::kBltu, kTurn, kTurns, static_cast<std::uint32_t>(loop)));
    if (below(2) == 0) words.push_back(word(Opcode::kRdmax, kMax));
    words.push_back(word(Opcode::kSignal, kMax));
    words.push_back(word(Opcode::kHalt));
    for (const Call& call : calls_) {
      words[call.at] |= static_cast<std::uint32_t>(words.size());
      append_kernel(words, call.control);
    }
    job.command.program_words = static_cast<std::uint32_t>(words.size());
    job.command.entry =
        16 * below((config_.instruction_memory_words - job.command.program_words) / 16 + 1);
  }

  void call_kernel(EngineJob& job) {
    calls_.push_back({job.words.size(), random_control(job.command.reduced)});
    job.words.push_back(word(spec::Opcode::kKernel));
  }

  /// A pass over some of the rows, count = min(count, rows - first).
  void put_pass(EngineJob& job) {
    using spec::Opcode;
    std::vector<std::uint32_t>& words = job.words;
    const std::uint32_t rows = job.command.row_count;
    const std::uint32_t first = !filters_ && below(3) == 0 ? below(rows + 1) : 0;
    const std::uint32_t count = below(3) == 0 ? below(rows - first + 1) : rows - first;
    words.push_back(word(Opcode::kLi, kFirst, 0, first));
    if (below(2) == 0) words.push_back(word(Opcode::kLi, kMax, 0, below(100)));
    words.push_back(word(Opcode::kLi, kCount, 0, below(4) == 0 ? below(6) : count));
    words.push_back(word(Opcode::kSub, kMax, kRows, kFirst));
    words.push_back(
        word(Opcode::kBgeu, kMax, kCount, static_cast<std::uint32_t>(words.size()) + 2));
    words.push_back(word(Opcode::kAddi, kCount, kMax, 0));
    words.push_back(word(Opcode::kRows, kFirst, kCount));
  }

  /// What comes between passes, if anything.
  void put_other(EngineJob& job) {
    using spec::Opcode;
    if (leads_ && below(2) == 0) return put_lead(job.words);
    std::vector<std::uint32_t>& words = job.words;
    const std::uint32_t kind = filters_ && below(3) == 0 ? 5 : below(16);
    if (kind == 0) words.push_back(word(Opcode::kWait));
    if (kind == 1) words.push_back(word(Opcode::kRdmax, kMax));
    if (kind == 2) words.push_back(word(Opcode::kSignal, kTurn));
    if (kind == 3 || kind == 4) call_kernel(job);
    if (kind == 5 || kind == 6) words.push_back(word(Opcode::kTagnext));
    if (kind == 7) words.push_back(word(Opcode::kTagall));
    if (kind == 8) words.push_back(word(Opcode::kSetmark, kMark));
    if (kind == 9) {
      words.push_back(word(Opcode::kLi, kBudget, 0, below(5) == 0 ? 0 : below(4000)));
      words.push_back(word(Opcode::kBudget, kBudget));
    }
    if (kind == 10 || kind == 11) words.push_back(word(Opcode::kRdlate, kMax));
    if (kind == 12) words.push_back(word(Opcode::kSignal, kMax));
    if (kind > 12) put_test(words);
  }

  /// Goes on in one of two ways, as the residuals are.
  void put_test(std::vector<std::uint32_t>& words) {
    const auto behind = static_cast<std::uint32_t>(words.size()) + 2;
    words.push_back(word(spec::Opcode::kBmax, below(2) == 0 ? 0U : kMark, 0, behind));
    words.push_back(word(spec::Opcode::kSignal, kRows));
  }

  void put_lead(std::vector<std::uint32_t>& words) {
    using spec::Opcode;
    const std::uint32_t kind = below(8);
    if (kind == 0) words.push_back(word(Opcode::kSettle));
    if (kind == 1) words.push_back(word(Opcode::kSetlead, kFactor));
    if (kind == 2) words.push_back(word(Opcode::kSetlead, kOtherFactor));
    if (kind > 2) words.push_back(word(Opcode::kAhead));
  }

  template <class Value>
  static void set(spec::ControlWord& control, std::string_view name, Value value) {
    for (const spec::ControlField& field : spec::kControlFields) {
      if (field.name != name) continue;
      const std::uint32_t mask = ((1U << field.width) - 1) << field.lsb;
      control.bits = (control.bits & ~mask) | static_cast<std::uint32_t>(value) << field.lsb;
    }
  }

  /// Mostly a whole update; always one whose values stay small.
  spec::ControlWord random_control(bool reduced) {
    using namespace spec;
    ControlWord control{static_cast<std::uint32_t>(random_()) & ((1U << kControlBits) - 1)};
    if (below(4) != 0) {
      set(control, "step", Step::kOn);
      set(control, "clamp", Clamp::kMed);
      set(control, "axpy", Axpy::kOn);
      set(control, "store_velocity", StoreVelocity::kOn);
      set(control, "store_impulse", StoreImpulse::kOn);
    }
    if (control.clamp() > Clamp::kMed) set(control, "clamp", Clamp::kMax);
    set(control, "filter", filters_ && below(2) == 0 ? Filter::kOn : Filter::kOff);
    if (filters_) set(control, "mark", below(4) != 0 ? Mark::kOn : Mark::kOff);
    if (leads_) set(control, "lead", below(4) != 0 ? Lead::kOn : Lead::kOff);
    if (control.axpy() == Axpy::kOn)
      set(control, "matrix", reduced ? Matrix::kReduced : Matrix::kFull);
    return control;
  }

  void append_kernel(std::vector<std::uint32_t>& words, spec::ControlWord control) {
    std::uint32_t left = control.bits;
    for (std::uint32_t n = 1 + below(12); n > 0; --n) {
      const spec::KernelOp& op = spec::kKernelOps[below(spec::kKernelOps.size() - 1)];
      const std::uint32_t bits = n == 1 ? left : left & static_cast<std::uint32_t>(random_());
      words.push_back(std::uint32_t{op.opcode} << 24U | bits);
    }
    words.push_back(word(spec::Opcode::kKernelEnd));
  }

  /// A `kernel` instruction, and the control word of the kernel that it will load.
  struct Call {
    std::size_t at;
    spec::ControlWord control;
  };

  const hw::Config& config_;
  Random random_;
  std::normal_distribution<float> normal_;
  std::vector<Call> calls_;
  bool filters_ = false;  ///< Kernels may filter: passes begin in slot 0.
  bool leads_ = false;    ///< The run goes ahead now and then; most kernels lead.
};

/// Keeps those events of one engine that the RTL has, too.
class Sink final : public hw::TraceSink {
 public:
  void on_event(const hw::TraceEvent& event) override {
    if (hw::is_wait(event.kind)) return;
    events.push_back({event.cycle, event.kind, event.a, event.b});
  }
  std::vector<Event> events;
};

}  // namespace

std::uint32_t copied_beats(const EngineJob& job) {
  return static_cast<std::uint32_t>(
      hw::RowRecords::beats(job.command.reduced, 0, job.command.row_count));
}

void edit_record(EngineJob& job, std::uint32_t slot, const std::function<void(ppu_row&)>& edit) {
  ppu_row row = hw::RowRecords({job.memory.data(), job.memory.size()}, job.command)[slot];
  edit(row);
  std::byte* const records = job.memory.data() + job.command.rows_address;
  if (!job.command.reduced) {
    reinterpret_cast<ppu_row*>(records)[slot] = row;
    return;
  }
  ppu_reduced_block& block =
      reinterpret_cast<ppu_reduced_block*>(records)[slot / PPU_REDUCED_BLOCK_ROWS];
  ppu_reduced_head& head = block.head[slot % PPU_REDUCED_BLOCK_ROWS];
  std::copy(std::begin(row.jacobian), std::end(row.jacobian), head.jacobian);
  head.bias = row.bias;
  head.inv_diagonal = row.inv_diagonal;
  head.lower = row.lower;
  head.upper = row.upper;
  block.tail[slot % PPU_REDUCED_BLOCK_ROWS] = {row.compliance, row.body_a, row.body_b, row.parent};
}

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
  if (job.flip != hw::CommandWords{}) engine.flip(job.flip);
  engine.load_program(job.command.entry, job.words.data(),
                      static_cast<std::uint32_t>(job.words.size()));
  engine.start(kStartCycle, job.command);
  if (job.cancel_cycle == kStartCycle) engine.cancel(kStartCycle);
  std::uint32_t copied = 0;
  for (std::uint64_t cycle = kStartCycle + 1; port.done_cycle > cycle; ++cycle) {
    while (port.limit() <= cycle) engine.advance();
    port.capture(cycle);
    if (port.stands_from() <= cycle && pace.ready(cycle)) {
      const hw::EnginePort::Request& request = port.requests.front();
      for (std::uint32_t n = 0; n < (request.pairs ? 2U : 1U); ++n)
        sink.events.push_back({cycle, hw::TraceKind::kMemoryAccept,
                               request.address + n * spec::kBeatBytes, request.write});
      if (request.write) engine.accept_write();
      port.accept(cycle, pace.access(cycle));
    }
    if (copied < copied_beats(job) && copies_in(job, cycle))
      port.write(cycle, job.command.rows_address + spec::kBeatBytes * copied++);
    if (cycle == job.cancel_cycle) engine.cancel(cycle);
  }
  outcome.report = engine.report();
  outcome.events = std::move(sink.events);
  std::sort(outcome.events.begin(), outcome.events.end());
  return outcome;
}

}  // namespace ppu::test
