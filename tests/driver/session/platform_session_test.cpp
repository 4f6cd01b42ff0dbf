// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The driver on a platform of callbacks: here around the timed device, in a time of its own that
// passes only where the driver waits.
#include <gtest/gtest.h>

#include <vector>

#include "hw/timed/timed_device.hpp"
#include "ppu/ppu.hpp"

namespace ppu::driver::test {
namespace {

constexpr std::size_t kMemoryBytes = std::size_t{1} << 20U;
const char* const kOverrides[] = {"host_memory_mib=1", "device_memory_mib=1"};

class Platform {
 public:
  Platform()
      : memory_(kMemoryBytes),
        device_(hw::resolve_config("default", {kOverrides[0], kOverrides[1]}),
                {memory_.data(), memory_.size()}) {
    callbacks.context = this;
    callbacks.write_register = [](void* context, std::uint32_t offset, std::uint32_t value) {
      self(context).device_.write_register(offset, value);
    };
    callbacks.read_register = [](void* context, std::uint32_t offset) {
      return self(context).device_.read_register(offset);
    };
    callbacks.wait_interrupt = [](void* context, std::uint64_t timeout_ns) {
      return self(context).wait(timeout_ns);
    };
    callbacks.time_ns = [](void* context) { return self(context).now_ns; };
    callbacks.close = [](void* context) { ++self(context).closed; };
    callbacks.host_memory = memory_.data();
    callbacks.host_memory_bytes = memory_.size();
  }

  [[nodiscard]] ppu_device_def def() const {
    ppu_device_def def = ppu_default_device_def();
    def.backend = "platform";
    def.platform = &callbacks;
    def.overrides = kOverrides;
    def.override_count = 2;
    return def;
  }

  ppu_platform callbacks{};
  std::uint64_t now_ns = 1'000'000;
  int closed = 0;
  bool dead = false;  ///< Time passes, but not for the device.

 private:
  static Platform& self(void* context) { return *static_cast<Platform*>(context); }
  bool wait(std::uint64_t timeout_ns) {
    const std::uint64_t step = dead ? 1'000'000'000 : 1'000;
    for (std::uint64_t passed = 0; !device_.interrupt() && passed < timeout_ns; passed += step) {
      now_ns += step;
      if (!dead) device_.run_until(device_.cycle() + 150);
    }
    return device_.interrupt();
  }

  std::vector<std::byte> memory_;
  hw::TimedDevice device_;
};

Fence submit(const Device& device, const char* source, std::uint32_t argument) {
  const Program program = Program::assemble(device, "one.s", source);
  const Buffer buffer(device, 64);
  ppu_run_def run = ppu_default_run_def();
  run.program = program.get();
  run.rows = run.impulses = run.velocities = buffer.get();
  run.arguments[4] = argument;
  return Fence::submit(device, run);
}

TEST(PlatformSession, RunsAProgramInTheTimeOfThePlatform) {
  Platform platform;
  {
    const Device device(platform.def());
    EXPECT_STREQ(device.info().backend, "platform");
    EXPECT_TRUE(device.info().timed);
    const Fence fence = submit(device, "signal a4\nhalt\n", 42);
    const std::uint64_t before = platform.now_ns;
    fence.wait();
    EXPECT_EQ(fence.report().progress, 42U);
    EXPECT_GT(platform.now_ns, before);
    EXPECT_EQ(platform.closed, 0);
  }
  EXPECT_EQ(platform.closed, 1);
}

TEST(PlatformSession, LimitsOfWaitsAreThoseOfThePlatform) {
  Platform platform;
  const Device device(platform.def());
  const Fence fence = submit(device, "signal a4\nhalt\n", 1);
  platform.dead = true;
  const std::uint64_t before = platform.now_ns;
  constexpr std::uint64_t kHour = 3'600'000'000'000;
  ppu_result result = ppu_fence_wait(fence.get(), kHour);
  EXPECT_EQ(result, PPU_ERROR_TIMEOUT) << "an hour that takes no host time";
  EXPECT_GE(platform.now_ns, before + kHour);
  platform.dead = false;
  fence.wait();
}

TEST(PlatformSession, APlatformThatIsNotCompleteIsRefused) {
  ppu_device device{};
  Platform platform;
  ppu_device_def def = platform.def();
  def.platform = nullptr;
  EXPECT_EQ(ppu_device_open(&def, &device), PPU_ERROR_INVALID_ARGUMENT);
  def = platform.def();
  platform.callbacks.time_ns = nullptr;
  EXPECT_EQ(ppu_device_open(&def, &device), PPU_ERROR_INVALID_ARGUMENT);
  Platform small;
  small.callbacks.host_memory_bytes /= 2;
  def = small.def();
  EXPECT_EQ(ppu_device_open(&def, &device), PPU_ERROR_INVALID_ARGUMENT);
  def = small.def();
  def.backend = "functional";
  EXPECT_EQ(ppu_device_open(&def, &device), PPU_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace ppu::driver::test
