// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Round robin between the engines and, as the last requester, the DMA. Who waits keeps the port.
#pragma once

#include <cstdint>

namespace ppu::hw {

class MemoryArbiter {
 public:
  explicit MemoryArbiter(std::uint32_t requesters)
      : requesters_(requesters), waiting_(requesters) {}

  /// The one that waits; else the first requester with a request, from the one after the last
  /// accepted on; the number of requesters if there is none.
  template <class HasRequest>
  [[nodiscard]] std::uint32_t pick(const HasRequest& has_request) const {
    if (waiting_ < requesters_) return waiting_;
    for (std::uint32_t n = next_; n < requesters_; ++n)
      if (has_request(n)) return n;
    for (std::uint32_t n = 0; n < next_; ++n)
      if (has_request(n)) return n;
    return requesters_;
  }
  void wait(std::uint32_t requester) { waiting_ = requester; }
  void accept(std::uint32_t requester) {
    next_ = (requester + 1) % requesters_;
    waiting_ = requesters_;
  }
  [[nodiscard]] std::uint32_t requesters() const { return requesters_; }

 private:
  std::uint32_t requesters_;
  std::uint32_t next_ = 0;
  std::uint32_t waiting_;
};

}  // namespace ppu::hw
