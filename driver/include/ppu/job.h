// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What ppu_solve() hands to the device, for tools that follow it there: debuggers, recorders.
// C11 and C++17, as ppu.h.
#ifndef PPU_JOB_H_
#define PPU_JOB_H_

#include "ppu/ppu.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The runs of one solve. A job needs neither its device nor its problem once it is made.
typedef struct ppu_job {
  uint32_t index;
  uint32_t generation;
} ppu_job;

/// One run as the device gets it. The pointers are valid until the job is destroyed.
typedef struct ppu_job_run {
  uint32_t row_count;
  uint32_t body_count;
  /// row_count values: slot -> row of the problem.
  const uint32_t* row_of_slot;
  /// body_count values: number on the device -> body of the problem, PPU_NONE for a number that no
  /// body has.
  const uint32_t* body_of_number;
  /// The records are ppu_reduced_block, else ppu_row; both in slot order.
  bool reduced;
  const void* rows;
  size_t rows_size_bytes;
  /// row_count values.
  const float* impulses;
  /// body_count values.
  const ppu_velocity* velocities;
  /// a0..a7 of the program.
  uint32_t arguments[8];
  /// Rows are streamed from device memory in every pass even if they fit on chip.
  bool stream;
} ppu_job_run;

/// The job of a ppu_solve() on `device` with the same arguments, which is refused where that is.
/// Nothing is sent to the device.
PPU_API ppu_result ppu_job_create(ppu_device device, const ppu_problem* problem,
                                  const ppu_solve_def* def, ppu_job* job);
PPU_API ppu_result ppu_job_destroy(ppu_job job);
/// Run `number` of the job, from 0, in the order in which the device gets them. PPU_ERROR_NOT_FOUND
/// past the last one.
PPU_API ppu_result ppu_job_get_run(ppu_job job, uint32_t number, ppu_job_run* run);
/// What ppu_solve() makes of the impulses and velocities that the runs leave: for each run a
/// pointer to its row_count impulses, and one to its body_count velocities. `impulse` and
/// `velocity_change` are those of the whole problem.
PPU_API ppu_result ppu_job_answer(ppu_job job, const float* const* impulses,
                                  const ppu_velocity* const* velocities, float* impulse,
                                  float* velocity_change);

#ifdef __cplusplus
}
#endif

#endif  // PPU_JOB_H_
