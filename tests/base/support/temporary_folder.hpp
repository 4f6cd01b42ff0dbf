// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A folder of a test's own, which goes with the test.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace ppu::tests {

class TemporaryFolder : public testing::Test {
 protected:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "ppu-files-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  ~TemporaryFolder() override { std::filesystem::remove_all(folder_); }
  void SetUp() override { ASSERT_FALSE(folder_.empty()) << "no temporary folder"; }

  std::filesystem::path folder_;
};

}  // namespace ppu::tests
