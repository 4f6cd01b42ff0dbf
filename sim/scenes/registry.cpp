// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Scenes by name.
#include "sim/scenes/registry.hpp"

#include <stdexcept>
#include <utility>

#include "sim/scenes/factories.hpp"

namespace ppu::scenes {
namespace {

struct Entry {
  const char* name;
  Factory make;
};

constexpr Entry kScenes[] = {
    {"ball", make_ball},           {"topple", make_topple}, {"wall10", make_wall10},
    {"wall32", make_wall32},       {"pile", make_pile},     {"ragdoll", make_ragdoll},
    {"massratio", make_massratio}, {"bridge", make_bridge},
};

}  // namespace

const std::vector<std::string>& scene_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Entry& entry : kScenes) list.emplace_back(entry.name);
    return list;
  }();
  return names;
}

std::unique_ptr<Scene> make_scene(const std::string& name, std::uint64_t seed, SolverPtr solver) {
  for (const Entry& entry : kScenes) {
    if (name == entry.name) return entry.make(seed, std::move(solver));
  }
  throw std::invalid_argument("no scene has the name '" + name + "'");
}

}  // namespace ppu::scenes
