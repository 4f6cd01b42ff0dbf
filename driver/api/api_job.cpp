// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: the runs of a solve.
#include <memory>

#include "driver/api/registry.hpp"
#include "driver/solve/job.hpp"
#include "driver/solve/solver.hpp"

namespace ppu::driver {
namespace {

void require_of_run(const void* values, const char* array, std::uint32_t run) {
  if (values == nullptr)
    fail(PPU_ERROR_INVALID_ARGUMENT, array, "[", run, "] is null, expected those of run ", run);
}

}  // namespace
}  // namespace ppu::driver

using namespace ppu::driver;

extern "C" {

ppu_result ppu_job_create(ppu_device device, const ppu_problem* problem, const ppu_solve_def* def,
                          ppu_job* job) {
  return guarded([&] {
    require_def(def, "ppu_default_solve_def");
    require(problem, "problem");
    require(job, "job");
    const auto target = use_device(device);
    const auto program = registry().programs.find(def->program);
    *job = registry().jobs.insert(
        std::make_shared<Job>(*problem, *def, target->solver.set_up(*program, *problem, *def)));
  });
}

ppu_result ppu_job_destroy(ppu_job job) {
  return guarded([&] { registry().jobs.remove(job); });
}

ppu_result ppu_job_get_run(ppu_job job, uint32_t number, ppu_job_run* run) {
  return guarded([&] {
    require(run, "run");
    const auto found = registry().jobs.find(job);
    if (number >= found->runs())
      fail(PPU_ERROR_NOT_FOUND, "there is no run ", number, ", the job has ", found->runs());
    *run = found->run(number);
  });
}

ppu_result ppu_job_answer(ppu_job job, const float* const* impulses,
                          const ppu_velocity* const* velocities, float* impulse,
                          float* velocity_change) {
  return guarded([&] {
    require(impulses, "impulses");
    require(velocities, "velocities");
    const auto found = registry().jobs.find(job);
    if (found->rows() > 0) require(impulse, "impulse");
    if (found->bodies() > 0) require(velocity_change, "velocity_change");
    for (std::uint32_t number = 0; number < found->runs(); ++number) {
      const ppu_job_run run = found->run(number);
      if (run.row_count > 0) require_of_run(impulses[number], "impulses", number);
      if (run.body_count > 0) require_of_run(velocities[number], "velocities", number);
    }
    found->answer(impulses, velocities, impulse, velocity_change);
  });
}

}  // extern "C"
