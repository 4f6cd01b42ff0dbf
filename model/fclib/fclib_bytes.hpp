// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A Problem as plain bytes, from the reader process to this one.
#pragma once

#include "model/fclib/fclib_problem.hpp"
#include "model/files/problem_bytes.hpp"

namespace ppu::model::fclib {

template <class Bytes>
void describe(Bytes& bytes, Problem& problem) {
  bytes.sequence(problem.title);
  bytes.sequence(problem.description);
  bytes.value(problem.is_global);
  bytes.value(problem.dimension);
  for (Matrix* matrix : {&problem.m, &problem.h, &problem.w}) {
    bytes.value(matrix->rows);
    bytes.value(matrix->columns);
    bytes.sequence(matrix->entry);
  }
  for (auto* vector : {&problem.force, &problem.offset, &problem.friction, &problem.solution})
    bytes.sequence(*vector);
}

}  // namespace ppu::model::fclib
