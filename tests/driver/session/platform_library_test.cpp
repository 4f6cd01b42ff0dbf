// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Platforms in shared libraries, which the device process loads.
#include <gtest/gtest.h>

#include "ppu/ppu.hpp"

namespace ppu::driver::test {
namespace {

TEST(PlatformLibrary, ThatIsNotThereIsRefused) {
  ppu_device device{};
  ppu_device_def def = ppu_default_device_def();
  def.backend = "platform:/no/such/library.so";
  EXPECT_EQ(ppu_device_open(&def, &device), PPU_ERROR_CONFIG);
}

}  // namespace
}  // namespace ppu::driver::test
