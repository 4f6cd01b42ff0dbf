// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The least cycles of a sweep that what rows wait for leaves possible.
#include "sim/study/block_bound.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/study/contact_block.hpp"

namespace ppu::sim {
namespace {

constexpr std::int32_t kNone = -1;

/// The normal row of the contact that a row belongs to.
std::int32_t contact_of(const model::RowProblem& problem, std::int32_t row) {
  const std::int32_t parent = problem.parent[static_cast<std::size_t>(row)];
  return parent < 0 ? row : parent;
}

/// When rows issue, sweep after sweep.
class IssueClock {
 public:
  IssueClock(const model::RowProblem& problem, const hw::Config& config, IssueRules rules)
      : problem_(problem),
        rules_(rules),
        latency_(static_cast<std::uint64_t>(hw::body_latency(config))),
        hop_(static_cast<std::uint64_t>(same_bits_hop(config))),
        predecessor_(block_predecessors(problem)),
        issue_(problem.rows()),
        body_ready_(problem.bodies()),
        impulse_ready_(problem.rows()) {}

  /// The first cycle in which the sweep after these may begin.
  std::uint64_t run(int sweeps) {
    for (int i = 0; i < sweeps; ++i) sweep();
    return begin_;
  }

 private:
  void sweep() {
    std::uint64_t last = begin_;
    for (std::size_t row = 0; row < problem_.rows(); ++row) {
      const bool inner = goes_with_predecessor(row);
      issue_[row] = inner ? issue_[static_cast<std::size_t>(predecessor_[row])] + hop_
                          : std::max(rules_.in_order ? last : begin_, ready(row));
      if (!inner || rules_.blocks == Blocks::kForwarded) last = std::max(last, issue_[row]);
      impulse_ready_[row] = issue_[row] + latency_;
      for (const std::int32_t body : problem_.body[row])
        if (body >= 0) body_ready_[static_cast<std::size_t>(body)] = issue_[row] + latency_;
    }
    begin_ = last + 1;
  }

  /// In order, the rows of a block stand next to each other.
  [[nodiscard]] bool goes_with_predecessor(std::size_t row) const {
    const std::int32_t before = predecessor_[row];
    if (rules_.blocks == Blocks::kNone || before == kNone) return false;
    return !rules_.in_order || static_cast<std::size_t>(before) + 1 == row;
  }

  [[nodiscard]] std::uint64_t ready(std::size_t row) const {
    std::uint64_t cycle = impulse_ready_[row];
    const std::int32_t parent = problem_.parent[row];
    if (parent >= 0) cycle = std::max(cycle, impulse_ready_[static_cast<std::size_t>(parent)]);
    for (const std::int32_t body : problem_.body[row])
      if (body >= 0) cycle = std::max(cycle, body_ready_[static_cast<std::size_t>(body)]);
    return cycle;
  }

  const model::RowProblem& problem_;
  IssueRules rules_;
  std::uint64_t latency_;
  std::uint64_t hop_;
  std::vector<std::int32_t> predecessor_;
  std::vector<std::uint64_t> issue_;
  std::vector<std::uint64_t> body_ready_;
  std::vector<std::uint64_t> impulse_ready_;
  std::uint64_t begin_ = 0;  ///< Of the next sweep.
};

}  // namespace

std::vector<std::int32_t> block_predecessors(const model::RowProblem& problem) {
  std::vector<std::int32_t> predecessor(problem.rows(), kNone);
  std::vector<std::int32_t> last(problem.bodies(), kNone);  // The last row on each body.
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    const auto number = static_cast<std::int32_t>(row);
    const auto& bodies = problem.body[row];
    std::int32_t before = kNone;
    for (const std::int32_t body : bodies)
      if (body >= 0) before = std::max(before, last[static_cast<std::size_t>(body)]);
    // That row names these bodies, no others, and is therefore the last one on both.
    if (before != kNone && problem.body[static_cast<std::size_t>(before)] == bodies &&
        contact_of(problem, before) == contact_of(problem, number))
      predecessor[row] = before;
    for (const std::int32_t body : bodies)
      if (body >= 0) last[static_cast<std::size_t>(body)] = number;
  }
  return predecessor;
}

std::map<std::uint32_t, std::uint64_t> block_counts(const model::RowProblem& problem) {
  const std::vector<std::int32_t> predecessor = block_predecessors(problem);
  std::vector<std::uint32_t> length(problem.rows(), 1);  // Of the block, up to the row.
  std::vector<bool> inner(problem.rows());               // A row of the block follows.
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    if (predecessor[row] == kNone) continue;
    const auto before = static_cast<std::size_t>(predecessor[row]);
    length[row] = length[before] + 1;
    inner[before] = true;
  }
  std::map<std::uint32_t, std::uint64_t> counts;
  for (std::size_t row = 0; row < problem.rows(); ++row)
    if (!inner[row] && length[row] > 1) ++counts[length[row]];
  return counts;
}

double dependence_bound(const model::RowProblem& problem, const hw::Config& config,
                        IssueRules rules) {
  constexpr int kSweeps = 10;
  IssueClock clock(problem, config, rules);
  const std::uint64_t few = clock.run(kSweeps);
  return static_cast<double>(clock.run(kSweeps) - few) / kSweeps;
}

}  // namespace ppu::sim
