#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Generate every file that repeats a fact of hw/spec/*.toml or hw/configs/*.toml.

usage: generate.py [--check] [--root DIR]

Writes the SystemVerilog packages and the checks of shapes and widths, the C and C++ headers and the reference pages. `--check` writes nothing
and exits 1 with the names of the files that are out of date. Standard library only.
"""
import argparse
import pathlib
import sys

from emit_c import c_header, cpp_header
from emit_docs import doc_commands, doc_config, doc_counters, doc_isa, doc_registers, doc_row
from emit_sv import sv_package, sv_shape_check
from emit_sv_engine import sv_engine_package, sv_width_check
from spec_model import load

HERE = pathlib.Path(__file__).resolve().parent

OUTPUTS = {
    "driver/include/ppu/spec.h": c_header,
    "hw/spec/generated/ppu_spec.hpp": cpp_header,
    "rtl/spec/ppu_spec_pkg.sv": sv_package,
    "rtl/spec/ppu_shape_check.sv": sv_shape_check,
    "rtl/spec/ppu_engine_pkg.sv": sv_engine_package,
    "rtl/spec/ppu_width_check.sv": sv_width_check,
    "docs/reference/isa.md": doc_isa,
    "docs/reference/row.md": doc_row,
    "docs/reference/registers.md": doc_registers,
    "docs/reference/commands.md": doc_commands,
    "docs/reference/counters.md": doc_counters,
    "docs/reference/config.md": doc_config,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a generated file is out of date")
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parent.parent, help="top of the source tree")
    args = parser.parse_args()
    spec = load(args.root)
    stale = []
    texts = {name: "\n".join(make(spec)).rstrip("\n") + "\n" for name, make in OUTPUTS.items()}
    for name, text in texts.items():
        path = args.root / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not args.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for name in stale:
        print(("out of date: " if args.check else "wrote ") + name)
    sys.exit(1 if args.check and stale else 0)


if __name__ == "__main__":
    main()
