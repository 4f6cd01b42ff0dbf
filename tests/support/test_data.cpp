// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The folder is known to this one file, so that the others compile alike wherever the tree lies.
#include "tests/support/test_data.hpp"

namespace ppu::tests {

std::string test_data(const std::string& name) {
  return PPU_TEST_DATA_DIR "/" + name;
}

}  // namespace ppu::tests
