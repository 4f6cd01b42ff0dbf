// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Edits a row problem file in place, below the reader and writer that would refuse to:
//   bad_problem FILE set DATASET INDEX VALUE    one element, counted through the flat array
//   bad_problem FILE delete DATASET
//   bad_problem FILE shape DATASET N [K]        an empty dataset of that shape instead
//   bad_problem FILE type DATASET               an empty dataset of float64 instead
//   bad_problem FILE as DATASET TYPE            the same numbers in another type, or without a
//   shape bad_problem FILE store MATRIX KIND          triplets of FCLIB by columns (-1) or rows
//   (-2) instead bad_problem FILE equality GROUP N           a matrix of FCLIB with N columns and
//   no entries bad_problem FILE attribute NAME VALUE       a root attribute, an integer bad_problem
//   FILE local                      a global FCLIB problem as the local one
#include <hdf5.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "model/fclib/fclib_problem.hpp"
#include "model/fclib/fclib_rows.hpp"

namespace {

struct Shape {
  std::vector<hsize_t> dims;
  hid_t type;
};

Shape shape_of(hid_t file, const std::string& name) {
  const hid_t data = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(data);
  Shape shape{std::vector<hsize_t>(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space))),
              H5Dget_type(data)};
  H5Sget_simple_extent_dims(space, shape.dims.data(), nullptr);
  H5Sclose(space);
  H5Dclose(data);
  return shape;
}

/// A dataset without stored values, however large: chunks that are never written.
void replace(hid_t file, const std::string& name, const Shape& shape) {
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const int rank = static_cast<int>(shape.dims.size());
  const std::vector<hsize_t> chunk(shape.dims.size(), 1);
  const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, rank, chunk.data());
  const hid_t space = H5Screate_simple(rank, shape.dims.data(), nullptr);
  H5Dclose(H5Dcreate2(file, name.c_str(), shape.type, space, H5P_DEFAULT, plist, H5P_DEFAULT));
  H5Sclose(space);
  H5Pclose(plist);
}

std::vector<double> numbers_of(hid_t file, const std::string& name) {
  std::size_t count = 1;
  for (const hsize_t dim : shape_of(file, name).dims) count *= dim;
  std::vector<double> values(count);
  const hid_t data = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(data);
  return values;
}

/// A new dataset of one dimension, or without a shape.
void write(hid_t file, const std::string& name, const std::vector<double>& values, hid_t type,
           bool has_shape = true) {
  if (H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0) H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const hsize_t size = values.size();
  const hid_t space = has_shape ? H5Screate_simple(1, &size, nullptr) : H5Screate(H5S_SCALAR);
  const hid_t data =
      H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(data);
  H5Sclose(space);
}

bool write_as(hid_t file, const std::string& name, const std::string& type) {
  const std::map<std::string, hid_t> types{
      {"int16", H5T_STD_I16LE},   {"int64", H5T_STD_I64LE},    {"uint32", H5T_STD_U32LE},
      {"int32be", H5T_STD_I32BE}, {"float32", H5T_IEEE_F32LE}, {"float64be", H5T_IEEE_F64BE}};
  const std::vector<double> values = numbers_of(file, name);
  if (type == "scalar") {
    write(file, name, values, shape_of(file, name).type, false);
  } else if (types.count(type) > 0) {
    write(file, name, values, types.at(type));
  } else {
    return false;
  }
  return true;
}

/// By lines, columns (-1) or rows (-2); the entries of a line in the order in which they were.
void store(hid_t file, const std::string& matrix, int kind) {
  const std::vector<double> row = numbers_of(file, matrix + "/i");
  const std::vector<double> column = numbers_of(file, matrix + "/p");
  const std::vector<double> value = numbers_of(file, matrix + "/x");
  const std::vector<double>& line = kind == -1 ? column : row;
  std::vector<std::size_t> order(value.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return line[a] < line[b]; });
  const double lines = numbers_of(file, matrix + (kind == -1 ? "/n" : "/m"))[0];
  std::vector<double> start(static_cast<std::size_t>(lines) + 1), across, values;
  for (const std::size_t k : order) {
    for (auto l = static_cast<std::size_t>(line[k]) + 1; l < start.size(); ++l) ++start[l];
    across.push_back((kind == -1 ? row : column)[k]);
    values.push_back(value[k]);
  }
  write(file, matrix + "/nz", {static_cast<double>(kind)}, H5T_NATIVE_INT);
  write(file, matrix + "/p", start, H5T_NATIVE_INT);
  write(file, matrix + "/i", across, H5T_NATIVE_INT);
  write(file, matrix + "/x", values, H5T_NATIVE_DOUBLE);
}

void add_equality(hid_t file, const std::string& name, double columns) {
  H5Gclose(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  write(file, name + "/n", {columns}, H5T_NATIVE_INT);
}

void set(hid_t file, const std::string& name, std::size_t index, double value) {
  std::vector<double> values = numbers_of(file, name);
  values.at(index) = value;
  const hid_t data = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(data);
}

void set_attribute(hid_t file, const std::string& name, int value) {
  H5Adelete(file, name.c_str());
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t attribute =
      H5Acreate2(file, name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT, &value);
  H5Aclose(attribute);
  H5Sclose(space);
}

bool edit(hid_t file, const std::vector<std::string>& words) {
  const std::string& verb = words[0];
  const std::string& name = words[1];
  if (verb == "set" && words.size() == 4) {
    set(file, name, std::stoul(words[2]), std::stod(words[3]));
  } else if (verb == "delete") {
    H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  } else if (verb == "shape" && words.size() >= 3) {
    std::vector<hsize_t> dims;
    for (std::size_t i = 2; i < words.size(); ++i) dims.push_back(std::stoull(words[i]));
    replace(file, name, {dims, shape_of(file, name).type});
  } else if (verb == "type") {
    replace(file, name, {shape_of(file, name).dims, H5T_NATIVE_DOUBLE});
  } else if (verb == "as" && words.size() == 3) {
    return write_as(file, name, words[2]);
  } else if (verb == "store" && words.size() == 3) {
    store(file, name, std::stoi(words[2]));
  } else if (verb == "equality" && words.size() == 3) {
    add_equality(file, name, std::stod(words[2]));
  } else if (verb == "attribute" && words.size() == 3) {
    set_attribute(file, name, std::stoi(words[2]));
  } else {
    return false;
  }
  return true;
}

int make_local(const std::string& path) {
  const std::vector<char> local =
      ppu::model::fclib::image(ppu::model::fclib::localized(ppu::model::fclib::read(path)), path);
  std::ofstream(path, std::ios::binary)
      .write(local.data(), static_cast<std::streamsize>(local.size()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[1] == "local") return make_local(words[0]);
  if (words.size() < 3) return 2;
  const hid_t file = H5Fopen(words[0].c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const bool done = file >= 0 && edit(file, {words.begin() + 1, words.end()});
  if (file >= 0) H5Fclose(file);
  if (!done) std::fprintf(stderr, "bad_problem: cannot do that\n");
  return done ? 0 : 2;
}
