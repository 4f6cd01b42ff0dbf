// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How the driver fails: an exception with a result code and a sentence inside, a ppu_result and
// this thread's last error at the C boundary.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "base/text/sentence.hpp"
#include "hw/contract/config.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// A call that cannot be done: what() says what, where, found and expected.
class Failure : public std::runtime_error {
 public:
  Failure(ppu_result code, const std::string& sentence)
      : std::runtime_error(sentence), result(code) {}
  ppu_result result;
};

/// Throws a Failure whose sentence is the parts one after another.
template <class... Parts>
[[noreturn]] void fail(ppu_result result, const Parts&... parts) {
  throw Failure(result, text::sentence_of(parts...));
}

/// Refuses a null argument of a C call.
template <class T>
void require(const T* pointer, const char* argument) {
  if (pointer == nullptr) fail(PPU_ERROR_INVALID_ARGUMENT, "argument '", argument, "' is null");
}

/// Keeps the sentence for ppu_last_error() and returns the code.
ppu_result remember(ppu_result result, const char* sentence) noexcept;
const char* last_error() noexcept;

/// Runs the body of a C call; nothing is thrown across the boundary.
template <class Body>
ppu_result guarded(Body&& body) noexcept {
  try {
    body();
    return PPU_OK;
  } catch (const Failure& failure) {
    return remember(failure.result, failure.what());
  } catch (const hw::ConfigError& error) {
    return remember(error.unknown ? PPU_ERROR_NOT_FOUND : PPU_ERROR_CONFIG, error.what());
  } catch (const std::bad_alloc&) {
    return remember(PPU_ERROR_SYSTEM, "the host is out of memory");
  } catch (const std::exception& error) {
    return remember(PPU_ERROR_SYSTEM, error.what());
  } catch (...) {
    return remember(PPU_ERROR_SYSTEM, "unknown failure inside the driver");
  }
}

}  // namespace ppu::driver
