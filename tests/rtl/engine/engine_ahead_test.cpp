// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs that go ahead: what `setlead`, `settle` and `ahead` do in an RTL engine, and in how many
// cycles.
#include <cmath>
#include <utility>

#include "base/bits/float_patterns.hpp"
#include "tests/rtl/engine/engine_fixture.hpp"

namespace ppu::test {
namespace {

class EngineAhead : public Engine {};

// Lead factors are where no argument has a meaning of its own.
constexpr std::size_t kFactorArgument = 5;
constexpr std::uint32_t kFactor = spec::kFirstArgumentRegister + kFactorArgument;

void set_factor(EngineJob& job, float factor) {
  std::memcpy(&job.command.arguments[kFactorArgument], &factor, sizeof factor);
}

/// A job with this program.
EngineJob with_program(EngineJob job, const std::vector<std::uint32_t>& words) {
  job.words = words;
  job.command.program_words = static_cast<std::uint32_t>(words.size());
  job.command.entry = 0;
  return job;
}

/// A job that loads a kernel, a step that leads, and executes these words.
EngineJob leading_job(const EngineJob& job, std::vector<std::uint32_t> words) {
  using spec::Opcode;
  const std::uint32_t control = control_of({"step", "axpy", "store_velocity", "store_impulse",
                                            "lead", job.command.reduced ? "matrix" : ""});
  words.insert(words.begin(),
               word(Opcode::kKernel, 0, 0, static_cast<std::uint32_t>(words.size()) + 2));
  words.push_back(word(Opcode::kHalt));
  words.push_back(std::uint32_t{spec::kKernelOps[0].opcode} << 24U | control);
  words.push_back(word(Opcode::kKernelEnd));
  return with_program(job, words);
}

// Words of such programs.
constexpr std::uint32_t kRows = word(spec::Opcode::kRows, 0, spec::kFirstArgumentRegister);
constexpr std::uint32_t kSetlead = word(spec::Opcode::kSetlead, kFactor);
constexpr std::uint32_t kSettle = word(spec::Opcode::kSettle);
constexpr std::uint32_t kAhead = word(spec::Opcode::kAhead);
constexpr std::uint32_t kHalt = word(spec::Opcode::kHalt);

/// The velocities of a job in a copy of its memory.
std::vector<float> velocities_in(const EngineJob& job, const std::vector<std::byte>& memory) {
  std::vector<float> values;
  for (std::uint32_t body = 0; body < job.command.body_count; ++body) {
    values.resize(values.size() + 6);
    std::memcpy(
        &*(values.end() - 6),
        memory.data() + job.command.velocities_address + std::size_t{body} * spec::kVelocityBytes,
        6 * sizeof(float));
  }
  return values;
}

/// As the device has it: one of the many that are not a number.
float canonical(float value) {
  return std::isnan(value) ? float_of(kCanonicalNan) : value;
}

TEST_P(EngineAhead, GoesAheadByTheFactorTimesTheLastChange) {
  const float factors[] = {0, 0.75F, -1, 3, 1e30F, kInfinity, kNan};
  for (const float factor : factors) {
    for (const std::uint32_t bodies : {1U, 13U, 64U}) {
      EngineJob job = make(30, bodies);
      set_factor(job, factor);
      std::vector<std::uint32_t> words = {kSetlead, kSettle, kRows};
      std::vector<float> base = velocities_in(job, job.memory);
      std::vector<float> v = velocities_in(job, bench_->run(leading_job(job, words)).memory);
      EXPECT_NE(v, base);
      for (int times = 1; times <= 4; ++times) {
        words.push_back(kAhead);
        const EngineOutcome outcome = bench_->run(leading_job(job, words));
        EXPECT_EQ(outcome.report.status, PPU_RUN_OK);
        const std::vector<float> result = velocities_in(job, outcome.memory);
        for (std::size_t i = 0; i < v.size(); ++i) {
          const float before = std::exchange(v[i], canonical(v[i] + factor * (v[i] - base[i])));
          base[i] = before;
          ASSERT_EQ(bits_of(result[i]), bits_of(v[i])) << factor << ", " << bodies << " bodies";
        }
      }
    }
  }
}

TEST_P(EngineAhead, SettlesTwoBodiesInACycleAndGoesAheadByTheLanes) {
  const hw::Config& config = bench_->config();
  const std::uint64_t latency = config.fp_mul_stages + 2 * config.fp_add_stages + 1;
  const auto word = static_cast<std::uint64_t>(hw::word_cycles(config));
  for (const std::uint32_t bodies : {0U, 1U, 2U, 3U, 64U, 65U, 500U}) {
    const std::uint64_t pairs = (bodies + 1) / 2;
    const EngineJob job = make(0, bodies);
    const auto counters_of = [&](const std::vector<std::uint32_t>& words) {
      EXPECT_TRUE(agree(with_program(job, words)));
      EXPECT_EQ(counters_[PPU_COUNTER_CONTROL_CYCLES], counters_[PPU_COUNTER_CYCLES]);
      return counters_;
    };
    const hw::Counters settled = counters_of({kSettle, kHalt});
    EXPECT_EQ(settled[PPU_COUNTER_CYCLES], (bodies == 0 ? word : pairs + 2) + 1) << bodies;
    EXPECT_EQ(settled[PPU_COUNTER_VELOCITY_READS], bodies);
    EXPECT_EQ(settled[PPU_COUNTER_VELOCITY_WRITES], 0U);
    EXPECT_EQ(settled[PPU_COUNTER_FLOPS], 0U);
    const hw::Counters went = counters_of({kSettle, kAhead, kHalt});
    EXPECT_EQ(went[PPU_COUNTER_CYCLES] - settled[PPU_COUNTER_CYCLES],
              bodies == 0 ? word : pairs * 12 / config.lanes + latency + 2)
        << bodies;
    EXPECT_EQ(went[PPU_COUNTER_VELOCITY_READS], 2 * bodies);
    EXPECT_EQ(went[PPU_COUNTER_VELOCITY_WRITES], bodies);
    EXPECT_EQ(went[PPU_COUNTER_FLOPS], 18 * bodies);
  }
}

TEST_P(EngineAhead, GoesAheadOnlyAfterItHasSettledInTheSameRun) {
  expect_illegal({kAhead, kHalt});
  expect_program_end(PPU_RUN_OK, {kSettle, kAhead, kHalt}, false);
  expect_illegal({kSetlead, kAhead, kHalt});
  const EngineJob without_bodies = with_program(make(0, 0), {kAhead, kHalt});
  EXPECT_EQ(bench_->run(without_bodies).report.status, PPU_RUN_ILLEGAL_INSTRUCTION);
}

// Whatever a run leaves: the next one has a factor of 0, and starts from its impulses.
TEST_P(EngineAhead, BeginsWithoutAFactorAndNotAhead) {
  for (int round = 0; round < 8; ++round) {
    EngineJob job = make(40, 16);
    set_factor(job, 0.5F);
    const EngineJob going = leading_job(job, {kSetlead, kSettle, kRows, kAhead, kRows});
    for (const auto& words :
         {std::vector{kSettle, kRows, kAhead, kRows}, std::vector{kSetlead, kRows, kRows}}) {
      const EngineJob next = leading_job(job, words);
      EXPECT_NE(run_model(bench_->config(), going).memory,
                run_model(bench_->config(), next).memory);
      ASSERT_TRUE(agree(going));
      ASSERT_TRUE(agree(next));
      EXPECT_EQ(status_, PPU_RUN_OK);
    }
  }
}

TEST_P(EngineAhead, MayBeCancelledInAnyCycleWhileItGoesAhead) {
  EngineJob job = with_program(make(0, 21), {kSettle, kAhead, kAhead, kHalt});
  ASSERT_TRUE(agree(job));
  const std::uint64_t first = counters_[PPU_COUNTER_START_CYCLE];
  const std::uint64_t end = first + counters_[PPU_COUNTER_CYCLES];
  const std::uint64_t step = std::max<std::uint64_t>(3 / options().rounds, 1);
  for (std::uint64_t back = 0; first + back <= end; back += step) {
    job.cancel_cycle = end - back;
    ASSERT_TRUE(agree(job)) << job.cancel_cycle;
    EXPECT_EQ(status_, job.cancel_cycle < end ? PPU_RUN_CANCELLED : PPU_RUN_OK);
    // The next run must not notice.
    ASSERT_TRUE(agree(make(20, 21)));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EngineAhead, testing::ValuesIn(engine_shapes()),
                         [](const auto& shape) { return shape.param; });

}  // namespace
}  // namespace ppu::test
