# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Proves what proofs.toml lists, with Yosys and Z3: a property file is read at the end of its module, whose inputs are
free. Exit status 0: everything holds, and every mutation breaks it.

usage: prove.py [PROOF...] [--without-mutations] [--list]
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"
HERE = ROOT / "tests/formal"


class ProofError(Exception):
    pass


def load():
    return {proof["name"]: proof for proof in tomllib.loads((HERE / "proofs.toml").read_text())["proof"]}


def files_of(module):
    """The files that the module needs, in reading order."""
    order = [line for line in (RTL / "ppu.f").read_text().split("\n") if line and line[0] != "/"]
    by_name = {pathlib.Path(line).stem: line for line in order}
    needed, open_names = set(), [module]
    while open_names:
        name = open_names.pop()
        if name in needed or name not in by_name:
            continue
        needed.add(name)
        open_names += re.findall(r"\bppu_\w+\b", (RTL / by_name[name]).read_text())
    return [by_name[pathlib.Path(line).stem] for line in order if pathlib.Path(line).stem in needed]


def replaced(text, old, new):
    if text.count(old) != 1:
        raise ProofError(f"'{old}' is there {text.count(old)} times, expected once")
    return text.replace(old, new)


def sources(proof, folder, mutation=None):
    """Copies of the module's files, with properties and perhaps a mutation; their paths."""
    paths = []
    for name in files_of(proof["module"]):
        path = RTL / name
        text = path.read_text()
        if mutation and mutation.get("file", proof["module"]) == path.stem:
            text = mutation["text"] if "text" in mutation else replaced(text, mutation["old"], mutation["new"])
        for old, new in proof.get("smaller", {}).items():
            text = text.replace(old, str(new))
        if path.stem == proof["module"]:
            own = "" if proof.get("combinational") else (HERE / "reset.svh").read_text()
            own += "".join((HERE / part).read_text() for part in proof["properties"])
            head, tail = text.rsplit("endmodule", 1)
            text = f"{head}\n{own}\nendmodule{tail}"
        (folder / path.name).write_text(text)
        paths.append(folder / path.name)
    return paths


def build(proof, folder, mutation=None):
    """The module as SMT-LIB."""
    module = proof["module"]
    parameters = " ".join(f"-set {key} {value}" for key, value in proof.get("parameters", {}).items())
    names = " ".join(str(path) for path in sources(proof, folder, mutation))
    steps = [f"read_verilog -sv -formal -I{RTL}/prim {names}"]
    if parameters:
        steps.append(f"chparam {parameters} {module}")
    steps += [f"hierarchy -check -top {module}", "proc"]
    steps += [f"delete */{instance}" for instance in proof.get("free", [])]
    steps += ["flatten", "opt_clean", "memory_nordff", "memory_collect",
              "async2sync", "chformal -assume -early", "opt_clean", "setundef -anyseq", "opt -keepdc -fast",
              "memory_map", "opt -keepdc -fast", "check", "dffunmap",
              f"write_smt2 -wires {folder}/model.smt2", f"write_rtlil {folder}/model.il"]
    run = subprocess.run(["yosys", "-q", "-p", "; ".join(steps)], capture_output=True, text=True)
    if run.returncode:
        raise ProofError(f"yosys: {run.stderr or run.stdout}")
    return folder / "model.smt2"


def check(model, *arguments):
    """True if nothing fails; what failed."""
    run = subprocess.run(["yosys-smtbmc", "-s", "z3", "--unroll", "--noprogress", *map(str, arguments), model], capture_output=True, text=True)
    if "Status: PASSED" in run.stdout:
        return True, []
    failed = re.findall(r"Assert failed in \S+: (\S+)", run.stdout)
    if "Status: FAILED" not in run.stdout:
        raise ProofError(f"yosys-smtbmc: {run.stdout[-600:]}{run.stderr[-600:]}")
    return False, failed


def steps_to_failure(proof, model, depth, without=""):
    """The cycles from reset in which something fails, as few as can be; 0: nothing does within the depth."""
    command = (f"read_rtlil {model.with_suffix('.il')}; {without}; memory_map; opt -fast; sat -tempinduct "
               f"-tempinduct-baseonly -prove-asserts -set-assumes -maxsteps {depth} {proof['module']}")
    run = subprocess.run(["yosys", "-p", command], capture_output=True, text=True)
    if f"proved base case for {depth} steps: SUCCESS!" in run.stdout:
        return 0
    if "model found for base case: FAIL!" not in run.stdout:
        raise ProofError(f"yosys: {run.stderr or run.stdout[-600:]}")
    return int(re.findall(r"\[base case (\d+)\]", run.stdout)[-1])


def fails_first(proof, model, name):
    """True if the property fails within the depth, and no other one before it; what failed."""
    asserts, own = f"{proof['module']}/t:$assert", f"{proof['module']}/c:{name}"
    steps = steps_to_failure(proof, model, proof["depth"], f"delete {asserts} {own} %d")
    if not steps:
        return False, []
    others = steps > 1 and steps_to_failure(proof, model, steps - 1, f"delete {own}")
    return not others, ["another property first"] if others else [name]


def holds_by_induction(proof, model):
    """True if nothing that does not fail in `induction` cycles fails in the next one; what failed."""
    if proof.get("solver") != "sat":
        return check(model, "-i", "-t", proof["induction"])
    command = (f"read_rtlil {model.with_suffix('.il')}; memory_map; opt -fast; "
               f"sat -tempinduct -prove-asserts -set-assumes -maxsteps {proof['induction']} {proof['module']}")
    run = subprocess.run(["yosys", "-p", command], capture_output=True, text=True)
    if run.returncode:
        raise ProofError(f"yosys: {run.stderr or run.stdout[-600:]}")
    return "Induction step proven: SUCCESS!" in run.stdout, []


def prove(proof, with_mutations):
    """Says what holds; the number of failures."""
    start, failures = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = build(proof, folder)
        by_steps = proof.get("solver") == "sat" and "induction" not in proof
        if by_steps:
            steps = steps_to_failure(proof, model, proof["depth"])
            holds, failed = not steps, [f"in cycle {steps}"]
        else:
            holds, failed = check(model, "-t", proof["depth"])
        if not holds:
            print(f"FAILED  {proof['name']}: within {proof['depth']} cycles: {' '.join(failed)}")
            return 1
        how = f"in the first {proof['depth']} cycles"
        if "induction" in proof:
            holds, failed = holds_by_induction(proof, model)
            how = "always, by induction"
            if not holds:
                print(f"FAILED  {proof['name']}: no induction over {proof['induction']} cycles: {' '.join(failed)}")
                return 1
        print(f"holds   {proof['name']}: {how}; {time.monotonic() - start:.1f} s", flush=True)
        for mutation in proof["mutation"] if with_mutations else []:
            start = time.monotonic()
            by_induction = "induction" in proof and proof.get("solver") != "sat"
            how = ("-i", "-t", proof["induction"]) if by_induction else ("-t", proof["depth"])
            if by_steps:
                caught, failed = fails_first(proof, build(proof, folder, mutation), mutation["breaks"])
            else:
                holds, failed = check(build(proof, folder, mutation), *how)
                caught = not holds and mutation["breaks"] in failed
            words = f"'{mutation['old']}' as '{mutation['new']}'"
            print(f"{'broken ' if caught else 'MISSED '} {proof['name']}: {words} "
                  f"breaks {' '.join(failed) or 'nothing'}; {time.monotonic() - start:.1f} s", flush=True)
            failures += not caught
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("proofs", nargs="*", metavar="PROOF", help="of proofs.toml; without any: all")
    parser.add_argument("--without-mutations", action="store_true", help="prove only")
    parser.add_argument("--list", action="store_true", help="name the proofs")
    arguments = parser.parse_args()
    proofs = load()
    if arguments.list:
        print("\n".join(proofs))
        return 0
    unknown = [name for name in arguments.proofs if name not in proofs]
    if unknown:
        parser.error(f"no proof is called {unknown[0]}: expected one of {', '.join(proofs)}")
    try:
        return sum(prove(proofs[name], not arguments.without_mutations)
                   for name in arguments.proofs or proofs) > 0
    except ProofError as error:
        print(f"prove.py: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
