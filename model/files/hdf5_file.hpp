// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// HDF5 with owners: identifiers that close themselves, silence instead of HDF5's error stack, and
// reads that check kind, type, shape and storage before a byte of the data is asked for.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace ppu::model::hdf5 {

/// Owns an HDF5 identifier of any kind.
class Handle {
 public:
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(other.id_) { other.id_ = H5I_INVALID_HID; }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
};

/// Held around every use of HDF5: one thread at a time, and nothing printed on stderr.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
};

/// A type of the schema: how it is kept in memory and named in messages.
struct ElementType {
  hid_t memory;
  hid_t little_endian;
  hid_t big_endian;
  std::size_t size_bytes;
  const char* name;
};
ElementType float32();
ElementType float64();
ElementType int32();
ElementType uint8();

/// Names a place in a file, for messages: `file` and the path below it.
struct Place {
  std::string file;
  std::string path;
  [[nodiscard]] Place child(const std::string& name) const {
    return {file, path == "/" ? path + name : path + "/" + name};
  }
};

/// An open group or dataset, reached by hard links only.
struct Node {
  Handle id;
  Place place;
};

/// Opens a file image; the image must outlive the node. Throws RowProblemError.
Node open_image(const void* image, std::size_t size_bytes, const std::string& name);

bool has_child(const Node& parent, const std::string& name);
Node open_group(const Node& parent, const std::string& name);

/// Types of lists that are read whatever their size in the file is: int64 and float64 in memory.
/// What is beyond them is the nearest that is not.
ElementType any_integer();
ElementType any_float();

/// Opens a dataset and checks its type and its rank (`rank` dimensions).
Node open_dataset(const Node& parent, const std::string& name, const ElementType& type,
                  std::size_t rank);
/// Opens a dataset of one dimension, or of one number without a shape, whose type is of the class
/// of `type` and no larger.
Node open_list(const Node& parent, const std::string& name, const ElementType& type);
std::vector<hsize_t> shape_of(const Node& dataset);
std::size_t size_of(const Node& dataset);

/// Checks the shape and how the elements are stored; to be called before room is made for them.
void check_dataset(const Node& dataset, const ElementType& type, const std::vector<hsize_t>& shape);

/// Reads all elements of a checked dataset into `out`, which has room for them.
void read_dataset(const Node& dataset, const ElementType& type, void* out);

bool has_attribute(const Node& node, const std::string& name);
std::string read_text(const Node& node, const std::string& name);
std::int64_t read_integer(const Node& node, const std::string& name);
double read_real(const Node& node, const std::string& name);

}  // namespace ppu::model::hdf5
