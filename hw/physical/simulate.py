# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""A mapped netlist against the RTL: both in one Verilated model, random inputs in every cycle, all outputs compared."""
import gates
import flow
from technology import UserError

WARM = 256  # cycles before the first comparison: what reset does not set has been written by then
MAIN = """#include <cstdio>
#include <cstdlib>
#include "Vbench.h"
int main(int, char** arguments) {
  Vbench bench;
  const long cycles = std::atol(arguments[1]);
  for (long cycle = -%d; cycle < cycles; ++cycle) {
    bench.rst_ni = cycle >= 8 - %d;
    bench.compare_i = cycle >= 0;
    bench.clk_i = 1;
    bench.eval();
    bench.clk_i = 0;
    bench.eval();
  }
  std::printf("%%u %%u\\n", bench.differ_o, bench.changed_o);
}
""" % (WARM, WARM)
BENCH = """module bench(input logic clk_i, input logic rst_ni, input logic compare_i, output logic [31:0] differ_o,
             output logic [31:0] changed_o);
  logic [{inputs}-1:0] in_q;
  logic [{outputs}-1:0] rtl, cells, before_q;
  always_ff @(negedge clk_i) begin
    if (compare_i && rtl != cells) differ_o <= differ_o + 1;
    if (compare_i && rtl != before_q) changed_o <= changed_o + 1;
    before_q <= rtl;
    for (int i = 0; i < {inputs}; i++) in_q[i] <= 1'($urandom);
  end
  {module} {parameters} u_rtl ({rtl});
  mapped u_cells ({cells});
endmodule
"""


def bench(netlist, block):
    """The test bench: which bits of `in_q` and of the outputs belong to which port."""
    rtl, cells, at = [], [], {"input": 0, "output": 0}
    for name, (direction, bits) in netlist.ports.items():
        if name in ("clk_i", "rst_ni"):
            rtl.append(f".{name}")
            cells.append(f".{name}")
            continue
        start, at[direction] = at[direction], at[direction] + len(bits)
        vectors = ("in_q", "in_q") if direction == "input" else ("rtl", "cells")
        rtl.append(f".{name}({vectors[0]}[{start} +: {len(bits)}])")
        cells += ([f".{name}({vectors[1]}[{start}])"] if len(bits) == 1 else
                  [f".{name}__{index}({vectors[1]}[{start + index}])" for index in range(len(bits))])
    parameters = ", ".join(f".{name}({value})" for name, value in block.parameters.items())
    return BENCH.format(inputs=at["input"], outputs=at["output"], module=block.module, rtl=", ".join(rtl),
                        cells=", ".join(cells), parameters=f"#({parameters})")


def differing(block, library, folder, cycles):
    """Cycles in which an output of the mapped block was not that of the RTL, and cycles in which one changed."""
    if block.memories:
        raise UserError(f"{block.name}: has memories, only gates can be simulated")
    netlist = flow.map_to_cells(block, library, folder)
    netlist.write_verilog(folder / "mapped.v", "mapped")
    (folder / "cells.v").write_text(gates.models(library.file, {kind for kind, _ in netlist.cells.values()}))
    (folder / "bench.sv").write_text(bench(netlist, block))
    (folder / "main.cpp").write_text(MAIN)
    flow.run("verilator", "verilator", "--cc", "--exe", "--build", "-Wno-fatal", "-Wno-lint", "-Iprim", "--top-module",
             "bench", "--Mdir", str(folder / "simulation"), "-CFLAGS", "-O1", *flow.sources(block.module),
             str(folder / "bench.sv"), str(folder / "mapped.v"), str(folder / "cells.v"), str(folder / "main.cpp"))
    counted = flow.run(str(folder / "simulation/Vbench"), "", str(cycles)).split()
    return tuple(map(int, counted))
