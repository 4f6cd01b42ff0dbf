// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// FST waves of a Verilated model: of the instances below a scope, in a window of cycles. A
// cycle is a nanosecond: its two halves are 500 ps apart. The file appears when it is complete.
#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files/file_replacement.hpp"
#include "hw/cosim/fst_check.hpp"
#include "hw/cosim/rtl_device.hpp"
#include "hw/cosim/wave_scopes.hpp"
#include "hw/cosim/wave_view.hpp"

namespace ppu::hw {

/// An FST file being written. Its writer wants names; they are taken away at once, so that nothing
/// is left however the process ends.
class UnnamedWaves {
 public:
  /// Of the instances below `scope`, in the folder of `path`. Throws ConfigError.
  template <class Model>
  UnnamedWaves(Model& model, const std::string& scope, const std::string& path)
      : writer_(std::make_unique<VerilatedFstC>()) {
    model.trace(writer_.get(), kLevels);
    writer_->set_time_resolution(kTimeStep);
    if (!scope.empty()) writer_->dumpvars(kLevels, scope);
    const std::string name = files::name_beside(path);
    writer_->open(name.c_str());
    if (writer_->isOpen()) file_ = files::FileDescriptor(open(name.c_str(), O_RDONLY | O_CLOEXEC));
    unlink(name.c_str());
    unlink((name + ".hier").c_str());
    if (file_.get() < 0) throw ConfigError("wave file '" + path + "': cannot be written", false);
  }
  ~UnnamedWaves() { finish(); }
  UnnamedWaves(const UnnamedWaves&) = delete;
  UnnamedWaves& operator=(const UnnamedWaves&) = delete;

  [[nodiscard]] VerilatedFstC& writer() { return *writer_; }
  /// Nothing may be written after it.
  void finish() {
    if (writer_) writer_->close();
    writer_.reset();
  }
  [[nodiscard]] int descriptor() const { return file_.get(); }
  /// By which it can be opened.
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_.get()); }

 private:
  static constexpr int kLevels = 99;
  /// Ten of them are a cycle, so that a cycle is a nanosecond for the viewer.
  static constexpr const char* kTimeStep = "100ps";

  std::unique_ptr<VerilatedFstC> writer_;
  files::FileDescriptor file_;
};

class WaveFile {
 public:
  /// `top` is the name of the top module. Throws ConfigError.
  template <class Model>
  WaveFile(Model& model, const WaveRequest& request, const std::string& top) : request_(request) {
    std::string scope;
    if (!request.scope.empty())
      scope = std::string(model.name()) + "." +
              find_instance(instances_of(model, request.path), top, request.scope);
    waves_ = std::make_unique<UnnamedWaves>(model, scope, request.path);
  }

  /// Writes the values in the first (0) or second (1) half of a cycle, if it is in the window.
  void dump(std::uint64_t cycle, std::uint64_t half) {
    if (cycle < request_.first_cycle || done_) return;
    if (cycle > request_.last_cycle) return finish();
    waves_->writer().dump(10 * cycle + 5 * half);
  }
  /// The file appears, and its view. Throws std::runtime_error if it is not complete.
  void close() {
    finish();
    if (!is_whole_fst(waves_->path()))
      throw std::runtime_error("wave file '" + request_.path +
                               "': could not be written as a whole, as on a full disk");
    files::FileReplacement place(request_.path);
    place.copy_from(waves_->descriptor());
    files::FileReplacement view(view_path(request_.path),
                                wave_view(waves_->path(), request_.path, request_.first_cycle));
    place.commit();
    view.commit();
  }

 private:
  /// Those of the whole model.
  template <class Model>
  static std::vector<std::string> instances_of(Model& model, const std::string& path) {
    UnnamedWaves probe(model, {}, path);
    probe.writer().dump(std::uint64_t{0});
    probe.finish();
    return instances_in(probe.path());
  }

  void finish() {
    waves_->finish();
    done_ = true;
  }

  WaveRequest request_;
  std::unique_ptr<UnnamedWaves> waves_;
  bool done_ = false;
};

}  // namespace ppu::hw
