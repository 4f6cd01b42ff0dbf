// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// To and fro in a run: every place has one state, whichever way one comes to it, and rules stop at
// the same places forward and backward.
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "tests/hw/support/stepped_job.hpp"

namespace ppu::hw::test {
namespace {

using At = SteppingEngine::At;

/// Everything that a state holds but its copies of the log.
std::vector<std::uint32_t> digest(const SteppingEngine::State& state) {
  std::vector<std::uint32_t> bits = words_of(state.set);
  const auto add = [&bits](std::uint64_t value) {
    bits.push_back(static_cast<std::uint32_t>(value));
    bits.push_back(static_cast<std::uint32_t>(value >> 32U));
  };
  for (std::size_t body = 0; body < state.set.velocities.size(); ++body)
    add((state.tags.current(static_cast<std::uint32_t>(body)) ? 2U : 0U) +
        (state.tags.next(static_cast<std::uint32_t>(body)) ? 1U : 0U));
  for (const std::uint32_t value : state.sequencer.registers()) add(value);
  for (const std::uint64_t counter : state.report.counters) add(counter);
  std::uint32_t residual;
  std::memcpy(&residual, &state.max_residual, sizeof residual);
  for (const std::uint64_t value :
       {state.position, static_cast<std::uint64_t>(state.at), std::uint64_t{state.sequencer.pc()},
        std::uint64_t{state.instruction}, std::uint64_t{state.kernel_address},
        std::uint64_t{state.pass.next}, std::uint64_t{state.passes},
        std::uint64_t{state.passes_ended}, std::uint64_t{state.rows_issued}, state.last_issue,
        std::uint64_t{residual}})
    add(value);
  return bits;
}

/// More steps than states are kept for, with marks and a residual.
SteppedJob long_job() {
  Job job(random_rows(200, 40, 5), 40, program("filter"));
  job.command.arguments[1] = 400;
  job.command.arguments[4] = 0;
  return SteppedJob(job, resolve_config("default"), true);
}

TEST(StepHistory, HasOneStateAtEveryPlace) {
  SteppedJob job = long_job();
  std::vector<std::vector<std::uint32_t>> want;
  for (; job.engine->at() != At::kEnd; job.engine->step())
    want.push_back(digest(job.engine->state()));
  want.push_back(digest(job.engine->state()));
  ASSERT_GT(want.size(), 40'000U);
  job.start();
  StepHistory history(*job.engine, kManySteps);
  ASSERT_EQ(history.steps(), want.size() - 1);
  EXPECT_EQ(digest(job.engine->state()), want.front());
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const std::size_t place = random() % want.size();
    history.go(place);
    ASSERT_EQ(digest(job.engine->state()), want[place]) << place;
  }
}

TEST(StepHistory, GoesForwardAndBackByTheSameSteps) {
  SteppedJob job = long_job();
  StepHistory history(*job.engine, kManySteps);
  for (const std::uint64_t begin : {0U, 1U, 255U, 256U, 257U, 5000U})
    for (const std::uint64_t n : {1U, 2U, 255U, 300U, 10'000U}) {
      history.go(begin);
      const std::vector<std::uint32_t> before = digest(job.engine->state());
      history.go(begin + n);
      EXPECT_NE(digest(job.engine->state()), before);
      history.go(job.engine->position() - n);
      EXPECT_EQ(digest(job.engine->state()), before);
    }
}

TEST(StepHistory, EndsAtTheEnd) {
  SteppedJob job = long_job();
  StepHistory history(*job.engine, kManySteps);
  history.go(history.steps() + 1000);
  EXPECT_EQ(job.engine->at(), At::kEnd);
  EXPECT_EQ(job.engine->position(), history.steps());
  EXPECT_EQ(digest(job.engine->state()), digest(history.end()));
}

/// Stops where the velocity of a body has changed.
class Watch final : public StopRule {
 public:
  explicit Watch(std::uint32_t body) : body_(body) {}
  void begin(const SteppingEngine& engine) override { last_ = value(engine); }
  bool stops(const SteppingEngine& engine) override {
    const float before = std::exchange(last_, value(engine));
    return before != last_;
  }

 private:
  [[nodiscard]] float value(const SteppingEngine& engine) const {
    return engine.state().set.velocities[body_][0];
  }
  std::uint32_t body_;
  float last_ = 0;
};

/// Stops at a slot.
class AtSlot final : public StopRule {
 public:
  explicit AtSlot(std::uint32_t slot) : slot_(slot) {}
  void begin(const SteppingEngine& /*engine*/) override {}
  bool stops(const SteppingEngine& engine) override {
    return engine.at() == At::kRow && engine.state().pass.next == slot_;
  }

 private:
  std::uint32_t slot_;
};

void expect_same_places(StopRule& rule, std::size_t least) {
  SteppedJob job = long_job();
  StepHistory history(*job.engine, kManySteps);
  std::vector<std::uint64_t> forward;
  while (history.forward(rule)) forward.push_back(job.engine->position());
  EXPECT_EQ(job.engine->at(), At::kEnd);
  ASSERT_GT(forward.size(), least);
  std::vector<std::uint64_t> backward;
  while (history.backward(rule)) backward.insert(backward.begin(), job.engine->position());
  EXPECT_EQ(job.engine->position(), 0U);
  EXPECT_EQ(forward, backward);
}

TEST(StepHistory, StopsAtTheSamePlacesForwardAndBackward) {
  Watch watch(17);
  expect_same_places(watch, 100);
  AtSlot slot(150);
  expect_same_places(slot, 100);
}

}  // namespace
}  // namespace ppu::hw::test
