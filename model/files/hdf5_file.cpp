// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Checked HDF5 reading. A file is not trusted: links that leave it, storage outside it, filters
// other than the usual ones and sizes it cannot back are refused before they are used.
#include "model/files/hdf5_file.hpp"

#include <atomic>
#include <cmath>
#include <set>

#include "model/problem/problem_error.hpp"

namespace ppu::model::hdf5 {
namespace {

constexpr std::size_t kMaxTextBytes = 65536;
/// The largest dataset the schema allows, 2^20 rows of 12 floats, is smaller.
constexpr hsize_t kMaxChunkBytes = hsize_t{64} << 20U;

std::mutex& session_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::string describe_type(hid_t type) {
  const std::string bits = std::to_string(8 * H5Tget_size(type));
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return (H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int") + bits;
    case H5T_FLOAT:
      return "float" + bits;
    case H5T_STRING:
      return "text";
    case H5T_COMPOUND:
      return "a compound type";
    case H5T_ENUM:
      return "an enumeration";
    default:
      return "another type";
  }
}

std::string describe_shape(const std::vector<hsize_t>& shape) {
  std::string text = "shape (";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + ")";
}

[[noreturn]] void refuse_at(const Place& place, const std::string& found,
                            const std::string& expected) {
  refuse(place.file, place.path, found, expected);
}

Node open_object(const Node& parent, const std::string& name, H5I_type_t kind,
                 const std::string& kind_name) {
  const Place place = parent.place.child(name);
  H5L_info_t link{};
  if (H5Lexists(parent.id.get(), name.c_str(), H5P_DEFAULT) <= 0 ||
      H5Lget_info(parent.id.get(), name.c_str(), &link, H5P_DEFAULT) < 0) {
    refuse_at(place, "nothing", kind_name);
  }
  if (link.type != H5L_TYPE_HARD) refuse_at(place, "a symbolic or external link", kind_name);
  Node node{Handle(H5Oopen(parent.id.get(), name.c_str(), H5P_DEFAULT)), place};
  if (!node.id.ok()) refuse_at(place, "a damaged object", kind_name);
  if (H5Iget_type(node.id.get()) != kind) refuse_at(place, "another kind of object", kind_name);
  return node;
}

/// Only filters that cannot multiply each other's output, each once.
void check_filters(const Node& dataset, hid_t creation) {
  std::set<H5Z_filter_t> seen;
  const int count = H5Pget_nfilters(creation);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const auto filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr,
                                       0, nullptr, nullptr);
    const bool known = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
                       filter == H5Z_FILTER_FLETCHER32;
    if (!known || !seen.insert(filter).second) {
      refuse_at(dataset.place, "filter " + std::to_string(filter),
                "deflate, shuffle and fletcher32, each at most once");
    }
  }
}

void check_storage(const Node& dataset, const ElementType& type, std::size_t rank) {
  const Handle creation(H5Dget_create_plist(dataset.id.get()));
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED) {
    refuse_at(dataset.place, "virtual or unknown storage", "data stored in this file");
  }
  if (H5Pget_external_count(creation.get()) != 0) {
    refuse_at(dataset.place, "external storage", "data stored in this file");
  }
  check_filters(dataset, creation.get());
  hsize_t bytes = type.size_bytes;
  for (const hsize_t extent : shape_of(dataset)) bytes *= extent;
  if (layout == H5D_CHUNKED) {
    std::vector<hsize_t> chunk(rank);
    if (H5Pget_chunk(creation.get(), static_cast<int>(rank), chunk.data()) < 0) {
      refuse_at(dataset.place, "damaged chunks", "a readable dataset");
    }
    hsize_t chunk_bytes = type.size_bytes;
    for (const hsize_t extent : chunk) {
      if (extent == 0 || extent > kMaxChunkBytes / chunk_bytes) {
        refuse_at(dataset.place, "chunks beyond 64 MiB", "chunks of at most 64 MiB");
      }
      chunk_bytes *= extent;
    }
    bytes += chunk_bytes;
  }
  constexpr hsize_t kSlackBytes = 65536;
  if (H5Dget_storage_size(dataset.id.get()) > 2 * bytes + kSlackBytes) {
    refuse_at(dataset.place, "more stored bytes than its shape needs", "a readable dataset");
  }
}

/// An attribute that holds one value of a class of types.
Handle open_attribute(const Node& node, const std::string& name, const std::string& expected) {
  const Place place{node.place.file, "attribute " + name + " of " + node.place.path};
  if (H5Aexists(node.id.get(), name.c_str()) <= 0) refuse_at(place, "nothing", expected);
  Handle attribute(H5Aopen(node.id.get(), name.c_str(), H5P_DEFAULT));
  if (!attribute.ok()) refuse_at(place, "a damaged attribute", expected);
  const Handle space(H5Aget_space(attribute.get()));
  if (H5Sget_simple_extent_npoints(space.get()) != 1) {
    refuse_at(place, "several values or none", expected);
  }
  return attribute;
}

/// Reads a number of class `type_class` as `memory_type`.
void read_number(const Node& node, const std::string& name, H5T_class_t type_class,
                 hid_t memory_type, const std::string& expected, void* out) {
  const Handle attribute = open_attribute(node, name, expected);
  const Handle type(H5Aget_type(attribute.get()));
  const Place place{node.place.file, "attribute " + name + " of " + node.place.path};
  if (H5Tget_class(type.get()) != type_class || H5Tget_size(type.get()) > 8) {
    refuse_at(place, describe_type(type.get()), expected);
  }
  if (H5Aread(attribute.get(), memory_type, out) < 0) refuse_at(place, "damaged data", expected);
}

}  // namespace

Session::Session() : lock_(session_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() {
  H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_);
}

ElementType float32() {
  return {H5T_NATIVE_FLOAT, H5T_IEEE_F32LE, H5T_IEEE_F32BE, 4, "float32"};
}
ElementType float64() {
  return {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, H5T_IEEE_F64BE, 8, "float64"};
}
ElementType int32() {
  return {H5T_NATIVE_INT32, H5T_STD_I32LE, H5T_STD_I32BE, 4, "int32"};
}
ElementType uint8() {
  return {H5T_NATIVE_UINT8, H5T_STD_U8LE, H5T_STD_U8BE, 1, "uint8"};
}

ElementType any_integer() {
  return {H5T_NATIVE_INT64, H5T_STD_I64LE, H5T_STD_I64BE, 8, "integers"};
}
ElementType any_float() {
  return {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, H5T_IEEE_F64BE, 8, "floating-point numbers"};
}

Node open_image(const void* image, std::size_t size_bytes, const std::string& name) {
  // HDF5 tells core files apart by name only, so each image gets its own.
  static std::atomic<unsigned> count{0};
  const std::string unique = "ppu-row-problem-" + std::to_string(count++);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_core(access.get(), std::size_t{1} << 20U, false);
  // HDF5 copies the image and does not write to it.
  H5Pset_file_image(access.get(), const_cast<void*>(image), size_bytes);
  Node file{Handle(H5Fopen(unique.c_str(), H5F_ACC_RDONLY, access.get())), {name, "/"}};
  if (!file.id.ok()) {
    refuse(name, "the file", "no readable HDF5 data", "a complete HDF5 file");
  }
  return file;
}

bool has_child(const Node& parent, const std::string& name) {
  return H5Lexists(parent.id.get(), name.c_str(), H5P_DEFAULT) > 0;
}

Node open_group(const Node& parent, const std::string& name) {
  return open_object(parent, name, H5I_GROUP, "a group");
}

Node open_dataset(const Node& parent, const std::string& name, const ElementType& type,
                  std::size_t rank) {
  Node dataset = open_object(parent, name, H5I_DATASET, std::string("a dataset of ") + type.name);
  const Handle stored(H5Dget_type(dataset.id.get()));
  if (H5Tequal(stored.get(), type.little_endian) <= 0 &&
      H5Tequal(stored.get(), type.big_endian) <= 0) {
    refuse_at(dataset.place, describe_type(stored.get()), type.name);
  }
  const auto shape = shape_of(dataset);
  if (shape.size() != rank) {
    refuse_at(dataset.place, describe_shape(shape), std::to_string(rank) + " dimensions");
  }
  return dataset;
}

Node open_list(const Node& parent, const std::string& name, const ElementType& type) {
  Node dataset = open_object(parent, name, H5I_DATASET, std::string("a dataset of ") + type.name);
  const Handle stored(H5Dget_type(dataset.id.get()));
  if (H5Tget_class(stored.get()) != H5Tget_class(type.memory) ||
      H5Tget_size(stored.get()) > type.size_bytes) {
    refuse_at(dataset.place, describe_type(stored.get()), type.name);
  }
  const Handle space(H5Dget_space(dataset.id.get()));
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL || shape_of(dataset).size() > 1) {
    refuse_at(dataset.place, describe_shape(shape_of(dataset)), "1 dimension");
  }
  return dataset;
}

std::size_t size_of(const Node& dataset) {
  const auto shape = shape_of(dataset);
  return shape.empty() ? 1 : static_cast<std::size_t>(shape[0]);
}

std::vector<hsize_t> shape_of(const Node& dataset) {
  const Handle space(H5Dget_space(dataset.id.get()));
  const int rank = H5Sget_simple_extent_ndims(space.get());
  std::vector<hsize_t> shape(rank > 0 ? static_cast<std::size_t>(rank) : 0);
  if (!shape.empty()) H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  return shape;
}

void check_dataset(const Node& dataset, const ElementType& type,
                   const std::vector<hsize_t>& shape) {
  const auto found = shape_of(dataset);
  if (found != shape) refuse_at(dataset.place, describe_shape(found), describe_shape(shape));
  check_storage(dataset, type, shape.size());
}

void read_dataset(const Node& dataset, const ElementType& type, void* out) {
  if (H5Dread(dataset.id.get(), type.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) {
    refuse_at(dataset.place, "damaged data", "a readable dataset");
  }
}

bool has_attribute(const Node& node, const std::string& name) {
  return H5Aexists(node.id.get(), name.c_str()) > 0;
}

std::string read_text(const Node& node, const std::string& name) {
  const Handle attribute = open_attribute(node, name, "text");
  const Place place{node.place.file, "attribute " + name + " of " + node.place.path};
  const Handle stored(H5Aget_type(attribute.get()));
  if (H5Tget_class(stored.get()) != H5T_STRING) {
    refuse_at(place, describe_type(stored.get()), "text");
  }
  const Handle memory(H5Tcopy(stored.get()));
  if (H5Tis_variable_str(stored.get()) > 0) {
    char* text = nullptr;
    if (H5Aread(attribute.get(), memory.get(), static_cast<void*>(&text)) < 0) {
      refuse_at(place, "damaged data", "text");
    }
    const std::string result(text == nullptr ? "" : text);
    H5free_memory(text);
    if (result.size() > kMaxTextBytes) refuse_at(place, "too much text", "at most 65536 bytes");
    return result;
  }
  const std::size_t size = H5Tget_size(stored.get());
  if (size > kMaxTextBytes) refuse_at(place, "too much text", "at most 65536 bytes");
  std::string result(size, '\0');
  if (H5Aread(attribute.get(), memory.get(), result.data()) < 0) {
    refuse_at(place, "damaged data", "text");
  }
  return result.substr(0, result.find('\0'));
}

std::int64_t read_integer(const Node& node, const std::string& name) {
  std::int64_t value = 0;
  read_number(node, name, H5T_INTEGER, H5T_NATIVE_INT64, "an integer", &value);
  return value;
}

double read_real(const Node& node, const std::string& name) {
  double value = 0;
  read_number(node, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, "a floating-point number", &value);
  if (!std::isfinite(value)) {
    refuse(node.place.file, "attribute " + name + " of " + node.place.path, std::to_string(value),
           "a finite number");
  }
  return value;
}

}  // namespace ppu::model::hdf5
