// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "sim/fpcheck/fpcheck.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <istream>
#include <ostream>
#include <sstream>

#include "base/bits/float_patterns.hpp"
#include "hw/cosim/rtl_float.hpp"
#include "sim/base/cli_error.hpp"

namespace ppu::sim {
namespace {

constexpr std::size_t kBatch = 4096;
constexpr std::size_t kMostLines = 8;

/// None, the least, both sides of the middle, a middle without low bits, all.
constexpr std::uint32_t kMantissas[] = {0x000000, 0x000001, 0x3fffff, 0x400000, 0x2aaaaa, 0x7fffff};
constexpr std::uint32_t kSigns[] = {0, kSign};

hw::FloatOperation operation_of(const std::string& name) {
  if (name == "add") return hw::FloatOperation::kAdd;
  return name == "mul" ? hw::FloatOperation::kMul : hw::FloatOperation::kDiv;
}

char symbol_of(const std::string& name) {
  return name == "add" ? '+' : name == "mul" ? '*' : '/';
}

bool is_nan(std::uint32_t bits) {
  return std::isnan(float_of(bits));
}

std::string digits(std::uint32_t bits) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", bits);
  return text;
}

bool read_word(const std::string& text, std::uint32_t* word) {
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, *word, 16);
  return error == std::errc{} && last == end;
}

}  // namespace

/// Pairs on their way through the unit, each compared with what this machine makes of it.
class FloatCheck::Batch {
 public:
  explicit Batch(FloatCheck& check) : check_(check) { pairs_.reserve(kBatch); }

  void add(std::uint32_t a, std::uint32_t b) {
    pairs_.push_back({a, b});
    if (pairs_.size() == kBatch) finish();
  }

  void finish() {
    const std::vector<std::uint32_t> results = check_.unit_->calculate(pairs_);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto [a, b] = pairs_[i];
      const std::uint32_t expected = check_.host_result(a, b);
      if (results[i] != expected) check_.note(a, b, results[i], expected);
    }
    check_.pairs_ += pairs_.size();
    pairs_.clear();
  }

 private:
  FloatCheck& check_;
  std::vector<hw::FloatPair> pairs_;
};

FloatCheck::FloatCheck(const std::string& operation, const hw::Config& config)
    : symbol_(symbol_of(operation)), unit_(hw::RtlFloat::create(operation_of(operation), config)) {
}

FloatCheck::~FloatCheck() = default;

int FloatCheck::stages() const {
  return unit_->stages();
}

std::uint32_t FloatCheck::host_result(std::uint32_t a, std::uint32_t b) const {
  const float x = float_of(a), y = float_of(b);
  const float result = symbol_ == '+' ? x + y : symbol_ == '*' ? x * y : x / y;
  return std::isnan(result) ? kCanonicalNan : bits_of(result);
}

void FloatCheck::note(std::uint32_t a, std::uint32_t b, std::uint32_t got, std::uint32_t expected) {
  if (++differences_ > kMostLines) return;
  lines_.push_back(digits(a) + " " + symbol_ + " " + digits(b) + " = " + digits(got) +
                   ", expected " + digits(expected));
}

void FloatCheck::check_exponents() {
  Batch batch(*this);
  for (std::uint32_t exponents = 0; exponents < 1U << 16U; ++exponents) {
    const std::uint32_t a = (exponents >> 8U) << 23U, b = (exponents & 0xffU) << 23U;
    for (const std::uint32_t mantissa_a : kMantissas)
      for (const std::uint32_t mantissa_b : kMantissas)
        for (const std::uint32_t sign : kSigns) batch.add(a | mantissa_a, sign | b | mantissa_b);
  }
  batch.finish();
}

void FloatCheck::check_random(std::uint64_t pairs, std::uint64_t seed) {
  Batch batch(*this);
  Random random(seed);
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const auto [a, b] = random_pair(random);
    batch.add(a, b);
  }
  batch.finish();
}

void FloatCheck::answer(std::istream& in, std::ostream& out) {
  std::string line;
  std::uint64_t number = 0;
  while (in) {
    std::vector<hw::FloatPair> pairs;
    std::vector<std::pair<std::size_t, std::uint32_t>> expectations;
    while (pairs.size() < kBatch && std::getline(in, line)) {
      ++number;
      std::istringstream words(line);
      std::string a, b, expected;
      if (!(words >> a)) continue;
      words >> b;
      hw::FloatPair pair;
      std::uint32_t result = 0;
      const bool expects = static_cast<bool>(words >> expected);
      if (!read_word(a, &pair.a) || !read_word(b, &pair.b) ||
          (expects && !read_word(expected, &result)))
        throw CliError(kExitUsage,
                       "line " + std::to_string(number) +
                           ": expected two or three hexadecimal words of 32 bits, got '" +
                           line.substr(0, 60) + "'");
      if (expects) expectations.emplace_back(pairs.size(), result);
      pairs.push_back(pair);
    }
    const std::vector<std::uint32_t> results = unit_->calculate(pairs);
    for (const std::uint32_t result : results) out << digits(result) << '\n';
    for (const auto& [index, expected] : expectations) {
      const std::uint32_t got = results[index];
      if (got != expected && !(is_nan(got) && is_nan(expected)))
        note(pairs[index].a, pairs[index].b, got, expected);
    }
    pairs_ += pairs.size();
  }
}

}  // namespace ppu::sim
