// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// FST waves of a Verilated model: of the instances below a scope, in a window of cycles. A
// cycle is a nanosecond: its two halves are 500 ps apart.
#pragma once

#include <unistd.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/cosim/fst_check.hpp"
#include "hw/cosim/rtl_device.hpp"
#include "hw/cosim/wave_scopes.hpp"

namespace ppu::hw {

class WaveFile {
 public:
  /// `top` is the name of the top module. Throws ConfigError.
  template <class Model>
  WaveFile(Model& model, const WaveRequest& request, const std::string& top) : request_(request) {
    std::string scope;
    if (!request.scope.empty())
      scope =
          std::string(model.name()) + "." + find_instance(instances_of(model), top, request.scope);
    wave_ = open(model, scope, request.path);
  }
  ~WaveFile() {
    if (wave_) wave_->close();
  }
  WaveFile(const WaveFile&) = delete;
  WaveFile& operator=(const WaveFile&) = delete;

  /// Writes the values in the first (0) or second (1) half of a cycle, if it is in the window.
  void dump(std::uint64_t cycle, std::uint64_t half) {
    if (cycle < request_.first_cycle || !wave_) return;
    if (cycle > request_.last_cycle) return finish();
    wave_->dump(10 * cycle + 5 * half);
  }
  /// Completes the file. Throws std::runtime_error if it is not complete.
  void close() {
    finish();
    if (!whole_)
      throw std::runtime_error("wave file '" + request_.path +
                               "': could not be written as a whole, as on a full disk");
  }

 private:
  static constexpr int kLevels = 99;
  /// Ten of them are a cycle, so that a cycle is a nanosecond for the viewer.
  static constexpr const char* kTimeStep = "100ps";

  template <class Model>
  static std::unique_ptr<VerilatedFstC> open(Model& model, const std::string& scope,
                                             const std::string& path) {
    auto wave = std::make_unique<VerilatedFstC>();
    model.trace(wave.get(), kLevels);
    wave->set_time_resolution(kTimeStep);
    if (!scope.empty()) wave->dumpvars(kLevels, scope);
    wave->open(path.c_str());
    if (!wave->isOpen()) throw ConfigError("wave file '" + path + "': cannot be written", false);
    return wave;
  }

  /// Those of the whole model, from a file beside the one that is asked for: that one stays as it
  /// is until everything is known to be right.
  template <class Model>
  [[nodiscard]] std::vector<std::string> instances_of(Model& model) const {
    const std::string path = request_.path + ".scopes-" + std::to_string(getpid());
    const std::unique_ptr<VerilatedFstC> probe = open(model, {}, path);
    probe->dump(std::uint64_t{0});
    probe->close();
    std::vector<std::string> instances = instances_in(path);
    std::remove(path.c_str());
    return instances;
  }

  void finish() {
    if (!wave_) return;
    wave_->close();
    wave_.reset();
    whole_ = is_whole_fst(request_.path);
  }

  WaveRequest request_;
  std::unique_ptr<VerilatedFstC> wave_;  ///< Null once it is finished.
  bool whole_ = false;
};

}  // namespace ppu::hw
