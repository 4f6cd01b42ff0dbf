// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Configurations: what resolves, what is refused, and the latencies that follow.
#include "hw/contract/config.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>

#include "firmware/assembler/assembler.hpp"
#include "firmware/programs/programs.hpp"

namespace ppu::hw {
namespace {

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

class TomlFile {
 public:
  explicit TomlFile(const std::string& text)
      : path_(testing::TempDir() + "ppu_config_test_" + std::to_string(getpid()) + "_" +
              std::to_string(count_++) + ".toml") {
    std::ofstream(path_) << text;
  }
  ~TomlFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  inline static int count_ = 0;
  std::string path_;
};

TEST(Config, NamedConfigsResolveAndDifferInHash) {
  const Config small = resolve_config("small");
  EXPECT_EQ(small.lanes, 4U);
  EXPECT_NE(config_hash(small), config_hash(resolve_config("default")));
  EXPECT_NE(config_hash(small), config_hash(resolve_config("wide")));
}

TEST(Config, AnOverrideEqualsTheSameValueInAFile) {
  const TomlFile file("lanes = 6\n");
  EXPECT_EQ(config_hash(resolve_config(file.path())),
            config_hash(resolve_config("default", {"lanes=6"})));
}

TEST(Config, TheDumpIsAConfigFileOfTheSameDevice) {
  const Config config = resolve_config("wide", {"fp_add_stages=2"});
  const TomlFile file(to_toml(config));
  EXPECT_EQ(config_hash(resolve_config(file.path())), config_hash(config));
}

TEST(Config, RefusesWhatItDoesNotKnowAndSaysWhatThereIs) {
  EXPECT_EQ(
      message_of([] { resolve_config("big"); }),
      "unknown config 'big'; the configs are default, inorder, protected, small, wide, or the path "
      "of a .toml file");
  EXPECT_EQ(message_of([] { resolve_config("small", {"pumps=2"}); }).substr(0, 36),
            "override 'pumps=2': unknown key 'pum");
  EXPECT_NE(message_of([] { resolve_config("none.toml"); }).find("none.toml"), std::string::npos);
}

TEST(Config, PutsPartsInPlaceOfItsOwn) {
  const Config own = resolve_config("default");
  const Config old = resolve_config("default+p1_gddr3+pci");
  EXPECT_EQ(old.dram_bus_bits, 128U);
  EXPECT_EQ(old.link_mb_per_s, 133U);
  EXPECT_EQ(old.lanes, own.lanes);
  EXPECT_EQ(message_of([] { resolve_config("default+agp"); }).substr(0, 38),
            "unknown part 'agp'; the parts are hbm2");
}

TEST(Config, AFileMayNamePartsAndItsOwnKeysWin) {
  const TomlFile file("parts = [\"pci\"]\nlink_latency_ns = 5\n");
  const Config config = resolve_config(file.path());
  EXPECT_EQ(config.link_mb_per_s, 133U);
  EXPECT_EQ(config.link_latency_ns, 5U);
}

TEST(Config, TakesPartsFromFiles) {
  const TomlFile memory("# GDDR6\ndram_bus_bits = 256\n");
  const TomlFile link("parts = [\"" + memory.path() + "\"]\nlink_latency_ns = 5\n");
  const Config config = resolve_config("default+pci+" + link.path());
  EXPECT_EQ(config.dram_bus_bits, 256U);
  EXPECT_EQ(config.link_mb_per_s, 133U);
  EXPECT_EQ(config.link_latency_ns, 5U);
  EXPECT_EQ(config.lanes, resolve_config("default").lanes);
  const TomlFile wrong("# GDDR6\n\ndram_bus_bit = 256\n");
  EXPECT_EQ(message_of([&] {
              resolve_config("default+" + wrong.path());
            }).find(wrong.path() + ":3: unknown key 'dram_bus_bit'; did you mean dram_bus_bits?"),
            0U);
  EXPECT_NE(message_of([] { resolve_config("default+./none.toml"); }).find("./none.toml"),
            std::string::npos);
}

TEST(Config, RefusesValuesOutOfRange) {
  EXPECT_EQ(message_of([] { resolve_config("default", {"row_memory_rows=20"}); }),
            "override 'row_memory_rows=20': row_memory_rows is 20, expected 16 to 1048576, a "
            "multiple of 16");
  EXPECT_EQ(message_of([] { resolve_config("default", {"lanes=5"}); }),
            "override 'lanes=5': lanes is 5, expected one of 1, 2, 3, 4, 6, 12; the nearest are 4 "
            "and 6");
  EXPECT_EQ(message_of([] { resolve_config("default", {"pipes=17"}); }),
            "override 'pipes=17': pipes is 17, expected one of 1, 2, 4, 8, 16; the nearest is 16");
  EXPECT_EQ(message_of([] { resolve_config("default", {"fp_mul_stages=0"}); }),
            "override 'fp_mul_stages=0': fp_mul_stages is 0, expected 1 to 5");
  EXPECT_EQ(message_of([] { resolve_config("default", {"lanes=-1"}); }),
            "override 'lanes=-1': lanes is -1, expected one of 1, 2, 3, 4, 6, 12; the nearest is "
            "1");
  EXPECT_EQ(message_of([] { resolve_config("default", {"lanes=12x"}); }),
            "override 'lanes=12x': '12x' is not an integer");
  EXPECT_EQ(message_of([] { resolve_config("default", {"lanes"}); }),
            "override 'lanes': expected key=value");
}

TEST(Config, RefusesMemoryThatDoesNothingButRefresh) {
  const std::string sentence =
      "dram_refresh_interval_ns is 500, expected more than dram_refresh_ns, which is 500: memory "
      "answers between two refreshes only";
  EXPECT_EQ(message_of([] {
              resolve_config("default", {"dram_refresh_interval_ns=500", "dram_refresh_ns=500"});
            }),
            sentence);
  EXPECT_EQ(message_of([] {
              resolve_config("default", {"dram_refresh_ns=500", "dram_refresh_interval_ns=501"});
            }),
            "");
}

TEST(Config, RefusesABrokenFileWithItsLine) {
  const TomlFile broken("lanes = 12\nlanes\n");
  EXPECT_NE(message_of([&] { resolve_config(broken.path()); }).find("toml:2: "), std::string::npos);
  const TomlFile text("lanes = \"many\"\n");
  EXPECT_NE(message_of([&] { resolve_config(text.path()); }).find("lanes is not an integer"),
            std::string::npos);
}

TEST(Config, RowPipeLatencyIsWhereTheKernelOperationsEnd) {
  for (const char* lanes : {"lanes=12", "lanes=4", "lanes=1"})
    for (const char* stages : {"fp_mul_stages=1", "fp_mul_stages=5"}) {
      const Config config = resolve_config("default", {lanes, stages, "fp_add_stages=4"});
      int end = 0;
      for (const spec::KernelOp& op : spec::kKernelOps)
        end =
            std::max(end, firmware::cycles(op.start, config) + firmware::cycles(op.length, config));
      // A row with fewer lanes enters and leaves the multipliers over several beats.
      EXPECT_EQ(row_pipe_latency(config), end + 2 * (initiation_interval(config) - 1));
      EXPECT_EQ(body_latency(config), row_pipe_latency(config) + 2);
    }
}

TEST(Config, ARegisterBehindTheChoiceIsACycleMoreToTheNextRowOfABody) {
  const Config without = resolve_config("default"),
               with = resolve_config("default", {"choice_stages=1"});
  EXPECT_EQ(operand_cycles(with), operand_cycles(without) + 1);
  EXPECT_EQ(body_latency(with), body_latency(without) + 1);
  EXPECT_EQ(last_jm_read(with), last_jm_read(without) + 1);
  EXPECT_EQ(row_pipe_latency(with), row_pipe_latency(without));
}

TEST(Config, RefusesARegisterBehindAChoiceOfRowsInSlotOrderThatMayIssueTooSoon) {
  const auto refused = [](std::vector<std::string> with) {
    with.insert(with.end(), {"dataflow=0", "choice_stages=1"});
    return message_of([&] { resolve_config("default", with); });
  };
  const std::string why =
      ": rows issue in slot order, and what holds one back must be known before the one in front "
      "of it issues";
  EXPECT_EQ(refused({"pipes=2", "lanes=4"}),
            "choice_stages is 1, expected 0 with dataflow = 0 and 2 pipes" + why);
  EXPECT_EQ(refused({"pipes=1", "lanes=6"}),
            "choice_stages is 1, expected 0 with dataflow = 0 and 6 lanes" + why);
  EXPECT_EQ(refused({"pipes=1", "lanes=4"}), "");
}

}  // namespace
}  // namespace ppu::hw
