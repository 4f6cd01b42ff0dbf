// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files of the source tree that tests read.
#pragma once

#include <string>

namespace ppu::tests {

/// Path of tests/data/NAME.
std::string test_data(const std::string& name);

}  // namespace ppu::tests
