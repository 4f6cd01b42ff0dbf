// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The 12 elements of a row in vectors of four, so that a compiler can use a vector unit on any
// target (vector extensions of GCC 12 and Clang). Each lane is rounded on its own, as a scalar is.
#pragma once

#include <cstdint>
#include <cstring>

/// The hot path must become one block of code in which nothing goes through memory.
#define PPU_INLINE __attribute__((always_inline)) inline

namespace ppu::model {

using Quad = float __attribute__((vector_size(16)));

/// A row vector: 6 elements of body a, then 6 of body b.
struct Lanes {
  Quad a;     ///< Elements 0, 1, 2, 3: linear and first angular of body a.
  Quad b;     ///< Elements 6, 7, 8, 9: linear and first angular of body b.
  Quad ends;  ///< Elements 4, 5, 10, 11: the other angular ones of a, then of b.

  /// Something said of body a and of body b.
  struct Bodies {
    bool a, b;
  };

  static PPU_INLINE Lanes load(const float* elements) {
    const Pairs ends{load_as<double>(elements + 4), load_as<double>(elements + 10)};
    return {load_as<Quad>(elements), load_as<Quad>(elements + 6), reinterpret_cast<Quad>(ends)};
  }

  PPU_INLINE void store(float* elements) const {
    const Pairs pairs = reinterpret_cast<Pairs>(ends);
    store_as(a, elements);
    store_as(pairs[0], elements + 4);
    store_as(b, elements + 6);
    store_as(pairs[1], elements + 10);
  }

  /// Copies the 6 elements of one body in the pieces that `load` and `store` use, so that a
  /// compiler sees through an array between the two.
  static PPU_INLINE void copy_body(const float* from, float* to) {
    store_as(load_as<Quad>(from), to);
    store_as(load_as<double>(from + 4), to + 4);
  }

  friend PPU_INLINE Lanes operator+(const Lanes& x, const Lanes& y) {
    return {x.a + y.a, x.b + y.b, x.ends + y.ends};
  }
  friend PPU_INLINE Lanes operator*(const Lanes& x, const Lanes& y) {
    return {x.a * y.a, x.b * y.b, x.ends * y.ends};
  }
  friend PPU_INLINE Lanes operator*(const Lanes& x, float y) {
    return {x.a * y, x.b * y, x.ends * y};
  }

  /// True if no element is infinite or not a number: w - w is 0 for finite w only, else NaN.
  [[nodiscard]] PPU_INLINE bool finite() const {
    const Quad zero = ((a - a) + (b - b)) + (ends - ends);
    const auto nan = reinterpret_cast<Masks>(zero != zero);
    return (nan[0] | nan[1]) == 0;
  }

  /// The bodies of which the magnitude of an element is above `limit`; that of a NaN never is.
  [[nodiscard]] PPU_INLINE Bodies above(float limit) const {
    const Masks a_above = reinterpret_cast<Masks>(magnitude(a) > limit);
    const Masks b_above = reinterpret_cast<Masks>(magnitude(b) > limit);
    const Masks ends_above = reinterpret_cast<Masks>(magnitude(ends) > limit);
    return {(a_above[0] | a_above[1] | ends_above[0]) != 0,
            (b_above[0] | b_above[1] | ends_above[1]) != 0};
  }

 private:
  using Patterns = std::int32_t __attribute__((vector_size(16)));
  using Pairs = double __attribute__((vector_size(16)));  // Two floats move as one double.
  using Masks = std::int64_t __attribute__((vector_size(16)));

  static PPU_INLINE Quad magnitude(Quad elements) {
    return reinterpret_cast<Quad>(reinterpret_cast<Patterns>(elements) & 0x7fffffff);
  }
  template <class T>
  static PPU_INLINE T load_as(const float* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  template <class T>
  static PPU_INLINE void store_as(T value, float* to) {
    std::memcpy(to, &value, sizeof value);
  }
};

}  // namespace ppu::model
