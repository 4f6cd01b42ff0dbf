# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Two clients share a device, a thread each, and a third one wants more than its quota. From the root of
the repository:

    PYTHONPATH=build/release/python python3 driver/examples/clients.py [BACKEND]
"""
import concurrent.futures
import sys

import ppu

PROBLEMS = ("tests/data/wall10_f012.h5", "tests/data/topple_f060.h5")
SOLVES = 2


def hashes(device, path):
    """The state hash of each of some solves, on a device or on a client of one."""
    problem = ppu.read_problem(path)
    return {device.solve(problem).state_hash for _ in range(SOLVES)}


with ppu.open(sys.argv[1] if len(sys.argv) > 1 else "systemc") as device:
    alone = [hashes(device, path) for path in PROBLEMS]
    with concurrent.futures.ThreadPoolExecutor() as threads:
        shared = list(threads.map(hashes, [device.client(), device.client()], PROBLEMS))
    for path, one, other in zip(PROBLEMS, alone, shared):
        print(f"{path}: {SOLVES} solves, alone {one.pop():#018x}, beside the other client {other.pop():#018x}")
        assert not one and not other

    problem = ppu.read_problem(PROBLEMS[0])
    with device.client(quota_cycles=10_000) as greedy:
        try:
            greedy.solve(problem, sweeps=10_000)
        except ppu.Error as error:
            print(f"a run of 10,000 sweeps, quota 10,000 cycles: {error}")
    print(f"the owner goes on: {device.solve(problem).state_hash:#018x}")
