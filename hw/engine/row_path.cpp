// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/engine/row_path.hpp"

namespace ppu::hw {

void RowPath::connect(Blocks blocks) {
  blocks_ = std::move(blocks);
  while (1U << pipe_bits_ < blocks_.pipes.size()) ++pipe_bits_;
}

void RowPath::clear(const RunCommand& command) {
  for (RowMemory* const rows : blocks_.rows) rows->clear();
  for (VelocityMemory* const copy : blocks_.velocities) *copy = {};
  *blocks_.impulses = {};
  *blocks_.tags = BodyTags(command.body_count);
}

void RowPath::load(const Memory& memory, const RunCommand& command) {
  blocks_.impulses->load(memory, command);
  blocks_.velocities.front()->load(memory, command);
  copy_velocities();
}

std::uint64_t RowPath::store_beat(const Memory& memory, const RunCommand& command,
                                  std::uint32_t beat) const {
  const std::uint32_t impulses = blocks_.impulses->beats();
  return beat < impulses ? blocks_.impulses->store_beat(memory, command, beat)
                         : blocks_.velocities.front()->store_beat(memory, command, beat - impulses);
}

RunStop RowPath::fault(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot) const {
  return row_fault(slot, run(kernel.control, row, slot, 0).result);
}

void RowPath::rebase(Counters* counters) {
  blocks_.velocities.front()->rebase(counters);
  blocks_.impulses->extrapolating = false;
}

bool RowPath::extrapolate(Counters* counters) {
  ImpulseMemory& impulses = *blocks_.impulses;
  if (!blocks_.velocities.front()->extrapolate(impulses.lead_factor, counters)) return false;
  copy_velocities();
  impulses.extrapolating = true;
  return true;
}

void RowPath::copy_velocities() {
  for (VelocityMemory* const copy : blocks_.velocities)
    if (copy != blocks_.velocities.front())
      copy->velocities = blocks_.velocities.front()->velocities;
}

OwnRowPath::OwnRowPath(const Config& config) : dot_(config), step_(config), axpy_(config) {
  pipe_.connect(dot_, step_, axpy_);
  RowPath::Blocks blocks;
  for (std::uint32_t n = 0; n < config.pipes; ++n) {
    blocks.rows.push_back(&rows_.emplace_back(config));
    blocks.pipes.push_back(&pipe_);
  }
  for (std::uint32_t n = 0; n < velocity_copies(config); ++n)
    blocks.velocities.push_back(&velocities_[n]);
  blocks.impulses = &impulses_;
  blocks.tags = &tags_;
  path.connect(std::move(blocks));
}

}  // namespace ppu::hw
