// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bodies with contacts between them as doubles, on the way to a peer that takes worlds. Each
// contact has three rows: along its normal, with an impulse of at least 0, and along two directions
// across it, with an impulse within a bound. Back come the impulses, contact by contact, and the
// seconds.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace ppu::sim {

struct WorldBody {
  std::array<double, 3> position{};
  double inv_mass = 0;
  std::array<double, 9> inv_inertia{};
};

struct WorldContact {
  std::array<double, 2> body{-1, -1};  ///< The first is never the static world, -1.
  std::array<double, 3> point{};
  /// The normal, into the first body, and the directions across it, at right angles.
  std::array<std::array<double, 3>, 3> direction{};
  std::array<double, 3> rate{};        ///< b of each row, in u = b + A x.
  std::array<double, 3> compliance{};  ///< Of each row.
  std::array<double, 2> bound{};       ///< Of the two across.
};

struct WorldList {
  double sweeps = 0;  ///< Of a solver that sweeps.
  std::vector<WorldBody> body;
  std::vector<WorldContact> contact;
};

/// Calls `item` with every number of the lists, in their order.
template <class List, class Item>
void for_each_number(List& list, const Item& item) {
  for (auto& body : list.body) {
    for (auto& x : body.position) item(x);
    item(body.inv_mass);
    for (auto& x : body.inv_inertia) item(x);
  }
  for (auto& contact : list.contact) {
    for (auto& x : contact.body) item(x);
    for (auto& x : contact.point) item(x);
    for (auto& direction : contact.direction)
      for (auto& x : direction) item(x);
    for (auto* part : {&contact.rate, &contact.compliance})
      for (auto& x : *part) item(x);
    for (auto& x : contact.bound) item(x);
  }
}

inline std::vector<double> to_numbers(const WorldList& list) {
  std::vector<double> numbers{list.sweeps, static_cast<double>(list.body.size()),
                              static_cast<double>(list.contact.size())};
  for_each_number(list, [&](double x) { numbers.push_back(x); });
  return numbers;
}

inline WorldList world_list_of(const std::vector<double>& numbers) {
  WorldList list;
  list.sweeps = numbers.at(0);
  list.body.resize(static_cast<std::size_t>(numbers.at(1)));
  list.contact.resize(static_cast<std::size_t>(numbers.at(2)));
  std::size_t next = 3;
  for_each_number(list, [&](double& x) { x = numbers.at(next++); });
  return list;
}

}  // namespace ppu::sim
