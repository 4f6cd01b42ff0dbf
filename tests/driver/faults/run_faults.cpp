// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Programs and rows that a run cannot go on with, and calls that make no sense.
#include <limits>

#include "ppu/ppu.hpp"
#include "tests/driver/faults/fault_bench.hpp"
#include "tests/driver/support/backends.hpp"

namespace ppu::driver::test {
namespace {

FaultCase of_source(const std::string& name, const std::string& how, const char* source,
                    const std::string& sentence) {
  return fault(name, how, PPU_ERROR_FAULT, sentence,
               [source](FaultBench& bench) { return bench.run(source); });
}

FaultCase of_row(const std::string& name, const std::string& how, bool stream,
                 const std::function<void(ppu_row&)>& spoil, const std::string& sentence) {
  return fault(name, how, PPU_ERROR_FAULT, sentence, [spoil, stream](FaultBench& bench) {
    ppu_row row = FaultBench::good_row();
    spoil(row);
    return bench.sweep_over(row, stream);
  });
}

/// A problem of one row over one body; `spoil` makes it none.
FaultOutcome solve_spoiled(FaultBench& bench, const std::function<void(float*)>& spoil) {
  const std::int32_t bodies[1][2] = {{0, -1}}, parents[1] = {-1};
  float jacobian[12] = {0, 1}, inverse_mass[12] = {0, 1};
  float numbers[5] = {0.5F, 1, -1, 1, 0};  // bias, inverse of the diagonal, bounds, friction.
  spoil(numbers);
  ppu_problem problem{};
  problem.row_count = 1;
  problem.body_count = 1;
  problem.body = bodies;
  problem.parent = parents;
  problem.jacobian = jacobian;
  problem.inv_mass_jacobian = inverse_mass;
  problem.rate_bias = &numbers[0];
  problem.inv_diagonal = &numbers[1];
  problem.lower = &numbers[2];
  problem.upper = &numbers[3];
  problem.friction = problem.compliance = &numbers[4];
  ppu_solve_def def = ppu_default_solve_def();
  def.program = bench.boxed.get();
  def.start = PPU_START_COLD;
  float impulse = 0, velocity[6] = {};
  return outcome_of(ppu_solve(bench.device.get(), &problem, &def, &impulse, velocity, nullptr));
}

FaultOutcome wait_and_cancel(const Fence& fence) {
  FaultOutcome outcome = outcome_of(ppu_fence_wait(fence.get(), 20 * kMillisecond));
  fence.cancel();
  return outcome;
}

}  // namespace

FaultGroup program_faults() {
  return {
      "Programs",
      {of_source("rows-without-kernel", "`rows` before any `kernel`", "rows zero, zero\nhalt\n",
                 "instruction at word 0: `rows` before any `kernel`"),
       of_source("rows-of-other-pass", "`rows` in the second word, before any `kernel`",
                 "li t0, 1\nrows zero, t0\nhalt\n",
                 "instruction at word 1: `rows` before any `kernel`"),
       fault("no-halt", "a source that runs past its last instruction", PPU_ERROR_PROGRAM,
             "runs past its last instruction",
             [](FaultBench& bench) {
               ppu_program program{};
               return outcome_of(
                   ppu_program_assemble(bench.device.get(), "fault.s", "li t0, 1\n", &program));
             }),
       fault("endless-wait", "a program without an end, waited for 20 ms", PPU_ERROR_TIMEOUT,
             "did not end within 0.02 s and goes on: run",
             [](FaultBench& bench) { return wait_and_cancel(bench.start_endless()); }),
       fault("endless-cancel", "a program without an end, cancelled", PPU_ERROR_CANCELLED,
             "the run was cancelled",
             [](FaultBench& bench) {
               const Fence fence = bench.start_endless();
               fence.cancel();
               return outcome_of(ppu_fence_wait(fence.get(), 0));
             }),
       fault("rows-never-come", "rows of a chained run that never come, waited for 20 ms",
             PPU_ERROR_TIMEOUT, "did not end within 0.02 s and goes on: run",
             [](FaultBench& bench) { return wait_and_cancel(bench.start_rows_that_never_come()); }),
       fault("no-such-operation", "a source with an unknown operation", PPU_ERROR_PROGRAM,
             "fault.s:1",
             [](FaultBench& bench) {
               ppu_program program{};
               return outcome_of(
                   ppu_program_assemble(bench.device.get(), "fault.s", "fly t0\n", &program));
             }),
       fault("program-too-long", "a program of 70,000 words", PPU_ERROR_PROGRAM,
             "the program is longer than",
             [](FaultBench& bench) {
               std::string source;
               for (int i = 0; i < 70000; ++i) source += "li t0, 1\n";
               ppu_program program{};
               return outcome_of(
                   ppu_program_assemble(bench.device.get(), "long.s", source.c_str(), &program));
             }),
       fault("no-such-program", "a shipped program that there is not", PPU_ERROR_NOT_FOUND,
             "'nothing'",
             [](FaultBench& bench) {
               ppu_program program{};
               return outcome_of(ppu_program_load(bench.device.get(), "nothing", &program));
             }),
       fault("image-of-zeros", "an image that is none", PPU_ERROR_PROGRAM, "image",
             [](FaultBench& bench) {
               const std::vector<char> zeros(128);
               ppu_program program{};
               return outcome_of(ppu_program_load_image(bench.device.get(), zeros.data(),
                                                        zeros.size(), &program));
             })}};
}

FaultGroup row_faults() {
  std::vector<FaultCase> cases;
  for (const bool stream : {false, true}) {
    const std::string way = stream ? "-streamed" : "";
    const std::string words = stream ? ", rows streamed" : "";
    cases.push_back(of_row(
        "body-a-beyond" + way, "body_a is no body of the run" + words, stream,
        [](ppu_row& row) { row.body_a = 2; }, "slot 0: body_a is 2"));
    cases.push_back(of_row(
        "body-b-beyond" + way, "body_b is no body of the run" + words, stream,
        [](ppu_row& row) { row.body_b = 0x7fffffff; }, "slot 0: body_b is 2147483647"));
    cases.push_back(of_row(
        "bodies-alike" + way, "body_a and body_b are one body" + words, stream,
        [](ppu_row& row) { row.body_b = 0; }, "slot 0: body_a and body_b are both 0"));
    cases.push_back(of_row(
        "parent-itself" + way, "a row is its own parent" + words, stream,
        [](ppu_row& row) { row.parent = 0; }, "slot 0: parent is 0"));
    cases.push_back(of_row(
        "parent-beyond" + way, "the parent is no row of the run" + words, stream,
        [](ppu_row& row) { row.parent = 9; }, "slot 0: parent is 9"));
  }
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const auto problem = [&](const std::string& name, const std::string& how, std::size_t place,
                           float value, const std::string& sentence) {
    cases.push_back(
        fault(name, how, PPU_ERROR_PROBLEM, sentence, [place, value](FaultBench& bench) {
          return solve_spoiled(bench, [&](float* numbers) { numbers[place] = value; });
        }));
  };
  problem("bias-nan", "a problem whose bias is NaN", 0, nan, "row 0: rate_bias has nan");
  problem("bias-infinite", "a problem whose bias is infinite", 0, infinity,
          "row 0: rate_bias has inf");
  problem("diagonal-nan", "a problem whose diagonal is NaN", 1, nan, "row 0: inv_diagonal has nan");
  problem("bounds-crossed", "a problem whose bounds are crossed", 2, 3,
          "row 0: lower is 3 and upper 1");
  problem("friction-nan", "a problem whose compliance is NaN", 4, nan, "row 0: ");
  return {"Rows", cases};
}

FaultGroup call_faults() {
  return {
      "Calls",
      {fault("small-buffer", "a run over more rows than their buffer has",
             PPU_ERROR_INVALID_ARGUMENT, "buffer 'rows' has 384 bytes, the run needs 512",
             [](FaultBench& bench) {
               ppu_run_def def = bench.run_of(bench.boxed);
               def.row_count = 4;
               ppu_fence fence{};
               return outcome_of(ppu_submit(bench.device.get(), &def, &fence));
             }),
       fault("rows-beyond", "a run over 2^32 - 1 rows", PPU_ERROR_CAPACITY,
             "the run has 4294967295 rows",
             [](FaultBench& bench) {
               ppu_run_def def = bench.run_of(bench.boxed);
               def.row_count = UINT32_MAX;
               ppu_fence fence{};
               return outcome_of(ppu_submit(bench.device.get(), &def, &fence));
             }),
       fault("bodies-beyond", "a run over 2^32 - 1 bodies", PPU_ERROR_CAPACITY,
             "the run has 4294967295 bodies",
             [](FaultBench& bench) {
               ppu_run_def def = bench.run_of(bench.boxed);
               def.row_count = 1;
               def.body_count = UINT32_MAX;
               ppu_fence fence{};
               return outcome_of(ppu_submit(bench.device.get(), &def, &fence));
             }),
       fault("foreign-buffer", "a buffer of another device", PPU_ERROR_INVALID_HANDLE,
             "another device",
             [](FaultBench& bench) {
               const Device other = open("functional");
               const Buffer foreign(other, 1024);
               ppu_run_def def = bench.run_of(bench.boxed);
               def.rows = foreign.get();
               ppu_fence fence{};
               return outcome_of(ppu_submit(bench.device.get(), &def, &fence));
             }),
       fault("stale-buffer", "a buffer that has been destroyed", PPU_ERROR_INVALID_HANDLE, "buffer",
             [](FaultBench& bench) {
               ppu_buffer gone{};
               ppu_buffer_create(bench.device.get(), 64, &gone);
               ppu_buffer_destroy(gone);
               return outcome_of(
                   ppu_buffer_read(gone, 0, bench.destination.data(), bench.destination.size()));
             }),
       fault("null-destination", "a copy to nowhere", PPU_ERROR_INVALID_ARGUMENT, "is null",
             [](FaultBench& bench) {
               return outcome_of(ppu_buffer_read(bench.witness.get(), 0, nullptr, 8));
             }),
       fault("copy-outside", "a read behind the end of a buffer", PPU_ERROR_INVALID_ARGUMENT,
             "do not lie inside",
             [](FaultBench& bench) {
               return outcome_of(
                   ppu_buffer_read(bench.witness.get(), 250, bench.destination.data(), 64));
             }),
       fault("busy", "a buffer is read during a run", PPU_ERROR_BUSY, "",
             [](FaultBench& bench) {
               const Fence fence = bench.start_endless();
               FaultOutcome outcome = outcome_of(
                   ppu_buffer_read(bench.witness.get(), 0, bench.destination.data(), 64));
               fence.cancel();
               return outcome;
             }),
       fault("device-memory-full", "a buffer larger than device memory", PPU_ERROR_CAPACITY,
             "device memory",
             [](FaultBench& bench) {
               ppu_buffer large{};
               return outcome_of(
                   ppu_buffer_create(bench.device.get(), std::size_t{1} << 40U, &large));
             }),
       fault("staging-full", "a copy larger than host memory, recorded", PPU_ERROR_CAPACITY,
             "host memory",
             [](FaultBench& bench) {
               const std::vector<char> large(std::size_t{80} << 20U);
               const Buffer target(bench.device, std::size_t{1} << 20U);
               const Commands list(bench.device);
               ppu_result result = PPU_OK;
               for (int i = 0; i < 1000 && result == PPU_OK; ++i)
                 result = ppu_commands_copy_in(list.get(), target.get(), 0, large.data(),
                                               std::size_t{1} << 20U);
               return outcome_of(result);
             }),
       fault("instruction-memory-full", "programs until none fits", PPU_ERROR_CAPACITY,
             "instruction memory", [](FaultBench& bench) {
               std::vector<Program> loaded;
               std::string source;
               for (int i = 0; i < 100; ++i) source += "li t0, 1\n";
               try {
                 for (int i = 0; i < 2000; ++i)
                   loaded.push_back(Program::assemble(bench.device, "many.s", source + "halt\n"));
               } catch (const Error& error) {
                 return FaultOutcome{error.result, error.what()};
               }
               return outcome_of(PPU_OK);
             })}};
}

}  // namespace ppu::driver::test
