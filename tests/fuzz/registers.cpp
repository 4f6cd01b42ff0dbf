// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Registers and the command ring: any reads, writes, commands and time, on the device without time
// and on the timed one, as a host that follows no rule would. Neither crashes, and both end after a
// cancel.
#include <vector>

#include "hw/contract/config.hpp"
#include "hw/functional/functional_device.hpp"
#include "hw/timed/timed_device.hpp"
#include "tests/fuzz/input.hpp"

namespace {

using ppu::fuzz::Input;

constexpr std::size_t kHostBytes = std::size_t{1} << 20U;

ppu::hw::Config config() {
  return ppu::hw::resolve_config("small", {"host_memory_mib=16", "device_memory_mib=16"});
}

void drive(ppu::hw::Device& device, std::vector<std::byte>& host, Input input) {
  device.write_register(PPU_REGISTER_RING_ENTRIES, 16);
  std::uint32_t tail = 0;
  for (int count = 0; count < 64 && input.left() > 0; ++count) {
    switch (input.below(5)) {
      case 0: {
        const std::uint32_t place = input.below(16) * ppu::spec::kCommandBytes;
        host[place] = static_cast<std::byte>(input.below(16));
        input.take(&host[place + 1], input.below(48));
        device.write_register(PPU_REGISTER_RING_TAIL, ++tail);
        break;
      }
      case 1:
        device.write_register(4 * input.below(64), input.word());
        break;
      case 2:
        device.write_register(input.word(), input.word());
        break;
      case 3:
        static_cast<void>(device.read_register(input.below(1024)));
        break;
      default:
        device.step();
    }
  }
  // A ring of nonsense is long: it has its time, then a cancel has its own.
  for (int n = 0; n < 8; ++n) device.step();
  device.write_register(PPU_REGISTER_CONTROL, 1);
  for (int n = 0; n < 8; ++n) device.step();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ppu::hw::Config kConfig = config();
  const std::size_t bytes = std::size_t{kConfig.host_memory_mib} << 20U;
  static std::vector<std::byte> host(bytes);
  std::fill(host.begin(), host.begin() + kHostBytes, std::byte{0});
  {
    ppu::hw::FunctionalDevice functional(kConfig, {host.data(), host.size()});
    drive(functional, host, Input(data, size));
  }
  std::fill(host.begin(), host.begin() + kHostBytes, std::byte{0});
  ppu::hw::TimedDevice timed(kConfig, {host.data(), host.size()});
  drive(timed, host, Input(data, size));
  return 0;
}
