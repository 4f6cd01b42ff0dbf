// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An open device: its session, the allocation of its memory, its run under way, and what the solver
// helper keeps between solves.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "allocator.hpp"
#include "backend.hpp"
#include "ppu/ppu.h"
#include "row_order.hpp"
#include "session.hpp"

namespace ppu::driver {

/// Device memory of the solver helper, grown when a larger problem comes.
struct SolverMemory {
  Range rows, impulses, velocities, profile;
};

class Device {
 public:
  /// Checks that the session is the device that `config` describes. Throws Failure
  /// (PPU_ERROR_VERSION).
  Device(const Backend& backend, std::string config_name, const hw::Config& config,
         std::unique_ptr<Session> session);

  [[nodiscard]] ppu_device_info info() const;
  [[nodiscard]] const hw::Config& config() const { return config_; }
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset);
  /// Refuses to profile on a back end without time.
  void require_timed(const char* asked) const;

  Range allocate(std::uint64_t size_bytes) { return allocator_.allocate(size_bytes); }
  /// Throws Failure (PPU_ERROR_BUSY) if the run under way uses it.
  void release(Range range);
  /// Makes `range` hold at least `size_bytes`; its content is lost if it grows.
  void grow(Range& range, std::uint64_t size_bytes);
  /// Host address of a range, after checking that no run under way uses it.
  [[nodiscard]] std::byte* host(Range range);

  /// Starts a run that uses the given ranges. Returns its number.
  std::uint64_t submit(const hw::RunCommand& command, std::vector<Range> used);
  /// Report of run `number`, which must be the last one; nothing at the timeout. Throws what the
  /// session threw if no report can come.
  std::optional<hw::RunReport> wait(std::uint64_t number, std::uint64_t timeout_ns);
  /// Ends run `number`, which must be the last one, unless it has ended already. Throws as wait().
  void cancel(std::uint64_t number);

  SolverMemory solver_memory;
  OrderCache order_cache;

 private:
  /// Takes the report of the run under way if there is one within the timeout.
  void poll(std::uint64_t timeout_ns);
  template <class Wait>
  void take_report(Wait wait);
  void require_last(std::uint64_t number) const;
  void require_unused(Range range);

  const Backend& backend_;
  std::string config_name_;
  hw::Config config_;
  std::uint64_t config_hash_;
  std::unique_ptr<Session> session_;
  Allocator allocator_;
  std::uint64_t run_number_ = 0;
  bool running_ = false;
  std::vector<Range> used_;   ///< By the run under way.
  hw::RunReport report_;      ///< Of the last run.
  std::exception_ptr error_;  ///< Why the last run has no report.
};

/// PPU_OK, or the result that the status of an ended run stands for.
ppu_result result_of(ppu_run_status status);
/// The report as the C API gives it.
ppu_run_report public_report(const hw::RunReport& report);
/// The device's sentence, without the row.
std::string sentence_of(const hw::RunReport& report);

}  // namespace ppu::driver
