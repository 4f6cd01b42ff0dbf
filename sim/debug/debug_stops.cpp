// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Conditions to stop at.
#include "sim/debug/debug_stops.hpp"

#include <cstring>
#include <map>
#include <utility>

namespace ppu::sim {
namespace {

using hw::SteppingEngine;
using At = SteppingEngine::At;

/// Where a place has a property.
class Place final : public StopCondition {
 public:
  using Test = std::function<bool(const SteppingEngine&)>;
  explicit Place(Test test) : test_(std::move(test)) {}
  std::optional<Change> hit(const SteppingEngine& engine) override {
    return test_(engine) ? std::optional<Change>(Change{}) : std::nullopt;
  }

 private:
  Test test_;
};

/// Where a count has gone up, and the place has a property.
class Count final : public StopCondition {
 public:
  using Value = std::uint32_t SteppingEngine::State::*;
  Count(Value value, Place::Test test) : value_(value), test_(std::move(test)) {}
  void begin(const SteppingEngine& engine) override { last_ = engine.state().*value_; }
  std::optional<Change> hit(const SteppingEngine& engine) override {
    const std::uint32_t present = engine.state().*value_;
    if (std::exchange(last_, present) == present || !test_(engine)) return std::nullopt;
    return Change{};
  }

 private:
  Value value_;
  Place::Test test_;
  std::uint32_t last_ = 0;
};

/// Where bits have changed.
class Watch final : public StopCondition {
 public:
  using Values = std::function<std::vector<float>(const SteppingEngine&)>;
  explicit Watch(Values values) : values_(std::move(values)) {}
  void begin(const SteppingEngine& engine) override { last_ = values_(engine); }
  std::optional<Change> hit(const SteppingEngine& engine) override {
    const std::vector<float> present = values_(engine);
    const std::vector<float> before = std::exchange(last_, present);
    if (std::memcmp(before.data(), present.data(), present.size() * sizeof(float)) == 0)
      return std::nullopt;
    return Change{before, present};
  }

 private:
  Values values_;
  std::vector<float> last_;
};

/// Another condition, where a number of the place allows it.
class Guarded final : public StopCondition {
 public:
  Guarded(std::unique_ptr<StopCondition> place, std::function<bool(const SteppingEngine&)> test)
      : place_(std::move(place)), test_(std::move(test)) {}
  void begin(const SteppingEngine& engine) override { place_->begin(engine); }
  std::optional<Change> hit(const SteppingEngine& engine) override {
    std::optional<Change> change = place_->hit(engine);
    return change && test_(engine) ? change : std::nullopt;
  }

 private:
  std::unique_ptr<StopCondition> place_;
  std::function<bool(const SteppingEngine&)> test_;
};

bool anywhere(const SteppingEngine& /*engine*/) {
  return true;
}

const ppu_row& row_at_hand(const SteppingEngine& engine) {
  return engine.row(engine.state().pass.next);
}

}  // namespace

std::unique_ptr<StopCondition> at_instruction() {
  return std::make_unique<Place>(
      [](const SteppingEngine& engine) { return engine.at() == At::kInstruction; });
}

std::unique_ptr<StopCondition> at_any_row() {
  return std::make_unique<Place>(
      [](const SteppingEngine& engine) { return engine.at() == At::kRow; });
}

std::unique_ptr<StopCondition> at_end_of_pass() {
  return std::make_unique<Count>(&SteppingEngine::State::passes_ended, anywhere);
}

std::unique_ptr<StopCondition> at_address(std::uint32_t address) {
  return std::make_unique<Place>([address](const SteppingEngine& engine) {
    return engine.at() == At::kInstruction && engine.state().instruction == address;
  });
}

std::unique_ptr<StopCondition> at_slot(std::uint32_t slot) {
  return std::make_unique<Place>([slot](const SteppingEngine& engine) {
    return engine.at() == At::kRow && engine.state().pass.next == slot;
  });
}

std::unique_ptr<StopCondition> at_body(std::uint32_t number) {
  return std::make_unique<Place>([number](const SteppingEngine& engine) {
    if (engine.at() != At::kRow) return false;
    const ppu_row& row = row_at_hand(engine);
    return row.body_a == number || row.body_b == number;
  });
}

std::unique_ptr<StopCondition> at_pass(std::uint32_t pass) {
  return std::make_unique<Count>(
      &SteppingEngine::State::passes,
      [pass](const SteppingEngine& engine) { return engine.state().passes == pass; });
}

std::unique_ptr<StopCondition> at_kernel(std::uint32_t address) {
  return std::make_unique<Count>(
      &SteppingEngine::State::passes,
      [address](const SteppingEngine& engine) { return engine.state().kernel_address == address; });
}

std::unique_ptr<StopCondition> at_change_of_velocity(std::uint32_t number) {
  return std::make_unique<Watch>([number](const SteppingEngine& engine) {
    const hw::WorkingSet::Velocity& velocity = engine.state().set.velocities[number];
    return std::vector<float>(velocity.begin(), velocity.end());
  });
}

std::unique_ptr<StopCondition> at_change_of_impulse(std::uint32_t slot) {
  return std::make_unique<Watch>([slot](const SteppingEngine& engine) {
    return std::vector<float>{engine.state().set.impulses[slot]};
  });
}

std::unique_ptr<StopCondition> only_if(std::unique_ptr<StopCondition> place, Quantity quantity,
                                       const std::string& compares, double value) {
  using Compare = bool (*)(double, double);
  static const std::map<std::string, Compare> kCompares = {
      {"<", [](double a, double b) { return a < b; }},
      {"<=", [](double a, double b) { return a <= b; }},
      {">", [](double a, double b) { return a > b; }},
      {">=", [](double a, double b) { return a >= b; }},
      {"==", [](double a, double b) { return a == b; }},
      {"!=", [](double a, double b) { return a != b; }}};
  const auto found = kCompares.find(compares);
  if (found == kCompares.end()) return nullptr;
  const auto test = [quantity = std::move(quantity), compare = found->second, value](
                        const SteppingEngine& engine) { return compare(quantity(engine), value); };
  return std::make_unique<Guarded>(std::move(place), test);
}

StopList::StopList(const std::vector<Stop>& stops, std::size_t run) {
  for (const Stop& stop : stops)
    if (!stop.run || *stop.run == run) stops_.push_back(&stop);
}

void StopList::begin(const hw::SteppingEngine& engine) {
  for (const Stop* stop : stops_) stop->condition->begin(engine);
}

bool StopList::stops(const hw::SteppingEngine& engine) {
  std::vector<Hit> hits;
  for (const Stop* stop : stops_)
    if (const auto change = stop->condition->hit(engine)) hits.push_back({stop, *change});
  if (hits.empty()) return false;
  hits_ = std::move(hits);
  return true;
}

}  // namespace ppu::sim
