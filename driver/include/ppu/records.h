// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A problem written where the device reads it, for engines that have no arrays of rows: one pass,
// nothing is copied on the way, and nothing is allocated once memory has its size. C11 and C++17,
// as ppu.h.
#ifndef PPU_RECORDS_H_
#define PPU_RECORDS_H_

#include "ppu/ppu.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Rows, impulses and velocities of one problem where the device reads them: the caller writes them
/// there and finds the answer there, so that nothing is copied on the way. Memory for the largest
/// problem so far is kept until the records are destroyed.
typedef struct ppu_records {
  uint32_t index;
  uint32_t generation;
} ppu_records;

/// Where to write, until the next ppu_records_begin(). `rows`: in the engine's order, with `parent`
/// a row before and bodies by their numbers, in the form that the program wants, the relaxation
/// folded in.
typedef struct ppu_record_memory {
  ppu_row* rows;
  float* impulses;           ///< In and out.
  ppu_velocity* velocities;  ///< In and out.
} ppu_record_memory;

PPU_API ppu_result ppu_records_create(ppu_device device, ppu_records* records);
PPU_API ppu_result ppu_records_destroy(ppu_records records);
/// Begins a problem of at most `row_capacity` rows and of `body_count` bodies. What was there is
/// lost.
PPU_API ppu_result ppu_records_begin(ppu_records records, uint32_t row_capacity,
                                     uint32_t body_count, ppu_record_memory* memory);
/// The first `row_count` rows and their impulses are written. Those that were not before are
/// checked as ppu_solve() does, best while they are in the cache: in blocks of a few dozen.
/// PPU_ERROR_PROBLEM: a row was refused; begin anew.
PPU_API ppu_result ppu_records_commit(ppu_records records, uint32_t row_count);
/// Begins a solve whose rows are still to be written: velocities and the impulses of all
/// `row_count` rows are there, and stay. The device copies blocks of rows as they are committed,
/// while the next ones are written. Takes what ppu_records_solve() takes; `def` is copied, what it
/// points to is not.
PPU_API ppu_result ppu_records_start(ppu_records records, uint32_t row_count,
                                     const ppu_solve_def* def);
/// Ends it, when all rows are committed: as ppu_records_solve() otherwise. A simulated device
/// stands still until then, so that its cycles do not depend on the host's pace;
/// `report->overlap_seconds` is what would have passed before, and by which all of it takes less
/// than the host's work and the device's. 0 without time, and for rows not copied in blocks.
PPU_API ppu_result ppu_records_finish(ppu_records records, ppu_solve_report* report);
/// ppu_solve() of what was committed, as often as wanted: from the impulses and velocities that are
/// there, which become the answer. They are not touched unless the result is PPU_OK. Takes programs
/// on rows of the full form; def->start, relaxation and true_residual must be as by default.
PPU_API ppu_result ppu_records_solve(ppu_records records, const ppu_solve_def* def,
                                     ppu_solve_report* report);

#ifdef __cplusplus
}
#endif

#endif  // PPU_RECORDS_H_
