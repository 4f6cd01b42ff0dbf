// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The PPU driver: C11 and C++17, no C++ types. One header for every back end.
//
//   ppu_device_def def = ppu_default_device_def();   // fill in, then open
//   ppu_device device;
//   if (ppu_device_open(&def, &device) != PPU_OK) puts(ppu_last_error());
//
// Objects are value handles; a zero handle is null and a stale one is refused. Every call that can
// fail returns a ppu_result; outputs come last, by pointer, and are written only on PPU_OK unless
// said. One device may be used by one thread at a time; different devices are independent.
#ifndef PPU_PPU_H_
#define PPU_PPU_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ppu/spec.h"

/// Version of this header. While the major version is 0, minor versions are not compatible.
#define PPU_VERSION_MAJOR 0
#define PPU_VERSION_MINOR 1
#define PPU_VERSION_PATCH 0

#if defined(__GNUC__)
#define PPU_API __attribute__((visibility("default")))
#else
#define PPU_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What a call returns.
typedef enum ppu_result {
  PPU_OK = 0,
  /// An argument is null, out of range, or a def that did not come from its ppu_default_*_def().
  PPU_ERROR_INVALID_ARGUMENT = 1,
  /// A handle is null, stale, or of a closed device.
  PPU_ERROR_INVALID_HANDLE = 2,
  /// No back end, configuration or program of that name, or an unknown or unfit configuration key.
  PPU_ERROR_NOT_FOUND = 3,
  /// The configuration cannot be used: a bad value, or one the back end was not built for.
  PPU_ERROR_CONFIG = 4,
  /// The driver, the program image and the device were not made from the same specification.
  PPU_ERROR_VERSION = 5,
  /// The program does not assemble or is not a program image.
  PPU_ERROR_PROGRAM = 6,
  /// The problem is malformed; ppu_last_error() names the row.
  PPU_ERROR_PROBLEM = 7,
  /// The problem does not fit the device's memories.
  PPU_ERROR_CAPACITY = 8,
  /// The time limit passed. After ppu_fence_wait() the run goes on, after ppu_solve() it was
  /// cancelled.
  PPU_ERROR_TIMEOUT = 9,
  /// The run ended with a fault; ppu_run_report says which.
  PPU_ERROR_FAULT = 10,
  /// Lockstep: the RTL and the model differ; ppu_last_error() says where.
  PPU_ERROR_MISMATCH = 11,
  /// The device side died or does not answer; close the device.
  PPU_ERROR_DEVICE_LOST = 12,
  /// The device is running; wait for its fence first.
  PPU_ERROR_BUSY = 13,
  /// The host is out of memory, or a system call failed.
  PPU_ERROR_SYSTEM = 14,
  /// The run was cancelled by ppu_fence_cancel().
  PPU_ERROR_CANCELLED = 15
} ppu_result;

/// One sentence for a result code; never null.
PPU_API const char* ppu_result_string(ppu_result result);
/// The name of a run status ("row_fault"); never null.
PPU_API const char* ppu_run_status_string(ppu_run_status status);
/// The name of a counter ("issue_cycles"); never null.
PPU_API const char* ppu_counter_name(ppu_counter counter);

/// The sentence of the last failed call of this thread: what, where, found, expected. Empty if none
/// failed.
PPU_API const char* ppu_last_error(void);

/// Version of the library, "major.minor.patch": PPU_VERSION_MAJOR... of the header it was built
/// with.
PPU_API const char* ppu_version(void);

// ---------------------------------------------------------------------------------------- device

typedef struct ppu_device {
  uint32_t index;
  uint32_t generation;
} ppu_device;

typedef struct ppu_device_def {
  /// Set by ppu_default_device_def(); do not change.
  uint32_t cookie;
  /// "functional" (no time), "systemc" (cycles), "cosim" (systemc with the RTL row pipe in
  /// lockstep). Null, the default: what the environment's PPU_BACKEND names, else "functional".
  const char* backend;
  /// A named configuration ("small", "default", "wide") or the path of a TOML file.
  const char* config;
  /// `override_count` strings "key=value" applied over the configuration; may be null if the count
  /// is 0.
  const char* const* overrides;
  size_t override_count;
  /// cosim: FST file for the RTL row pipe's waves, or null.
  const char* wave_path;
  /// cosim: first and last row-pipe cycle to dump. Default: all.
  uint64_t wave_first_cycle, wave_last_cycle;
} ppu_device_def;

typedef struct ppu_device_info {
  char backend[32];
  char config[256];
  uint64_t config_hash;
  uint32_t spec_hash;
  /// False on back ends without time: their cycle counters stay 0.
  bool timed;
  /// Resolved configuration.
  uint32_t lanes, fp_mul_stages, fp_add_stages, row_memory_rows, impulse_memory_rows,
      body_memory_bodies;
  uint32_t clock_mhz;
  /// Cycles from the issue of a row to the issue of the next row on the same body.
  uint32_t body_latency_cycles;
  /// Cycles between rows that a full pipe takes: 12 / lanes.
  uint32_t initiation_interval_cycles;
  uint64_t device_memory_bytes;
} ppu_device_info;

/// Name of a back end, null past the last one: for (i = 0; ppu_backend_name(i) != NULL; ++i).
PPU_API const char* ppu_backend_name(size_t index);

PPU_API ppu_device_def ppu_default_device_def(void);
PPU_API ppu_result ppu_device_open(const ppu_device_def* def, ppu_device* device);
/// Closes the device and everything made on it; a run under way is cancelled. A null handle is
/// allowed.
PPU_API ppu_result ppu_device_close(ppu_device device);
PPU_API ppu_result ppu_device_get_info(ppu_device device, ppu_device_info* info);
/// The resolved configuration as TOML, every key with its value, into `text` of `size_bytes` (cut
/// to fit and terminated; null if 0). `needed_bytes` (may be null) receives the size that all of it
/// needs.
PPU_API ppu_result ppu_device_get_config(ppu_device device, char* text, size_t size_bytes,
                                         size_t* needed_bytes);
/// Reads a device register (ppu_register). Status, fault row and progress are those of the last
/// submitted run; while it is under way they read PPU_RUN_RUNNING, PPU_NONE and 0, and the fault
/// row and the progress appear at its end.
PPU_API ppu_result ppu_device_read_register(ppu_device device, uint32_t offset, uint32_t* value);

// ---------------------------------------------------------------------------------------- buffer

/// A range of device memory, 64-byte aligned.
typedef struct ppu_buffer {
  uint32_t index;
  uint32_t generation;
} ppu_buffer;

PPU_API ppu_result ppu_buffer_create(ppu_device device, size_t size_bytes, ppu_buffer* buffer);
PPU_API ppu_result ppu_buffer_destroy(ppu_buffer buffer);
PPU_API ppu_result ppu_buffer_write(ppu_buffer buffer, size_t offset_bytes, const void* data,
                                    size_t size_bytes);
PPU_API ppu_result ppu_buffer_read(ppu_buffer buffer, size_t offset_bytes, void* data,
                                   size_t size_bytes);

// --------------------------------------------------------------------------------------- program

typedef struct ppu_program {
  uint32_t index;
  uint32_t generation;
} ppu_program;

/// Name of a built-in program, null past the last one.
PPU_API const char* ppu_program_name(size_t index);
/// Loads a built-in program ("pgs", "boxed", "threshold", "impulse") or the assembly file `name` if
/// it ends in ".s".
PPU_API ppu_result ppu_program_load(ppu_device device, const char* name, ppu_program* program);
/// Assembles `source`; `name` stands for the file in messages.
PPU_API ppu_result ppu_program_assemble(ppu_device device, const char* name, const char* source,
                                        ppu_program* program);
/// Loads an image made by `ppu asm`; one with a word that is no instruction is refused.
PPU_API ppu_result ppu_program_load_image(ppu_device device, const void* image, size_t size_bytes,
                                          ppu_program* program);
PPU_API ppu_result ppu_program_destroy(ppu_program program);

// ------------------------------------------------------------------------------------------- run

/// Completion of one submitted run; may be waited for again, and lasts until the next submit on its
/// device.
typedef struct ppu_fence {
  uint32_t index;
  uint32_t generation;
} ppu_fence;

/// Where the cycles of one row went, summed over a run, in slot order (see `profile`).
typedef struct ppu_row_profile {
  uint32_t cycles;        ///< All cycles charged to the row: issue, lanes and stalls before it.
  uint32_t body_stall;    ///< ... of which waiting for a body.
  uint32_t parent_stall;  ///< ... of which waiting for its parent's impulse.
  uint32_t fetch_stall;   ///< ... of which waiting for its record.
} ppu_row_profile;

/// One run of a program over rows in device memory.
typedef struct ppu_run_def {
  /// Set by ppu_default_run_def(); do not change.
  uint32_t cookie;
  ppu_program program;
  /// row_count records of ppu_row, in issue order.
  ppu_buffer rows;
  /// row_count floats, in and out.
  ppu_buffer impulses;
  /// body_count x 6 floats, in and out.
  ppu_buffer velocities;
  /// row_count ppu_row_profile, out; null for none, and on back ends without time.
  ppu_buffer profile;
  uint32_t row_count;
  uint32_t body_count;
  /// a0..a7 of the program; see the arguments in docs/reference/isa.md.
  uint32_t arguments[8];
} ppu_run_def;

typedef struct ppu_run_report {
  ppu_run_status status;
  /// Slot of the first faulting row, or PPU_NONE.
  uint32_t fault_row;
  /// Last value the program signalled: finished sweeps.
  uint32_t progress;
  /// Residual maximum of the last `rdmax`, in m/s or rad/s; 0 if the program read none.
  float last_residual;
  uint64_t counters[PPU_COUNTER_COUNT];
} ppu_run_report;

PPU_API ppu_run_def ppu_default_run_def(void);
/// Starts a run and returns at once. PPU_ERROR_BUSY while another run of the device is under way;
/// buffers and the program of a run under way cannot be touched either.
PPU_API ppu_result ppu_submit(ppu_device device, const ppu_run_def* def, ppu_fence* fence);
/// Waits at most `timeout_ns`. PPU_ERROR_TIMEOUT: the run goes on. PPU_OK, PPU_ERROR_FAULT,
/// PPU_ERROR_MISMATCH, PPU_ERROR_CANCELLED: it has ended, and `report` (may be null) is written.
/// Any other result: the device gave no report.
PPU_API ppu_result ppu_fence_wait(ppu_fence fence, uint64_t timeout_ns, ppu_run_report* report);
/// Cancels the run and waits until it has ended; PPU_OK also if it has ended before. A cancelled
/// run leaves impulses and velocities as they were, and the device takes the next one.
PPU_API ppu_result ppu_fence_cancel(ppu_fence fence);

/// For timeout_ns: wait without a limit.
#define PPU_NO_TIMEOUT UINT64_MAX

// ---------------------------------------------------------------------------------------- solver

/// A row problem in host memory, arrays row-major in the engine's order. Nothing is kept after the
/// call.
typedef struct ppu_problem {
  uint32_t row_count;              ///< m.
  uint32_t body_count;             ///< n.
  const int32_t (*body)[2];        ///< m x 2; -1 = static world.
  const int32_t* parent;           ///< m; an earlier row, or -1.
  const float* jacobian;           ///< m x 12: linear a, angular a, linear b, angular b.
  const float* inv_mass_jacobian;  ///< m x 12.
  const float* rate_bias;          ///< m; b.
  const float* inv_diagonal;       ///< m; d.
  const float* lower;              ///< m; -inf where there is none; unused where parent >= 0.
  const float* upper;              ///< m; inf where there is none; unused where parent >= 0.
  const float* friction;           ///< m; mu where parent >= 0.
  const float* compliance;         ///< m; cfm.
  const float* impulse;            ///< m; warm start, used by PPU_START_WARM.
  const float* velocity_change;    ///< n x 6; v at the warm start.
} ppu_problem;

typedef enum ppu_order {
  PPU_ORDER_ENGINE = 0,  ///< Rows as given.
  PPU_ORDER_SCHEDULED =
      1,  ///< Last-writer dependency schedule: same bits as PPU_ORDER_ENGINE, fewer stalls.
  PPU_ORDER_COLOUR = 2  ///< Greedy colouring: changes the result.
} ppu_order;

typedef enum ppu_friction_rule {
  PPU_FRICTION_CLAMP = 0,  ///< Bounds +-mu*max(0, parent).
  PPU_FRICTION_SKIP = 1  ///< As clamp, but the row is left alone while its parent is <= 0 (Bullet).
} ppu_friction_rule;

typedef enum ppu_start {
  PPU_START_WARM = 0,  ///< From the problem's impulse and velocity_change.
  PPU_START_COLD = 1   ///< From zero.
} ppu_start;

typedef struct ppu_solve_def {
  /// Set by ppu_default_solve_def(); do not change.
  uint32_t cookie;
  /// A program of the device whose kernels are all of the rate form or all of the impulse form; to
  /// the latter b and cfm are handed over as Bullet scales them, -b*d and cfm*d.
  ppu_program program;
  uint32_t max_sweeps;
  float threshold;
  ppu_order order;
  ppu_friction_rule friction;
  ppu_start start;
  /// Limit of the wait for the device.
  uint64_t timeout_ns;
  /// row_count records in the problem's row order; null for none, and on back ends without time.
  ppu_row_profile* profile;
} ppu_solve_def;

typedef struct ppu_solve_report {
  ppu_run_report run;
  /// Faulting row in the problem's row order, or PPU_NONE.
  uint32_t fault_row;
  /// Largest true residual of the final state over all rows, in double precision on the host: 0
  /// where lo = hi, max(0, -u) at lo, max(0, u) at hi, else |u|; infinite where u is not a number.
  double max_residual;
  uint32_t sweeps;
  /// Host time of scheduling, of packing and copying, and of the wait for the device.
  double schedule_seconds, transfer_seconds, device_seconds;
} ppu_solve_report;

PPU_API ppu_solve_def ppu_default_solve_def(void);
/// Orders, uploads, runs and reads back one problem. `impulse` (m) and `velocity_change` (n x 6)
/// receive the answer and are not touched unless the result is PPU_OK; `report` (may be null) is
/// also written where the run ended with PPU_ERROR_FAULT or PPU_ERROR_MISMATCH. At
/// PPU_ERROR_TIMEOUT the run was cancelled, and the device takes the next one.
PPU_API ppu_result ppu_solve(ppu_device device, const ppu_problem* problem,
                             const ppu_solve_def* def, float* impulse, float* velocity_change,
                             ppu_solve_report* report);

/// Row order that `order` gives: slot -> row, `row_count` values. Reads only the bodies and the
/// parents. `latency_cycles` is body_latency_cycles of the device; where a row takes several cycles
/// to enter the pipe, divide by initiation_interval_cycles and round up.
PPU_API ppu_result ppu_schedule(const ppu_problem* problem, ppu_order order,
                                uint32_t latency_cycles, uint32_t* row_of_slot);

/// FNV-1a hash of the bits of m impulses, then n x 6 velocities: equal on every back end.
PPU_API uint64_t ppu_state_hash(const float* impulse, size_t row_count,
                                const float* velocity_change, size_t body_count);

#ifdef __cplusplus
}
#endif

#endif  // PPU_PPU_H_
