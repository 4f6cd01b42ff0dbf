// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Makes a case of the fuzz as small as it can be.
#include "sim/fuzz/fuzz_shrink.hpp"

#include <algorithm>
#include <set>

namespace ppu::sim {
namespace {

using firmware::ProgramItem;
using Items = std::vector<ProgramItem>;
using Kind = ProgramItem::Kind;

std::size_t count_items(const Items& items) {
  std::size_t count = items.size();
  for (const ProgramItem& item : items) count += count_items(item.body);
  return count;
}

/// Without those that are numbers [first, end) in the order of the text; `number` counts on.
Items without_items(const Items& items, std::size_t first, std::size_t end, std::size_t* number) {
  Items rest;
  for (const ProgramItem& item : items) {
    const std::size_t own = (*number)++;
    ProgramItem copy = item;
    copy.body = without_items(item.body, first, end, number);
    if (own < first || own >= end) rest.push_back(std::move(copy));
  }
  return rest;
}

/// The body of item number `which` in its place.
Items opened(const Items& items, std::size_t which, std::size_t* number) {
  Items rest;
  for (const ProgramItem& item : items) {
    const std::size_t own = (*number)++;
    Items body = opened(item.body, which, number);
    if (own == which) {
      std::move(body.begin(), body.end(), std::back_inserter(rest));
    } else {
      rest.push_back(item);
      rest.back().body = std::move(body);
    }
  }
  return rest;
}

void visit(Items* items, const std::function<void(ProgramItem*)>& what) {
  for (ProgramItem& item : *items) {
    what(&item);
    visit(&item.body, what);
  }
}

/// Slots of the rows that are left, for slots of all rows.
class Renumbering {
 public:
  Renumbering(std::uint32_t first, std::uint32_t end) : first_(first), end_(end) {}
  [[nodiscard]] bool gone(std::uint32_t slot) const { return slot >= first_ && slot < end_; }
  /// Of a row that is gone, that of the next one.
  [[nodiscard]] std::uint32_t of(std::uint32_t slot) const {
    return slot < first_ ? slot : slot < end_ ? first_ : slot - (end_ - first_);
  }

 private:
  std::uint32_t first_, end_;
};

FuzzCase without_rows(FuzzCase fuzz, std::uint32_t first, std::uint32_t end) {
  const Renumbering left(first, end);
  std::vector<ppu_row>& rows = fuzz.set.rows;
  rows.erase(rows.begin() + first, rows.begin() + end);
  fuzz.set.impulses.erase(fuzz.set.impulses.begin() + first, fuzz.set.impulses.begin() + end);
  for (ppu_row& row : rows)
    if (row.parent != PPU_NONE) row.parent = left.gone(row.parent) ? PPU_NONE : left.of(row.parent);
  visit(&fuzz.program.items, [&](ProgramItem* item) {
    if (item->kind != Kind::kPass) return;
    const std::uint32_t last = left.of(item->first + item->count);
    item->first = left.of(item->first);
    item->count = last - item->first;
  });
  fuzz.count_rows();
  return fuzz;
}

class Shrinker {
 public:
  Shrinker(FuzzCase fuzz, const std::function<bool(const FuzzCase&)>& differs,
           std::uint32_t most_tries)
      : fuzz_(std::move(fuzz)), differs_(differs), tries_left_(most_tries) {}

  FuzzCase shrink() {
    do {
      progress_ = false;
      shrink_runs();
      shrink_items();
      shrink_rows();
      shrink_kernels();
      shrink_bodies();
      shrink_control();
    } while (progress_ && tries_left_ > 0);
    return std::move(fuzz_);
  }

 private:
  /// Takes the candidate if it still differs.
  bool attempt(FuzzCase candidate) {
    if (tries_left_ == 0) return false;
    --tries_left_;
    if (!differs_(candidate)) return false;
    fuzz_ = std::move(candidate);
    progress_ = true;
    return true;
  }

  /// Leaves out parts of a list of `size()` elements: halves of it, then quarters, down to one.
  template <class Size, class Without>
  void shrink_list(Size size, Without without_part) {
    for (std::size_t step = std::max<std::size_t>(size() / 2, 1);; step /= 2) {
      // From the end: what comes later depends on what comes before it.
      for (std::size_t end = size(); end > 0 && tries_left_ > 0;) {
        const std::size_t first = end - std::min(end, step);
        attempt(without_part(first, std::min(end, size())));
        end = std::min(first, size());
      }
      if (step <= 1) return;
    }
  }

  void shrink_runs() {
    if (fuzz_.copies == 1) return;
    FuzzCase candidate = fuzz_;
    candidate.copies = 1;
    attempt(std::move(candidate));
  }

  void shrink_items() {
    shrink_list([this] { return count_items(fuzz_.program.items); },
                [this](std::size_t first, std::size_t end) {
                  FuzzCase candidate = fuzz_;
                  std::size_t number = 0;
                  candidate.program.items = without_items(fuzz_.program.items, first, end, &number);
                  return candidate;
                });
  }

  void shrink_rows() {
    shrink_list([this] { return fuzz_.set.rows.size(); },
                [this](std::size_t first, std::size_t end) {
                  return without_rows(fuzz_, static_cast<std::uint32_t>(first),
                                      static_cast<std::uint32_t>(end));
                });
  }

  void shrink_kernels() {
    std::set<std::size_t> loaded;
    visit(&fuzz_.program.items, [&](ProgramItem* item) {
      if (item->kind == Kind::kKernel) loaded.insert(item->kernel);
    });
    for (const std::size_t kernel : loaded)
      // Every kernel begins with the operation that fetches the row.
      for (std::size_t op = fuzz_.program.kernels[kernel].size(); op-- > 1;) {
        if (op >= fuzz_.program.kernels[kernel].size()) continue;
        FuzzCase candidate = fuzz_;
        candidate.program.kernels[kernel] = firmware::without(fuzz_.program.kernels[kernel], op);
        attempt(std::move(candidate));
      }
  }

  /// Leaves out the bodies behind the last one that a row names.
  void shrink_bodies() {
    std::size_t named = 0;
    for (const ppu_row& row : fuzz_.set.rows)
      for (const std::uint32_t body : {row.body_a, row.body_b})
        if (body != PPU_NONE) named = std::max(named, std::size_t{body} + 1);
    if (named >= fuzz_.set.velocities.size()) return;
    FuzzCase candidate = fuzz_;
    candidate.set.velocities.resize(named);
    attempt(std::move(candidate));
  }

  /// Loops that run once, then neither loops nor branches.
  void shrink_control() {
    FuzzCase candidate = fuzz_;
    visit(&candidate.program.items, [](ProgramItem* item) {
      if (item->kind == Kind::kLoop) item->count = 1;
    });
    if (candidate.source() != fuzz_.source()) attempt(std::move(candidate));
    std::vector<Kind> kinds;
    visit(&fuzz_.program.items, [&](ProgramItem* item) { kinds.push_back(item->kind); });
    for (std::size_t item = kinds.size(); item-- > 0;) {
      if (kinds[item] != Kind::kLoop && kinds[item] != Kind::kSkip) continue;
      candidate = fuzz_;
      std::size_t number = 0;
      candidate.program.items = opened(fuzz_.program.items, item, &number);
      attempt(std::move(candidate));
    }
  }

  FuzzCase fuzz_;
  const std::function<bool(const FuzzCase&)>& differs_;
  std::uint32_t tries_left_;
  bool progress_ = false;
};

}  // namespace

FuzzCase shrink(FuzzCase fuzz, const std::function<bool(const FuzzCase&)>& differs,
                std::uint32_t most_tries) {
  return Shrinker(std::move(fuzz), differs, most_tries).shrink();
}

}  // namespace ppu::sim
