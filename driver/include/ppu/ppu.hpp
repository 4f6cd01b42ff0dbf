// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The PPU driver for C++17: owners of the C API's handles that cannot be copied, and an exception
// where the C API returns a result. Header only; everything else is used through ppu.h.
#ifndef PPU_PPU_HPP_
#define PPU_PPU_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "ppu/client.h"
#include "ppu/ppu.h"
#include "ppu/records.h"

namespace ppu {

/// A call that failed; what() is the sentence of ppu_last_error().
class Error : public std::runtime_error {
 public:
  Error(ppu_result code, const std::string& message) : std::runtime_error(message), result(code) {}
  ppu_result result;
};

/// A solve that failed; the report's status is PPU_RUN_RUNNING where the device gave no report.
class SolveError : public Error {
 public:
  SolveError(ppu_result code, const std::string& message, const ppu_solve_report& of_solve)
      : Error(code, message), report(of_solve) {}
  ppu_solve_report report;
};

/// Throws Error unless the result is PPU_OK.
inline void check(ppu_result result) {
  if (result != PPU_OK) throw Error(result, ppu_last_error());
}

/// The report of a solve that the device has not reported on.
inline ppu_solve_report no_report() {
  ppu_solve_report report{};
  report.run.status = PPU_RUN_RUNNING;
  report.run.fault_row = report.fault_row = PPU_NONE;
  return report;
}

/// ppu_solve(); throws SolveError.
inline ppu_solve_report solve(ppu_device device, const ppu_problem& problem,
                              const ppu_solve_def& def, float* impulse, float* velocity_change) {
  ppu_solve_report report = no_report();
  const ppu_result result = ppu_solve(device, &problem, &def, impulse, velocity_change, &report);
  if (result != PPU_OK) throw SolveError(result, ppu_last_error(), report);
  return report;
}

/// Owner of a handle; destroys it at the end.
template <class Handle, ppu_result (*kDestroy)(Handle)>
class Owner {
 public:
  explicit Owner(Handle handle) : handle_(handle) {}
  Owner(Owner&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  Owner& operator=(Owner&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owner() {
    if (handle_.generation != 0) kDestroy(handle_);
  }

  /// The handle, for calls of the C API.
  [[nodiscard]] Handle get() const { return handle_; }
  /// The same, which is the caller's to destroy from now on.
  [[nodiscard]] Handle release() { return std::exchange(handle_, Handle{}); }

 private:
  Handle handle_;
};

class Device : public Owner<ppu_device, ppu_device_close> {
 public:
  explicit Device(const ppu_device_def& def = ppu_default_device_def()) : Owner(open(def)) {}
  /// Closes the device and throws where the destructor could not: see ppu_device_close().
  void close() {
    const ppu_result result = ppu_device_close(get());
    if (result != PPU_ERROR_BUSY) static_cast<void>(release());
    check(result);
  }

  [[nodiscard]] ppu_device_info info() const {
    ppu_device_info info;
    check(ppu_device_get_info(get(), &info));
    return info;
  }
  /// The resolved configuration as TOML.
  [[nodiscard]] std::string config() const {
    std::size_t needed = 0;
    check(ppu_device_get_config(get(), nullptr, 0, &needed));
    std::string text(needed, '\0');
    check(ppu_device_get_config(get(), text.data(), needed, nullptr));
    text.pop_back();
    return text;
  }
  [[nodiscard]] std::uint32_t read_register(ppu_register offset) const {
    std::uint32_t value = 0;
    check(ppu_device_read_register(get(), offset, &value));
    return value;
  }
  /// In the order of ppu_device_counter.
  [[nodiscard]] std::array<std::uint64_t, PPU_DEVICE_COUNTER_COUNT> counters() const {
    std::array<std::uint64_t, PPU_DEVICE_COUNTER_COUNT> counters{};
    check(ppu_device_read_counters(get(), counters.data()));
    return counters;
  }
  /// A client of this device, closed with it at the latest: see ppu/client.h.
  [[nodiscard]] Device client(const ppu_client_def& def = ppu_default_client_def()) const {
    ppu_device opened;
    check(ppu_client_open(get(), &def, &opened));
    return Device(opened);
  }
  /// Throws SolveError.
  ppu_solve_report solve(const ppu_problem& problem, const ppu_solve_def& def, float* impulse,
                         float* velocity_change) const {
    return ppu::solve(get(), problem, def, impulse, velocity_change);
  }

 private:
  explicit Device(ppu_device opened) : Owner(opened) {}
  static ppu_device open(const ppu_device_def& def) {
    ppu_device device;
    check(ppu_device_open(&def, &device));
    return device;
  }
};

class Buffer : public Owner<ppu_buffer, ppu_buffer_destroy> {
 public:
  Buffer(const Device& device, std::size_t size_bytes) : Owner(create(device, size_bytes)) {}

  void write(const void* data, std::size_t size_bytes, std::size_t offset_bytes = 0) const {
    check(ppu_buffer_write(get(), offset_bytes, data, size_bytes));
  }
  void read(void* data, std::size_t size_bytes, std::size_t offset_bytes = 0) const {
    check(ppu_buffer_read(get(), offset_bytes, data, size_bytes));
  }

 private:
  static ppu_buffer create(const Device& device, std::size_t size_bytes) {
    ppu_buffer buffer;
    check(ppu_buffer_create(device.get(), size_bytes, &buffer));
    return buffer;
  }
};

class Program : public Owner<ppu_program, ppu_program_destroy> {
 public:
  /// A built-in program, or an assembly file ending in ".s".
  static Program load(const Device& device, const std::string& name) {
    ppu_program program;
    check(ppu_program_load(device.get(), name.c_str(), &program));
    return Program(program);
  }
  static Program assemble(const Device& device, const std::string& name,
                          const std::string& source) {
    ppu_program program;
    check(ppu_program_assemble(device.get(), name.c_str(), source.c_str(), &program));
    return Program(program);
  }
  static Program from_image(const Device& device, const void* image, std::size_t size_bytes) {
    ppu_program program;
    check(ppu_program_load_image(device.get(), image, size_bytes, &program));
    return Program(program);
  }

 private:
  explicit Program(ppu_program handle) : Owner(handle) {}
};

/// A problem as records, written where the device reads them; see ppu_records. What fails, but for
/// the constructor, throws SolveError.
class Records : public Owner<ppu_records, ppu_records_destroy> {
 public:
  explicit Records(ppu_device device) : Owner(create(device)) {}

  [[nodiscard]] ppu_record_memory begin(std::uint32_t row_capacity,
                                        std::uint32_t body_count) const {
    ppu_record_memory memory;
    require(ppu_records_begin(get(), row_capacity, body_count, &memory), no_report());
    return memory;
  }
  void commit(std::uint32_t row_count) const {
    const ppu_result result = ppu_records_commit(get(), row_count);
    if (result != PPU_OK) require(result, no_report());
  }
  void start(std::uint32_t row_count, const ppu_solve_def& def) const {
    require(ppu_records_start(get(), row_count, &def), no_report());
  }
  ppu_solve_report finish() const {
    ppu_solve_report report = no_report();
    require(ppu_records_finish(get(), &report), report);
    return report;
  }
  ppu_solve_report solve(const ppu_solve_def& def) const {
    ppu_solve_report report = no_report();
    require(ppu_records_solve(get(), &def, &report), report);
    return report;
  }

 private:
  static ppu_records create(ppu_device device) {
    ppu_records records;
    check(ppu_records_create(device, &records));
    return records;
  }
  static void require(ppu_result result, const ppu_solve_report& report) {
    if (result != PPU_OK) throw SolveError(result, ppu_last_error(), report);
  }
};

/// Completion of what was submitted; see ppu_fence.
class Fence {
 public:
  explicit Fence(ppu_fence handle) : handle_(handle) {}
  /// Submits a single run.
  static Fence submit(const Device& device, const ppu_run_def& def) {
    ppu_fence fence;
    check(ppu_submit(device.get(), &def, &fence));
    return Fence(fence);
  }

  /// Throws Error where something went wrong, and at the end of the time (PPU_ERROR_TIMEOUT).
  void wait(std::uint64_t timeout_ns = PPU_NO_TIMEOUT) const {
    check(ppu_fence_wait(handle_, timeout_ns));
  }
  /// Report of a run, once it has ended, however it did.
  [[nodiscard]] ppu_run_report report(std::uint32_t run = 0) const {
    ppu_run_report report;
    check(ppu_fence_report(handle_, run, &report));
    return report;
  }
  /// What a query has read, once all has ended.
  [[nodiscard]] std::array<std::uint64_t, PPU_DEVICE_COUNTER_COUNT> counters(
      std::uint32_t query = 0) const {
    std::array<std::uint64_t, PPU_DEVICE_COUNTER_COUNT> counters{};
    check(ppu_fence_counters(handle_, query, counters.data()));
    return counters;
  }
  /// Cancels the runs and waits until they have ended.
  void cancel() const { check(ppu_fence_cancel(handle_)); }
  [[nodiscard]] ppu_fence get() const { return handle_; }

 private:
  ppu_fence handle_;
};

/// Commands that are submitted together; see ppu_commands.
class Commands : public Owner<ppu_commands, ppu_commands_destroy> {
 public:
  explicit Commands(const Device& device) : Owner(create(device)) {}

  void reset() const { check(ppu_commands_reset(get())); }
  void copy_in(const Buffer& buffer, const void* data, std::size_t size_bytes,
               std::size_t offset_bytes = 0) const {
    check(ppu_commands_copy_in(get(), buffer.get(), offset_bytes, data, size_bytes));
  }
  void copy_out(const Buffer& buffer, void* data, std::size_t size_bytes,
                std::size_t offset_bytes = 0) const {
    check(ppu_commands_copy_out(get(), buffer.get(), offset_bytes, data, size_bytes));
  }
  void copy_within(const Buffer& from, std::size_t from_offset_bytes, const Buffer& to,
                   std::size_t to_offset_bytes, std::size_t size_bytes) const {
    check(ppu_commands_copy_within(get(), from.get(), from_offset_bytes, to.get(), to_offset_bytes,
                                   size_bytes));
  }
  /// Returns the number of the run in the list.
  std::uint32_t run(const ppu_run_def& def) const {
    std::uint32_t number = 0;
    check(ppu_commands_run(get(), &def, &number));
    return number;
  }
  void barrier() const { check(ppu_commands_barrier(get())); }
  /// Returns the number of the query in the list.
  std::uint32_t query() const {
    std::uint32_t number = 0;
    check(ppu_commands_query(get(), &number));
    return number;
  }
  void raw(const std::array<std::uint32_t, 16>& words) const {
    check(ppu_commands_raw(get(), words.data()));
  }
  [[nodiscard]] Fence submit() const {
    ppu_fence fence;
    check(ppu_commands_submit(get(), &fence));
    return Fence(fence);
  }

 private:
  static ppu_commands create(const Device& device) {
    ppu_commands commands;
    check(ppu_commands_create(device.get(), &commands));
    return commands;
  }
};

}  // namespace ppu

#endif  // PPU_PPU_HPP_
