// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Reading FCLIB with HDF5, inside the reader process.
#pragma once

#include <vector>

#include "model/files/row_problem_read.hpp"

namespace ppu::model::fclib {

/// reader::kRead and the problem, not checked yet. Throws RowProblemError.
std::vector<char> bytes_of_image(const Image& image);

}  // namespace ppu::model::fclib
