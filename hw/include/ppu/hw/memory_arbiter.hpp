// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Round robin between the engines and, as the last requester, the DMA.
#pragma once

#include <cstdint>

namespace ppu::hw {

class MemoryArbiter {
 public:
  explicit MemoryArbiter(std::uint32_t requesters) : requesters_(requesters) {}

  /// The first requester with a request, from the one after the last accepted on; the number of
  /// requesters if there is none.
  template <class HasRequest>
  [[nodiscard]] std::uint32_t pick(const HasRequest& has_request) const {
    for (std::uint32_t n = next_; n < requesters_; ++n)
      if (has_request(n)) return n;
    for (std::uint32_t n = 0; n < next_; ++n)
      if (has_request(n)) return n;
    return requesters_;
  }
  void accept(std::uint32_t requester) { next_ = (requester + 1) % requesters_; }
  [[nodiscard]] std::uint32_t requesters() const { return requesters_; }

 private:
  std::uint32_t requesters_;
  std::uint32_t next_ = 0;
};

}  // namespace ppu::hw
