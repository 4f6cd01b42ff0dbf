// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Impulses on chip, in slot order, and their leads.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/contract/device.hpp"
#include "hw/contract/run.hpp"
#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::hw {

struct ImpulseMemory {
  class View;

  std::vector<float> impulses{};
  std::vector<float> leads{};  ///< By slot; empty while every impulse is its own lead.
  float lead_factor = 0;
  /// The last walk over the bodies was an `ahead`, not a `settle`: rows of kernels with `lead`
  /// start from their leads.
  bool extrapolating = false;

  /// Reads what a run starts from out of device memory.
  void load(const Memory& memory, const RunCommand& command);
  /// Writes a beat of them back, and says which bytes of the beat those are.
  std::uint64_t store_beat(const Memory& memory, const RunCommand& command,
                           std::uint32_t beat) const;
  /// How many beats they are.
  [[nodiscard]] std::uint32_t beats() const;

  /// A kernel with `lead` is about to run.
  void keep_leads() {
    if (leads.empty()) leads = impulses;
  }

  View view();
};

/// Where they are. A loop over rows holds it by value, so that the compiler knows that no store
/// moves them.
class ImpulseMemory::View {
 public:
  explicit View(ImpulseMemory& memory)
      : impulses_(memory.impulses.data()),
        leads_(memory.leads.empty() ? nullptr : memory.leads.data()),
        lead_factor_(memory.lead_factor),
        extrapolating_(memory.extrapolating) {}

  /// The impulse of the row's parent, 0 if it has none.
  [[nodiscard]] PPU_INLINE float parent_impulse(const ppu_row& row) const {
    return row.parent != PPU_NONE ? impulses_[row.parent] : 0.0F;
  }
  /// The impulses that the row in `slot` reads.
  PPU_INLINE void read(const ppu_row& row, std::uint32_t slot, model::RowOperands* in) const {
    in->impulse = impulses_[slot];
    in->parent_impulse = parent_impulse(row);
  }
  /// What a kernel with `lead` reads besides, and instead of its impulse.
  PPU_INLINE void add_lead(std::uint32_t slot, model::RowOperands* in) const {
    in->stored = in->impulse;
    in->lead_factor = lead_factor_;
    if (extrapolating_) in->impulse = leads_[slot];
  }
  /// Writes what a kernel under `control` stores of `result`.
  template <class Control>
  PPU_INLINE void write(Control control, std::uint32_t slot, const model::RowResult& result) const {
    if (result.skipped || control.store_impulse() == spec::StoreImpulse::kOff) return;
    impulses_[slot] = result.impulse;
    if (leads_ != nullptr) leads_[slot] = result.lead;
  }

 private:
  float* impulses_;
  float* leads_;  ///< Null while every impulse is its own lead.
  float lead_factor_;
  bool extrapolating_;
};

inline ImpulseMemory::View ImpulseMemory::view() {
  return View(*this);
}

}  // namespace ppu::hw
