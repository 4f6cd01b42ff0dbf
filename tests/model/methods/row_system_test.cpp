// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Orderings, factors, and the primal and dual form of the same system.
#include "model/methods/row_system.hpp"

#include <gtest/gtest.h>

#include "tests/model/methods/methods_problems.hpp"

namespace ppu::model::methods {
namespace {

/// The node `hub` joined to all others: a hub that comes first fills the factor, last it does not.
SymmetricMatrix star(int nodes, int hub) {
  SymmetricMatrix matrix;
  for (int j = 0; j < nodes; ++j) {
    for (int i = j; i < nodes; ++i) {
      if (i != j && i != hub && j != hub) continue;
      matrix.row.push_back(i);
      matrix.value.push_back(i == j ? nodes : -1.0);
    }
    matrix.start.push_back(static_cast<int>(matrix.row.size()));
  }
  return matrix;
}

/// A chain of nodes whose numbers jump about.
SymmetricMatrix chain(int nodes) {
  SymmetricMatrix matrix;
  const auto place = [&](int k) { return (7 * k) % nodes; };
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(nodes));
  for (int k = 0; k + 1 < nodes; ++k) {
    const int low = std::min(place(k), place(k + 1));
    columns[static_cast<std::size_t>(low)].push_back(std::max(place(k), place(k + 1)));
  }
  for (int j = 0; j < nodes; ++j) {
    auto& column = columns[static_cast<std::size_t>(j)];
    std::sort(column.begin(), column.end());
    matrix.row.push_back(j);
    matrix.value.push_back(2.5);
    for (const int i : column) {
      matrix.row.push_back(i);
      matrix.value.push_back(-1);
    }
    matrix.start.push_back(static_cast<int>(matrix.row.size()));
  }
  return matrix;
}

TEST(ReverseCuthillMcKee, PutsAChainIntoItsOrder) {
  const SymmetricMatrix matrix = chain(20);
  const SymmetricMatrix better = matrix.permuted(reverse_cuthill_mckee(matrix));
  for (std::size_t j = 0; j < better.size(); ++j) {
    for (int p = better.start[j]; p < better.start[j + 1]; ++p) {
      EXPECT_LE(better.row[static_cast<std::size_t>(p)] - static_cast<int>(j), 1);
    }
  }
  EXPECT_GT(factor_nonzeros(matrix), factor_nonzeros(better));
  EXPECT_EQ(factor_nonzeros(better), 39U);
}

TEST(FactorSize, OfAStarIsFullWhereTheHubComesFirst) {
  EXPECT_EQ(factor_nonzeros(star(10, 0)), 55U);
  EXPECT_EQ(factor_nonzeros(star(10, 9)), 19U);
}

TEST(ExactFactor, HasThePredictedSizeAndSolves) {
  for (const Ordering ordering :
       {Ordering::kNatural, Ordering::kReverseCuthillMcKee, Ordering::kMinimumDegree}) {
    const SymmetricMatrix matrix = chain(20);
    SparseFactor factor({ordering, Factor::kExact, 0});
    factor.factorize(matrix);
    EXPECT_EQ(factor.nonzeros(), factor_nonzeros(matrix.permuted(ordered(matrix, ordering))));
    const std::vector<double> x(20, 0.5);
    EXPECT_LT(testing::largest_difference(factor.solve(matrix.times(x)), x), 1e-14);
  }
}

TEST(IncompleteFactor, IsExactWithoutADropTolerance) {
  const SymmetricMatrix matrix = star(10, 0);
  SparseFactor factor({Ordering::kNatural, Factor::kIncomplete, 0});
  factor.factorize(matrix);
  EXPECT_EQ(factor.nonzeros(), 55U);
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_LT(testing::largest_difference(factor.solve(matrix.times(x)), x), 1e-13);
}

TEST(IncompleteFactor, DropsEntriesAndStillLeadsGradientsToTheSolution) {
  const SymmetricMatrix matrix = star(10, 0);
  SparseFactor factor({Ordering::kNatural, Factor::kIncomplete, 0.05});
  factor.factorize(matrix);
  EXPECT_LT(factor.nonzeros(), 55U);
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  std::vector<double> found;
  EXPECT_GT(conjugate_gradients(matrix, factor, matrix.times(x), 1e-12, 100, found), 1U);
  EXPECT_LT(testing::largest_difference(found, x), 1e-10);
}

TEST(ExactFactor, OfAnIndefiniteMatrixIsRefusedInOneSentence) {
  SymmetricMatrix matrix = star(3, 0);
  matrix.value[0] = -1;
  SparseFactor factor({Ordering::kNatural, Factor::kExact, 0});
  try {
    factor.factorize(matrix);
    FAIL();
  } catch (const MethodFailure& failure) {
    EXPECT_STREQ(failure.what(),
                 "the system matrix: found the pivot -1.000000 in column 0, expected a positive "
                 "definite matrix");
  }
}

TEST(RowSystem, GivesTheSameInBothForms) {
  for (const char* name : {"ball_f110", "massratio_f040", "ragdollcfm_f070"}) {
    const ScaledRows rows = scaled_rows(testing::frozen(name));
    std::vector<std::size_t> subset;
    std::vector<double> t, x;
    for (std::size_t i = 0; i < rows.rows(); i += i % 3 == 0 ? 1 : 2) {
      subset.push_back(i);
      t.push_back(0.01 * rows.diagonal[i]);
      x.push_back(static_cast<double>(i % 7) - 3);
    }
    SystemOptions options;
    for (const Form form : {Form::kPrimal, Form::kDual}) {
      options.form = form;
      RowSystem system(rows, subset, options);
      system.factorize(t);
      // The product, row by row.
      std::vector<double> all(rows.rows()), r;
      for (std::size_t k = 0; k < subset.size(); ++k) all[subset[k]] = x[k];
      const std::vector<double> v = rows.transposed(all);
      for (std::size_t k = 0; k < subset.size(); ++k) {
        r.push_back(rows.row_dot(subset[k], v) + t[k] * x[k]);
      }
      EXPECT_LT(testing::largest_difference(system.solve(r), x), 1e-9) << name;
    }
  }
}

TEST(RowSystem, TakesTheSmallerForm) {
  const ScaledRows two = scaled_rows(testing::two_boxes());
  EXPECT_EQ(RowSystem(two, {0, 1}, {}).form(), Form::kPrimal);
  const ScaledRows wall = scaled_rows(testing::frozen("wall10_f012"));
  std::vector<std::size_t> all(wall.rows());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  EXPECT_EQ(RowSystem(wall, all, {}).form(), Form::kDual);
}

TEST(RowSystem, OfTheDualFormNeedsAShift) {
  const ScaledRows rows = scaled_rows(testing::two_boxes());
  SystemOptions options;
  options.form = Form::kDual;
  RowSystem system(rows, {0, 1}, options);
  EXPECT_THROW(system.factorize({0, 0}), MethodFailure);
}

}  // namespace
}  // namespace ppu::model::methods
