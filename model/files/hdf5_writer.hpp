// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// HDF5 files that are written in memory: equal content gives equal bytes (no time stamps).
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "model/files/hdf5_file.hpp"
#include "model/problem/problem_error.hpp"

namespace ppu::model::hdf5 {

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

  void array(const Handle& group, const char* name, const ElementType& type, const Shape& shape,
             const void* data) const {
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

/// The bytes of a file that `write(writer, root)` fills; `name` stands for it in messages. Throws
/// RowProblemError.
template <class Write>
std::vector<char> file_image(const std::string& name, const Write& write) {
  // HDF5 tells core files apart by name only.
  static std::atomic<unsigned> count{0};
  const std::string unique = "ppu-out-" + std::to_string(count++);
  const Writer writer(name);
  const Session session;
  const Handle access = writer.checked(H5Pcreate(H5P_FILE_ACCESS), "/");
  H5Pset_fapl_core(access.get(), std::size_t{1} << 20U, false);
  const Handle file =
      writer.checked(H5Fcreate(unique.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), "/");
  write(writer, file);
  if (H5Fflush(file.get(), H5F_SCOPE_GLOBAL) < 0) writer.fail("/");
  const ssize_t size = H5Fget_file_image(file.get(), nullptr, 0);
  if (size < 0) writer.fail("/");
  std::vector<char> image(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file.get(), image.data(), image.size()) != size) writer.fail("/");
  return image;
}

}  // namespace ppu::model::hdf5
