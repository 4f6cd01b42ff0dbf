// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The listing: every word, and every operation with its unit, its cycles and its cost.
#include "firmware/assembler/listing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "firmware/assembler/cost.hpp"
#include "firmware/assembler/disassembler.hpp"
#include "firmware/programs/programs.hpp"
#include "tests/firmware/program_maker.hpp"

namespace ppu::firmware {
namespace {

Assembly program_of(std::string_view name) {
  return assemble(name, find_program(name)->source);
}

/// The line of the first operation `name` of a program.
ListingLine line_of(std::string_view program, std::string_view name,
                    const spec::Config& config = {}) {
  for (const ListingLine& line : list(program_of(program), config)) {
    if (line.source.substr(0, name.size() + 1) == std::string(name) + " ") return line;
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(Listing, IsATableWithAHeaderAndASumOfEachKernel) {
  const Assembly assembly = assemble("test.s",
                                     "  kernel k\n"
                                     "go: rows zero,a0 ; all\n"
                                     "  halt\n"
                                     ".kernel k\n"
                                     "  ldrow r\n"
                                     "  ldvel v, r.ia, r.ib\n"
                                     "  soft bb, r.b, r.cfm, r.x\n"
                                     "  dot u, r.J, v, bb\n"
                                     "  step t, r.x, r.d, u\n"
                                     "  mov x, t\n"
                                     "  stimp x\n"
                                     ".end\n");
  const std::string text = format_listing(assembly, {});
  EXPECT_EQ(
      text.substr(0, text.find("\n\nCycles")),
      "addr  word      label  source                       unit             cycles  waits "
      "for         read  written  flops\n"
      "0000  10000003         kernel  k\n"
      "0001  11010000  go:    rows    zero, a0                                      room "
      "for a pass\n"
      "0002  00000000         halt                                                  all rows\n"
      "\n"
      "                       .kernel k\n"
      "0003  80000000         ldrow   r                    row memory       0       row "
      "fetch, lanes   132\n"
      "0004  81000000         ldvel   v, r.ia, r.ib        velocity memory  0       "
      "bodies, banks       48\n"
      "0005  82000002         soft    bb, r.b, r.cfm, r.x  bias             0-5            "
      "                                +2c\n"
      "0006  84000000         dot     u, r.J, v, bb        dot product      0-14           "
      "                             24\n"
      "0007  85000004         step    t, r.x, r.d, u       step             15-20          "
      "                              2\n"
      "0008  8b000000         mov     x, t                 clamp            21\n"
      "0009  99000200         stimp   x                    impulse memory   31             "
      "                       4\n"
      "000a  ff000000         .end\n"
      "                                                    a row in all     0-31           "
      "            180        4     26 +2c");
}

TEST(Listing, NamesAUnitForEveryOperation) {
  for (const spec::KernelOp& op : spec::kKernelOps) {
    if (test::closes_kernel(op)) continue;
    Assembly assembly;
    assembly.image.words = {std::uint32_t{op.opcode} << 24U | op.bits};
    assembly.source.resize(1);
    assembly.kernels.resize(1);
    assembly.kernels[0].ops = {&op};
    EXPECT_FALSE(list(assembly, {}).at(0).unit.empty()) << op.doc;
  }
}

/// A kernel with a lead, which any `stimp` stores.
const Program kLeading = {"leading",
                          R"(
  kernel k
  rows zero, a0
  halt
.kernel k
  ldrow r
  ldvel v, r.ia, r.ib
  dot u, r.J, v, r.b
  step t, r.x, r.d, u
  mov x, t
  stimp x
  lead y, x, r.xs
.end
)",
                          "A kernel with a lead"};

TEST(Listing, AddsUpToTheCostsOfTheKernel) {
  std::vector<Program> all(programs().begin(), programs().end());
  all.push_back(kLeading);
  for (const Program& program : all) {
    const Assembly assembly = assemble(program.name, program.source);
    const std::vector<ListingLine> lines = list(assembly, {});
    ASSERT_EQ(lines.size(), assembly.image.words.size());
    for (const Kernel& kernel : assembly.kernels) {
      FlopCount flops;
      int read = 0;
      int read_with_parent = 0;
      int written = 0;
      for (std::uint32_t at = kernel.address; at < kernel.address + kernel.words; ++at) {
        const ListingLine& line = lines[at];
        flops.always += line.flops.always;
        flops.with_cfm += line.flops.with_cfm;
        flops.with_parent += line.flops.with_parent;
        read_with_parent += line.bytes_read.with_parent;
        read += line.bytes_read.always;
        written += line.bytes_written.always;
      }
      EXPECT_EQ(flops.always, kernel.flops.always) << program.name;
      EXPECT_EQ(flops.with_cfm, kernel.flops.with_cfm) << program.name;
      EXPECT_EQ(flops.with_parent, kernel.flops.with_parent) << program.name;
      EXPECT_EQ(read, kernel.bytes_read) << program.name;
      EXPECT_EQ(read_with_parent, kernel.bytes_read_with_parent) << program.name;
      EXPECT_EQ(written, kernel.bytes_written) << program.name;
    }
  }
}

TEST(Listing, WritesTheLeadWithTheImpulse) {
  for (const ListingLine& line : list(assemble("leading", kLeading.source), {})) {
    EXPECT_EQ(line.bytes_written.always, line.source == "stimp   x" ? 8 : 0) << line.source;
  }
  EXPECT_EQ(line_of("nesterov", "stimp").bytes_written.always, 8);
  EXPECT_EQ(line_of("boxed", "stimp").bytes_written.always, 4);
}

TEST(Listing, ShowsTheCyclesOfTheUnitsUnderTheConfiguration) {
  spec::Config config;
  EXPECT_EQ(line_of("boxed", "dot").first_cycle, 0);
  EXPECT_EQ(line_of("boxed", "dot").last_cycle + 1, line_of("boxed", "step").first_cycle);
  EXPECT_EQ(line_of("boxed", "axpy").last_cycle + 1, line_of("boxed", "stvel").first_cycle);
  const int last = line_of("boxed", "axpy").last_cycle;
  config.lanes = 3;  // Four beats for 12 elements, in the dot product and in the scaled add.
  EXPECT_EQ(line_of("boxed", "axpy", config).last_cycle, last + 6);
  config.fp_add_stages += 1;
  EXPECT_EQ(line_of("boxed", "axpy", config).last_cycle, last + 6 + 7);
}

TEST(Listing, PutsTheDividerBehindThePipe) {
  spec::Config config;
  config.fp_div_stages = 9;
  const ListingLine quotient = line_of("impulse-threshold", "resid", config);
  EXPECT_EQ(quotient.unit, "divider");
  EXPECT_EQ(quotient.first_cycle, line_of("impulse-threshold", "stvel", config).first_cycle);
  EXPECT_EQ(quotient.last_cycle - quotient.first_cycle + 1, 9);
  EXPECT_EQ(line_of("threshold", "resid").unit, "residual");
}

TEST(Listing, SaysWhatRowsAndInstructionsWaitFor) {
  EXPECT_EQ(line_of("filter", "ldvel").waits_for, "bodies, banks");
  EXPECT_EQ(line_of("filter", "tagged").waits_for, "tags");
  EXPECT_EQ(line_of("filter", "cone").waits_for, "parent");
  EXPECT_EQ(line_of("filter", "dot").waits_for, "");
  EXPECT_EQ(line_of("filter", "rdmax").waits_for, "all rows");
  EXPECT_EQ(line_of("filter", "rows").waits_for, "room for a pass");
  EXPECT_EQ(line_of("filter", "addi").waits_for, "");
}

TEST(Listing, ReadsTheParentsImpulseOncePerRow) {
  for (const Kernel& kernel : program_of("boxed").kernels) {
    std::multiset<int> reads;
    const std::vector<ListingLine> lines = list(program_of("boxed"), {});
    for (std::uint32_t at = kernel.address; at < kernel.address + kernel.words; ++at) {
      if (lines[at].bytes_read.with_parent != 0) reads.insert(lines[at].bytes_read.with_parent);
    }
    EXPECT_EQ(reads, std::multiset<int>{4}) << kernel.name;
  }
}

TEST(Listing, OfAnImageIsThatOfItsCanonicalText) {
  for (const Program& program : programs()) {
    const Assembly assembly = program_of(program.name);
    const std::vector<ListingLine> plain = list(assembly, {});
    const std::vector<ListingLine> again = list(reassemble(assembly.image), {});
    ASSERT_EQ(again.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      EXPECT_EQ(again[i].word, plain[i].word);
      EXPECT_EQ(again[i].label.empty(), plain[i].label.empty()) << plain[i].label;
    }
  }
}

TEST(Listing, HasNoTrailingBlanksAndEveryWordOnce) {
  const Assembly assembly = program_of("filter");
  const std::string text = format_listing(assembly, {});
  EXPECT_EQ(text.find(" \n"), std::string::npos);
  std::size_t at = text.find('\n') + 1;
  for (std::size_t word = 0; word < assembly.image.words.size(); ++word) {
    char address[24];
    std::snprintf(address, sizeof address, "\n%04zx  ", word);
    at = text.find(address, at - 1);
    ASSERT_NE(at, std::string::npos) << word;
    ++at;
  }
}

}  // namespace
}  // namespace ppu::firmware
