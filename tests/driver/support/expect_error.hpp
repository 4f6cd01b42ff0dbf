// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Expects a result and a part of its sentence.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ppu/ppu.h"

namespace ppu::driver::test {

inline void expect_error(ppu_result result, ppu_result expected, const std::string& part) {
  EXPECT_EQ(result, expected) << ppu_last_error();
  EXPECT_NE(std::string(ppu_last_error()).find(part), std::string::npos) << ppu_last_error();
}

}  // namespace ppu::driver::test
