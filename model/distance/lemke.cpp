// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Pivots of Lemke's method on a dense dictionary.
#include "model/distance/lemke.hpp"

#include <algorithm>
#include <cmath>

namespace ppu::model::distance {
namespace {

/// A coefficient nearer to 0 is rounding: entries of the problems here are of the order of 1.
constexpr double kZero = 1e-10;
/// Ratios nearer to each other are the same.
constexpr double kTie = 1e-11;

}  // namespace

void LemkeTableau::reset(std::size_t size) {
  size_ = size;
  stride_ = size + 2;
  pivots_ = 0;
  cell_.assign(size_ * stride_, 0);
  basic_.resize(size_);
  nonbasic_.resize(size_ + 1);
  place_.resize(2 * size_ + 1);
  is_basic_.assign(2 * size_ + 1, 0);
  for (std::size_t i = 0; i < size_; ++i) {
    basic_[i] = place_[i] = i;
    is_basic_[i] = 1;
    nonbasic_[i] = size_ + i;
    place_[size_ + i] = i;
    coefficient(i, size_) = 1;
  }
  nonbasic_[size_] = entering_ = artificial();
  place_[artificial()] = size_;
}

double LemkeTableau::inverse(std::size_t row, std::size_t j) const {
  if (is_basic_[j]) return place_[j] == row ? 1 : 0;
  return -cell_[row * stride_ + 1 + place_[j]];
}

template <class Value>
void LemkeTableau::keep_least(Value value) {
  values_.clear();
  double least = INFINITY;
  for (const std::size_t row : candidates_) {
    values_.push_back(value(row));
    least = std::min(least, values_.back());
  }
  const double most = least + kTie * (1 + std::fabs(least));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (values_[i] <= most) candidates_[kept++] = candidates_[i];
  candidates_.resize(kept);
}

/// z0 becomes as large as the lowest constant makes it. Of equal ones the last row is
/// lexicographically the lowest, as the inverse of the first basis is the identity.
void LemkeTableau::select_first() {
  candidates_.clear();
  for (std::size_t i = 0; i < size_; ++i) candidates_.push_back(i);
  keep_least([this](std::size_t row) { return constant(row); });
  leaving_row_ = candidates_.back();
}

LemkeTableau::State LemkeTableau::select() {
  if (!is_basic_[artificial()]) {
    if (pivots_ > 0) return State::kSolved;
    select_first();
    return constant(leaving_row_) >= 0 ? State::kSolved : State::kGoesOn;
  }
  if (pivots_ >= max_pivots()) return State::kCycles;
  const double* column = cell_.data() + 1 + place_[entering_];
  candidates_.clear();
  for (std::size_t i = 0; i < size_; ++i)
    if (column[i * stride_] < -kZero) candidates_.push_back(i);
  if (candidates_.empty()) return State::kRay;
  keep_least([&](std::size_t row) { return -constant(row) / column[row * stride_]; });
  // z0 may leave with any of the rows of this ratio, and ends it.
  const std::size_t row_of_z0 = place_[artificial()];
  if (std::find(candidates_.begin(), candidates_.end(), row_of_z0) != candidates_.end()) {
    leaving_row_ = row_of_z0;
    return State::kGoesOn;
  }
  for (std::size_t j = 0; j < size_ && candidates_.size() > 1; ++j)
    keep_least([&](std::size_t row) { return -inverse(row, j) / column[row * stride_]; });
  leaving_row_ = candidates_.front();
  return State::kGoesOn;
}

void LemkeTableau::pivot() {
  const std::size_t entering_column = place_[entering_];
  double* const leaving = cell_.data() + leaving_row_ * stride_;
  const double inverse_pivot = 1 / leaving[1 + entering_column];
  // The entering variable by the leaving one.
  for (std::size_t k = 0; k < columns(); ++k) leaving[k] *= -inverse_pivot;
  leaving[1 + entering_column] = inverse_pivot;
  for (std::size_t i = 0; i < size_; ++i) {
    if (i == leaving_row_) continue;
    double* const row = cell_.data() + i * stride_;
    const double factor = row[1 + entering_column];
    if (factor == 0) continue;
    row[1 + entering_column] = 0;
    for (std::size_t k = 0; k < columns(); ++k) row[k] += factor * leaving[k];
  }
  const Variable left = basic_[leaving_row_];
  basic_[leaving_row_] = entering_;
  nonbasic_[entering_column] = left;
  place_[entering_] = leaving_row_;
  place_[left] = entering_column;
  is_basic_[entering_] = 1;
  is_basic_[left] = 0;
  ++pivots_;
  if (left != artificial()) entering_ = complement(left);
}

LemkeTableau::State LemkeTableau::solve() {
  for (;;) {
    const State state = select();
    if (state != State::kGoesOn) return state;
    pivot();
  }
}

double LemkeTableau::z(std::size_t i) const {
  const Variable variable = size_ + i;
  return is_basic_[variable] ? cell_[place_[variable] * stride_] : 0;
}

}  // namespace ppu::model::distance
