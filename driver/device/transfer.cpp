// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Copies piece by piece.
#include "driver/device/transfer.hpp"

#include <algorithm>

namespace ppu::driver {
namespace {

/// Largest piece: little of the smallest host memory, and soon over on the slowest back end.
constexpr std::size_t kPieceBytes = 256U << 10U;

/// Records every piece in a batch of its own and waits for it.
template <class Byte, class Record>
void in_pieces(Device& device, const Part& part, Byte* data, Record record) {
  device.require_idle();
  for (std::size_t done = 0; done < part.size_bytes;) {
    const std::size_t size = std::min(part.size_bytes - done, kPieceBytes);
    const auto batch = std::make_shared<Batch>(device.host_memory());
    const auto address = part.address + static_cast<std::uint32_t>(done);
    record(*batch, Part{part.memory, address, size}, data + done);
    device.execute(batch);
    batch->deliver();
    done += size;
  }
}

}  // namespace

void write_part(Device& device, const Part& part, const void* data) {
  in_pieces(device, part, static_cast<const std::byte*>(data), record_copy_in);
}

void read_part(Device& device, const Part& part, void* data) {
  in_pieces(device, part, static_cast<std::byte*>(data), record_copy_out);
}

}  // namespace ppu::driver
