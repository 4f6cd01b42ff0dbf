// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Parity workloads: command lists with runs of their own.
#include <deque>

#include "sim/parity/parity_job.hpp"
#include "sim/parity/parity_problems.hpp"
#include "sim/parity/parity_workloads.hpp"

namespace ppu::sim {
namespace {

void append(std::vector<Extent>* results, const ParityBuffers& memory) {
  for (const Extent& extent : memory.results()) results->push_back(extent);
}

/// One list: everything up, a barrier, a run of each memory.
Outcome run_all(const Bench& bench, const std::deque<ParityBuffers>& memories,
                const Program& program, std::uint32_t sweeps, bool stream) {
  RecordedJob job(bench.device);
  std::vector<Extent> results;
  for (const ParityBuffers& memory : memories) memory.upload(job.commands());
  job.commands().barrier();
  for (const ParityBuffers& memory : memories) {
    ppu_run_def def = memory.run(program, sweeps);
    def.stream = stream;
    job.run(def);
    append(&results, memory);
  }
  return finish(&job, results);
}

Outcome empty_run(const Bench& bench) {
  const Program program = Program::load(bench.device, "boxed");
  std::deque<ParityBuffers> memories;
  memories.emplace_back(bench.device, std::vector<ppu_row>(), 0);
  memories.emplace_back(bench.device, std::vector<ppu_row>(), 5);
  return run_all(bench, memories, program, 3, false);
}

Outcome halt_only(const Bench& bench) {
  const Program program = Program::assemble(bench.device, "halt.s", "  halt\n");
  std::deque<ParityBuffers> memories;
  for (std::uint32_t rows = 1; rows < 8; ++rows) {
    memories.emplace_back(bench.device, make_islands({1, rows, rows, rows}));
  }
  return run_all(bench, memories, program, 1, false);
}

Outcome many_small_runs(const Bench& bench) {
  const Program program = Program::load(bench.device, "boxed");
  std::deque<ParityBuffers> memories;
  for (std::uint32_t i = 0; i < 60; ++i) {
    memories.emplace_back(bench.device, make_islands({1 + i % 3, 1, 9, i}));
  }
  return run_all(bench, memories, program, 3, false);
}

Outcome many_streamed_runs(const Bench& bench) {
  const Program program = Program::load(bench.device, "boxed");
  std::deque<ParityBuffers> memories;
  for (std::uint32_t i = 0; i < 12; ++i) {
    memories.emplace_back(bench.device, make_islands({2, 10, 40, i}));
  }
  return run_all(bench, memories, program, 3, true);
}

/// All bodies of the problem in one bank of velocity memory.
Outcome one_bank(const Bench& bench, const IslandsShape& shape, bool stream) {
  RowLayout layout;
  layout.body_stride = bench.device.info().velocity_banks;
  const Program program = Program::load(bench.device, "boxed");
  std::deque<ParityBuffers> memories;
  memories.emplace_back(bench.device, make_islands(shape), layout);
  return run_all(bench, memories, program, 3, stream);
}

Outcome bank_conflicts(const Bench& bench) {
  return one_bank(bench, {100, 1, 1, 5}, false);
}

Outcome bank_conflicts_within_rows(const Bench& bench) {
  return one_bank(bench, {12, 10, 20, 6}, true);
}

/// How rows come.
enum class Way { kResident, kStreamed, kEarly, kEarlyStreamed };

/// Runs over tangles of all sizes, in the order in which they were made.
Outcome tangles_with(const Bench& bench, const char* program, std::uint32_t friction_rule,
                     Way way) {
  const Program loaded = Program::load(bench.device, program);
  std::deque<ParityBuffers> memories;
  RecordedJob job(bench.device);
  std::vector<Extent> results;
  const bool early = way == Way::kEarly || way == Way::kEarlyStreamed;
  for (std::uint32_t i = 0; i < 10; ++i) {
    const std::uint32_t bodies = 2 + i * i;
    memories.emplace_back(bench.device, device_rows(make_tangle(20 + 13 * i, bodies, i), {}),
                          bodies);
    const RunBuffers& buffers = memories.back().buffers();
    early ? buffers.upload_state(job.commands()) : buffers.upload(job.commands());
  }
  job.commands().barrier();
  for (const ParityBuffers& memory : memories) {
    ppu_run_def def = memory.run(loaded, 3);
    def.stream = way == Way::kStreamed || way == Way::kEarlyStreamed;
    def.chained = def.early = early;
    def.arguments[static_cast<std::size_t>(spec::Argument::kFrictionRule)] = friction_rule;
    job.run(def);
    const RunBuffers& buffers = memory.buffers();
    if (early) buffers.upload_rows(job.commands(), 0, buffers.row_bytes());
    append(&results, memory);
  }
  return finish(&job, results);
}

Outcome tangles(const Bench& bench) {
  return tangles_with(bench, "boxed", 0, Way::kResident);
}

Outcome tangles_streamed(const Bench& bench) {
  return tangles_with(bench, "boxed", 1, Way::kStreamed);
}

Outcome tangles_threshold(const Bench& bench) {
  return tangles_with(bench, "threshold", 1, Way::kResident);
}

Outcome early_tangles(const Bench& bench) {
  return tangles_with(bench, "impulse-threshold", 1, Way::kEarly);
}

Outcome early_streamed(const Bench& bench) {
  return tangles_with(bench, "impulse-threshold", 1, Way::kEarlyStreamed);
}

Outcome early_streamed_filtered(const Bench& bench) {
  return tangles_with(bench, "filter", 0, Way::kEarlyStreamed);
}

Outcome early_filtered(const Bench& bench) {
  return tangles_with(bench, "filter", 0, Way::kEarly);
}

/// While one half is solved, the other is copied in: a double buffer.
Outcome overlap(const Bench& bench) {
  const Program program = Program::load(bench.device, "boxed");
  std::deque<ParityBuffers> memories;
  for (std::uint32_t i = 0; i < 6; ++i) {
    memories.emplace_back(bench.device, make_islands({3, 20, 40, i}));
  }
  RecordedJob job(bench.device);
  std::vector<Extent> results;
  memories.front().upload(job.commands());
  for (std::size_t i = 0; i < memories.size(); ++i) {
    job.commands().barrier();
    job.run(memories[i].run(program, 4));
    if (i + 1 < memories.size()) memories[i + 1].upload(job.commands());
    append(&results, memories[i]);
  }
  return finish(&job, results);
}

/// Rows that come with copies behind their run: between others, those of the next run half of the
/// way, and the second half a first time before it is wanted.
Outcome chained_runs(const Bench& bench, bool early) {
  constexpr std::size_t kBytes = 700;
  const Program program = Program::load(bench.device, "boxed");
  const Buffer other(bench.device, kBytes);
  const std::vector<std::uint8_t> bytes = pattern(kBytes, 12);
  std::deque<ParityBuffers> memories;
  RecordedJob job(bench.device);
  std::vector<Extent> results;
  for (std::uint32_t i = 0; i < 6; ++i) {
    memories.emplace_back(bench.device, make_islands({3, 20, 40, i}));
    memories.back().buffers().upload_state(job.commands());
    append(&results, memories.back());
  }
  job.commands().barrier();
  for (const ParityBuffers& memory : memories) {
    const RunBuffers& buffers = memory.buffers();
    const std::size_t half = buffers.row_bytes() / 3 / spec::kBeatBytes * spec::kBeatBytes;
    ppu_run_def def = memory.run(program, 4);
    def.chained = true;
    def.early = early;
    job.run(def);
    job.commands().copy_in(other, bytes.data(), kBytes);
    buffers.upload_rows(job.commands(), half, buffers.row_bytes() - half);
    buffers.upload_rows(job.commands(), 0, half);
    job.commands().copy_within(other, 0, other, 5 * spec::kBeatBytes, 200);
    buffers.upload_rows(job.commands(), half, buffers.row_bytes() - half);
  }
  results.push_back({&other, kBytes});
  return finish(&job, results);
}

Outcome chained(const Bench& bench) {
  return chained_runs(bench, false);
}

Outcome early(const Bench& bench) {
  return chained_runs(bench, true);
}

/// Programs that begin in other ways than with sweeps over all rows.
Outcome early_programs(const Bench& bench) {
  constexpr const char* kBegins[] = {
      "  wait\n",     "  rows t2, t3\n",     "  rows zero, t2\n  rows t2, t3\n",
      "  rdmax t4\n", "  rows zero, zero\n", "  rows zero, a0\n  j end\n",
      "  j end\n"};
  std::deque<Program> programs;
  std::deque<ParityBuffers> memories;
  RecordedJob job(bench.device);
  std::vector<Extent> results;
  for (const char* const begin : kBegins) {
    const auto number = static_cast<std::uint32_t>(programs.size());
    programs.push_back(Program::assemble(
        bench.device, "early.s",
        std::string("  kernel move\n  li t2, 9\n  sub t3, a0, t2\n") + begin +
            "again: rows zero, a0\n  addi t0, t0, 1\n  signal t0\n  bltu t0, a1, again\n"
            "end: rdmax t4\n  halt\n.kernel move\n  ldrow r\n  ldvel v, r.ia, r.ib\n"
            "  relax c, r.b, r.cfm, r.x\n  dotp q, r.J, v\n  corr delta, c, r.d, q\n"
            "  acc sum, r.x, delta\n  cone lo, hi, r.mu, r.xp\n"
            "  limit x, dx, lo, sum, hi, delta\n  resid dx, r.d\n  axpy v, dx, r.JM\n"
            "  stvel v, r.ia, r.ib\n  stimp x\n.end\n"));
    memories.emplace_back(bench.device, make_islands({2, 12, 30, number}));
    memories.back().buffers().upload_state(job.commands());
    append(&results, memories.back());
  }
  job.commands().barrier();
  for (std::size_t n = 0; n < programs.size(); ++n) {
    const RunBuffers& buffers = memories[n].buffers();
    ppu_run_def def = memories[n].run(programs[n], 3);
    def.chained = def.early = true;
    job.run(def);
    buffers.upload_rows(job.commands(), 0, buffers.row_bytes());
  }
  return finish(&job, results);
}

/// Copies of all directions go on while streamed rows want the memory, too.
Outcome contention(const Bench& bench) {
  constexpr std::size_t kBytes = 6000;
  const Program program = Program::load(bench.device, "boxed");
  const ParityBuffers memory(bench.device, make_islands({4, 30, 60, 7}));
  const Buffer source(bench.device, kBytes);
  const Buffer target(bench.device, kBytes);
  const std::vector<std::uint8_t> bytes = pattern(kBytes, 1);
  std::vector<std::uint8_t> back(kBytes);
  RecordedJob job(bench.device);
  memory.upload(job.commands());
  job.commands().barrier();
  ppu_run_def def = memory.run(program, 6);
  def.stream = true;
  job.run(def);
  for (int i = 0; i < 3; ++i) {
    job.commands().copy_in(source, bytes.data(), kBytes);
    job.commands().copy_within(source, 0, target, 0, kBytes);
    job.commands().copy_out(target, back.data(), kBytes);
  }
  std::vector<Extent> results = memory.results();
  results.push_back({&target, kBytes});
  return finish(&job, results);
}

/// Programs side by side in instruction memory, run in turn, and one that is replaced.
Outcome several_programs(const Bench& bench) {
  std::deque<Program> programs;
  for (const char* name : {"pgs", "boxed", "threshold", "impulse"})
    programs.push_back(Program::load(bench.device, name));
  const model::RowProblem problem = make_islands({5, 4, 12, 8});
  std::deque<ParityBuffers> memories;
  RecordedJob job(bench.device);
  std::vector<Extent> results;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    RowLayout layout;
    layout.impulse_form = i + 1 == programs.size();
    memories.emplace_back(bench.device, problem, layout);
    memories.back().upload(job.commands());
  }
  job.commands().barrier();
  for (std::size_t i = 0; i < programs.size(); ++i) {
    job.run(memories[i].run(programs[i], 3));
    append(&results, memories[i]);
  }
  return finish(&job, results);
}

/// Passes over parts of the rows, waits between them, and kernels that change nothing.
Outcome odd_program(const Bench& bench) {
  const Program program = Program::assemble(bench.device, "odd.s", R"(
        kernel  look
        rows    zero, a0
        rows    zero, zero
        rdmax   t1
        kernel  move
        li      t2, 7
        li      t3, 5
again:  rows    zero, t2
        rows    t2, t3
        addi    t0, t0, 1
        signal  t0
        wait
        bltu    t0, a1, again
        rows    zero, a0
        rows    zero, a0
        rdmax   t4
        halt

.kernel look
        ldrow   r
        ldvel   v, r.ia, r.ib
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b
        resid   u, r.x, lo, hi
.end

.kernel move
        ldrow   r
        ldvel   v, r.ia, r.ib
        skip    r.xp
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b
        step    t, r.x, r.d, u
        med     x, lo, t, hi
        sub     dx, x, r.x
        resid   u, x, lo, hi
        axpy    v, dx, r.JM
        stvel   v, r.ia, r.ib
        stimp   x
.end
)");
  std::deque<ParityBuffers> memories;
  memories.emplace_back(bench.device, make_islands({3, 6, 12, 9}));
  return run_all(bench, memories, program, 4, false);
}

}  // namespace

std::vector<Workload> run_workloads() {
  return {
      {"empty-run", "runs without rows, without and with bodies", true, empty_run},
      {"halt-only", "runs that end at once: load and store alone", false, halt_only},
      {"many-small-runs", "60 runs of a few rows in one list", false, many_small_runs},
      {"many-streamed-runs", "12 streamed runs side by side", false, many_streamed_runs},
      {"bank-conflicts", "all bodies in one bank of velocity memory", true, bank_conflicts},
      {"bank-conflicts-within-rows", "both bodies of rows in one bank, streamed", true,
       bank_conflicts_within_rows},
      {"tangles", "rows between any bodies, parents anywhere", true, tangles},
      {"tangles-streamed", "the same, streamed, friction skipped", false, tangles_streamed},
      {"tangles-threshold", "the same, until a residual", false, tangles_threshold},
      {"overlap", "the next rows are copied in during a run", true, overlap},
      {"chained", "runs whose rows come with copies behind them", true, chained},
      {"chained-back-pressure",
       "the same over conventional PCI, memory refuses at random",
       false,
       chained,
       "+pci",
       {"dram_stall_percent=30"}},
      {"early", "the same, rows issue while others come", true, early},
      {"early-back-pressure",
       "the same over conventional PCI, memory refuses at random",
       false,
       early,
       "+pci",
       {"dram_stall_percent=30"}},
      {"early-tangles", "rows between any bodies, parents anywhere, issue while others come", true,
       early_tangles},
      {"early-filtered", "the same with a program of filtered passes", false, early_filtered},
      {"early-streamed", "likewise, rows do not stay on chip", true, early_streamed},
      {"early-streamed-back-pressure",
       "the same, memory refuses at random",
       false,
       early_streamed,
       "",
       {"dram_stall_percent=30"}},
      {"early-streamed-filtered", "the same with a program of filtered passes, memory as before",
       false, early_streamed_filtered},
      {"early-programs", "programs that do something else before they sweep; likewise", true,
       early_programs},
      {"contention", "copies of all directions during a streamed run", false, contention},
      {"contention-back-pressure",
       "the same, memory refuses at random",
       false,
       contention,
       "",
       {"dram_stall_percent=30"}},
      {"several-programs", "four programs in instruction memory", false, several_programs},
      {"odd-program", "passes over parts of the rows, waits, residuals", true, odd_program},
  };
}

}  // namespace ppu::sim
