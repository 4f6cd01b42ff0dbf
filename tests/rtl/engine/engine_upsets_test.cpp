// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bits that a particle flips in a memory of the RTL engine, in any cycle of a run, where a `flip`
// does so only when a word is written: one bit changes nothing but a counter, of two no run uses
// the word without a report.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "tests/rtl/engine/engine_flips.hpp"

namespace ppu::test {
namespace {

/// A kind of memories, by the end of their names in the RTL.
struct Kind {
  std::string_view end;
  ppu_fault_detail memory;
  std::uint32_t group;  ///< Bits that share check bits, with these; 0: all of the word.
};

constexpr Kind kStation = {"u_station.u_bodies.u_words", PPU_FAULT_ROW_BODIES, 0};

constexpr Kind kKinds[] = {
    {"u_sequencer.u_instructions", PPU_FAULT_INSTRUCTION_MEMORY, 0},
    {"u_rows.u_ids", PPU_FAULT_ROW_BODIES, 0},
    {"u_rows.u_jacobian", PPU_FAULT_ROW_JACOBIAN, 72},
    {"u_rows.u_scalars", PPU_FAULT_ROW_SCALARS, 39},
    {"u_rows.u_jm_first", PPU_FAULT_ROW_MASS, 72},
    {"u_rows.u_jm_second", PPU_FAULT_ROW_MASS, 72},
    {"].u_ram", PPU_FAULT_VELOCITY_MEMORY, 72},
    {"].u_own", PPU_FAULT_IMPULSE_MEMORY, 0},
    {"].u_parent", PPU_FAULT_PARENT_MEMORY, 0},
    {"u_ahead.u_base", PPU_FAULT_BASE_MEMORY, 72},
    kStation,
    {"u_links.u_link_a", PPU_FAULT_LINK_MEMORY, 0},
    {"u_links.u_link_b", PPU_FAULT_LINK_MEMORY, 0},
};

bool is_of(const Kind& kind, const ProtectedMemory& memory) {
  const std::string_view name = memory.name;
  return name.size() >= kind.end.size() && name.substr(name.size() - kind.end.size()) == kind.end;
}

bool is_of_row_memory(const Kind& kind) {
  return kind.end.substr(0, 7) == "u_rows.";
}

/// Only where rows issue by dataflow.
bool is_of_stations(const Kind& kind) {
  return kind.end == kStation.end || kind.memory == PPU_FAULT_LINK_MEMORY;
}

bool is_of_rows(const Kind& kind) {
  return is_of_row_memory(kind) || is_of_stations(kind) ||
         kind.memory == PPU_FAULT_IMPULSE_MEMORY || kind.memory == PPU_FAULT_PARENT_MEMORY;
}

/// The pipe or bank that a memory belongs to: the last number in its name.
std::uint32_t place_of(const ProtectedMemory& memory) {
  const std::size_t at = memory.name.rfind('[');
  if (at == std::string::npos) return 0;
  return static_cast<std::uint32_t>(std::stoul(memory.name.substr(at + 1)));
}

/// The slot of a row's parent; its own if it has none.
std::uint32_t parent_of(EngineJob job, std::uint64_t slot) {
  auto parent = static_cast<std::uint32_t>(slot);
  edit_record(job, parent, [&parent](const ppu_row& row) {
    if (row.parent != PPU_NONE) parent = row.parent;
  });
  return parent;
}

constexpr std::uint64_t kLastCycle = 20'000;  ///< Of these jobs, none of which takes a tenth of it.
constexpr std::uint32_t kSweep = word(spec::Opcode::kRows, 0, spec::kFirstArgumentRegister);
const std::vector<std::uint32_t> kSweeps(4, kSweep);
const std::vector<std::uint32_t> kSweepsAhead = {word(spec::Opcode::kSettle), kSweep, kSweep,
                                                 word(spec::Opcode::kAhead), kSweep};

class EngineUpsets : public Engine {
 protected:
  std::uint32_t below(std::uint64_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  /// A job of sweeps over rows that wait long for each other, for they share few bodies.
  [[nodiscard]] EngineJob make_sweeps(const std::vector<std::uint32_t>& sweeps, bool of_cones) {
    EngineJob job = make(18, 8);
    std::uint32_t control = control_of({"step", "axpy", "store_velocity", "store_impulse"});
    if (of_cones) control |= control_of({"bounds", "clamp"});
    if (job.command.reduced) control |= control_of({"matrix"});
    const auto kernel = static_cast<std::uint32_t>(sweeps.size()) + 2;
    job.words = {word(spec::Opcode::kKernel, 0, 0, kernel)};
    job.words.insert(job.words.end(), sweeps.begin(), sweeps.end());
    job.words.push_back(word(spec::Opcode::kHalt));
    job.words.push_back(std::uint32_t{spec::kKernelOps[0].opcode} << 24U | control);
    job.words.push_back(word(spec::Opcode::kKernelEnd));
    job.command.program_words = static_cast<std::uint32_t>(job.words.size());
    job.pace = MemoryPace(seed_, 10, 3);
    job.last_cycle = kLastCycle;
    return job;
  }

  /// A job of any program that does not take long.
  [[nodiscard]] EngineJob make_short() {
    for (int times = 0; times < 1000; ++times) {
      EngineJob job = make(14, 8);
      job.last_cycle = kLastCycle;
      const hw::Counters counters = run_model(bench_->config(), job).report.counters;
      if (counters[PPU_COUNTER_CYCLES] < 700 && counters[PPU_COUNTER_ROW_UPDATES] > 40) return job;
    }
    throw std::runtime_error("no job is short");
  }

  struct Hit {
    std::uint32_t number;  ///< Of the word in reports.
    std::uint64_t cycle;
  };

  /// A word that the job may use, in a cycle of its load, its program or its store.
  [[nodiscard]] Hit anywhere(const Kind& kind, const EngineJob& job, const EngineOutcome& whole) {
    const bool of_program = kind.memory == PPU_FAULT_INSTRUCTION_MEMORY;
    const std::uint32_t first = of_program ? job.command.entry : 0;
    const std::uint64_t last = whole.events.back().cycle;
    return {first + below(words_of(kind.memory, job)), last - below(last - kStartCycle)};
  }

  /// A word about when it is used: by a row that issues, else when it has been loaded.
  [[nodiscard]] Hit before_use(const Kind& kind, const EngineJob& job, const EngineOutcome& whole) {
    if (!is_of_rows(kind)) {
      const std::uint64_t start = whole.report.counters[PPU_COUNTER_START_CYCLE];
      return {anywhere(kind, job, whole).number, start - below(start - kStartCycle)};
    }
    const bool of_parents = kind.memory == PPU_FAULT_PARENT_MEMORY;
    std::vector<Event> issues;
    for (const Event& event : whole.events)
      if (event.kind == hw::TraceKind::kRowIssue &&
          (!of_parents || parent_of(job, event.a) != event.a))
        issues.push_back(event);
    if (issues.empty()) return anywhere(kind, job, whole);
    const auto issue = issues.begin() + below(issues.size());
    auto number = static_cast<std::uint32_t>(issue->a);
    if (of_parents) return {parent_of(job, number), issue->cycle - below(4)};
    if (kind.memory == PPU_FAULT_IMPULSE_MEMORY) return {number, issue->cycle - below(10)};
    // Streamed rows take places in turn, as they come.
    if (job.command.stream)
      for (auto before = issues.begin(); before != issue; ++before)
        number += before->a == issue->a ? job.command.row_count : 0;
    if (kind.memory == PPU_FAULT_LINK_MEMORY) return {number, issue->cycle + below(5)};
    return {number, issue->cycle - 3 - below(15)};
  }

  /// Bits of the word flip; the number is that of the word that is there.
  [[nodiscard]] Upset upset_of(const Kind& kind, Hit& hit, std::size_t bits) {
    // Numbers go around the pipes or banks, and around the parts of a word in each.
    std::uint32_t places = 0, parts = 0, words = 0;
    for (const ProtectedMemory& memory : memories_) {
      if (!is_of(kind, memory)) continue;
      places = std::max(places, place_of(memory) + 1);
      parts = std::max(parts, memory.part + 1);
      words = memory.words;
    }
    hit.number %= places * parts * words;
    // Velocities stand in two memories each in dataflow issue.
    std::vector<std::size_t> choice;
    for (std::size_t i = 0; i < memories_.size(); ++i)
      if (is_of(kind, memories_[i]) && place_of(memories_[i]) == hit.number % places &&
          memories_[i].part == hit.number / places % parts)
        choice.push_back(i);
    Upset upset{hit.cycle, choice[below(choice.size())], hit.number / places / parts, {}};
    const std::uint32_t width = memories_[upset.memory].bits;
    const std::uint32_t group = kind.group == 0 ? width : kind.group;
    const std::uint32_t first = group * below(width / group);
    while (upset.bits.size() < bits) {
      const std::uint32_t bit = first + below(group);
      if (upset.bits.empty() || upset.bits[0] != bit) upset.bits.push_back(bit);
    }
    return upset;
  }

  /// Runs the job with one flipped bit each in some words, of which nothing but a counter may tell.
  /// True if it does.
  bool corrects(const Kind& kind, EngineJob job, const EngineOutcome& whole) {
    std::set<std::uint32_t> numbers;
    for (std::uint32_t n = 0; n < 8; ++n) {
      Hit hit = n % 2 == 0 ? before_use(kind, job, whole) : anywhere(kind, job, whole);
      const Upset upset = upset_of(kind, hit, 1);
      if (numbers.insert(hit.number).second) job.upsets.push_back(upset);
    }
    rtl_ = bench_->run(job);
    const std::uint64_t used =
        std::exchange(rtl_.report.counters[PPU_COUNTER_WORDS_CORRECTED], std::uint64_t{0});
    expect_same(rtl_, whole);
    return used > 0;
  }

  /// Runs the job with two flipped bits in a word: nothing changes, or the report names the word.
  /// True if it does.
  bool loses(const Kind& kind, EngineJob job, const EngineOutcome& whole, Hit hit) {
    job.upsets = {upset_of(kind, hit, 2)};
    SCOPED_TRACE("word " + std::to_string(hit.number) + ", cycle " + std::to_string(hit.cycle));
    rtl_ = bench_->run(job);
    const hw::RunReport& report = rtl_.report;
    if (report.status != PPU_RUN_MEMORY_FAULT) {
      expect_same(rtl_, whole);
      return false;
    }
    EXPECT_EQ(report.fault_detail, static_cast<std::uint32_t>(kind.memory));
    // Streamed rows use row memory in turn: the row is named. Of stations it is the place.
    const bool is_of_slot = job.command.stream && is_of_row_memory(kind);
    EXPECT_EQ(report.fault_value, is_of_slot ? report.fault_row : hit.number);
    if (is_of_stations(kind)) {
      EXPECT_EQ(report.fault_row, job.command.stream ? PPU_NONE : hit.number);
    }
    return true;
  }

  const std::vector<ProtectedMemory> memories_ = bench_->protected_memories();
  std::mt19937 random_{1};
};

TEST_P(EngineUpsets, MayHitEveryMemoryWithCheckBits) {
  for (const ProtectedMemory& memory : memories_) {
    const auto is_hit = [&memory](const Kind& kind) { return is_of(kind, memory); };
    EXPECT_EQ(std::count_if(std::begin(kKinds), std::end(kKinds), is_hit), 1) << memory.name;
  }
  const hw::Config& config = bench_->config();
  for (const Kind& kind : kKinds) {
    const auto is_hit = [&kind](const ProtectedMemory& memory) { return is_of(kind, memory); };
    const auto found = std::count_if(memories_.begin(), memories_.end(), is_hit);
    if (is_of_stations(kind)) {
      EXPECT_EQ(found, config.dataflow != 0 ? config.pipes : 0) << kind.end;
    } else if (kind.memory == PPU_FAULT_INSTRUCTION_MEMORY) {
      EXPECT_EQ(found, 16) << "words of a line";
    } else {
      EXPECT_GE(found, 1) << kind.end;
    }
  }
}

TEST_P(EngineUpsets, OfOneBitChangeNothingAndOfTwoEndTheRunThatUsesTheWord) {
  const bool flows = bench_->config().dataflow != 0;
  std::map<std::string_view, std::uint32_t> corrected, lost;
  for (std::uint32_t turn = 0; turn < 8; ++turn) {
    const bool of_cones = turn < 4;
    EngineJob job = turn < 2 ? make_short() : make_sweeps(kSweepsAhead, of_cones);
    job.command.stream = turn % 2 == 1;
    ASSERT_TRUE(agree(job));
    const EngineOutcome whole = rtl_;
    for (const Kind& kind : kKinds) {
      if (!flows && is_of_stations(kind)) continue;
      SCOPED_TRACE(job.name + ", " + std::string(kind.end));
      if (corrects(kind, job, whole)) ++corrected[kind.end];
      if (loses(kind, job, whole, before_use(kind, job, whole)) ||
          loses(kind, job, whole, anywhere(kind, job, whole)))
        ++lost[kind.end];
      ASSERT_FALSE(HasFailure());
    }
    // What those runs have left is not noticed.
    ASSERT_TRUE(agree(job));
  }
  for (const Kind& kind : kKinds) {
    if (!flows && is_of_stations(kind)) continue;
    EXPECT_GE(corrected[kind.end], 2U) << kind.end;
    EXPECT_GE(lost[kind.end], 1U) << kind.end;
  }
}

// The linker has read the bodies of a row, and they are lost before the row goes on to the window.
TEST_P(EngineUpsets, OfBodiesBehindTheLinkerAreFoundBeforeTheRowIssues) {
  if (bench_->config().dataflow == 0) return;
  for (const bool stream : {false, true}) {
    std::uint32_t lost = 0;
    for (std::uint32_t turn = 0; turn < 2; ++turn) {
      EngineJob job = make_sweeps(kSweeps, false);
      job.command.stream = stream;
      ASSERT_TRUE(agree(job));
      const EngineOutcome whole = rtl_;
      SCOPED_TRACE(job.name);
      for (std::uint32_t n = 0; n < 6; ++n)
        if (loses(kStation, job, whole, before_use(kStation, job, whole))) ++lost;
      ASSERT_FALSE(HasFailure());
    }
    EXPECT_GE(lost, 8U);
  }
}

INSTANTIATE_TEST_SUITE_P(Shape, EngineUpsets, testing::ValuesIn(engine_shapes()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace ppu::test
