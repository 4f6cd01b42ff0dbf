// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Memory that host and device share: a mapping of anonymous memory or of a memfd, unmapped with its
// owner.
#pragma once

#include <cstddef>

#include "hw/contract/device.hpp"

namespace ppu::driver {

class Mapping {
 public:
  /// `fd` -1: anonymous memory of this process. Throws Failure (PPU_ERROR_SYSTEM).
  Mapping(std::size_t size_bytes, int fd);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  [[nodiscard]] hw::Memory memory() const { return memory_; }

 private:
  hw::Memory memory_;
};

}  // namespace ppu::driver
