// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Text to image to text to image: nothing is lost, and the canonical text stays as it is.
#include <gtest/gtest.h>

#include <map>

#include "firmware/assembler/cost.hpp"
#include "firmware/assembler/disassembler.hpp"
#include "firmware/programs/programs.hpp"
#include "tests/firmware/program_maker.hpp"

namespace ppu::firmware {
namespace {

void expect_round_trip(const Image& image) {
  const std::string text = disassemble(image);
  EXPECT_EQ(assemble("again.s", text).image, image) << text;
  EXPECT_EQ(disassemble(assemble("again.s", text).image), text);
}

/// The kernel's line of the report of costs, without its name.
std::string cost_of(const Kernel& kernel) {
  Assembly assembly;
  assembly.kernels = {kernel};
  return cost_report(assembly, {}).substr(kernel.name.size());
}

TEST(RoundTrip, OfEveryShippedProgram) {
  for (const Program& program : programs()) {
    expect_round_trip(assemble(program.name, program.source).image);
  }
}

TEST(RoundTrip, OfFiveHundredRandomLegalPrograms) {
  test::ProgramMaker maker(20240607);
  for (int i = 0; i < 500; ++i) {
    const test::ProgramMaker::Made made = maker.program();
    Assembly assembly;
    ASSERT_NO_THROW(assembly = assemble("random.s", made.text)) << made.text;
    ASSERT_EQ(assembly.image.words, made.words) << made.text;
    expect_round_trip(assembly.image);
    const std::vector<Kernel> found = find_kernels(assembly.image);
    ASSERT_EQ(found.size(), assembly.kernels.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].address, assembly.kernels[k].address);
      EXPECT_EQ(found[k].words, assembly.kernels[k].words);
      EXPECT_EQ(found[k].ops, assembly.kernels[k].ops);
      EXPECT_EQ(found[k].control, assembly.kernels[k].control);
      EXPECT_EQ(cost_of(found[k]), cost_of(assembly.kernels[k])) << made.text;
    }
  }
}

TEST(RoundTrip, OfRandomProgramsMeetsEveryInstructionAndOperation) {
  test::ProgramMaker maker(20240607);
  std::map<std::uint32_t, int> met;
  for (int i = 0; i < 500; ++i) {
    for (const std::uint32_t word : maker.program().words) ++met[spec::decode(word).opcode];
  }
  for (const spec::Instruction& instruction : spec::kInstructions) {
    EXPECT_GT(met[static_cast<std::uint32_t>(instruction.opcode)], 20) << instruction.name;
  }
  for (const spec::KernelOp& op : spec::kKernelOps) EXPECT_GT(met[op.opcode], 4) << op.doc;
}

TEST(Disassembly, NamesLabelsAndKernelsByTheirAddress) {
  const std::string source =
      "kernel k\nloop: rows zero, a0\nbne t0, a1, loop\nhalt\n"
      ".kernel k\nldrow q\nldvel w, q.ia, q.ib\n.end\n";
  EXPECT_EQ(disassemble(assemble("test.s", source).image),
            "    kernel kernel_4\n"
            "L1:\n"
            "    rows zero, a0\n"
            "    bne t0, a1, L1\n"
            "    halt\n"
            "\n"
            ".kernel kernel_4\n"
            "    ldrow r\n"
            "    ldvel v, r.ia, r.ib\n"
            ".end\n");
}

}  // namespace
}  // namespace ppu::firmware
