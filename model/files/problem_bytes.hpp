// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A RowProblem as plain bytes, to hand it from one process to another on the same machine. One
// description serves both directions.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "base/bits/crc32c.hpp"
#include "model/problem/row_problem.hpp"
#include "model/problem/schema.hpp"

namespace ppu::model {

class ByteWriter {
 public:
  /// Room for what comes, which then is there only once.
  explicit ByteWriter(std::size_t size_bytes) { bytes_.reserve(size_bytes); }
  template <class T>
  void value(const T& value) {
    append(&value, sizeof value);
  }
  template <class Container>
  void sequence(const Container& values) {
    value(values.size());
    append(values.data(), values.size() * sizeof(typename Container::value_type));
  }
  template <class T>
  void optional(std::optional<T>& held) {
    value(held.has_value());
  }
  [[nodiscard]] std::vector<char> take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) {
    const char* begin = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  std::vector<char> bytes_;
};

/// A checksum of what describe() tells it, instead of the bytes themselves.
class ByteDigest {
 public:
  template <class T>
  void value(const T& value) {
    crc_.add(&value, sizeof value);
  }
  template <class Container>
  void sequence(const Container& values) {
    value(std::uint64_t{values.size()});
    crc_.add(values.data(), values.size() * sizeof(typename Container::value_type));
  }
  template <class T>
  void optional(std::optional<T>& held) {
    value(held.has_value());
  }
  [[nodiscard]] std::uint32_t result() const { return crc_.value(); }

 private:
  Crc32c crc_;
};

/// Never reads beyond the bytes it was given; `ok()` is false when they were too few or too many.
class ByteReader {
 public:
  ByteReader(const char* bytes, std::size_t size) : next_(bytes), left_(size) {}

  template <class T>
  void value(T& value) {
    copy(&value, sizeof value);
  }
  template <class Container>
  void sequence(Container& values) {
    std::size_t count = 0;
    value(count);
    constexpr std::size_t kSize = sizeof(typename Container::value_type);
    if (count > left_ / kSize) {
      fits_ = false;
      return;
    }
    values.resize(count);
    copy(values.data(), count * kSize);
  }
  template <class T>
  void optional(std::optional<T>& held) {
    unsigned char flag = 0;
    value(flag);
    if (flag != 0) held.emplace();
  }
  [[nodiscard]] bool ok() const { return fits_ && left_ == 0; }
  /// The bytes that are left, as text.
  [[nodiscard]] std::string rest() const { return {next_, left_}; }

 private:
  void copy(void* out, std::size_t size) {
    if (size > left_) {
      fits_ = false;
      return;
    }
    if (size == 0) return;
    std::memcpy(out, next_, size);
    next_ += size;
    left_ -= size;
  }
  const char* next_;
  std::size_t left_;
  bool fits_ = true;
};

/// Everything in a RowProblem, in one order for ByteWriter and ByteReader.
template <class Bytes>
void describe(Bytes& bytes, RowProblem& problem) {
  for (const auto& text : kTextAttributes) bytes.sequence(problem.*text.member);
  for (const auto& integer : kIntegerAttributes) bytes.value(problem.*integer.member);
  bytes.value(problem.dt);
  bytes.sequence(problem.body);
  bytes.sequence(problem.kind);
  bytes.sequence(problem.parent);
  for (const auto& array : kFloatArrays) bytes.sequence(problem.*array.member);
  bytes.optional(problem.reference);
  if (problem.reference) {
    bytes.value(problem.reference->sweeps);
    bytes.sequence(problem.reference->start);
    bytes.sequence(problem.reference->friction_rule);
    bytes.sequence(problem.reference->impulse);
    bytes.sequence(problem.reference->velocity_change);
  }
  bytes.optional(problem.solution);
  if (problem.solution) {
    bytes.sequence(problem.solution->impulse);
    bytes.sequence(problem.solution->velocity_change);
  }
}

/// Of all numbers and texts of a problem, as files have it: `crc32c:0123abcd`.
inline std::string digest_of(RowProblem problem) {
  ByteDigest digest;
  describe(digest, problem);
  char text[32];
  std::snprintf(text, sizeof text, "crc32c:%08x", digest.result());
  return text;
}

}  // namespace ppu::model
