// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Union and find. The smallest number stands for its set.
#include "model/graph/connected.hpp"

#include <algorithm>
#include <numeric>

namespace ppu::model {

Connected::Connected(const std::vector<Bodies>& bodies, const std::vector<std::int32_t>& parents,
                     std::size_t body_count)
    : body_count_(body_count), up_(body_count + bodies.size()) {
  std::iota(up_.begin(), up_.end(), 0U);
  const auto first_row = static_cast<std::uint32_t>(body_count);
  for (std::uint32_t row = 0; row < bodies.size(); ++row) {
    for (const std::int32_t body : bodies[row])
      if (body >= 0) unite(static_cast<std::uint32_t>(body), first_row + row);
    if (parents[row] >= 0)
      unite(first_row + static_cast<std::uint32_t>(parents[row]), first_row + row);
  }
  // Whatever is above an item has a smaller number and is done already.
  for (std::uint32_t& item : up_) item = up_[item];
}

std::uint32_t Connected::find(std::uint32_t item) {
  for (; up_[item] != item; item = up_[item]) up_[item] = up_[up_[item]];
  return item;
}

void Connected::unite(std::uint32_t a, std::uint32_t b) {
  a = find(a);
  b = find(b);
  up_[std::max(a, b)] = std::min(a, b);
}

}  // namespace ppu::model
