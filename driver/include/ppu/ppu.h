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
// said.
//
// Threads: calls on different devices are independent. While a call on a device or on what is made
// on it is under way, such calls of other threads return PPU_ERROR_BUSY and change nothing. Any
// thread may call ppu_device_get_info() and ppu_device_get_config() at any time, and what takes no
// device or a job.
// fork(): handles stay with the process that has opened the device. In the child calls with them
// return PPU_ERROR_INVALID_HANDLE, also those that destroy; it may open devices of its own.
//
// A call that waits for the device has a time limit, its own or answer_timeout_ns of the device.
#ifndef PPU_PPU_H_
#define PPU_PPU_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ppu/platform.h"
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
  /// Something does not fit: a memory of the device, host memory or the command ring.
  PPU_ERROR_CAPACITY = 8,
  /// The time limit passed. After ppu_fence_wait() the device goes on, after ppu_solve() the run
  /// was cancelled.
  PPU_ERROR_TIMEOUT = 9,
  /// A run ended with a fault; ppu_run_report says which.
  PPU_ERROR_FAULT = 10,
  /// Lockstep: the RTL and the model differ; ppu_last_error() says where.
  PPU_ERROR_MISMATCH = 11,
  /// The device side died or does not answer; close the device.
  PPU_ERROR_DEVICE_LOST = 12,
  /// Something submitted is under way: wait for its fence first. Or another thread is in a call on
  /// the device.
  PPU_ERROR_BUSY = 13,
  /// The host is out of memory, or a system call failed.
  PPU_ERROR_SYSTEM = 14,
  PPU_ERROR_CANCELLED = 15,  ///< The run was cancelled by ppu_fence_cancel().
  /// The device rejected a command; ppu_last_error() says which and why.
  PPU_ERROR_COMMAND = 16,
  PPU_ERROR_NUMERIC = 17  ///< Numbers of a problem are beyond the method: see ppu/methods.h.
} ppu_result;

/// One sentence for a result code; never null.
PPU_API const char* ppu_result_string(ppu_result result);
/// The name of a run status ("row_fault"); never null.
PPU_API const char* ppu_run_status_string(ppu_run_status status);
/// The name of a counter ("issue_cycles"); never null.
PPU_API const char* ppu_counter_name(ppu_counter counter);
/// The name of a device counter ("doorbells"); never null.
PPU_API const char* ppu_device_counter_name(ppu_device_counter counter);

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
  /// lockstep), "rtl" (the whole device in RTL), "platform" (see `platform`), "platform:LIBRARY"
  /// (the platform of a shared library, in a process of its own; see ppu/platform.h). Null, the
  /// default: what the environment's PPU_BACKEND names, else "functional".
  const char* backend;
  /// A named configuration ("small", "default", "wide") or the path of a TOML file, with parts
  /// after it ("default+p1_gddr3+pci").
  const char* config;
  /// `override_count` strings "key=value" applied over the configuration; may be null if the count
  /// is 0.
  const char* const* overrides;
  size_t override_count;
  /// cosim: FST file for the row pipe's waves, rtl: for the device's; or null.
  const char* wave_path;
  /// rtl: module instance below which waves are written; null: all.
  const char* wave_scope;
  /// First and last cycle of the device to dump. Default: all.
  uint64_t wave_first_cycle, wave_last_cycle;
  /// Back ends with time: file for a log of what happens in the device, event by event; or null.
  const char* trace_path;
  /// Limit of the waits that have none of their own: for answers of the device process, buffer
  /// copies (each 256 KiB), loading programs, cancelling. Default: 60 s. A device that takes longer
  /// is lost.
  uint64_t answer_timeout_ns;
  /// For back end "platform": the platform, copied. It is used by the threads that call, within
  /// their calls, and from ppu_device_open() to ppu_device_close().
  const ppu_platform* platform;
} ppu_device_def;

typedef struct ppu_device_info {
  char backend[32];
  char config[256];
  uint64_t config_hash;
  uint32_t spec_hash;
  /// False on back ends without time: their cycle counters stay 0.
  bool timed;
  /// True on back ends that keep the cycles of every row.
  bool profiles;
  /// Resolved configuration.
  uint32_t engines, pipes, lanes, fp_mul_stages, fp_add_stages, velocity_banks;
  uint32_t row_memory_rows, impulse_memory_rows, body_memory_bodies, instruction_memory_words;
  uint32_t clock_mhz;
  /// Cycles from the issue of a row to the issue of the next row on the same body.
  uint32_t body_latency_cycles;
  /// Cycles between rows that a full pipe takes: 12 / lanes.
  uint32_t initiation_interval_cycles;
  uint64_t device_memory_bytes, host_memory_bytes;
  /// Commands that the ring holds.
  uint32_t ring_entries;
} ppu_device_info;

/// Name of a back end, null past the last one: for (i = 0; ppu_backend_name(i) != NULL; ++i).
PPU_API const char* ppu_backend_name(size_t index);

PPU_API ppu_device_def ppu_default_device_def(void);
PPU_API ppu_result ppu_device_open(const ppu_device_def* def, ppu_device* device);
/// Closes the device and everything made on it, whatever it is doing. A null handle is allowed.
/// PPU_ERROR_DEVICE_LOST: it is closed, but its event log or its waves are not complete, or its
/// process was lost and no call has said so before.
PPU_API ppu_result ppu_device_close(ppu_device device);
PPU_API ppu_result ppu_device_get_info(ppu_device device, ppu_device_info* info);
/// The resolved configuration as TOML, every key with its value, into `text` of `size_bytes` (cut
/// to fit and terminated; null if 0). `needed_bytes` (may be null) receives the size that all of it
/// needs.
PPU_API ppu_result ppu_device_get_config(ppu_device device, char* text, size_t size_bytes,
                                         size_t* needed_bytes);
/// Reads a device register (ppu_register); 0 where there is none.
PPU_API ppu_result ppu_device_read_register(ppu_device device, uint32_t offset, uint32_t* value);
/// Reads the counters of the device, in the order of ppu_device_counter.
PPU_API ppu_result ppu_device_read_counters(ppu_device device,
                                            uint64_t counters[PPU_DEVICE_COUNTER_COUNT]);

// ---------------------------------------------------------------------------------------- buffer

/// A range of device memory, 64-byte aligned. It may be destroyed at any time; what was recorded or
/// submitted before still finds its memory.
typedef struct ppu_buffer {
  uint32_t index;
  uint32_t generation;
} ppu_buffer;

/// What the velocity buffer of a run holds for each body, in and out.
typedef struct ppu_velocity {
  float linear[3];
  float angular[3];
  /// The device does not look at them and writes 0.
  uint32_t ignored[2];
} ppu_velocity;

PPU_API ppu_result ppu_buffer_create(ppu_device device, size_t size_bytes, ppu_buffer* buffer);
PPU_API ppu_result ppu_buffer_destroy(ppu_buffer buffer);
/// Copy and return when it is done. PPU_ERROR_BUSY while anything submitted is under way, as for
/// every call that waits without a fence: record the copy in a command list instead.
PPU_API ppu_result ppu_buffer_write(ppu_buffer buffer, size_t offset_bytes, const void* data,
                                    size_t size_bytes);
PPU_API ppu_result ppu_buffer_read(ppu_buffer buffer, size_t offset_bytes, void* data,
                                   size_t size_bytes);

// --------------------------------------------------------------------------------------- program

/// Words in the instruction memory of every engine. It may be destroyed at any time, as a buffer.
typedef struct ppu_program {
  uint32_t index;
  uint32_t generation;
} ppu_program;

/// Name of a built-in program, null past the last one.
PPU_API const char* ppu_program_name(size_t index);
/// Loads a built-in program ("boxed", see docs/guide/firmware.md for all) or the assembly file
/// `name` if it ends in ".s".
PPU_API ppu_result ppu_program_load(ppu_device device, const char* name, ppu_program* program);
/// Assembles `source`; `name` stands for the file in messages.
PPU_API ppu_result ppu_program_assemble(ppu_device device, const char* name, const char* source,
                                        ppu_program* program);
/// Loads an image made by `ppu asm`; one with a word that is no instruction is refused.
PPU_API ppu_result ppu_program_load_image(ppu_device device, const void* image, size_t size_bytes,
                                          ppu_program* program);
PPU_API ppu_result ppu_program_destroy(ppu_program program);

// ------------------------------------------------------------------------------------------- run

/// Where the cycles of one row went, summed over a run, in slot order (see `profile`).
typedef struct ppu_row_profile {
  uint32_t visits;        ///< How often the row issued.
  uint32_t cycles;        ///< All charged to it, the first of those that issue in one cycle.
  uint32_t body_stall;    ///< ... of which waiting for a body, for the token of a row before it.
  uint32_t body_b_stall;  ///< Part of body_stall: body b came last; the rest is that of body a.
  uint32_t parent_stall;  ///< ... of which waiting for its parent's impulse.
  uint32_t fetch_stall;   ///< ... of which waiting for its record.
  uint32_t lane_stall;    ///< ... of which waiting for its pipe, which takes a row in some cycles.
  uint32_t bank_stall;    ///< ... of which waiting for a bank that other rows used.
  uint32_t filter_stall;  ///< ... of which rows before it were searched and passed over.
} ppu_row_profile;

/// One run of a program over rows in device memory.
typedef struct ppu_run_def {
  /// Set by ppu_default_run_def(); do not change.
  uint32_t cookie;
  ppu_program program;
  /// row_count records of ppu_row in issue order, or ppu_reduced_block for programs of that form.
  ppu_buffer rows;
  ppu_buffer impulses;    ///< row_count floats, in and out.
  ppu_buffer velocities;  ///< body_count records of ppu_velocity, in and out.
  uint32_t row_count;
  uint32_t body_count;
  /// a0..a7 of the program; see the arguments in docs/reference/isa.md.
  uint32_t arguments[8];
  /// Rows are streamed from device memory in every pass even if they fit on chip.
  bool stream;
  /// Rows that stay on chip come with copies behind the run, in order; it waits for them.
  bool chained;
  /// With `chained`: the program begins at once, and a first pass issues rows as they come.
  bool early;
  /// row_count records in the caller's memory, filled by the wait that returns PPU_OK; null for
  /// none, and on back ends that keep no profile. A device keeps the profile of the last run of
  /// each engine: the records are 0 where the engine took a later run of the list.
  ppu_row_profile* profile;
} ppu_run_def;

typedef struct ppu_run_report {
  ppu_run_status status;
  /// Slot of the first faulting row, or PPU_NONE.
  uint32_t fault_row;
  /// What is wrong with it (ppu_fault_detail); of an illegal instruction its word address.
  uint32_t fault_detail;
  /// Last value the program signalled: finished sweeps.
  uint32_t progress;
  /// Residual maximum of the last `rdmax`, in m/s or rad/s; 0 if the program read none.
  float last_residual;
  /// Engine that ran it.
  uint32_t engine;
  uint64_t counters[PPU_COUNTER_COUNT];
} ppu_run_report;

/// Completion of what was submitted; may be waited for again. The fence of a command list lasts
/// until the list is submitted again, reset or destroyed; that of ppu_submit() until the next
/// ppu_submit() on the device after a wait has seen its end.
typedef struct ppu_fence {
  uint32_t index;
  uint32_t generation;
} ppu_fence;

/// Commands to be submitted together, with one doorbell. Copies of a list are carried out one after
/// another; a run starts as soon as an engine is free, and later commands go on meanwhile: put a
/// barrier where one needs the results of another. Lists are carried out one after another.
typedef struct ppu_commands {
  uint32_t index;
  uint32_t generation;
} ppu_commands;

PPU_API ppu_result ppu_commands_create(ppu_device device, ppu_commands* commands);
/// Allowed at any time; a list under way goes on, but nothing receives its results.
PPU_API ppu_result ppu_commands_destroy(ppu_commands commands);
/// Back to an empty list. This and recording: PPU_ERROR_BUSY while the list is under way.
PPU_API ppu_result ppu_commands_reset(ppu_commands commands);
/// Copies to device memory. `data` is copied to host memory at once and may change afterwards.
PPU_API ppu_result ppu_commands_copy_in(ppu_commands commands, ppu_buffer buffer,
                                        size_t offset_bytes, const void* data, size_t size_bytes);
/// Copies from device memory. `data` must last until the list's fence is waited for: the wait that
/// returns PPU_OK fills it.
PPU_API ppu_result ppu_commands_copy_out(ppu_commands commands, ppu_buffer buffer,
                                         size_t offset_bytes, void* data, size_t size_bytes);
/// Copies within device memory. The offsets must be equal modulo 64, the ranges must not overlap.
PPU_API ppu_result ppu_commands_copy_within(ppu_commands commands, ppu_buffer from,
                                            size_t from_offset_bytes, ppu_buffer to,
                                            size_t to_offset_bytes, size_t size_bytes);
PPU_API ppu_run_def ppu_default_run_def(void);
/// `run` (may be null) receives the number of the run in the list, from 0.
PPU_API ppu_result ppu_commands_run(ppu_commands commands, const ppu_run_def* def, uint32_t* run);
/// Later commands wait for all before.
PPU_API ppu_result ppu_commands_barrier(ppu_commands commands);
/// Reads the counters of the device once all before has ended; see ppu_fence_counters(). `query`
/// (may be null) receives the number of the query in the list, from 0.
PPU_API ppu_result ppu_commands_query(ppu_commands commands, uint32_t* query);
/// A command as it is, sixteen words of docs/reference/commands.md that only the device checks: to
/// see what it makes of them. One can overwrite what the driver keeps, which is at the lowest
/// addresses of host memory; a buffer of all device memory begins at address 0 of it.
PPU_API ppu_result ppu_commands_raw(ppu_commands commands, const uint32_t words[16]);
/// Hands the list to the device and returns at once. Any number of lists may be under way, each
/// once, as long as the ring has room (else PPU_ERROR_BUSY). After its end a list may be submitted
/// again.
PPU_API ppu_result ppu_commands_submit(ppu_commands commands, ppu_fence* fence);

/// Short form of a list with one run.
PPU_API ppu_result ppu_submit(ppu_device device, const ppu_run_def* def, ppu_fence* fence);

/// Waits at most `timeout_ns` for the end. PPU_ERROR_TIMEOUT: the device goes on. Otherwise what
/// became of the first command that went wrong: PPU_ERROR_FAULT, PPU_ERROR_MISMATCH or
/// PPU_ERROR_CANCELLED of a run, PPU_ERROR_COMMAND; or PPU_ERROR_DEVICE_LOST.
PPU_API ppu_result ppu_fence_wait(ppu_fence fence, uint64_t timeout_ns);
/// Report of run `run` of what was submitted, whatever its status. PPU_ERROR_BUSY before the end.
PPU_API ppu_result ppu_fence_report(ppu_fence fence, uint32_t run, ppu_run_report* report);
/// What query `query` of what was submitted has read, in the order of ppu_device_counter, whatever
/// became of the other commands. PPU_ERROR_BUSY before the end.
PPU_API ppu_result ppu_fence_counters(ppu_fence fence, uint32_t query,
                                      uint64_t counters[PPU_DEVICE_COUNTER_COUNT]);
/// Cancels the runs of what was submitted, and of what was submitted before and has not ended, and
/// waits for its end; PPU_OK also if it has ended before. A cancelled run leaves impulses and
/// velocities in device memory as they were.
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
  const int32_t* parent;           ///< m; an earlier row without one (see impulse_form), or -1.
  const float* jacobian;           ///< m x 12: linear a, angular a, linear b, angular b.
  const float* inv_mass_jacobian;  ///< m x 12.
  const float* rate_bias;          ///< m; b = J v (present velocities) + bias; < 0: approaching.
  const float* inv_diagonal;       ///< m; d.
  const float* lower;              ///< m; -inf where there is none; unused where parent >= 0.
  const float* upper;              ///< m; inf where there is none; unused where parent >= 0.
  const float* friction;           ///< m; mu where parent >= 0.
  const float* compliance;         ///< m; cfm.
  const float* impulse;            ///< m; warm start, used by PPU_START_WARM.
  const float* velocity_change;    ///< n x 6; v at the warm start.
  /// n, and n x 3 x 3 in the world frame; 0 where a body cannot move. Read for programs of the
  /// reduced form only, else may be null.
  const float* inv_mass;
  const float* inv_inertia;
  /// rate_bias and compliance are those that Bullet stores, -b*d (m_rhs), cfm*d (m_cfm), and reach
  /// the device bit for bit; a parent may have a parent. For programs of the impulse form only.
  bool impulse_form;
} ppu_problem;

typedef enum ppu_order {
  PPU_ORDER_ENGINE = 0,     ///< Rows as given.
  PPU_ORDER_SCHEDULED = 1,  ///< As PPU_ORDER_ENGINE, and will go: devices find an order themselves.
  PPU_ORDER_COLOUR = 2      ///< Greedy colouring: changes the result.
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
  /// the latter b and cfm are handed over as Bullet scales them, -b*d and cfm*d. Those of the
  /// reduced form get J M^-1/2 for J and M^-1 J^T, and M^1/2 v for v; the answer is converted back.
  ppu_program program;
  uint32_t max_sweeps;
  /// Residual in m/s or rad/s at which a program with a test for termination stops.
  float threshold;
  /// Change of a velocity below which a filter leaves the rows of a body out. 0: `threshold`.
  float mark_threshold;
  /// Cycles after the first instruction of the run in which rows may begin, not after the start of
  /// the frame: copying in and out comes on top, the report's device_cycles has all. The answer is
  /// the state that was reached, not the best of several; its true residual is max_residual. 0, the
  /// default: no limit. Needs a back end with time, and a program with `budget`, which "nesterov"
  /// has not. The problem is not cut into several runs.
  uint32_t budget_cycles;
  /// Over-relaxation: the d of every row is multiplied by it. Above 0 and below 2; by default 1.
  float relaxation;
  /// Classes of rows with sweeps of their own: the first class_rows[0] rows of the problem, the
  /// next class_rows[1], and the rest. Sweep s, from 0, visits a class while s is less than
  /// class_sweeps[0], class_sweeps[1] or max_sweeps. All 0, the default: one class. Needs a program
  /// that takes classes ("classes"); one that tests a residual, too, has max_sweeps for all of
  /// them, and class_sweeps must be 0. A row stays in its class whatever the order, and the problem
  /// is not cut into several runs.
  uint32_t class_rows[2];
  uint32_t class_sweeps[2];
  ppu_order order;
  ppu_friction_rule friction;
  ppu_start start;
  /// Limit of the wait for the device.
  uint64_t timeout_ns;
  /// Rows are streamed from device memory in every pass even if they fit on chip.
  bool stream;
  /// The first sweep begins while rows come, and its cycles hold the wait for them. Off by default;
  /// means nothing with a budget, and where rows do not stay on chip.
  bool early;
  /// row_count records in the problem's row order, or null. See ppu_run_def.
  ppu_row_profile* profile;
  /// The report's max_residual is wanted. It is found on the host, row by row; off by default.
  bool true_residual;
} ppu_solve_def;

typedef struct ppu_solve_report {
  /// All runs together: the first status that is not ok and its fault row, the least progress, the
  /// largest residual and the sums of the counters; but PPU_COUNTER_START_CYCLE is that of the
  /// first run, and PPU_COUNTER_CYCLES goes from there to the end of the last one.
  ppu_run_report run;
  /// Runs that the problem was cut into: islands are spread over the engines, unless the program
  /// reads a residual, which must be that of all rows, or takes classes, or there is a budget.
  uint32_t runs;
  /// The budget cut the solve short.
  bool late;
  /// Faulting row in the problem's row order, or PPU_NONE.
  uint32_t fault_row;
  /// Largest true residual of the final state over all rows, in double precision on the host: 0
  /// where lo = hi, max(0, -u) at lo, max(0, u) at hi, else |u|; infinite where u is not a number.
  /// NaN unless def->true_residual asks for it.
  double max_residual;
  uint32_t sweeps;
  /// Host time of the plan (0 for rows as given in one run), of packing and unpacking, of the wait
  /// for the device; and time in which host and device both work: rows go to the device in blocks
  /// while the host packs the next ones, see ppu_records_finish().
  double plan_seconds, transfer_seconds, device_seconds, overlap_seconds;
  /// Device cycles of copying rows, impulses and velocities in, of the runs (with loading, storing
  /// and reports), of copying impulses and velocities out, and of all of it. 0 without time.
  uint64_t upload_cycles, run_cycles, download_cycles, device_cycles;
  uint64_t load_cycles;  ///< Of run_cycles: before the first instruction, not under the upload.
  /// Cycles of all runs, each from its first instruction to its last, summed: what the counters of
  /// `run` that are classes of cycles add up to. With one run it is PPU_COUNTER_CYCLES.
  uint64_t engine_cycles;
  /// Counters of the device during the solve, in the order of ppu_device_counter.
  uint64_t device_counters[PPU_DEVICE_COUNTER_COUNT];
} ppu_solve_report;

PPU_API ppu_solve_def ppu_default_solve_def(void);
/// Orders, uploads, runs and reads back one problem, with one doorbell. `impulse` (m) and
/// `velocity_change` (n x 6) receive the answer and are not touched unless the result is PPU_OK;
/// `report` (may be null) is also written where a run ended with PPU_ERROR_FAULT or
/// PPU_ERROR_MISMATCH. At PPU_ERROR_TIMEOUT the runs were cancelled, and the device takes the next
/// ones. PPU_ERROR_BUSY while anything submitted is under way. The bits of the answer do not depend
/// on back end, engines, pipes or configuration.
PPU_API ppu_result ppu_solve(ppu_device device, const ppu_problem* problem,
                             const ppu_solve_def* def, float* impulse, float* velocity_change,
                             ppu_solve_report* report);

/// The order in which one run of the whole problem visits its rows. `row_of_slot`: slot -> row,
/// `row_count` values. Reads only the bodies and the parents of the problem.
PPU_API ppu_result ppu_row_order(const ppu_problem* problem, ppu_order order,
                                 uint32_t* row_of_slot);

/// FNV-1a hash of the bits of m impulses, then n x 6 velocities: equal on every back end.
PPU_API uint64_t ppu_state_hash(const float* impulse, size_t row_count,
                                const float* velocity_change, size_t body_count);

#ifdef __cplusplus
}
#endif

#endif  // PPU_PPU_H_
