// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The devices of the fuzz, and what they make of a case.
#include "sim/fuzz/fuzz_bench.hpp"

#include <algorithm>
#include <deque>

#include "firmware/assembler/assembler.hpp"
#include "firmware/assembler/disassembler.hpp"
#include "sim/fuzz/fuzz_compare.hpp"
#include "sim/fuzz/fuzz_run.hpp"

namespace ppu::sim {
namespace {

constexpr const char* kOracle = "functional";

/// A program as devices take it.
struct Built {
  std::vector<std::byte> image;
  bool reduced = false;  ///< The rows of its runs are in the reduced form.
};

Built build(const std::string& source) {
  const firmware::Assembly assembly = firmware::assemble("program.s", source);
  Built built;
  built.image = firmware::to_bytes(assembly.image);
  for (const firmware::Kernel& kernel : assembly.kernels) {
    const spec::ControlWord control = kernel.control;
    built.reduced = built.reduced || (control.axpy() == spec::Axpy::kOn &&
                                      control.matrix() == spec::Matrix::kReduced);
  }
  return built;
}

/// Text, image, text, image: what differs, or nothing.
std::vector<std::string> round_trip(const std::string& source) {
  const firmware::Image image = firmware::assemble("program.s", source).image;
  const std::string again = firmware::disassemble(image);
  if (firmware::assemble("again.s", again).image == image &&
      firmware::disassemble(firmware::assemble("again.s", again).image) == again)
    return {};
  return {"assembler: the disassembled program does not assemble to the same image"};
}

}  // namespace

FuzzBench::FuzzBench(std::vector<std::string> backends, std::string config,
                     std::vector<std::string> overrides)
    : config_(std::move(config)), overrides_(std::move(overrides)), info_() {
  oracle_ = open(kOracle);
  for (std::string& name : backends) {
    Backend backend;
    backend.steady = open(name);
    info_ = backend.steady->info();
    backend.timed = info_.timed;
    backend.name = std::move(name);
    backends_.push_back(std::move(backend));
  }
}

Device FuzzBench::open(const std::string& backend) const {
  std::vector<const char*> overrides;
  for (const std::string& text : overrides_) overrides.push_back(text.c_str());
  ppu_device_def def = ppu_default_device_def();
  def.backend = backend.c_str();
  def.config = config_.c_str();
  def.overrides = overrides.data();
  def.override_count = overrides.size();
  return Device(def);
}

FuzzTarget FuzzBench::target(FuzzType type) const {
  const auto timed = std::count_if(backends_.begin(), backends_.end(),
                                   [](const Backend& backend) { return backend.timed; });
  return {info_, timed >= 2, type};
}

std::uint64_t FuzzBench::lockstep_rows() {
  std::uint64_t rows = 0;
  for (const Backend& backend : backends_) {
    rows += backend.lockstep_rows;
    for (const auto* device : {&backend.steady, &backend.upset})
      if (*device) rows += (*device)->read_register(PPU_REGISTER_LOCKSTEP_ROWS);
  }
  return rows;
}

Device& FuzzBench::device_of(Backend& backend, bool steady) {
  std::optional<Device>& device = steady || !backend.timed ? backend.steady : backend.upset;
  if (!device) device = open(backend.name);
  return *device;
}

void FuzzBench::close(Backend& backend) {
  for (auto* device : {&backend.steady, &backend.upset}) {
    if (!*device) continue;
    std::uint32_t rows = 0;
    // The process of a device may be gone.
    if (ppu_device_read_register((*device)->get(), PPU_REGISTER_LOCKSTEP_ROWS, &rows) == PPU_OK)
      backend.lockstep_rows += rows;
    device->reset();
  }
}

void FuzzBench::reopen() {
  for (Backend& backend : backends_) close(backend);
}

FuzzResult FuzzBench::run(const FuzzCase& fuzz) {
  FuzzResult result;
  const std::string source = fuzz.source();
  result.differences = round_trip(source);
  const Built built = build(source);
  const bool needs_time = fuzz.needs_time();
  const Built untimed = needs_time ? build(fuzz.source(false)) : built;
  const FuzzOutcome oracle = FuzzRun(*oracle_, fuzz, untimed.image, untimed.reduced).finish();
  // How far a budget lets a run come depends on the cycle that it begins in.
  const bool steady = oracle.ok() || needs_time;

  std::vector<const Backend*> chosen;
  std::deque<FuzzRun> runs;
  for (Backend& backend : backends_) {
    if (needs_time && !backend.timed) continue;
    chosen.push_back(&backend);
    runs.emplace_back(device_of(backend, steady), fuzz, built.image, built.reduced);
  }
  for (FuzzRun& run : runs) result.outcomes.push_back(run.finish());
  runs.clear();
  compare(chosen, steady, &result);

  const auto spent = [steady](const FuzzOutcome& outcome) {
    return outcome.lost || (steady && !outcome.ok());
  };
  if (!result.differences.empty() ||
      std::any_of(result.outcomes.begin(), result.outcomes.end(), spent))
    reopen();
  return result;
}

void FuzzBench::compare(const std::vector<const Backend*>& backends, bool steady,
                        FuzzResult* result) const {
  for (std::size_t i = 1; i < backends.size(); ++i) {
    // With the first one, but where that has no time with the first one that has, too.
    std::vector<std::size_t> others = {0};
    for (std::size_t k = 1; k < i && !backends[0]->timed && backends[i]->timed; ++k)
      if (backends[k]->timed && others.size() == 1) others.push_back(k);
    for (const std::size_t other : others) {
      const FuzzOutcome& a = result->outcomes[other];
      const FuzzOutcome& b = result->outcomes[i];
      const bool cycles =
          steady && a.ok() && b.ok() && backends[other]->timed && backends[i]->timed;
      for (std::string& line : differences(backends[other]->name, a, backends[i]->name, b, cycles))
        result->differences.push_back(std::move(line));
    }
  }
}

}  // namespace ppu::sim
