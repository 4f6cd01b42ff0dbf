// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The last error of each thread.
#include "driver/base/failure.hpp"

#include <array>
#include <cstdio>

namespace ppu::driver {
namespace {

// A fixed array: remembering an error must not fail.
thread_local std::array<char, 4096> last_sentence{};

}  // namespace

ppu_result remember(ppu_result result, const char* sentence) noexcept {
  std::snprintf(last_sentence.data(), last_sentence.size(), "%s", sentence);
  return result;
}

const char* last_error() noexcept {
  return last_sentence.data();
}

}  // namespace ppu::driver
