// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// FST waves of a Verilated model: of the instances below a scope, in a window of cycles.
#pragma once

#include <gtkwave/fstapi.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include "fst_check.hpp"
#include "ppu/hw/rtl_device.hpp"

namespace ppu::hw {

class WaveFile {
 public:
  /// `top` is the name of the top module. Throws ConfigError.
  template <class Model>
  WaveFile(Model& model, const WaveRequest& request, const std::string& top) : request_(request) {
    if (!request.scope.empty()) {
      const std::string scope = std::string(model.name()) + "." + top + "." + request.scope;
      // What is written before the first cycle tells whether there is such a scope.
      open(model, scope);
      wave_->dump(std::uint64_t{0});
      finish();
      if (variables() == 0) {
        std::remove(request.path.c_str());
        throw ConfigError("wave scope '" + request.scope + "': " + top + " has no such instance",
                          true);
      }
      open(model, scope);
    } else {
      open(model, {});
    }
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
    wave_->dump(2 * cycle + half);
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

  template <class Model>
  void open(Model& model, const std::string& scope) {
    wave_ = std::make_unique<VerilatedFstC>();
    model.trace(wave_.get(), kLevels);
    if (!scope.empty()) wave_->dumpvars(kLevels, scope);
    wave_->open(request_.path.c_str());
    if (wave_->isOpen()) return;
    wave_.reset();
    throw ConfigError("wave file '" + request_.path + "': cannot be written", false);
  }

  [[nodiscard]] std::uint64_t variables() const {
    void* const reader = fstReaderOpen(request_.path.c_str());
    if (reader == nullptr) return 0;
    const std::uint64_t count = fstReaderGetVarCount(reader);
    fstReaderClose(reader);
    return count;
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
