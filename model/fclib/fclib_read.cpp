// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Datasets of /fclib_global or /fclib_local. A matrix is of CSparse: nz = -1 by columns, -2 by
// rows, else so many triplets of i, p (the column) and x.
#include "model/fclib/fclib_read.hpp"

#include "model/fclib/fclib_bytes.hpp"
#include "model/files/hdf5_file.hpp"
#include "model/files/problem_reader.hpp"
#include "model/problem/problem_error.hpp"

namespace ppu::model::fclib {
namespace {

using hdf5::Node;

constexpr std::int32_t kMaxRowsOfMatrix = 6 * static_cast<std::int32_t>(kMaxBodies);
constexpr std::int32_t kByColumns = -1, kByRows = -2;

class Reader {
 public:
  explicit Reader(const Image& image)
      : image_(image), root_(hdf5::open_image(image.data, image.size_bytes, image.name)) {}

  [[nodiscard]] Problem read() {
    Problem problem;
    problem.is_global = hdf5::has_child(root_, "fclib_global");
    if (!problem.is_global && !hdf5::has_child(root_, "fclib_local")) {
      refuse(image_.name, "/", "no problem of FCLIB", "/fclib_global or /fclib_local");
    }
    const Node group = hdf5::open_group(root_, problem.is_global ? "fclib_global" : "fclib_local");
    problem.dimension = number(group, "spacedim");
    const Node vectors = hdf5::open_group(group, "vectors");
    for (const char* equality : {"G", "V", "R"}) refuse_equality(group, equality);
    if (problem.is_global) {
      problem.m = matrix(group, "M");
      problem.h = matrix(group, "H");
      problem.force = reals(vectors, "f");
      problem.offset = reals(vectors, "w");
    } else {
      problem.w = matrix(group, "W");
      problem.offset = reals(vectors, "q");
    }
    problem.friction = reals(vectors, "mu");
    if (hdf5::has_child(root_, "solution")) {
      const Node solution = hdf5::open_group(root_, "solution");
      if (hdf5::has_child(solution, "r")) problem.solution = reals(solution, "r");
    }
    return problem;
  }

 private:
  /// A list of any length; one number may be without a shape, too. FCLIB itself writes lists of
  /// int32 and float64, other programs what their language has.
  template <class T>
  std::vector<T> array(const Node& group, const std::string& name, const hdf5::ElementType& type) {
    const Node dataset = hdf5::open_list(group, name, type);
    const std::size_t size = hdf5::size_of(dataset);
    claimed_ += size * sizeof(Entry);
    check_claim(image_.name, dataset.place.path, 2 * image_.size_bytes + 4 * claimed_,
                image_.memory_bytes);
    hdf5::check_dataset(dataset, type, hdf5::shape_of(dataset));
    std::vector<T> values(size);
    hdf5::read_dataset(dataset, type, values.data());
    return values;
  }
  std::vector<double> reals(const Node& group, const std::string& name) {
    return array<double>(group, name, hdf5::any_float());
  }
  std::vector<std::int32_t> integers(const Node& group, const std::string& name) {
    std::vector<std::int32_t> values;
    for (const std::int64_t value : array<std::int64_t>(group, name, hdf5::any_integer())) {
      values.push_back(static_cast<std::int32_t>(value));
      if (values.back() != value)
        refuse(image_.name, group.place.path + "/" + name, values.size() - 1, std::to_string(value),
               "a number of 32 bits");
    }
    return values;
  }
  std::int32_t number(const Node& group, const std::string& name) {
    const std::vector<std::int32_t> values = integers(group, name);
    if (values.size() != 1) {
      refuse(image_.name, group.place.path + "/" + name, std::to_string(values.size()) + " numbers",
             "one");
    }
    return values[0];
  }

  /// Equality constraints of no columns are none.
  void refuse_equality(const Node& parent, const std::string& name) {
    if (!hdf5::has_child(parent, name)) return;
    const Node group = hdf5::open_group(parent, name);
    if (hdf5::has_child(group, "n") && number(group, "n") == 0) return;
    refuse(image_.name, group.place.path, "equality constraints", "none: contacts alone");
  }

  Matrix matrix(const Node& parent, const std::string& name) {
    const Node group = hdf5::open_group(parent, name);
    Matrix made;
    made.rows = number(group, "m");
    made.columns = number(group, "n");
    for (const std::int32_t size : {made.rows, made.columns}) {
      if (size < 1 || size > kMaxRowsOfMatrix)
        refuse(image_.name, group.place.path, "a size of " + std::to_string(size),
               "1 to " + std::to_string(kMaxRowsOfMatrix));
    }
    const std::int32_t kind = number(group, "nz");
    const std::vector<std::int32_t> p = integers(group, "p"), i = integers(group, "i");
    const auto x = reals(group, "x");
    const std::string& place = group.place.path;
    if (kind < kByRows)
      refuse(image_.name, place + "/nz", std::to_string(kind),
             "-2 (by rows), -1 (by columns) or a number of triplets");
    if (kind >= 0) {
      const auto count = static_cast<std::size_t>(kind);
      check_room(place, count, p.size(), i.size(), x.size());
      for (std::size_t k = 0; k < count; ++k) made.entry.push_back({i[k], p[k], x[k]});
    } else {
      fill_compressed(place, kind == kByRows, p, i, x, made);
    }
    check_places(place, made);
    return made;
  }

  void fill_compressed(const std::string& place, bool by_rows, const std::vector<std::int32_t>& p,
                       const std::vector<std::int32_t>& i, const std::vector<double>& x,
                       Matrix& made) const {
    const auto lines = static_cast<std::size_t>(by_rows ? made.rows : made.columns);
    if (p.size() < lines + 1 || p[0] != 0)
      refuse(image_.name, place + "/p", std::to_string(p.size()) + " starts",
             std::to_string(lines + 1) + ", from 0 on");
    for (std::size_t line = 0; line < lines; ++line) {
      if (p[line + 1] < p[line])
        refuse(image_.name, place + "/p", line + 1, std::to_string(p[line + 1]),
               "at least " + std::to_string(p[line]));
      const auto end = static_cast<std::size_t>(p[line + 1]);
      check_room(place, end, end, i.size(), x.size());
      for (auto k = static_cast<std::size_t>(p[line]); k < end; ++k) {
        const auto mine = static_cast<std::int32_t>(line);
        made.entry.push_back(by_rows ? Entry{mine, i[k], x[k]} : Entry{i[k], mine, x[k]});
      }
    }
  }

  void check_room(const std::string& place, std::size_t count, std::size_t p, std::size_t i,
                  std::size_t x) const {
    if (count > p || count > i || count > x)
      refuse(image_.name, place,
             "p, i and x of " + std::to_string(p) + ", " + std::to_string(i) + " and " +
                 std::to_string(x) + " values",
             std::to_string(count) + " entries in each");
  }
  void check_places(const std::string& place, const Matrix& made) const {
    for (const Entry& entry : made.entry) {
      if (entry.row < 0 || entry.row >= made.rows || entry.column < 0 ||
          entry.column >= made.columns)
        refuse(
            image_.name, place,
            "an entry at (" + std::to_string(entry.row) + ", " + std::to_string(entry.column) + ")",
            "places within " + std::to_string(made.rows) + " x " + std::to_string(made.columns));
    }
  }

  const Image& image_;
  Node root_;
  std::size_t claimed_ = 0;
};

}  // namespace

std::vector<char> bytes_of_image(const Image& image) {
  Problem problem = Reader(image).read();
  ByteWriter writer(image.size_bytes);
  writer.value(reader::kRead);
  describe(writer, problem);
  return writer.take();
}

}  // namespace ppu::model::fclib
