// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A replay as a binary glTF 2.0 file (Khronos, glTF 2.0 specification, chapters 3 and 4).
#include "sim/replay/glb.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kMagic = 0x46546C67;  // "glTF"
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;    // "JSON"
constexpr std::uint32_t kBinaryChunk = 0x004E4942;  // "BIN"
constexpr int kUnsignedShort = 5123, kFloat = 5126;
constexpr int kArrayBuffer = 34962, kElementArrayBuffer = 34963;

/// The buffer with its views and accessors, one view for each accessor.
class Buffer {
 public:
  /// Index of the accessor; `width` numbers make an element of `type`. `target` 0: none.
  template <class Number>
  std::size_t add(const std::vector<Number>& numbers, const std::string& type, std::size_t width,
                  int target) {
    const std::size_t size = numbers.size() * sizeof(Number);
    Json view = {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}};
    if (target != 0) view["target"] = target;
    views_.push_back(std::move(view));
    accessors_.push_back({{"bufferView", views_.size() - 1},
                          {"componentType", sizeof(Number) == 2 ? kUnsignedShort : kFloat},
                          {"count", numbers.size() / width},
                          {"type", type}});
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), size);
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
    return accessors_.size() - 1;
  }
  /// The specification asks for the bounds of positions and of key times.
  void set_bounds(std::size_t accessor, const std::vector<float>& numbers, std::size_t width) {
    std::vector<float> low(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(width));
    std::vector<float> high = low;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      low[i % width] = std::min(low[i % width], numbers[i]);
      high[i % width] = std::max(high[i % width], numbers[i]);
    }
    accessors_[accessor]["min"] = low;
    accessors_[accessor]["max"] = high;
  }
  void put_into(Json* gltf) const {
    (*gltf)["buffers"] = Json::array({Json{{"byteLength", bytes_.size()}}});
    (*gltf)["bufferViews"] = views_;
    (*gltf)["accessors"] = accessors_;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  Json views_ = Json::array();
  Json accessors_ = Json::array();
};

Json material(const std::string& name, float red, float green, float blue) {
  return {{"name", name},
          {"pbrMetallicRoughness",
           {{"baseColorFactor", {red, green, blue, 1.0F}},
            {"metallicFactor", 0.0F},
            {"roughnessFactor", 0.9F}}}};
}

/// Two meshes of each shape, in the order of the shapes: of bodies that never move, and of others.
Json meshes_of(const ReplayReport& report, Buffer* buffer) {
  Json meshes = Json::array();
  for (const ShapeMesh& shape : report.shapes) {
    const std::size_t positions = buffer->add(shape.positions, "VEC3", 3, kArrayBuffer);
    buffer->set_bounds(positions, shape.positions, 3);
    const std::size_t normals = buffer->add(shape.normals, "VEC3", 3, kArrayBuffer);
    const std::size_t indices = buffer->add(shape.indices, "SCALAR", 1, kElementArrayBuffer);
    for (const int of_moving : {0, 1}) {
      Json primitive = {{"attributes", {{"POSITION", positions}, {"NORMAL", normals}}},
                        {"indices", indices},
                        {"material", of_moving}};
      meshes.push_back({{"name", shape.name}, {"primitives", Json::array({std::move(primitive)})}});
    }
  }
  return meshes;
}

Json nodes_of(const ReplayReport& report) {
  Json nodes = Json::array();
  for (std::size_t body = 0; body < report.bodies.size(); ++body) {
    const Pose& pose = report.frames.front().poses[body];
    const bool moving = report.bodies[body].mass > 0;
    nodes.push_back({{"name", "body " + std::to_string(body)},
                     {"mesh", 2 * report.bodies[body].shape + (moving ? 1 : 0)},
                     {"translation", pose.position},
                     {"rotation", pose.rotation}});
  }
  return nodes;
}

bool moves(const ReplayReport& report, std::size_t body) {
  const Pose& first = report.frames.front().poses[body];
  return std::any_of(report.frames.begin(), report.frames.end(),
                     [&](const ReplayFrame& frame) { return frame.poses[body] != first; });
}

/// One sampler and one channel for each path, on key times that all share.
Json animation_of(const ReplayReport& report, Buffer* buffer) {
  std::vector<float> times;
  for (const ReplayFrame& frame : report.frames)
    times.push_back(static_cast<float>(frame.number * report.frame_seconds));
  const std::size_t input = buffer->add(times, "SCALAR", 1, 0);
  buffer->set_bounds(input, times, 1);
  Json samplers = Json::array();
  Json channels = Json::array();
  const auto add = [&](std::size_t body, const std::string& path, std::size_t output) {
    channels.push_back(
        {{"sampler", samplers.size()}, {"target", {{"node", body}, {"path", path}}}});
    samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
  };
  for (std::size_t body = 0; body < report.bodies.size(); ++body) {
    if (!moves(report, body)) continue;
    std::vector<float> positions, rotations;
    std::array<float, 4> last = report.frames.front().poses[body].rotation;
    for (const ReplayFrame& frame : report.frames) {
      const Pose& pose = frame.poses[body];
      positions.insert(positions.end(), pose.position.begin(), pose.position.end());
      last = nearer(pose.rotation, last);
      rotations.insert(rotations.end(), last.begin(), last.end());
    }
    add(body, "translation", buffer->add(positions, "VEC3", 3, 0));
    add(body, "rotation", buffer->add(rotations, "VEC4", 4, 0));
  }
  return {{"name", report.scene}, {"samplers", samplers}, {"channels", channels}};
}

std::string word(std::size_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

std::string chunk(std::uint32_t type, std::string content, char filler) {
  content.resize((content.size() + 3) / 4 * 4, filler);
  return word(content.size()) + word(type) + content;
}

}  // namespace

std::string glb_of(const ReplayReport& report) {
  Buffer buffer;
  Json scene_nodes = Json::array();
  for (std::size_t body = 0; body < report.bodies.size(); ++body) scene_nodes.push_back(body);
  Json gltf = {{"asset", {{"version", "2.0"}, {"generator", std::string("ppu ") + ppu_version()}}},
               {"scene", 0},
               {"scenes", Json::array({Json{{"name", report.scene}, {"nodes", scene_nodes}}})},
               {"nodes", nodes_of(report)},
               {"materials", Json::array({material("fixed", 0.55F, 0.58F, 0.62F),
                                          material("moving", 0.70F, 0.43F, 0.32F)})},
               {"meshes", meshes_of(report, &buffer)}};
  Json animation = animation_of(report, &buffer);
  if (!animation["channels"].empty()) gltf["animations"] = Json::array({std::move(animation)});
  buffer.put_into(&gltf);
  const std::string content =
      chunk(kJsonChunk, gltf.dump(), ' ') + chunk(kBinaryChunk, buffer.bytes(), '\0');
  constexpr std::size_t kHeaderBytes = 12;
  return word(kMagic) + word(kVersion) + word(kHeaderBytes + content.size()) + content;
}

}  // namespace ppu::sim
