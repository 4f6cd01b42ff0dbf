// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One walk over the list, which writes or reads.
#include "sim/peers/pair_list.hpp"

namespace ppu::sim {
namespace {

namespace distance = model::distance;

struct Writer {
  std::vector<double> numbers;
  void number(double& value) { numbers.push_back(value); }
  void count(std::size_t& value) { numbers.push_back(static_cast<double>(value)); }
  template <class Item>
  void size(std::vector<Item>& items) {
    numbers.push_back(static_cast<double>(items.size()));
  }
};

struct Reader {
  const std::vector<double>& numbers;
  std::size_t next = 0;
  void number(double& value) { value = numbers.at(next++); }
  void count(std::size_t& value) { value = static_cast<std::size_t>(numbers.at(next++)); }
  template <class Item>
  void size(std::vector<Item>& items) {
    items.resize(static_cast<std::size_t>(numbers.at(next++)));
  }
};

template <class Walker>
void vector_by(Walker& walker, distance::Vector3& vector) {
  for (double& value : vector) walker.number(value);
}

template <class Walker>
void pose_by(Walker& walker, distance::Pose& pose) {
  for (distance::Vector3& row : pose.rotation) vector_by(walker, row);
  vector_by(walker, pose.position);
}

template <class Walker>
void list_by(Walker& walker, PairList& list) {
  walker.size(list.shapes);
  for (distance::Convex& shape : list.shapes) {
    walker.size(shape.faces);
    for (distance::Plane& face : shape.faces) {
      vector_by(walker, face.normal);
      walker.number(face.offset);
    }
    walker.size(shape.vertices);
    for (distance::Vector3& vertex : shape.vertices) vector_by(walker, vertex);
    walker.number(shape.radius);
  }
  walker.size(list.pairs);
  for (distance::Pair& pair : list.pairs) {
    walker.count(pair.first);
    walker.count(pair.second);
    pose_by(walker, pair.first_pose);
    pose_by(walker, pair.second_pose);
  }
}

}  // namespace

std::vector<double> to_numbers(const PairList& list) {
  PairList mine = list;
  Writer writer;
  list_by(writer, mine);
  return writer.numbers;
}

PairList pair_list_of(const std::vector<double>& numbers) {
  PairList list;
  Reader reader{numbers};
  list_by(reader, list);
  return list;
}

}  // namespace ppu::sim
