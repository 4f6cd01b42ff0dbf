/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The open PPU authors */
// A PPU on a platform of somebody else, as callbacks: how the driver reaches its registers, its
// host memory and its interrupt. Included by ppu.h; C11 and C++17.
#ifndef PPU_PLATFORM_H_
#define PPU_PLATFORM_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Called by one thread at a time. Time is that of the platform: simulated, if it simulates.
typedef struct ppu_platform {
  /// First argument of every callback.
  void* context;
  void (*write_register)(void* context, uint32_t offset, uint32_t value);
  uint32_t (*read_register)(void* context, uint32_t offset);
  /// Lets time pass until the interrupt line is up, for `timeout_ns` at most; UINT64_MAX is no
  /// limit, 0 only looks. True if it is up.
  bool (*wait_interrupt)(void* context, uint64_t timeout_ns);
  /// Lets time pass for so long, but returns when the line rises. Only libraries need it.
  void (*pass_time)(void* context, uint64_t duration_ns);
  /// The time in nanoseconds, which limits of waits are measured with.
  uint64_t (*time_ns)(void* context);
  /// Called once, with the end of the device; may be null.
  void (*close)(void* context);
  /// The host memory of the device, host_memory_mib of the configuration: what is at address 0 of
  /// the device is here.
  void* host_memory;
  size_t host_memory_bytes;
} ppu_platform;

/// What a shared library for back end "platform:LIBRARY" exports as `ppu_platform_open`: makes a
/// platform around this configuration (TOML, every key) and this host memory, and fills in
/// `platform`. False, and a sentence in `problem`, if it cannot.
typedef bool ppu_platform_open_function(const char* config, void* host_memory,
                                        size_t host_memory_bytes, ppu_platform* platform,
                                        char* problem, size_t problem_bytes);

#ifdef __cplusplus
}
#endif

#endif  // PPU_PLATFORM_H_
