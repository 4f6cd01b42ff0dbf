// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Between the driver and a device that is well: messages and interrupts that are lost, repeated,
// made up or spoilt on their way, and a ring that wraps and overflows.
#include <unistd.h>

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

ppu_device_def behind_link(const FaultBench& bench) {
  ppu_device_def def = ppu_default_device_def();
  def.backend = bench.backend.c_str();
  def.config = "small";
  return def;
}

using OnLink = std::function<FaultOutcome(FaultBench& behind)>;

/// Uses a device behind a link that goes bad once the device has worked.
FaultOutcome on_device(const ppu_device_def& def, const OnLink& use, bool& has_worked) {
  FaultBench behind(def);
  const FaultOutcome well = behind.sweep();
  if (well.result != PPU_OK) throw Error(well.result, well.sentence);
  has_worked = true;
  static_cast<void>(behind.device.read_register(PPU_REGISTER_SPEC_HASH));
  return use(behind);
}

/// A second device, whose link is `word`.
FaultCase on_link(const std::string& word, const std::string& how, ppu_result expected,
                  const std::string& sentence, const OnLink& use, const char* call = "") {
  FaultCase made =
      fault("link-" + word + call, how, expected, sentence, [word, use](FaultBench& bench) {
        const BehindBadLink environment(word);
        bool has_worked = false;
        return on_device(behind_link(bench), use, has_worked);
      });
  made.where = Where::kProcesses;
  return made;
}

/// What the limit of an answer is needed for: a quarter of a second, or more on a machine where a
/// device that is well takes longer.
FaultCase in_time(const std::string& word, const std::string& how, const OnLink& use) {
  FaultCase made =
      fault("link-" + word, how, PPU_ERROR_DEVICE_LOST, "did not answer within",
            [word, use](FaultBench& bench) {
              const BehindBadLink environment(word);
              ppu_device_def def = behind_link(bench);
              for (def.answer_timeout_ns = 250 * kMillisecond;; def.answer_timeout_ns *= 2) {
                bool has_worked = false;
                try {
                  return on_device(def, use, has_worked);
                } catch (const Error& error) {
                  const bool may_be_slow = !has_worked && error.result == PPU_ERROR_DEVICE_LOST;
                  if (!may_be_slow || def.answer_timeout_ns > 10'000 * kMillisecond) throw;
                }
              }
            });
  made.where = Where::kSystemc;
  return made;
}

FaultCase on_opening(const std::string& word, const std::string& how, ppu_result expected,
                     const std::string& sentence, std::uint64_t limit_ns = 0) {
  FaultCase made =
      fault("link-" + word, how, expected, sentence, [word, limit_ns](FaultBench& bench) {
        const BehindBadLink environment(word);
        ppu_device_def def = behind_link(bench);
        if (limit_ns != 0) def.answer_timeout_ns = limit_ns;
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

/// The line stays up after an interrupt that was lost: no other comes, but both fences are there.
FaultOutcome finds_both(FaultBench& behind) {
  for (int n = 0; n < 2; ++n) {
    const Fence fence = behind.start_nops(1);
    const FaultOutcome outcome = outcome_of(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT));
    if (outcome.result != PPU_OK) return outcome;
  }
  return {};
}

/// Nobody waits for the fence: a call that needs the device idle finds that it is.
FaultOutcome finds_idle(FaultBench& behind) {
  const Fence fence = behind.start_nops(1);
  FaultOutcome outcome{PPU_ERROR_BUSY, ""};
  for (int n = 0; n < 10'000 && outcome.result == PPU_ERROR_BUSY; ++n) {
    std::uint32_t data = 0;
    outcome = outcome_of(ppu_buffer_read(behind.witness.get(), 0, &data, sizeof data));
    usleep(5000);
  }
  return outcome.result == PPU_OK ? outcome_of(ppu_fence_wait(fence.get(), 0)) : outcome;
}

/// Fills the ring with more doorbells than the socket has room for.
FaultOutcome rings(FaultBench& behind) {
  for (int n = 0; n < 500; ++n) static_cast<void>(behind.start_nops(1));
  return {};
}

std::vector<FaultCase> interrupt_faults() {
  return {
      on_link("loses-interrupts", "no interrupt arrives any more: waits take a second and a half",
              PPU_OK, "", finds_both),
      on_link(
          "loses-interrupts", "no interrupt arrives any more: a copy takes a second and a half",
          PPU_OK, "",
          [](FaultBench& behind) {
            std::uint32_t data = 0;
            return outcome_of(ppu_buffer_read(behind.witness.get(), 0, &data, sizeof data));
          },
          "-copy"),
      on_link(
          "loses-interrupts", "no interrupt arrives any more: a cancel ends the run",
          PPU_ERROR_CANCELLED, "the run was cancelled",
          [](FaultBench& behind) {
            const Fence fence = behind.start_endless();
            const FaultOutcome outcome = outcome_of(ppu_fence_cancel(fence.get()));
            return outcome.result == PPU_OK ? outcome_of(ppu_fence_wait(fence.get(), 0)) : outcome;
          },
          "-cancel"),
      on_link("loses-interrupts", "no interrupt arrives any more: who looks finds the device idle",
              PPU_OK, "", finds_idle, "-idle"),
      on_link("loses-an-interrupt",
              "an interrupt is lost: waits without a limit take a second and a half", PPU_OK, "",
              finds_both),
      on_link("errors-for-ever", "the error queue is never empty", PPU_OK, "", works),
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
      in_time("loses-answers", "no answer arrives any more", reads),
      in_time("takes-nothing", "no message of the host is taken any more", rings),
      on_link("cuts-answers", "half of each answer arrives", PPU_ERROR_DEVICE_LOST,
              "close the device", reads),
      on_link("lengthens-answers", "answers are too long", PPU_ERROR_DEVICE_LOST,
              "close the device", reads),
      on_link("empties-answers", "answers are empty", PPU_ERROR_DEVICE_LOST, "close the device",
              reads),
      on_link("hangs-up", "the link hangs up at a doorbell", PPU_ERROR_DEVICE_LOST,
              "exited with status 0", waits),
      on_opening("open-silent", "no reply to the opening arrives", PPU_ERROR_DEVICE_LOST,
                 "did not answer within 0.25 s", 250 * kMillisecond),
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
