// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// docs/firmware.md says what the assembler does: its program assembles, its wrong one is refused
// with the words of the page.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ppu/firmware/assembler.hpp"

namespace ppu::firmware {
namespace {

/// The fenced blocks of the page, in its order.
std::vector<std::string> blocks_of_the_page() {
  std::ifstream file(std::string(PPU_TEST_DATA_DIR) + "/../../docs/firmware.md");
  std::vector<std::string> blocks;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.substr(0, 3) == "```") {
      inside = !inside;
      if (inside) blocks.emplace_back();
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

TEST(Manual, HasAProgramThatAssembles) {
  const std::vector<std::string> blocks = blocks_of_the_page();
  ASSERT_EQ(blocks.size(), 5U);
  const Assembly assembly = assemble("joints.s", blocks[0]);
  ASSERT_EQ(assembly.kernels.size(), 1U);
  EXPECT_EQ(assembly.kernels[0].flops.always, 52);
}

TEST(Manual, ShowsTheWarningOfAProgramWithAnUnusedValue) {
  const std::vector<std::string> blocks = blocks_of_the_page();
  ASSERT_EQ(blocks.size(), 5U);
  std::string source = blocks[0];
  const std::size_t store = source.find("        stvel");
  source.erase(store, source.find('\n', store) + 1 - store);
  const std::vector<Diagnostic> warnings = assemble("joints.s", source).warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(format(warnings[0]), blocks[4]);
}

TEST(Manual, HasAProgramThatIsRefusedAsItSays) {
  const std::vector<std::string> blocks = blocks_of_the_page();
  ASSERT_EQ(blocks.size(), 5U);
  try {
    assemble("bad.s", blocks[2]);
    FAIL() << "accepted";
  } catch (const AssemblyError& error) {
    EXPECT_EQ(error.what(), blocks[3]);
  }
}

}  // namespace
}  // namespace ppu::firmware
