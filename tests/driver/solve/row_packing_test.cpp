// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row records: slots, bodies, parents, friction coefficients and the impulse form's scaling.
#include "driver/solve/row_packing.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "model/reference/replay.hpp"
#include "tests/driver/support/problems.hpp"

namespace ppu::driver {
namespace {

class RowPacking : public testing::Test {
 protected:
  RowPacking() {
    problem_.parent[2] = 1;
    problem_.friction[2] = 0.7F;
    problem_.rate_bias[1] = -3.1F;
    problem_.compliance[1] = 0.3F;
  }

  /// Rows 1, 0, 2 in one run; bodies 0, 1, 2 are numbers 4, 0, 5.
  std::vector<ppu_row> pack(bool impulse_form) { return pack({1, impulse_form}); }
  std::vector<ppu_row> pack(const RowScale& scale) {
    Plan plan;
    plan.runs = {{{1, 0, 2}, {1, kNoBody, kNoBody, kNoBody, 0, 2}}};
    plan.device_body = {4, 0, 5};
    plan.slot = {1, 0, 2};
    std::vector<ppu_row> rows(3);
    pack_rows(test::view(problem_), plan, plan.runs.front(), scale, rows.data());
    return rows;
  }

  model::RowProblem problem_ = test::column(3);
};

TEST_F(RowPacking, PutsRowsIntoTheirSlotsAndNamesBodiesByTheirNumbers) {
  const auto rows = pack(false);
  EXPECT_EQ(rows[0].body_a, 4U);
  EXPECT_EQ(rows[0].body_b, 0U);
  EXPECT_EQ(rows[1].body_a, PPU_NONE);
  EXPECT_EQ(rows[1].body_b, 4U);
  EXPECT_EQ(rows[0].jacobian[1], -1.0F);
  EXPECT_EQ(rows[1].jacobian[1], 0.0F);
  EXPECT_EQ(rows[1].inv_mass_jacobian[7], 1.0F);
}

TEST_F(RowPacking, NamesParentsBySlotAndPutsFrictionIntoUpper) {
  const auto rows = pack(false);
  EXPECT_EQ(rows[2].parent, 0U);
  EXPECT_EQ(rows[2].upper, 0.7F);
  EXPECT_EQ(rows[0].parent, PPU_NONE);
  EXPECT_EQ(rows[0].upper, 1e10F);
}

TEST_F(RowPacking, RateFormTakesBiasAndComplianceAsTheyAre) {
  const auto rows = pack(false);
  EXPECT_EQ(rows[0].bias, -3.1F);
  EXPECT_EQ(rows[0].compliance, 0.3F);
}

TEST_F(RowPacking, ImpulseFormScalesThemAsTheModelDoes) {
  const auto rows = pack(true);
  EXPECT_EQ(rows[0].bias, model::impulse_form_bias(-3.1F, 0.5F));
  EXPECT_EQ(rows[0].compliance, model::impulse_form_compliance(0.3F, 0.5F));
  EXPECT_GT(rows[0].bias, 0.0F);
}

TEST_F(RowPacking, RowsInTheImpulseFormStayAsTheyAre) {
  const auto rows = pack({1, true, true});
  EXPECT_EQ(rows[0].bias, -3.1F);
  EXPECT_EQ(rows[0].compliance, 0.3F);
  EXPECT_EQ(rows[0].inv_diagonal, 0.5F);
}

TEST_F(RowPacking, RelaxationScalesAllOfTheImpulseForm) {
  const auto rows = pack({1.5F, true, true});
  EXPECT_EQ(rows[0].bias, -3.1F * 1.5F);
  EXPECT_EQ(rows[0].compliance, 0.3F * 1.5F);
  EXPECT_EQ(rows[0].inv_diagonal, 0.5F * 1.5F);
}

}  // namespace
}  // namespace ppu::driver
