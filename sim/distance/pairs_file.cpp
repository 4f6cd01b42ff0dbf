// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Reads polyhedra and pairs, and trusts nothing of them.
#include "sim/distance/pairs_file.hpp"

#include <nlohmann/json.hpp>

#include "sim/base/cli_error.hpp"
#include "sim/base/files.hpp"

namespace ppu::sim {
namespace {

namespace distance = model::distance;
using Json = nlohmann::json;

constexpr std::size_t kMaxPolyhedra = 4096;
constexpr std::size_t kMaxPairs = 1U << 20U;

[[noreturn]] void refuse_item(const std::string& path, const std::string& item,
                              const std::string& rest) {
  throw CliError(kExitUsage, path + ": " + item + ": " + rest);
}

/// An item of the file, and what to call it.
struct Item {
  const std::string& path;
  std::string name;
  const Json& value;

  [[noreturn]] void refuse(const std::string& expected) const {
    std::string found = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    constexpr std::size_t kMost = 40;
    if (found.size() > kMost) found = found.substr(0, kMost) + "...";
    refuse_item(path, name, "found " + found + ", expected " + expected);
  }
  [[nodiscard]] Item at(std::size_t i) const {
    return {path, name + " " + std::to_string(i), value[i]};
  }
  [[nodiscard]] Item at(const std::string& key) const {
    return {path, name + " " + key, value[key]};
  }
  [[nodiscard]] std::size_t list(std::size_t most, const std::string& of) const {
    if (!value.is_array() || value.size() > most)
      refuse("a list of at most " + std::to_string(most) + " " + of);
    return value.size();
  }
  template <std::size_t count>
  [[nodiscard]] std::array<double, count> numbers() const {
    std::array<double, count> all{};
    const std::string expected = std::to_string(count) + " finite numbers";
    if (!value.is_array() || value.size() != count) refuse(expected);
    for (std::size_t i = 0; i < count; ++i) {
      if (!value[i].is_number() || !std::isfinite(value[i].get<double>())) refuse(expected);
      all[i] = value[i].get<double>();
    }
    return all;
  }
  void check_keys(const std::vector<std::string>& known) const {
    if (!value.is_object()) refuse("an object");
    for (const auto& entry : value.items())
      if (std::find(known.begin(), known.end(), entry.key()) == known.end())
        refuse_item(path, name, "found the unknown key \"" + entry.key() + "\"");
  }
};

distance::Convex convex_of(const Item& item) {
  const bool by_planes = item.value.contains("planes");
  if (by_planes == item.value.contains("vertices"))
    item.refuse("one of \"planes\" and \"vertices\"");
  const Item list = item.at(by_planes ? "planes" : "vertices");
  try {
    if (by_planes) {
      std::vector<distance::Plane> planes(list.list(distance::kMaxFaces, "planes"));
      for (std::size_t i = 0; i < planes.size(); ++i) {
        const auto [x, y, z, offset] = list.at(i).numbers<4>();
        planes[i] = {{x, y, z}, offset};
      }
      return distance::convex_of_planes(std::move(planes));
    }
    std::vector<distance::Vector3> points(list.list(distance::kMaxVertices, "vertices"));
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = list.at(i).numbers<3>();
    return distance::convex_of_points(points);
  } catch (const distance::ConvexError& error) {
    refuse_item(item.path, item.name, error.what());
  }
}

distance::Pose pose_of(const Item& item) {
  distance::Pose pose;
  if (item.value.contains("position")) pose.position = item.at("position").numbers<3>();
  if (!item.value.contains("rotation")) return pose;
  const Item rotation = item.at("rotation");
  const auto turned = distance::pose_of(pose.position, rotation.numbers<4>());
  if (!turned) rotation.refuse("a quaternion of length 1");
  return *turned;
}

std::size_t number_of(const Item& item, std::size_t i, std::size_t end) {
  const Json& value = item.value[i];
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= end)
    item.refuse("two numbers of polyhedra below " + std::to_string(end));
  return value.get<std::size_t>();
}

void read_pair_list(const Item& root, const std::vector<distance::Pose>& poses, NamedPairs& read) {
  const auto add = [&](std::size_t first, std::size_t second) {
    read.pairs.push_back({first, second, poses[first], poses[second]});
  };
  if (!root.value.contains("pairs")) {
    for (std::size_t i = 0; i < poses.size(); ++i)
      for (std::size_t k = i + 1; k < poses.size() && read.pairs.size() < kMaxPairs; ++k) add(i, k);
    return;
  }
  const Item list = root.at("pairs");
  const std::size_t count = list.list(kMaxPairs, "pairs");
  for (std::size_t i = 0; i < count; ++i) {
    const Item pair = list.at(i);
    if (!pair.value.is_array() || pair.value.size() != 2) pair.refuse("two numbers of polyhedra");
    add(number_of(pair, 0, poses.size()), number_of(pair, 1, poses.size()));
  }
}

}  // namespace

NamedPairs read_pairs(const std::string& path) {
  check_exists(path, ", expected a JSON file of polyhedra");
  Json json;
  try {
    json = Json::parse(read_file(path));
  } catch (const Json::exception& error) {
    refuse_item(
        path, "the file",
        "found no JSON (" + std::string(error.what()) + "), expected an object with polyhedra");
  }
  const Item root{path, "the file", json};
  root.check_keys({"polyhedra", "pairs"});
  if (!json.contains("polyhedra")) root.refuse("\"polyhedra\"");
  const Item list{path, "polyhedra", json["polyhedra"]};
  NamedPairs read;
  std::vector<distance::Pose> poses;
  const std::size_t count = list.list(kMaxPolyhedra, "polyhedra");
  if (count < 2) list.refuse("two polyhedra or more");
  for (std::size_t i = 0; i < count; ++i) {
    const Item item = list.at(i);
    item.check_keys({"name", "planes", "vertices", "position", "rotation"});
    if (item.value.contains("name") && !item.value["name"].is_string())
      item.at("name").refuse("text");
    read.names.push_back(item.value.value("name", std::to_string(i)));
    read.shapes.push_back(convex_of(item));
    poses.push_back(pose_of(item));
  }
  read_pair_list(root, poses, read);
  return read;
}

}  // namespace ppu::sim
