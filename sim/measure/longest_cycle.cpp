// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The maximum cycle ratio by longest paths (E. L. Lawler, Combinatorial Optimization, 1976). A row
// is worth `sweeps`, the way into the next sweep costs `rows`, both of the best cycle so far. While
// paths grow, the rows on them, each with the one that it follows, close to a better cycle at last;
// when none grows any more, there is none.
#include "sim/measure/longest_cycle.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "model/graph/last_rows.hpp"

namespace ppu::sim {
namespace {

class Search {
 public:
  explicit Search(const model::RowProblem& problem)
      : before_(problem.rows()), longest_(problem.rows()), follows_(problem.rows()) {
    model::LastRows last(problem.bodies());
    std::vector<std::uint64_t> load(problem.bodies());
    for (std::uint32_t row = 0; row < problem.rows(); ++row) {
      before_[row] = last.replace(problem.body[row], row);
      for (const std::int32_t body : problem.body[row])
        if (body >= 0) best_.rows = std::max(best_.rows, ++load[static_cast<std::size_t>(body)]);
    }
    // The first row of a body follows its last one.
    for (std::uint32_t row = 0; row < problem.rows(); ++row)
      for (std::size_t half = 0; half < 2; ++half)
        if (problem.body[row][half] >= 0 && before_[row][half] == model::kNoRow)
          before_[row][half] = last.rows()[static_cast<std::size_t>(problem.body[row][half])];
  }

  LongestCycle run() {
    if (best_.rows == 0) return best_;
    do {
      std::fill(longest_.begin(), longest_.end(), 0);
      std::fill(follows_.begin(), follows_.end(), model::kNoRow);
      better_ = false;
      while (!better_ && lengthen()) look_for_cycle();
    } while (better_);
    return best_;
  }

 private:
  /// Takes the paths through all rows once; false if none grows.
  bool lengthen() {
    bool grows = false;
    const auto worth = static_cast<std::int64_t>(best_.sweeps);
    const auto cost = static_cast<std::int64_t>(best_.rows);
    for (std::uint32_t row = 0; row < before_.size(); ++row)
      for (const std::uint32_t before : before_[row]) {
        if (before == model::kNoRow) continue;
        const std::int64_t length = longest_[before] + worth - (before >= row ? cost : 0);
        if (length <= longest_[row]) continue;
        longest_[row] = length;
        follows_[row] = before;
        grows = true;
      }
    return grows;
  }

  /// Keeps a cycle that is better, if rows follow each other in one.
  void look_for_cycle() {
    std::vector<std::uint32_t> seen_from(follows_.size(), model::kNoRow);
    for (std::uint32_t start = 0; start < follows_.size() && !better_; ++start) {
      std::uint32_t row = start;
      while (row != model::kNoRow && seen_from[row] == model::kNoRow) {
        seen_from[row] = start;
        row = follows_[row];
      }
      if (row != model::kNoRow && seen_from[row] == start) keep(row);
    }
  }

  /// The cycle through `first`.
  void keep(std::uint32_t first) {
    LongestCycle cycle{0, 0};
    std::uint32_t row = first;
    do {
      ++cycle.rows;
      cycle.sweeps += follows_[row] >= row ? 1 : 0;
      row = follows_[row];
    } while (row != first);
    better_ = cycle.rows * best_.sweeps > best_.rows * cycle.sweeps;
    if (better_) best_ = cycle;
  }

  std::vector<std::array<std::uint32_t, 2>> before_;  ///< The rows that each row follows.
  std::vector<std::int64_t> longest_;                 ///< Path that ends at each row.
  std::vector<std::uint32_t> follows_;                ///< The row before it on that path.
  LongestCycle best_;
  bool better_ = false;
};

}  // namespace

LongestCycle longest_cycle(const model::RowProblem& problem) {
  return Search(problem).run();
}

}  // namespace ppu::sim
