// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A Verilated bench whose inputs a test drives by hand until an assertion in it fails.
#pragma once

#include <gtest/gtest.h>
#include <verilated.h>

#include <limits>
#include <set>
#include <string>

namespace ppu::test {

template <class Model>
class AssertionBench {
 public:
  /// After a reset; `set_idle` sets the inputs that are not 0 while nothing happens.
  explicit AssertionBench(void (*set_idle)(Model&) = [](Model&) {}) {
    context_.errorLimit(std::numeric_limits<int>::max());
    set_idle(top_);
    top_.rst_ni = 0;
    clock(2);
    top_.rst_ni = 1;
    clock();
  }
  ~AssertionBench() { top_.final(); }
  AssertionBench(const AssertionBench&) = delete;
  AssertionBench& operator=(const AssertionBench&) = delete;

  Model& top() { return top_; }
  void clock(int cycles = 1) {
    for (int i = 0; i < cycles; ++i) {
      top_.clk_i = 0;
      top_.eval();
      top_.clk_i = 1;
      top_.eval();
    }
  }
  /// Clocks once with a strobe up.
  void strobe(CData& port) {
    port = 1;
    clock();
    port = 0;
  }
  [[nodiscard]] int failures() const { return context_.errorCount(); }

 private:
  VerilatedContext context_;
  Model top_{&context_};
};

/// Names in "assertion NAME failed" messages.
inline std::set<std::string> failed_assertions(const std::string& output) {
  const std::string before = "assertion ", after = " failed";
  std::set<std::string> names;
  for (auto at = output.find(before); at != std::string::npos; at = output.find(before, at)) {
    at += before.size();
    names.insert(output.substr(at, output.find(after, at) - at));
  }
  return names;
}

/// Expects that after `act` one clock more breaks that assertion and no other, and none before;
/// returns what the simulation has printed.
template <class Bench, class Act>
std::string expect_broken(Bench& bench, const Act& act, const std::string& assertion) {
  testing::internal::CaptureStdout();
  act(bench);
  const int before = bench.failures();
  bench.clock();
  std::string output = testing::internal::GetCapturedStdout();
  EXPECT_EQ(before, 0) << output;
  EXPECT_EQ(failed_assertions(output), std::set<std::string>{assertion});
  return output;
}

}  // namespace ppu::test
