// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Breaks and watches of the debugger, and where its other movements stop.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/debug/debug_walk.hpp"

namespace ppu::sim {

/// What a watch has seen; empty at a break.
struct Change {
  std::vector<float> from, to;
};

/// One reason to stop.
class StopCondition {
 public:
  virtual ~StopCondition() = default;
  /// The way begins here.
  virtual void begin(const hw::SteppingEngine& /*engine*/) {}
  /// A step has been taken: why this is a place to stop, if it is one.
  virtual std::optional<Change> hit(const hw::SteppingEngine& engine) = 0;
};

std::unique_ptr<StopCondition> at_instruction();
std::unique_ptr<StopCondition> at_any_row();
std::unique_ptr<StopCondition> at_end_of_pass();
std::unique_ptr<StopCondition> at_address(std::uint32_t address);
std::unique_ptr<StopCondition> at_slot(std::uint32_t slot);
std::unique_ptr<StopCondition> at_body(std::uint32_t number);
/// The `pass`th `rows`, from 1.
std::unique_ptr<StopCondition> at_pass(std::uint32_t pass);
std::unique_ptr<StopCondition> at_kernel(std::uint32_t address);
std::unique_ptr<StopCondition> at_change_of_velocity(std::uint32_t number);
std::unique_ptr<StopCondition> at_change_of_impulse(std::uint32_t slot);

/// A number of a place, for conditions.
using Quantity = std::function<double(const hw::SteppingEngine& engine)>;
/// Where `place` stops, if the quantity compares with `value` there: "<", "<=", ">", ">=", "==" or
/// "!=". Null for another word.
std::unique_ptr<StopCondition> only_if(std::unique_ptr<StopCondition> place, Quantity quantity,
                                       const std::string& compares, double value);

struct Stop {
  unsigned number;
  std::string what;                ///< "break slot 12 (row 7)".
  std::optional<std::size_t> run;  ///< None: any.
  std::unique_ptr<StopCondition> condition;
};

/// All of a list at once, with what was hit.
class StopList final : public hw::StopRule {
 public:
  struct Hit {
    const Stop* stop;
    Change change;
  };

  /// Conditions of `stops` that are for run `run`.
  StopList(const std::vector<Stop>& stops, std::size_t run);
  void begin(const hw::SteppingEngine& engine) override;
  bool stops(const hw::SteppingEngine& engine) override;
  /// At the last place where it stopped.
  [[nodiscard]] const std::vector<Hit>& hits() const { return hits_; }

 private:
  std::vector<const Stop*> stops_;
  std::vector<Hit> hits_;
};

/// One condition.
class SingleStop final : public hw::StopRule {
 public:
  explicit SingleStop(std::unique_ptr<StopCondition> condition)
      : condition_(std::move(condition)) {}
  void begin(const hw::SteppingEngine& engine) override { condition_->begin(engine); }
  bool stops(const hw::SteppingEngine& engine) override {
    return condition_->hit(engine).has_value();
  }

 private:
  std::unique_ptr<StopCondition> condition_;
};

}  // namespace ppu::sim
