// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// docs/guide/firmware.md and docs/inside/patent.md say what the assembler does: their programs
// assemble, the wrong one is refused with the words of the page, listing and tables are those of
// the programs.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "firmware/assembler/assembler.hpp"
#include "firmware/assembler/cost.hpp"
#include "firmware/assembler/explanations.hpp"
#include "firmware/assembler/listing.hpp"
#include "firmware/programs/programs.hpp"
#include "tests/support/test_data.hpp"

namespace ppu::firmware {
namespace {

std::vector<std::string> lines_of(const std::string& page) {
  std::ifstream file(tests::test_data("../../docs/" + page));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// The fenced blocks of docs/guide/firmware.md, in its order.
enum Block {
  kJoints,
  kCommand,
  kJointsCosts,
  kBudget,
  kLeads,
  kCosts,
  kCosim,
  kListing,
  kWrong,
  kErrors,
  kExplained,
  kBlocks
};
std::vector<std::string> blocks_of_the_page() {
  std::vector<std::string> blocks;
  bool inside = false;
  for (const std::string& line : lines_of("guide/firmware.md")) {
    if (line.substr(0, 3) == "```") {
      inside = !inside;
      if (inside) blocks.emplace_back();
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  EXPECT_EQ(blocks.size(), static_cast<std::size_t>(kBlocks));
  blocks.resize(kBlocks);
  return blocks;
}

/// Names in the first column of the table whose header begins with "| program".
std::vector<std::string> programs_in_table(const std::string& page) {
  std::vector<std::string> names;
  bool inside = false;
  for (const std::string& line : lines_of(page)) {
    if (line.substr(0, 9) == "| program") inside = true;
    if (line.empty()) inside = false;
    if (!inside || line.substr(0, 3) != "| `") continue;
    const std::string name = line.substr(3, line.find('`', 3) - 3);
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const Program& program : programs()) names.emplace_back(program.name);
  return names;
}

TEST(Manual, HasARowForEveryProgram) {
  EXPECT_EQ(programs_in_table("guide/firmware.md"), shipped_names());
}

TEST(Manual, HasProgramsThatAssembleWithoutAWarning) {
  for (const Block block : {kJoints, kBudget, kLeads}) {
    const Assembly assembly = assemble("manual.s", blocks_of_the_page()[block]);
    ASSERT_EQ(assembly.kernels.size(), 1U);
    EXPECT_EQ(assembly.kernels[0].flops.always, block == kLeads ? 55 : 52);
    EXPECT_TRUE(assembly.warnings.empty());
  }
}

TEST(Manual, ShowsTheCostsOfTheDefaultProgram) {
  const Assembly boxed = assemble("boxed.s", find_program("boxed")->source);
  const std::string words = std::to_string(boxed.image.words.size()) + " of " +
                            std::to_string(spec::Config{}.instruction_memory_words) + " words";
  EXPECT_EQ(blocks_of_the_page()[kCosts],
            "boxed: " + words + ", config default\n" + cost_report(boxed, {}));
}

TEST(Manual, ShowsTheListingOfItsProgram) {
  const std::string listing =
      format_listing(assemble("joints.s", blocks_of_the_page()[kJoints]), {});
  EXPECT_EQ(blocks_of_the_page()[kListing], listing.substr(0, listing.find("\nCycles")));
}

TEST(Manual, HasAProgramThatIsRefusedAsItSays) {
  try {
    assemble("bad.s", blocks_of_the_page()[kWrong]);
    FAIL() << "accepted";
  } catch (const AssemblyError& error) {
    EXPECT_EQ(error.what(), blocks_of_the_page()[kErrors]);
  }
}

TEST(Manual, ExplainsACodeAsTheCommandDoes) {
  EXPECT_EQ(blocks_of_the_page()[kExplained], format(*find_explanation("E038")));
}

/// The rows of the table of docs/inside/patent.md.
std::string cost_table() {
  std::ostringstream text;
  for (const Program& program : programs()) {
    const Assembly assembly = assemble(program.name, program.source);
    for (const Kernel& kernel : assembly.kernels) {
      text << "| `" << program.name << "` | " << assembly.image.words.size() << " | `"
           << kernel.name << "` | " << kernel.words << " | " << kernel.flops.always << " | +"
           << kernel.flops.with_cfm << " | +" << kernel.flops.with_parent << " | "
           << kernel.bytes_read << " | +" << kernel.bytes_read_with_parent << " | "
           << kernel.bytes_written << " |\n";
    }
  }
  return text.str();
}

TEST(PatentPage, HasTheTableOfCostsThatTheAssemblerCounts) {
  std::string table;
  for (const std::string& line : lines_of("inside/patent.md")) {
    if (line.substr(0, 3) == "| `") table += line + "\n";
  }
  EXPECT_EQ(table, cost_table());
}

TEST(PatentPage, NamesEveryProgramInItsText) {
  std::string text;
  for (const std::string& line : lines_of("inside/patent.md")) {
    if (line.substr(0, 3) != "| `") text += line + "\n";
  }
  for (const std::string& name : shipped_names()) {
    EXPECT_NE(text.find("`" + name + "`"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace ppu::firmware
