// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Writes `ppu-rows` version 1: the file is made in memory, then put in its place. Equal problems
// give equal bytes (no time stamps).
#include <atomic>

#include "base/files/file_replacement.hpp"
#include "model/problem/hdf5_file.hpp"
#include "model/problem/problem_bytes.hpp"
#include "model/problem/problem_error.hpp"
#include "model/problem/row_problem.hpp"
#include "model/problem/schema.hpp"

namespace ppu::model {
namespace {

using hdf5::Handle;
using Shape = std::vector<hsize_t>;

/// HDF5 objects being written; a failure names the place in the file.
class Writer {
 public:
  explicit Writer(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] Handle checked(hid_t id, const std::string& place) const {
    if (id < 0) fail(place);
    return Handle(id);
  }

  [[nodiscard]] Handle group(const Handle& parent, const char* name) const {
    return checked(H5Gcreate2(parent.get(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), name);
  }

  void array(const Handle& group, const char* name, const hdf5::ElementType& type,
             const Shape& shape, const void* data) const {
    const Handle space =
        checked(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), name);
    const Handle creation = checked(H5Pcreate(H5P_DATASET_CREATE), name);
    constexpr unsigned kDeflateLevel = 6;
    // Equal content must give equal bytes.
    const bool ready =
        H5Pset_obj_track_times(creation.get(), false) >= 0 &&
        H5Pset_chunk(creation.get(), static_cast<int>(shape.size()), shape.data()) >= 0 &&
        H5Pset_deflate(creation.get(), kDeflateLevel) >= 0 &&
        H5Pset_fletcher32(creation.get()) >= 0;
    if (!ready) fail(name);
    const Handle dataset = checked(H5Dcreate2(group.get(), name, type.little_endian, space.get(),
                                              H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                                   name);
    if (H5Dwrite(dataset.get(), type.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail(name);
  }

  void attribute(const Handle& object, const char* name, hid_t stored, hid_t memory,
                 const void* value) const {
    const Handle space = checked(H5Screate(H5S_SCALAR), name);
    const Handle attribute = checked(
        H5Acreate2(object.get(), name, stored, space.get(), H5P_DEFAULT, H5P_DEFAULT), name);
    if (H5Awrite(attribute.get(), memory, value) < 0) fail(name);
  }

  void text(const Handle& object, const char* name, const std::string& value) const {
    const Handle type = checked(H5Tcopy(H5T_C_S1), name);
    H5Tset_size(type.get(), H5T_VARIABLE);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    const char* pointer = value.c_str();
    attribute(object, name, type.get(), type.get(), static_cast<const void*>(&pointer));
  }

  void integer(const Handle& object, const char* name, std::int64_t value) const {
    attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
  }

  void real(const Handle& object, const char* name, double value) const {
    attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
  }

  [[noreturn]] void fail(const std::string& place) const {
    refuse(file_, place, "an error while writing", "room for the HDF5 data");
  }

 private:
  std::string file_;
};

void write_attributes(const Writer& writer, const Handle& root, const RowProblem& problem) {
  writer.text(root, "format", kFormat);
  writer.integer(root, "version", kVersion);
  for (const auto& text : kTextAttributes) writer.text(root, text.name, problem.*text.member);
  for (const auto& integer : kIntegerAttributes) {
    writer.integer(root, integer.name, problem.*integer.member);
  }
  writer.real(root, "dt", problem.dt);
  writer.text(root, kDigest, digest_of(problem));
}

void write_solution_group(const Writer& writer, const Handle& group, const Solution& solution) {
  writer.array(group, "impulse", hdf5::float32(), {solution.impulse.size()},
               solution.impulse.data());
  writer.array(group, "velocity_change", hdf5::float32(), {solution.velocity_change.size() / 6, 6},
               solution.velocity_change.data());
}

void write_problem(const Writer& writer, const Handle& root, const RowProblem& problem) {
  write_attributes(writer, root, problem);
  const std::size_t m = problem.rows();
  const Handle rows = writer.group(root, kRowsGroup);
  const Handle bodies = writer.group(root, kBodiesGroup);
  writer.array(rows, "body", hdf5::int32(), {m, 2}, problem.body.data());
  writer.array(rows, "kind", hdf5::uint8(), {m}, problem.kind.data());
  writer.array(rows, "parent", hdf5::int32(), {m}, problem.parent.data());
  for (const auto& array : kFloatArrays) {
    const std::vector<float>& values = problem.*array.member;
    if (values.empty()) continue;
    const std::size_t count = is_row_array(array) ? m : problem.bodies();
    writer.array(is_row_array(array) ? rows : bodies, array.name, hdf5::float32(),
                 shape_of(array, count), values.data());
  }
  if (problem.reference) {
    const Handle group = writer.group(root, kReferenceGroup);
    writer.integer(group, "sweeps", problem.reference->sweeps);
    writer.text(group, "start", problem.reference->start);
    writer.text(group, "friction_rule", problem.reference->friction_rule);
    write_solution_group(writer, group, *problem.reference);
  }
  if (problem.solution) {
    write_solution_group(writer, writer.group(root, kSolutionGroup), *problem.solution);
  }
}

}  // namespace

std::vector<char> row_problem_image(const RowProblem& problem, const std::string& name) {
  validate(problem, name);
  static std::atomic<unsigned> count{0};
  const std::string unique = "ppu-row-problem-out-" + std::to_string(count++);
  const Writer writer(name);
  const hdf5::Session session;
  const Handle access = writer.checked(H5Pcreate(H5P_FILE_ACCESS), "/");
  H5Pset_fapl_core(access.get(), std::size_t{1} << 20U, false);
  const Handle file =
      writer.checked(H5Fcreate(unique.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), "/");
  write_problem(writer, file, problem);
  if (H5Fflush(file.get(), H5F_SCOPE_GLOBAL) < 0) writer.fail("/");
  const ssize_t size = H5Fget_file_image(file.get(), nullptr, 0);
  if (size < 0) writer.fail("/");
  std::vector<char> image(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file.get(), image.data(), image.size()) != size) writer.fail("/");
  return image;
}

void write_row_problem(const RowProblem& problem, const std::string& path) {
  const std::vector<char> image = row_problem_image(problem, path);
  files::FileReplacement(path, {image.data(), image.size()}).commit();
}

}  // namespace ppu::model
