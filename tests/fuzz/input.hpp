// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a fuzz target is given: bytes, taken as numbers from the front; none left is zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace ppu::fuzz {

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  [[nodiscard]] std::size_t left() const { return size_; }
  std::uint32_t byte() {
    std::uint8_t value = 0;
    take(&value, 1);
    return value;
  }
  std::uint32_t word() {
    std::uint32_t value = 0;
    take(&value, sizeof value);
    return value;
  }
  float number() {
    float value = 0;
    take(&value, sizeof value);
    return value;
  }
  std::uint32_t below(std::uint32_t count) { return (count > 256 ? word() : byte()) % count; }
  void take(void* target, std::size_t bytes) {
    const std::size_t there = bytes < size_ ? bytes : size_;
    if (there > 0) std::memcpy(target, data_, there);
    data_ += there;
    size_ -= there;
  }
  std::string rest() {
    const std::string text(reinterpret_cast<const char*>(data_), size_);
    size_ = 0;
    return text;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

/// A promise of the code under test is broken: the fuzzer keeps the input.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

}  // namespace ppu::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
