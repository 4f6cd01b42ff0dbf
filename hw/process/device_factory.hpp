// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Makes the device that an OpenRequest asks for.
#pragma once

#include <atomic>
#include <memory>

#include "hw/contract/device.hpp"
#include "hw/contract/protocol.hpp"
#include "hw/contract/trace_log.hpp"
#include "hw/cosim/rtl_row_pipe.hpp"

namespace ppu::hw {

/// The log outlives the device that writes to it.
struct OpenDevice {
  std::unique_ptr<TraceLogWriter> trace;
  std::unique_ptr<Device> device;
  RtlRowPipe* waves = nullptr;  ///< cosim: the pipe of the device that writes waves, if one does.

  /// Completes the files. Throws std::runtime_error.
  void close() const;
};

/// Runs end where they are once `host_gone` is true. Throws ConfigError, TraceLogError.
OpenDevice open_device(const OpenRequest& request, Memory host_memory,
                       const std::atomic<bool>& host_gone);

}  // namespace ppu::hw
