// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Between the driver and a device that is well: messages and interrupts that are lost, repeated,
// made up or spoilt on their way, and a ring that wraps and overflows.
#include <cstdlib>

#include "tests/driver/faults/fault_bench.hpp"
#include "tests/driver/support/backends.hpp"

namespace ppu::driver::test {
namespace {

/// What the environment says while this lives.
class BehindBadLink {
 public:
  explicit BehindBadLink(const std::string& word) {
    setenv("PPU_DEVICE", PPU_TEST_BAD_LINK, 1);
    setenv("PPU_BAD_LINK_DEVICE", PPU_TEST_DEVICE, 1);
    setenv("PPU_BAD_LINK", word.c_str(), 1);
  }
  ~BehindBadLink() { unsetenv("PPU_DEVICE"); }
  BehindBadLink(const BehindBadLink&) = delete;
  BehindBadLink& operator=(const BehindBadLink&) = delete;
};

/// Only systemc has a limit: RTL on a busy machine takes long to begin.
ppu_device_def impatient(const FaultBench& bench) {
  ppu_device_def def = ppu_default_device_def();
  def.backend = bench.backend.c_str();
  def.config = "small";
  if (bench.backend == "systemc") def.answer_timeout_ns = 4000 * kMillisecond;
  return def;
}

/// What takes the answer's limit to be noticed.
FaultCase slow(FaultCase made) {
  made.where = Where::kSystemc;
  return made;
}

using OnLink = std::function<FaultOutcome(FaultBench& behind)>;

/// A second device, whose link is `word`; it has worked once before the link goes bad.
FaultCase on_link(const std::string& word, const std::string& how, ppu_result expected,
                  const std::string& sentence, const OnLink& use, const char* call = "") {
  FaultCase made =
      fault("link-" + word + call, how, expected, sentence, [word, use](FaultBench& bench) {
        const BehindBadLink environment(word);
        FaultBench behind(impatient(bench));
        const FaultOutcome well = behind.sweep();
        if (well.result != PPU_OK) return well;
        static_cast<void>(behind.device.read_register(PPU_REGISTER_SPEC_HASH));
        return use(behind);
      });
  made.where = Where::kProcesses;
  return made;
}

FaultCase on_opening(const std::string& word, const std::string& how, ppu_result expected,
                     const std::string& sentence) {
  FaultCase made = fault("link-" + word, how, expected, sentence, [word](FaultBench& bench) {
    const BehindBadLink environment(word);
    const ppu_device_def def = impatient(bench);
    ppu_device opened{};
    return outcome_of(ppu_device_open(&def, &opened));
  });
  made.where = Where::kProcesses;
  return made;
}

/// Work behind the link comes to the bits that it came to before.
FaultOutcome works(FaultBench& behind) {
  const std::vector<std::uint32_t> expected = behind.answer();
  for (int again = 0; again < 3; ++again) {
    FaultOutcome outcome = behind.sweep();
    if (outcome.result != PPU_OK) return outcome;
    if (behind.answer() != expected) return {PPU_ERROR_MISMATCH, "the answer has changed"};
  }
  return {};
}

FaultOutcome waits(FaultBench& behind) {
  const Fence fence = behind.start_nops(1);
  return outcome_of(ppu_fence_wait(fence.get(), 50 * kMillisecond));
}

FaultOutcome reads(FaultBench& behind) {
  std::uint32_t value = 0;
  return outcome_of(ppu_device_read_register(behind.device.get(), PPU_REGISTER_STATUS, &value));
}

/// The line stays up after an interrupt that was lost, so the next one is not told either.
FaultOutcome waits_again(FaultBench& behind) {
  const FaultOutcome first = waits(behind);
  return first.result == PPU_ERROR_TIMEOUT ? waits(behind) : first;
}

/// Fills the ring with more doorbells than the socket has room for.
FaultOutcome rings(FaultBench& behind) {
  for (int n = 0; n < 500; ++n) static_cast<void>(behind.start_nops(1));
  return {};
}

std::vector<FaultCase> interrupt_faults() {
  return {
      on_link("loses-interrupts", "no interrupt arrives any more: the wait ends at its limit",
              PPU_ERROR_TIMEOUT, "did not end within 0.05 s and goes on: nop", waits),
      slow(on_link(
          "loses-interrupts", "no interrupt arrives any more: a copy ends at the device's limit",
          PPU_ERROR_DEVICE_LOST, "the device did not answer within 4 s",
          [](FaultBench& behind) {
            const std::uint32_t data = 0;
            return outcome_of(ppu_buffer_write(behind.witness.get(), 0, &data, sizeof data));
          },
          "-copy")),
      slow(on_link(
          "loses-interrupts", "no interrupt arrives any more: a cancel ends at its limit",
          PPU_ERROR_DEVICE_LOST, "the device does not end what was cancelled",
          [](FaultBench& behind) {
            const Fence fence = behind.start_endless();
            return outcome_of(ppu_fence_cancel(fence.get()));
          },
          "-cancel")),
      on_link("loses-an-interrupt", "an interrupt is lost: the next wait ends at its limit, too",
              PPU_ERROR_TIMEOUT, "did not end within 0.05 s and goes on: nop", waits_again),
      on_link("repeats-interrupts", "each interrupt arrives five times", PPU_OK, "", works),
      on_link("invents-interrupts", "with each message of the host an interrupt of nobody arrives",
              PPU_OK, "", works),
      on_link("delays-interrupts", "each interrupt arrives 5 ms late", PPU_OK, "", works),
  };
}

std::vector<FaultCase> message_faults() {
  return {
      on_link("loses-doorbells", "the device does not learn of what is in its ring",
              PPU_ERROR_TIMEOUT, "did not end within 0.05 s and goes on: nop", waits),
      on_link("repeats-doorbells", "the device learns twice of what is in its ring", PPU_OK, "",
              works),
      slow(on_link("loses-answers", "no answer arrives any more", PPU_ERROR_DEVICE_LOST,
                   "did not answer within 4 s", reads)),
      slow(on_link("takes-nothing", "no message of the host is taken any more",
                   PPU_ERROR_DEVICE_LOST, "did not answer within 4 s", rings)),
      on_link("cuts-answers", "half of each answer arrives", PPU_ERROR_DEVICE_LOST,
              "close the device", reads),
      on_link("lengthens-answers", "answers are too long", PPU_ERROR_DEVICE_LOST,
              "close the device", reads),
      on_link("empties-answers", "answers are empty", PPU_ERROR_DEVICE_LOST, "close the device",
              reads),
      on_link("hangs-up", "the link hangs up at a doorbell", PPU_ERROR_DEVICE_LOST,
              "exited with status 0", waits),
      slow(on_opening("open-silent", "no reply to the opening arrives", PPU_ERROR_DEVICE_LOST,
                      "did not answer within 4 s")),
      on_opening("open-cut", "12 bytes of the reply to the opening arrive", PPU_ERROR_DEVICE_LOST,
                 "without an answer"),
      on_opening("open-reply-spec", "a bit of the specification's hash in the reply is wrong",
                 PPU_ERROR_VERSION, "was made from specification"),
      on_opening("open-magic", "a bit of the register magic is wrong", PPU_ERROR_VERSION,
                 "where a PPU of this kind says"),
      on_opening("open-spec", "a bit of the register spec_hash is wrong", PPU_ERROR_VERSION,
                 "was made from specification"),
      on_opening("open-config", "a bit of the register config_hash_lo is wrong", PPU_ERROR_VERSION,
                 "reports configuration"),
  };
}

/// 20 fences of their own with interrupts that no wait is for.
FaultOutcome unasked_interrupts(FaultBench& bench) {
  const std::vector<std::uint32_t> expected = bench.answer();
  CommandWords fence = FaultBench::words(static_cast<std::uint32_t>(spec::CommandOpcode::kFence) |
                                             static_cast<std::uint32_t>(spec::kFlagInterrupt) << 8U,
                                         {bench.host_bytes() - 64});
  const Commands list(bench.device);
  for (int n = 0; n < 20; ++n) list.raw(fence);
  const Fence unasked = list.submit();
  FaultOutcome outcome = bench.sweep();
  if (outcome.result == PPU_OK) outcome = outcome_of(ppu_fence_wait(unasked.get(), PPU_NO_TIMEOUT));
  if (outcome.result == PPU_OK && bench.answer() != expected)
    return {PPU_ERROR_MISMATCH, "the answer has changed"};
  return outcome;
}

/// Lists until the ring, 1,024 commands, has wrapped.
FaultOutcome wrap(FaultBench& bench) {
  for (int n = 0; n < 12; ++n) {
    const FaultOutcome outcome =
        outcome_of(ppu_fence_wait(bench.start_nops(99).get(), PPU_NO_TIMEOUT));
    if (outcome.result != PPU_OK) return outcome;
  }
  return {};
}

/// Lists behind a run without an end, until the ring has no room; all of them end after a cancel.
FaultOutcome overflow(FaultBench& bench) {
  const Fence endless = bench.start_endless();
  FaultOutcome found;
  std::vector<Fence> behind;
  try {
    for (int n = 0; n < 100; ++n) behind.push_back(bench.start_nops(99));
  } catch (const Error& error) {
    found = {error.result, error.what()};
  }
  endless.cancel();
  for (const Fence& fence : behind)
    if (ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT) != PPU_OK)
      return {PPU_ERROR_MISMATCH, ppu_last_error()};
  return found;
}

}  // namespace

FaultGroup link_faults() {
  std::vector<FaultCase> cases = interrupt_faults();
  for (const FaultCase& one : message_faults()) cases.push_back(one);
  cases.push_back(fault("interrupts-unasked", "20 interrupts that no wait is for", PPU_OK, "",
                        unasked_interrupts));
  cases.push_back(
      fault("ring-wraps", "1,200 commands go through the ring of 1,024", PPU_OK, "", wrap));
  cases.push_back(fault("ring-full", "lists behind a run without an end, until the ring is full",
                        PPU_ERROR_BUSY, "the ring has room for ", overflow));
  cases.push_back(fault("ring-list", "a list of 1,024 commands, which has no room for its fence",
                        PPU_ERROR_CAPACITY, "the list has 1025 commands with its fence",
                        [](FaultBench& bench) {
                          static_cast<void>(bench.start_nops(1024));
                          return FaultOutcome{};
                        }));
  return {"Link and ring", cases};
}

}  // namespace ppu::driver::test
