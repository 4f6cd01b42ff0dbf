// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: texts of results, errors, statuses, counters and the version.
#include <cstddef>
#include <string_view>

#include "driver/base/failure.hpp"
#include "ppu/ppu.h"
#include "ppu_spec.hpp"

namespace {

#define PPU_TEXT_OF(value) #value
#define PPU_DOTTED(major, minor, patch) \
  PPU_TEXT_OF(major) "." PPU_TEXT_OF(minor) "." PPU_TEXT_OF(patch)

constexpr const char kVersion[] =
    PPU_DOTTED(PPU_VERSION_MAJOR, PPU_VERSION_MINOR, PPU_VERSION_PATCH);
static_assert(std::string_view(kVersion) == PPU_PROJECT_VERSION,
              "the header's version is not the project's");

}  // namespace

extern "C" {

const char* ppu_result_string(ppu_result result) {
  switch (result) {
    case PPU_OK:
      return "ok";
    case PPU_ERROR_INVALID_ARGUMENT:
      return "an argument is null, out of range or not made by its default function";
    case PPU_ERROR_INVALID_HANDLE:
      return "a handle is null, stale or of another device";
    case PPU_ERROR_NOT_FOUND:
      return "no back end, configuration, key or program of that name";
    case PPU_ERROR_CONFIG:
      return "the configuration cannot be used";
    case PPU_ERROR_VERSION:
      return "driver, program image and device were not made from the same specification";
    case PPU_ERROR_PROGRAM:
      return "the program does not assemble or is not a program image";
    case PPU_ERROR_PROBLEM:
      return "the problem is malformed";
    case PPU_ERROR_CAPACITY:
      return "something does not fit a memory of the device";
    case PPU_ERROR_TIMEOUT:
      return "the time limit passed";
    case PPU_ERROR_FAULT:
      return "the run ended with a fault";
    case PPU_ERROR_MISMATCH:
      return "the RTL and the model differ";
    case PPU_ERROR_DEVICE_LOST:
      return "the device side died or does not answer";
    case PPU_ERROR_BUSY:
      return "something submitted or a call of another thread is under way";
    case PPU_ERROR_SYSTEM:
      return "the host is out of memory or a system call failed";
    case PPU_ERROR_CANCELLED:
      return "the run was cancelled";
    case PPU_ERROR_COMMAND:
      return "the device rejected a command";
    case PPU_ERROR_NUMERIC:
      return "the numbers of the problem are beyond the method";
  }
  return "not a ppu_result";
}

const char* ppu_run_status_string(ppu_run_status status) {
  for (const auto& known : ppu::spec::kRunStatuses)
    if (known.value == status) return known.name.data();
  return "not a ppu_run_status";
}

const char* ppu_counter_name(ppu_counter counter) {
  const auto index = static_cast<std::size_t>(counter);
  return index < ppu::spec::kCounters.size() ? ppu::spec::kCounters[index].name.data()
                                             : "not a ppu_counter";
}

const char* ppu_device_counter_name(ppu_device_counter counter) {
  const auto index = static_cast<std::size_t>(counter);
  return index < ppu::spec::kDeviceCounters.size() ? ppu::spec::kDeviceCounters[index].name.data()
                                                   : "not a ppu_device_counter";
}

const char* ppu_last_error(void) {
  return ppu::driver::last_error();
}

const char* ppu_version(void) {
  return kVersion;
}

}  // extern "C"
