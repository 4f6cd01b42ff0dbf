// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A row problem out of an HDF5 file, without the checks that `ppu` makes.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "ppu/ppu.h"

class ProblemFile {
 public:
  explicit ProblemFile(const std::string& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    if (file_ < 0) throw std::runtime_error("cannot read " + path);
    body_ = read<std::int32_t>("rows/body");
    parent_ = read<std::int32_t>("rows/parent");
    const char* const names[] = {
        "jacobian", "inv_mass_jacobian", "rate_bias",  "inv_diagonal", "lower",
        "upper",    "friction",          "compliance", "impulse"};
    for (const char* const name : names) rows_.push_back(read<float>(std::string("rows/") + name));
    velocity_ = read<float>("bodies/velocity_change");
    H5Fclose(file_);
  }

  [[nodiscard]] ppu_problem view() const {
    ppu_problem problem{};
    problem.row_count = static_cast<std::uint32_t>(parent_.size());
    problem.body_count = static_cast<std::uint32_t>(velocity_.size() / 6);
    problem.body = reinterpret_cast<const std::int32_t(*)[2]>(body_.data());
    problem.parent = parent_.data();
    const float** const fields[] = {&problem.jacobian,  &problem.inv_mass_jacobian,
                                    &problem.rate_bias, &problem.inv_diagonal,
                                    &problem.lower,     &problem.upper,
                                    &problem.friction,  &problem.compliance,
                                    &problem.impulse};
    for (std::size_t n = 0; n < rows_.size(); ++n) *fields[n] = rows_[n].data();
    problem.velocity_change = velocity_.data();
    return problem;
  }

 private:
  template <class T>
  [[nodiscard]] std::vector<T> read(const std::string& name) const {
    const hid_t data = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    if (data < 0) throw std::runtime_error("no " + name);
    const hid_t space = H5Dget_space(data);
    std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    const hid_t type = std::is_same_v<T, float> ? H5T_NATIVE_FLOAT : H5T_NATIVE_INT32;
    H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Sclose(space);
    H5Dclose(data);
    return values;
  }

  hid_t file_;
  std::vector<std::int32_t> body_, parent_;
  std::vector<std::vector<float>> rows_;
  std::vector<float> velocity_;
};
