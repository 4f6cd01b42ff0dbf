// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Messages between the driver and a device process (`ppu-device`). Host and device are one machine
// and one build, so messages are plain structs over a SOCK_SEQPACKET socket pair; host memory is a
// memfd that both map, with the device's text behind it. Device memory belongs to the device.
//
// The driver starts  ppu-device SOCKET_FD MEMORY_FD  and sends OpenRequest; the device answers with
// OpenReply. Then the driver sends HostMessages; the device answers each kRead and kProfile with
// one kValue, and sends kInterrupt whenever an interrupt line rises. At kClose the device
// completes its event log and its waves, answers with a last kValue, and ends. Closing the socket
// ends the device process, too, also in the middle of a run. A device that fails leaves a sentence
// as its text and exits with kDeviceFailed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ppu_spec.hpp"

namespace ppu::hw {

struct OpenRequest {
  std::uint32_t spec_hash = PPU_SPEC_HASH;
  char backend[1024] = {};    ///< "systemc", "cosim", "rtl" or "platform:LIBRARY".
  spec::Config config;        ///< Resolved by the driver.
  char wave_path[1024] = {};  ///< cosim, rtl: FST file, or empty.
  char wave_scope[256] =
      {};  ///< rtl: module instance below which waves are written, or empty: all.
  std::uint64_t wave_first_cycle = 0;
  std::uint64_t wave_last_cycle = ~std::uint64_t{0};
  char trace_path[1024] = {};  ///< Event log (hw/contract/trace_log.hpp), or empty.
};

struct OpenReply {
  std::uint32_t spec_hash = 0;
  std::uint32_t ok = 0;           ///< 1 if the device is ready.
  std::uint64_t config_hash = 0;  ///< Computed by the device from what it received.
  char message[512] = {};         ///< Why not, in one sentence.
};

enum class HostMessageKind : std::uint32_t {
  kWrite,    ///< Write `value` to the register at `offset`.
  kRead,     ///< Read the register at `offset`.
  kProfile,  ///< Copy the row profile of engine `value`'s last run to host address `offset`;
             ///< answered with the number of records. A view into the simulation, not a device
             ///< function.
  kClose,    ///< Complete the files, answer, and end.
};

struct HostMessage {
  HostMessageKind kind = HostMessageKind::kRead;
  std::uint32_t offset = 0;
  std::uint32_t value = 0;
};

enum class DeviceMessageKind : std::uint32_t { kValue, kInterrupt };

struct DeviceMessage {
  DeviceMessageKind kind = DeviceMessageKind::kValue;
  std::uint32_t value = 0;  ///< kInterrupt: the lines that have risen, context c's as bit c.
};

/// The last page of the memory file: a terminated sentence about the last run that ended with
/// PPU_RUN_MISMATCH, written before its report; or why the device has failed.
inline constexpr std::size_t kDeviceTextBytes = 4096;

/// Exit status of a device process whose text says why it has failed.
inline constexpr int kDeviceFailed = 4;

}  // namespace ppu::hw
