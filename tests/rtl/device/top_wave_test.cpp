// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Waves of the RTL device: the instances below a scope, the cycles of a window.
#include <gtest/gtest.h>
#include <gtkwave/fstapi.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/cosim/rtl_device.hpp"
#include "tests/hw/support/device_host.hpp"

namespace ppu::hw::test {
namespace {

/// Of this process alone.
std::string wave_file() {
  return ::testing::TempDir() + "rtl_waves_" + std::to_string(getpid()) + ".fst";
}

/// Times and values.
using Changes = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

struct Waves {
  std::uint64_t variables, first, last;
  int timescale;          ///< Exponent of seconds.
  Changes cycle_changes;  ///< Of the port device_cycle_o, if the whole device is there.
};

/// When the first signal of this name changes, and to what.
Changes changes_of(void* reader, const std::string& name) {
  fstHandle signal = 0;
  fstReaderIterateHierRewind(reader);
  while (const fstHier* const entry = fstReaderIterateHier(reader))
    if (signal == 0 && entry->htyp == FST_HT_VAR &&
        std::string(entry->u.var.name).rfind(name, 0) == 0)
      signal = entry->u.var.handle;
  Changes changes;
  fstReaderClrFacProcessMaskAll(reader);
  fstReaderSetFacProcessMask(reader, signal);
  fstReaderIterBlocks(
      reader,
      [](void* to, std::uint64_t time, fstHandle, const unsigned char* bits) {
        const std::string text(reinterpret_cast<const char*>(bits));
        static_cast<Changes*>(to)->emplace_back(time, std::stoull(text, nullptr, 2));
      },
      &changes, nullptr);
  return changes;
}

/// Copies something with these waves, and reads what they hold.
Waves waves_of(const std::string& scope, std::uint64_t first, std::uint64_t last) {
  const std::string path = wave_file();
  const Config config = plain_config();
  DeviceHost host(config);
  {
    const auto device = create_rtl_device(config, host.memory(), {path, scope, first, last});
    DeviceSession session(host, *device);
    session.execute({copy_command(spec::CommandOpcode::kCopyIn, {0, 0, 4000, 0})});
    EXPECT_FALSE(std::filesystem::exists(path)) << "it appears when it is complete";
    device->close();
  }
  const std::unique_ptr<void, void (*)(void*)> reader(fstReaderOpen(path.c_str()), fstReaderClose);
  EXPECT_NE(reader, nullptr) << path;
  Waves waves{fstReaderGetVarCount(reader.get()),
              fstReaderGetStartTime(reader.get()),
              fstReaderGetEndTime(reader.get()),
              fstReaderGetTimescale(reader.get()),
              {}};
  if (scope.empty()) waves.cycle_changes = changes_of(reader.get(), "device_cycle_o");
  std::remove(path.c_str());
  return waves;
}

/// Every signal and its bits as the device begins.
std::map<fstHandle, std::string> bits_at_the_begin(int seed) {
  const std::string path = wave_file();
  const Config config = plain_config();
  DeviceHost host(config);
  {
    const auto device = create_rtl_device(config, host.memory(), {path, "", 0, 1}, nullptr, seed);
    DeviceSession session(host, *device);
    session.execute({copy_command(spec::CommandOpcode::kCopyIn, {0, 0, 4000, 0})});
    device->close();
  }
  const std::unique_ptr<void, void (*)(void*)> reader(fstReaderOpen(path.c_str()), fstReaderClose);
  std::map<fstHandle, std::string> first;
  fstReaderSetFacProcessMaskAll(reader.get());
  fstReaderIterBlocks(
      reader.get(),
      [](void* to, std::uint64_t, fstHandle signal, const unsigned char* bits) {
        static_cast<std::map<fstHandle, std::string>*>(to)->emplace(
            signal, reinterpret_cast<const char*>(bits));
      },
      &first, nullptr);
  std::remove(path.c_str());
  return first;
}

TEST(RtlWaves, BeginWithOtherBitsForAnotherSeedAlone) {
  const auto one = bits_at_the_begin(1), again = bits_at_the_begin(1), two = bits_at_the_begin(2);
  ASSERT_GT(one.size(), 1000U);
  EXPECT_EQ(one, again);
  ASSERT_EQ(one.size(), two.size());
  std::size_t differ = 0;
  for (const auto& [signal, bits] : one) differ += two.at(signal) != bits ? 1 : 0;
  EXPECT_GT(differ, 50U) << "of " << one.size() << " signals";
}

TEST(RtlWaves, HoldTheWindowOneNanosecondPerCycle) {
  const Waves waves = waves_of("", 20, 100);
  EXPECT_EQ(waves.timescale, -10);  // 100 ps.
  EXPECT_EQ(waves.first, 200U);
  EXPECT_EQ(waves.last, 1005U);
}

TEST(RtlWaves, ShowARegisterFromTheBeginOfItsCycleOn) {
  const Changes changes = waves_of("", 20, 100).cycle_changes;
  ASSERT_GT(changes.size(), 50U);
  for (const auto& [time, cycle] : changes) EXPECT_EQ(time, 10 * cycle);
}

TEST(RtlWaves, HoldOnlyWhatIsBelowTheScope) {
  const std::uint64_t all = waves_of("", 0, 10).variables;
  const std::uint64_t engine = waves_of("gen_engine[0].u_engine", 0, 10).variables;
  const std::uint64_t dma = waves_of("u_dma", 0, 10).variables;
  EXPECT_GT(all, engine + dma);
  EXPECT_GT(engine, 10 * dma);
  EXPECT_GT(dma, 50U);
  EXPECT_EQ(waves_of("ppu_top.u_dma", 0, 10).variables, dma);
  EXPECT_GT(waves_of("ppu_top", 0, 10).variables, engine + dma);
}

TEST(RtlWaves, RefuseAScopeThatIsNoInstance) {
  for (const char* scope : {"u_dm", "u_dma.u_nothing"}) {
    try {
      waves_of(scope, 0, 10);
      FAIL() << scope;
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(scope), std::string::npos) << error.what();
    }
  }
}

TEST(RtlWaves, RefuseAFileThatCannotBeWritten) {
  const Config config = plain_config();
  DeviceHost host(config);
  EXPECT_THROW(create_rtl_device(config, host.memory(), {"/nonexistent/waves.fst", "", 0, 10}),
               ConfigError);
}

/// Files of this process get no longer than that, as on a full disk.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
};

TEST(RtlWaves, ThatDoNotFitAreAnErrorOfTheClose) {
  const std::string path = wave_file();
  const Config config = plain_config();
  const auto close_within = [&](rlim_t bytes) {
    DeviceHost host(config);
    const auto device = create_rtl_device(config, host.memory(), {path, "u_dma", 0, 100});
    DeviceSession session(host, *device);
    session.execute({copy_command(spec::CommandOpcode::kCopyIn, {0, 0, 400, 0})});
    const FileLimit limit(bytes);
    device->close();
  };
  close_within(RLIM_INFINITY);
  const rlim_t size = std::filesystem::file_size(path);
  EXPECT_NO_THROW(close_within(size));
  for (const rlim_t less : {size - 1, size / 2, rlim_t{400}})
    EXPECT_THROW(close_within(less), std::runtime_error) << less << " of " << size << " bytes";
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace ppu::hw::test
