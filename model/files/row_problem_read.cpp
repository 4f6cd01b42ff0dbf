// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Reads `ppu-rows` version 1. The sizes m and n come first, from /rows/parent and
// /bodies/velocity_change; every other dataset is then checked against them before it is read.
#include "model/files/row_problem_read.hpp"

#include "model/files/hdf5_file.hpp"
#include "model/files/problem_bytes.hpp"
#include "model/problem/problem_error.hpp"
#include "model/problem/schema.hpp"

namespace ppu::model {
namespace {

using hdf5::Node;
using Shape = std::vector<hsize_t>;

void check_header(const Node& root) {
  const std::string& file = root.place.file;
  const std::string format = hdf5::read_text(root, "format");
  if (format != kFormat) {
    refuse(file, "attribute format of /", "\"" + format.substr(0, 40) + "\"",
           std::string("\"") + kFormat + "\"");
  }
  const std::int64_t version = hdf5::read_integer(root, "version");
  if (version != kVersion) {
    refuse(file, "attribute version of /", std::to_string(version), std::to_string(kVersion));
  }
}

std::size_t read_count(const Node& dataset, std::size_t limit, const std::string& noun) {
  const hsize_t count = hdf5::shape_of(dataset)[0];
  if (count < 1 || count > limit) {
    refuse(dataset.place.file, dataset.place.path, std::to_string(count) + " " + noun,
           "1 to " + std::to_string(limit));
  }
  return static_cast<std::size_t>(count);
}

template <class T>
void read_array(const Node& group, const std::string& name, const hdf5::ElementType& type,
                const Shape& shape, std::vector<T>& out) {
  const Node dataset = hdf5::open_dataset(group, name, type, shape.size());
  hdf5::check_dataset(dataset, type, shape);
  std::size_t bytes = type.size_bytes;
  for (const hsize_t extent : shape) bytes *= static_cast<std::size_t>(extent);
  out.resize(bytes / sizeof(T));
  hdf5::read_dataset(dataset, type, out.data());
}

void read_texts_and_numbers(const Node& root, RowProblem& problem) {
  for (const auto& text : kTextAttributes) {
    if (hdf5::has_attribute(root, text.name)) {
      problem.*text.member = hdf5::read_text(root, text.name);
    }
  }
  for (const auto& integer : kIntegerAttributes) {
    if (hdf5::has_attribute(root, integer.name)) {
      problem.*integer.member = hdf5::read_integer(root, integer.name);
    }
  }
  if (hdf5::has_attribute(root, "dt")) problem.dt = hdf5::read_real(root, "dt");
}

/// /reference or /solution: impulses of m rows, velocity changes of n bodies.
void read_solution_group(const Node& group, std::size_t m, std::size_t n, Solution& out) {
  read_array(group, "impulse", hdf5::float32(), {m}, out.impulse);
  read_array(group, "velocity_change", hdf5::float32(), {n, 6}, out.velocity_change);
}

Reference read_reference(const Node& group, std::size_t m, std::size_t n) {
  Reference reference;
  const std::int64_t sweeps = hdf5::read_integer(group, "sweeps");
  if (sweeps < 0 || sweeps > 1000000) {
    refuse(group.place.file, "attribute sweeps of " + group.place.path, std::to_string(sweeps),
           "0 to 1000000");
  }
  reference.sweeps = static_cast<int>(sweeps);
  reference.start = hdf5::read_text(group, "start");
  reference.friction_rule = hdf5::read_text(group, "friction_rule");
  read_solution_group(group, m, n, reference);
  return reference;
}

/// The file and HDF5's copy of it, what is read and what is handed on.
void check_memory(const Image& image, std::size_t rows, std::size_t bodies) {
  check_claim(image.name, "the file", 2 * image.size_bytes + 2 * bytes_of_arrays(rows, bodies),
              image.memory_bytes);
}

/// What a file says of its content holds, where it says something.
void check_digest(const Node& root, const RowProblem& problem) {
  if (!hdf5::has_attribute(root, kDigest)) return;
  const std::string stored = hdf5::read_text(root, kDigest);
  const std::string found = digest_of(problem);
  if (found != stored) {
    refuse(root.place.file, "attribute digest of /", "\"" + stored.substr(0, 40) + "\"",
           "\"" + found + "\", that of the content: the file has changed since it was written " +
               "(without the attribute nothing is compared)");
  }
}

}  // namespace

void check_claim(const std::string& file, const std::string& place, std::size_t bytes,
                 std::size_t most) {
  constexpr unsigned kMib = 20;
  if (bytes > most)
    refuse(file, place, "data that takes " + std::to_string(bytes >> kMib) + " MiB to read",
           "at most " + std::to_string(most >> kMib) + " MiB (PPU_READ_MIB sets the limit)");
}

RowProblem read_problem(const Image& image) {
  const Node root = hdf5::open_image(image.data, image.size_bytes, image.name);
  check_header(root);
  RowProblem problem;
  const Node rows = hdf5::open_group(root, kRowsGroup);
  const Node bodies = hdf5::open_group(root, kBodiesGroup);
  const std::size_t m =
      read_count(hdf5::open_dataset(rows, "parent", hdf5::int32(), 1), kMaxRows, "rows");
  const std::size_t n = read_count(
      hdf5::open_dataset(bodies, "velocity_change", hdf5::float32(), 2), kMaxBodies, "bodies");
  check_memory(image, m, n);

  read_texts_and_numbers(root, problem);
  read_array(rows, "parent", hdf5::int32(), {m}, problem.parent);
  read_array(rows, "body", hdf5::int32(), {m, 2}, problem.body);
  read_array(rows, "kind", hdf5::uint8(), {m}, problem.kind);
  for (const auto& array : kFloatArrays) {
    const Node& group = is_row_array(array) ? rows : bodies;
    if (!array.required && !hdf5::has_child(group, array.name)) continue;
    read_array(group, array.name, hdf5::float32(), shape_of(array, is_row_array(array) ? m : n),
               problem.*array.member);
  }
  if (hdf5::has_child(root, kReferenceGroup)) {
    problem.reference = read_reference(hdf5::open_group(root, kReferenceGroup), m, n);
  }
  if (hdf5::has_child(root, kSolutionGroup)) {
    problem.solution.emplace();
    read_solution_group(hdf5::open_group(root, kSolutionGroup), m, n, *problem.solution);
  }
  check_digest(root, problem);
  return problem;
}

RowProblem read_solution_only(const Image& image) {
  const Node root = hdf5::open_image(image.data, image.size_bytes, image.name);
  check_header(root);
  const Node group = hdf5::open_group(root, kSolutionGroup);
  const std::size_t m =
      read_count(hdf5::open_dataset(group, "impulse", hdf5::float32(), 1), kMaxRows, "rows");
  const std::size_t n = read_count(hdf5::open_dataset(group, "velocity_change", hdf5::float32(), 2),
                                   kMaxBodies, "bodies");
  check_memory(image, m, n);
  RowProblem holder;
  holder.solution.emplace();
  read_solution_group(group, m, n, *holder.solution);
  return holder;
}

}  // namespace ppu::model
