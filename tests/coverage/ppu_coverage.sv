// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// At the end of a simulation that counts what it reaches, its counts go to coverage_counts.cpp. The
// build gives the name of the model and of its top module.

module ppu_coverage;

  final
    $c("{ extern void ppu_add_coverage(const char*, const ppu::CoverageCount*, std::size_t);",
       "ppu_add_coverage(\"", `PPU_COVERAGE_MODEL, "\", vlSymsp->__Vcoverage,",
       "sizeof vlSymsp->__Vcoverage / sizeof vlSymsp->__Vcoverage[0]); }");

endmodule

bind `PPU_COVERAGE_TOP ppu_coverage u_coverage ();
