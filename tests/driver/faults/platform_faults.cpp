// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Memories on a platform of somebody else that answer with an error, late or never: those behind
// the socket of host memory and behind that of device memory, of the model and of the RTL.
#include <cstdlib>

#include "tests/driver/faults/fault_bench.hpp"

namespace ppu::driver::test {
namespace {

struct BadAnswer {
  const char *word, *how, *sentence;
  ppu_result expected;
};

constexpr BadAnswer kBadAnswers[] = {
    {"host-read-fails", "reads of host memory are answered with an error",
     "TLM_GENERIC_ERROR_RESPONSE to a read", PPU_ERROR_DEVICE_LOST},
    {"host-write-fails", "writes to host memory are answered with an error",
     "TLM_GENERIC_ERROR_RESPONSE to a write", PPU_ERROR_DEVICE_LOST},
    {"memory-read-fails", "reads of device memory are answered with an error",
     "TLM_GENERIC_ERROR_RESPONSE to a read", PPU_ERROR_DEVICE_LOST},
    {"memory-write-fails", "writes to device memory are answered with an error",
     "TLM_GENERIC_ERROR_RESPONSE to a write", PPU_ERROR_DEVICE_LOST},
    {"host-read-stays", "a read of host memory is not answered", "", PPU_ERROR_DEVICE_LOST},
    {"memory-read-stays", "a read of device memory is not answered", "", PPU_ERROR_DEVICE_LOST},
    {"all-late", "each answer of a memory comes up to 3 us late, at random", "", PPU_OK},
};

/// A sweep on a second device, whose memories go bad once it has worked.
FaultOutcome sweep_on(const FaultBench& bench, const std::string& words) {
  setenv("PPU_BAD_PLATFORM", words.c_str(), 1);
  ppu_device_def def = ppu_default_device_def();
  def.backend = bench.backend.c_str();
  def.config = "small";
  FaultBench bad(def);
  unsetenv("PPU_BAD_PLATFORM");
  const FaultOutcome well = bad.sweep();
  if (well.result != PPU_OK) return {PPU_ERROR_MISMATCH, well.sentence};
  const std::vector<std::uint32_t> expected = bad.answer();
  static_cast<void>(bad.device.read_register(PPU_REGISTER_SPEC_HASH));
  FaultOutcome outcome = bad.sweep();
  if (outcome.result == PPU_OK && bad.answer() != expected)
    return {PPU_ERROR_MISMATCH, "the answer has changed"};
  return outcome;
}

}  // namespace

FaultGroup platform_faults() {
  std::vector<FaultCase> cases;
  for (const std::string device : {"model", "rtl"})
    for (const BadAnswer& bad : kBadAnswers) {
      FaultCase made;
      made.name = device + "-" + bad.word;
      made.how = std::string(bad.how) + (device == "rtl" ? ", the device is RTL" : "");
      made.expected = bad.expected;
      made.sentence = bad.sentence;
      made.where = Where::kPlatform;
      made.provoke = [words = device + " " + bad.word](FaultBench& bench) {
        return sweep_on(bench, words);
      };
      cases.push_back(made);
    }
  return {"Memories of a platform", cases};
}

}  // namespace ppu::driver::test
