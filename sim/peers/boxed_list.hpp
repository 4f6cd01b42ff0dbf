// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A boxed problem as doubles, on the way to a peer: its size, the number of entries of A, each as
// row, column, value; then b, lo and hi. Back come x, the seconds, and 1 if the solver says that it
// has solved it.
#pragma once

#include <cstddef>
#include <ctime>
#include <vector>

namespace ppu::sim {

struct BoxedEntry {
  std::size_t row, column;
  double value;
};

struct BoxedList {
  std::vector<BoxedEntry> a;
  std::vector<double> b, lower, upper;
};

inline std::vector<double> to_numbers(const BoxedList& list) {
  std::vector<double> numbers{static_cast<double>(list.b.size()),
                              static_cast<double>(list.a.size())};
  for (const BoxedEntry& e : list.a) {
    numbers.push_back(static_cast<double>(e.row));
    numbers.push_back(static_cast<double>(e.column));
    numbers.push_back(e.value);
  }
  for (const auto* part : {&list.b, &list.lower, &list.upper})
    numbers.insert(numbers.end(), part->begin(), part->end());
  return numbers;
}

inline BoxedList boxed_list_of(const std::vector<double>& numbers) {
  const auto size = static_cast<std::size_t>(numbers.at(0));
  const auto entries = static_cast<std::size_t>(numbers.at(1));
  std::size_t next = 2;
  BoxedList list;
  for (std::size_t i = 0; i < entries; ++i, next += 3)
    list.a.push_back({static_cast<std::size_t>(numbers.at(next)),
                      static_cast<std::size_t>(numbers.at(next + 1)), numbers.at(next + 2)});
  for (auto* part : {&list.b, &list.lower, &list.upper})
    for (std::size_t i = 0; i < size; ++i) part->push_back(numbers.at(next++));
  return list;
}

/// Processor time from its making.
class PeerWatch {
 public:
  [[nodiscard]] double seconds() const {
    return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC;
  }

 private:
  std::clock_t start_ = std::clock();
};

}  // namespace ppu::sim
