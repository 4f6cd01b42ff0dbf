// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where rows, impulses and velocities of a solve are: for each of the three one range of host
// memory and one of device memory, the same places in both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "driver/device/command.hpp"
#include "driver/device/device.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// Ranges of a copy command, without an allocation.
struct Ranges {
  std::array<Descriptor, 3> range{};
  std::size_t count = 0;
};

class Region {
 public:
  Region() = default;
  /// Takes both ranges, none of 0 bytes; `size_bytes` of them are used. Throws Failure.
  Region(const Device& device, std::uint64_t size_bytes);

  [[nodiscard]] std::uint64_t capacity_bytes() const { return device_.size_bytes(); }
  /// How much of it is copied, at most the capacity.
  void use(std::uint64_t size_bytes) { used_bytes_ = static_cast<std::uint32_t>(size_bytes); }
  [[nodiscard]] std::uint32_t used_bytes() const { return used_bytes_; }
  /// Null where the region is empty: a problem may have rows and no bodies.
  template <class T>
  [[nodiscard]] T* at(std::uint32_t place = 0) const {
    return capacity_bytes() == 0 ? nullptr : reinterpret_cast<T*>(host_.data() + place);
  }
  /// Of device memory; 0 where the region is empty.
  [[nodiscard]] std::uint32_t address(std::uint32_t place = 0) const {
    return used_bytes_ == 0 ? 0 : device_.address() + place;
  }
  /// `size_bytes` from the device address `address` on, in both memories.
  [[nodiscard]] Descriptor range(std::uint32_t address, std::uint32_t size_bytes) const {
    return {host_.address() + address - device_.address(), address, size_bytes, 0};
  }
  /// Adds the used part, if there is one.
  void append_to(Ranges* ranges) const;

 private:
  HostBlock host_;
  Allocation device_;
  std::uint32_t used_bytes_ = 0;
};

struct SolveRegions {
  Region rows, impulses, velocities;

  /// Impulses and velocities, which go both ways.
  [[nodiscard]] Ranges state() const;
};

/// A size in bytes, rounded up to whole beats.
std::uint64_t whole_beats(std::uint64_t size_bytes);

/// For one run of full rows, each region of whole beats.
SolveRegions regions_of(const Device& device, std::size_t rows, std::size_t bodies);

}  // namespace ppu::driver
