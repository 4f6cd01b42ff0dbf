// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/process/device_factory.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "hw/contract/run_stop.hpp"
#include "hw/cosim/lockstep.hpp"
#include "hw/cosim/rtl_device.hpp"
#include "hw/process/platform_device.hpp"
#include "hw/systemc/systemc_device.hpp"

namespace ppu::hw {
namespace {

constexpr std::string_view kPlatformPrefix = "platform:";

/// Rows are slow in lockstep: ends the run in its midst when the host is gone.
class LeavingObserver final : public RowObserver {
 public:
  LeavingObserver(std::unique_ptr<RowObserver> observer, const std::atomic<bool>& host_gone)
      : observer_(std::move(observer)), host_gone_(host_gone) {}

  void begin_run(std::uint64_t cycle) override { observer_->begin_run(cycle); }
  void on_row(const RowEvent& event) override {
    if (host_gone_) throw RunStop{PPU_RUN_CANCELLED, PPU_NONE, PPU_FAULT_NONE, {}};
    observer_->on_row(event);
  }
  void on_drained(std::uint64_t cycle) override { observer_->on_drained(cycle); }
  void on_residual(float residual) override { observer_->on_residual(residual); }
  [[nodiscard]] std::uint64_t rows_checked() const override { return observer_->rows_checked(); }

 private:
  std::unique_ptr<RowObserver> observer_;
  const std::atomic<bool>& host_gone_;
};

/// What reset does not set begins at random in every Verilated model. PPU_RTL_SEED chooses how.
int rtl_seed() {
  const char* const text = std::getenv("PPU_RTL_SEED");
  if (text == nullptr) return 1;
  const std::string_view digits = text;
  int seed = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (error != std::errc() || end != digits.data() + digits.size() || seed < 1)
    throw ConfigError(
        "PPU_RTL_SEED: found '" + std::string(digits) + "', expected a number from 1 to 2147483647",
        false);
  return seed;
}

/// A lockstep checker for each engine; the waves are those of engine 0's pipe 0.
RowObservers make_checkers(const OpenRequest& request, const std::atomic<bool>& host_gone,
                           RtlRowPipe** waves) {
  RowObservers checkers;
  for (std::uint32_t engine = 0; engine < request.config.engines; ++engine) {
    std::vector<std::unique_ptr<RtlRowPipe>> pipes;
    for (std::uint32_t pipe = 0; pipe < request.config.pipes; ++pipe)
      pipes.push_back(RtlRowPipe::create(request.config, rtl_seed()));
    if (engine == 0 && request.wave_path[0] != '\0') {
      *waves = pipes.front().get();
      (*waves)->open_wave(request.wave_path, request.wave_first_cycle, request.wave_last_cycle);
    }
    checkers.push_back(std::make_unique<LeavingObserver>(
        std::make_unique<LockstepChecker>(std::move(pipes)), host_gone));
  }
  return checkers;
}

}  // namespace

void OpenDevice::close() const {
  device->close();
  if (waves != nullptr) waves->close_wave();
  if (trace) trace->close();
}

OpenDevice open_device(const OpenRequest& request, Memory host_memory,
                       const std::atomic<bool>& host_gone) {
  OpenDevice open;
  if (request.trace_path[0] != '\0')
    open.trace = std::make_unique<TraceLogWriter>(request.trace_path);
  const std::string backend = request.backend;
  if (backend == "systemc") {
    open.device = std::make_unique<SystemcDevice>(request.config, host_memory, RowObservers{},
                                                  open.trace.get());
  } else if (backend == "cosim") {
    open.device = std::make_unique<SystemcDevice>(request.config, host_memory,
                                                  make_checkers(request, host_gone, &open.waves),
                                                  open.trace.get());
  } else if (backend == "rtl") {
    const WaveRequest waves{request.wave_path, request.wave_scope, request.wave_first_cycle,
                            request.wave_last_cycle};
    open.device =
        create_rtl_device(request.config, host_memory, waves, open.trace.get(), rtl_seed());
  } else if (backend.rfind(kPlatformPrefix, 0) == 0) {
    open.device = std::make_unique<PlatformDevice>(backend.substr(kPlatformPrefix.size()),
                                                   request.config, host_memory);
  } else {
    throw ConfigError("device process: no back end '" + backend + "'", true);
  }
  return open;
}

}  // namespace ppu::hw
