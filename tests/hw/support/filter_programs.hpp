// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Programs with filtered passes, marks and budgets for engine tests.
#pragma once

#include <cstdint>
#include <string>

#include "base/bits/float_bits.hpp"
#include "tests/hw/support/test_job.hpp"

namespace ppu::hw::test {

/// What the kernel of a sweep has beside the boxed sweep of US 7,079,145.
struct Kernel {
  bool tagged = false;
  bool mark = false;
  bool skip = false;
  bool reduced = false;
  bool resid = true;
};

inline std::string kernel(const std::string& name, const Kernel& with) {
  return ".kernel " + name + "\n ldrow r\n" + (with.tagged ? " tagged r.ia, r.ib\n" : "") +
         " ldvel v, r.ia, r.ib\n" + (with.skip ? " skip r.xp\n" : "") +
         " soft b, r.b, r.cfm, r.x\n cone lo, hi, r.mu, r.xp\n dot u, r.J, v, b\n"
         " step t, r.x, r.d, u\n med x, lo, t, hi\n sub dx, x, r.x\n" +
         (with.resid ? " resid u, x, lo, hi\n" : "") + " axpy v, dx, " +
         (with.reduced ? "r.J" : "r.JM") + "\n" + (with.mark ? " mark u, x, dx, lo, hi\n" : "") +
         " stvel v, r.ia, r.ib\n stimp x\n.end\n";
}

/// Sweeps over tagged rows, a1 of them, after one over all rows; then one more over all rows. With
/// `again`, each filtered pass is followed by another one and by an unfiltered one of 5 rows.
inline std::string filtered_program(bool reduced, bool skip, bool again) {
  return std::string(
             "budget a7\nsetmark a4\ntagall\ntagnext\nkernel sweep\nli t0, 0\nli t1, 5\n"
             "more: bge t0, a1, out\nrows zero, a0\n") +
         (again ? "rows zero, a0\nkernel plain\nrows zero, t1\nrdlate t3\nkernel sweep\n" : "") +
         "rdmax t2\nsignal t2\ntagnext\naddi t0, t0, 1\nj more\n"
         "out: kernel plain\nrows zero, a0\nrows zero, a0\nrdlate t3\nsignal t3\nhalt\n" +
         kernel("sweep", {true, true, skip, reduced}) +
         kernel("plain", {false, false, skip, reduced});
}

/// Random rows; those of reduced problems have J for JM.
inline std::vector<ppu_row> filter_rows(std::uint32_t count, std::uint32_t bodies, unsigned seed,
                                        bool reduced) {
  std::vector<ppu_row> rows = random_rows(count, bodies, seed);
  if (!reduced) return rows;
  for (ppu_row& row : rows)
    for (int i = 0; i < spec::kRowElements; ++i) row.inv_mass_jacobian[i] = row.jacobian[i] *= 0.5F;
  return rows;
}

/// A job of that program.
struct FilterJob {
  FilterJob(std::uint32_t count, std::uint32_t bodies, unsigned seed, float threshold, bool reduced,
            bool again)
      : rows(filter_rows(count, bodies, seed, reduced)),
        job(rows, bodies, filtered_program(reduced, seed % 2 == 0, again), reduced) {
    job.command.arguments[1] = 4;
    job.command.arguments[4] = bits_of(threshold);
  }

  std::vector<ppu_row> rows;  ///< In the full form.
  Job job;
};

}  // namespace ppu::hw::test
