# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The PPU from Python: row problems in NumPy arrays, solved on any back end.

    import ppu
    with ppu.open("systemc", overrides=["pipes=4"]) as device:
        solution = device.solve(ppu.read_problem("wall.h5"), sweeps=10)
    print(solution.impulse.max(), solution.counters["cycles"])

What the driver refuses is ppu.Error with its sentence; an array of another type or shape is TypeError
or ValueError. Units: m, kg, s; impulses N s; velocities m/s and rad/s. docs/guide/python.md has more.
"""
from __future__ import annotations

import dataclasses
import operator
import os
from collections.abc import Mapping, Sequence

try:
    import tomllib
except ImportError:  # Before Python 3.11.
    import tomli as tomllib

import numpy as np

from . import _core
from ._core import Error

__version__ = _core.VERSION
#: Names for open() and for solve().
BACKENDS: tuple[str, ...] = tuple(_core.BACKENDS)
PROGRAMS: tuple[str, ...] = tuple(_core.PROGRAMS)
#: Names for solve_by_method().
METHODS: tuple[str, ...] = tuple(_core.METHODS)

Error.__module__ = __name__
Error.__doc__ = """A call of the driver that failed; str() is the sentence that says what and why.

result: the number of its ppu_result in ppu.h. report: of a solve, what Solution.report has, else None.
"""


@dataclasses.dataclass(repr=False)
class Problem:
    """m constraint rows over n bodies, in the order in which they are to be solved.

    A sweep computes for every row u = b + J v + cfm x, x' = clamp(x - d u), and adds M^-1 J^T (x' - x)
    to the velocities of its bodies. Arrays are int32 (body, parent) or float32.

    body: (m, 2): bodies a and b, -1 for the static world.
    jacobian: (m, 12): J, linear a, angular a, linear b, angular b.
    inv_mass_jacobian: (m, 12): M^-1 J^T in the same order, 1/kg linear, 1/(kg m^2) angular.
    rate_bias: (m,): b, m/s or rad/s.
    inv_diagonal: (m,): d, kg.
    lower: (m,): lower bound of x, N s, -inf for none; not used where parent >= 0.
    upper: (m,): upper bound of x, N s, inf for none; not used where parent >= 0.
    parent: (m,): the earlier row whose impulse, times friction, bounds this one; -1: none.
    friction: (m,): coefficient of friction of rows with a parent; needed if parent is given.
    compliance: (m,): cfm, 1/kg; 0 by default.
    impulse: (m,): warm start of x, N s; 0 by default.
    velocity_change: (n, 6): v at the warm start, linear m/s, angular rad/s; 0 by default.
    inv_mass: (n,): 1/kg; only for programs of the reduced form, and for methods.
    inv_inertia: (n, 3, 3): 1/(kg m^2) in the world frame; as inv_mass.
    impulse_form: rate_bias and compliance are -b*d and cfm*d, as Bullet stores them; parents may
        have parents.
    """

    body: np.ndarray
    jacobian: np.ndarray
    inv_mass_jacobian: np.ndarray
    rate_bias: np.ndarray
    inv_diagonal: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    parent: np.ndarray | None = None
    friction: np.ndarray | None = None
    compliance: np.ndarray | None = None
    impulse: np.ndarray | None = None
    velocity_change: np.ndarray | None = None
    inv_mass: np.ndarray | None = None
    inv_inertia: np.ndarray | None = None
    impulse_form: bool = False

    def __repr__(self) -> str:
        return f"ppu.Problem({len(self.body)} rows)"


@dataclasses.dataclass(frozen=True, repr=False)
class Solution:
    """The answer to a problem of m rows and n bodies, and how it came about.

    impulse: (m,) float32: x, N s.
    velocity_change: (n, 6) float32: v, linear m/s, angular rad/s.
    report: sweeps, max_residual (m/s or rad/s), ...: the fields of ppu_solve_report.
    counters: by their names in docs/reference/counters.md, summed over the runs.
    device_counters: those of the device during the solve.
    config: the configuration of the device, key by key.
    profile: (m,) of PROFILE, where the cycles of every row went; None if it was not asked for.
    """

    impulse: np.ndarray
    velocity_change: np.ndarray
    report: dict
    counters: dict[str, int]
    device_counters: dict[str, int]
    config: dict
    profile: np.ndarray | None = None

    def __repr__(self) -> str:
        return (f"ppu.Solution({len(self.impulse)} rows, {len(self.velocity_change)} bodies, "
                f"{self.report['sweeps']} sweeps, {self.counters['cycles']} cycles, "
                f"state hash {self.state_hash:#018x})")

    @property
    def state_hash(self) -> int:
        """64-bit hash of the bits of the answer: equal on every back end, and to that of `ppu solve`."""
        return _core.state_hash({"impulse": self.impulse, "velocity_change": self.velocity_change})


@dataclasses.dataclass(frozen=True, repr=False)
class MethodSolution:
    """The answer of a method to a problem of m rows and n bodies, and how it came about.

    impulse: (m,) float64: x, N s.
    velocity_change: (n, 6) float64: M^-1 J^T x, linear m/s, angular rad/s.
    report: reached, max_residual (m/s or rad/s), ...: the fields of ppu_method_report.
    """

    impulse: np.ndarray
    velocity_change: np.ndarray
    report: dict

    def __repr__(self) -> str:
        return (f"ppu.MethodSolution({len(self.impulse)} rows, reached {self.report['reached']}, "
                f"max_residual {self.report['max_residual']:.3g})")


@dataclasses.dataclass(repr=False)
class Polyhedron:
    """A convex polyhedron, by one of both; lengths in m, float64.

    planes: (k, 4): n_x, n_y, n_z, offset of each half-space n . x <= offset; 4 to 256.
    vertices: (k, 3): the polyhedron is their hull; 4 to 256.
    """

    planes: np.ndarray | None = None
    vertices: np.ndarray | None = None


@dataclasses.dataclass(frozen=True, repr=False)
class Distances:
    """Distances of p pairs.

    distance: (p,): m; 0 where they overlap.
    first_point, second_point: (p, 3): the nearest ones, world, m.
    proven_error: (p,): each distance is at most so far from the truth, m.
    pivots: (p,).
    """

    distance: np.ndarray
    first_point: np.ndarray
    second_point: np.ndarray
    proven_error: np.ndarray
    pivots: np.ndarray


class Device:
    """An open device; use open() to get one. Threads may share it and take turns."""

    def __init__(self, backend: str | None, config: str, overrides: Sequence[str] | Mapping[str, int],
                 trace: str | os.PathLike = "", wave: str | os.PathLike = "", wave_scope: str = "",
                 wave_window: tuple[int, int] = (0, 2**64 - 1)):
        if isinstance(overrides, str):
            raise TypeError(f"overrides: {overrides!r}, expected a list of strings \"key=value\" or a mapping")
        if isinstance(overrides, Mapping):
            overrides = [f"{key}={value}" for key, value in overrides.items()]
        self._take(_core.open(backend, os.fspath(config), list(overrides), os.fspath(trace),
                              os.fspath(wave), wave_scope, tuple(wave_window)))

    def _take(self, core) -> None:
        self._core = core
        self._config = tomllib.loads(_core.config(core))

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """Closes the device; it may not be used any more."""
        _core.close(self._core)

    def client(self, *, device_bytes: int = 1 << 20, host_bytes: int = 1 << 20, program_words: int = 0,
               quota_cycles: int = 100_000_000) -> Device:
        """Opens a client of this device, for another thread: it solves side by side with the others, with the same
        bits, and none reaches what another one has.

        device_bytes, host_bytes, program_words: what it gets of the owner's memories; 0: a quarter.
        quota_cycles: that one of its runs may take; 0: any number. Closing the owner closes its clients.
        """
        opened = Device.__new__(Device)
        opened._take(_core.client(self._core, _count("device_bytes", device_bytes), _count("host_bytes", host_bytes),
                                  _count("program_words", program_words), _count("quota_cycles", quota_cycles)))
        return opened

    @property
    def config(self) -> dict:
        """The resolved configuration, key by key: docs/reference/config.md."""
        return dict(self._config)

    @property
    def info(self) -> dict:
        """backend, config, config_hash, timed, body_latency_cycles, initiation_interval_cycles."""
        return _core.info(self._core)

    @property
    def counters(self) -> dict[str, int]:
        """Counters of the device since it was opened."""
        return _core.counters(self._core)

    def solve(self, problem: Problem | Mapping, program: str = "boxed", sweeps: int = 10, *,
              threshold: float = 0.0, mark_threshold: float = 0.0, budget_cycles: int = 0,
              relaxation: float = 1.0, class_rows: Sequence[int] = (0, 0),
              class_sweeps: Sequence[int] = (0, 0), order: str = "engine",
              friction: str = "clamp", start: str = "warm", timeout: float | None = None,
              stream: bool = False, early: bool = False, profile: bool = False) -> Solution:
        """Solves a problem; other threads run meanwhile.

        problem: a Problem, or a mapping with its fields. It is read, not changed.
        program: one of PROGRAMS, or the path of an assembly file ending in ".s".
        order: "engine", or "colour" (other bits); "scheduled" means "engine".
        friction: "clamp" or "skip", as Bullet does it. start: "warm" or "cold".
        timeout: seconds, or None to wait for ever.
        profile: the Solution has the cycles and waits of every row; systemc and cosim keep them.
        The others are the fields of ppu_solve_def of the same names; docs/guide/driver.md tells of them.
        """
        if not isinstance(problem, Problem):
            problem = Problem(**problem)
        arrays = _checked(problem)
        answer = {name: np.empty_like(arrays[name]) for name in ("impulse", "velocity_change")}
        answer["profile"] = np.zeros(len(arrays["body"]), PROFILE) if profile else None
        options = {
            "sweeps": _count("sweeps", sweeps),
            "threshold": float(threshold),
            "mark_threshold": float(mark_threshold),
            "budget_cycles": _count("budget_cycles", budget_cycles),
            "relaxation": float(relaxation),
            "class_rows": _pair("class_rows", class_rows),
            "class_sweeps": _pair("class_sweeps", class_sweeps),
            "order": _choice("order", order, _core.ORDERS),
            "friction": _choice("friction", friction, _core.FRICTION_RULES),
            "start": _choice("start", start, _core.STARTS),
            "timeout_ns": _nanoseconds(timeout),
            "stream": bool(stream),
            "early": bool(early),
        }
        report = _core.solve(self._core, arrays, problem.impulse_form, os.fspath(program), options, answer)
        counters = report.pop("counters")
        return Solution(**answer, report=report, counters=counters,
                        device_counters=report.pop("device_counters"), config=self.config)


    def solve_by_method(self, problem: Problem | Mapping, method: str = "pgs-sm", *,
                        program: str | None = None, rounds: int | None = None,
                        sweeps: int | None = None, threshold: float | None = None,
                        order: str = "engine", friction: str = "clamp", start: str = "warm",
                        timeout: float | None = None) -> MethodSolution:
        """Solves a problem with inv_mass and inv_inertia by another method than sweeps alone.

        method: one of METHODS; "pgs-sm", "crossover" and "mended" sweep on the device, the others use the host alone.
        program: for the sweeps; None: "boxed", and "nesterov" for "mended".
        rounds, sweeps, threshold: max_rounds, max_sweeps and threshold of ppu_method_def; None: its defaults.
        The others as in solve(). docs/guide/methods.md tells which method is for what. Raises Error, also
        where numbers are beyond the method; `report["reached"]` says if its rounds were enough.
        """
        if not isinstance(problem, Problem):
            problem = Problem(**problem)
        arrays = _checked(problem)
        number = _choice("method", method, {name: i for i, name in enumerate(METHODS)})
        answer = {name: np.empty(arrays[name].shape) for name in ("impulse", "velocity_change")}
        options = {
            "rounds": None if rounds is None else _count("rounds", rounds),
            "sweeps": None if sweeps is None else _count("sweeps", sweeps),
            "threshold": None if threshold is None else float(threshold),
            "order": _choice("order", order, _core.ORDERS),
            "friction": _choice("friction", friction, _core.FRICTION_RULES),
            "start": _choice("start", start, _core.STARTS),
            "timeout_ns": _nanoseconds(timeout),
        }
        if program is None:
            program = "nesterov" if method == "mended" else "boxed"
        report = _core.solve_by_method(self._core, arrays, problem.impulse_form, number,
                                       os.fspath(program), options, answer)
        return MethodSolution(**answer, report=report)


def distances(polyhedra: Sequence[Polyhedron], pairs, first_poses=None, second_poses=None, *,
              threads: int = 0) -> Distances:
    """Distances of pairs of polyhedra, by Lemke's complementary pivoting; no device.

    pairs: (p, 2): numbers of the polyhedra. first_poses, second_poses: (p, 7): where the first and the
    second one of each pair is, position (m), then rotation as a quaternion x, y, z, w; None: as given.
    threads: 0: one for each core. docs/guide/distance.md has more.
    """
    number = _array("pairs", np.asarray(pairs, np.uint32), np.uint32, (None, 2))
    count = len(number)
    poses = {}
    for name, value in ("first_pose", first_poses), ("second_pose", second_poses):
        if value is None:
            value = np.tile(np.array([0, 0, 0, 0, 0, 0, 1.0]), (count, 1))
        poses[name] = _array(name + "s", np.asarray(value, np.float64), np.float64, (count, 7))
    shapes = [{name: None if value is None else _array(name, np.asarray(value, np.float64), np.float64, (None, columns))
               for name, value, columns in (("planes", shape.planes, 4), ("vertices", shape.vertices, 3))}
              for shape in polyhedra]
    found = {"distance": np.empty(count), "first_point": np.empty((count, 3)),
             "second_point": np.empty((count, 3)), "proven_error": np.empty(count),
             "pivots": np.empty(count, np.uint32)}
    _core.distances(shapes, {"number": number, **poses}, _count("threads", threads), found)
    return Distances(**found)


def open(backend: str | None = None, config: str = "default",
         overrides: Sequence[str] | Mapping[str, int] = (), *, trace: str | os.PathLike = "",
         wave: str | os.PathLike = "", wave_scope: str = "",
         wave_window: tuple[int, int] = (0, 2**64 - 1)) -> Device:
    """Opens a device.

    backend: one of BACKENDS; None: what the environment's PPU_BACKEND names, else "functional".
    config: a named configuration ("small", "default", "wide") or a TOML file, with parts after it
    ("default+p1_gddr3+pci"). overrides: strings "key=value", or a mapping of keys to values, that go over it.
    trace: file for a log of all events, for `ppu trace`; complete when the device is closed.
    wave: FST file for waves, of cosim the first row pipe, of rtl the device; of rtl only what is below the
    instance wave_scope ("u_dma"); wave_window: first and last cycle.
    """
    return Device(backend, config, overrides, trace, wave, wave_scope, wave_window)


def read_problem(path: str | os.PathLike) -> Problem:
    """Reads a row problem file (HDF5, schema ppu-rows) and checks it whole. Raises ppu.Error."""
    stored = _core.read_problem(os.fspath(path))
    arrays = {name: np.frombuffer(stored[name], dtype).reshape(-1, *shape[1:]).copy()
              for name, (dtype, shape) in _FIELDS.items() if stored[name]}
    return Problem(**arrays)


def rows_before(body: np.ndarray) -> np.ndarray:
    """(m, 2) int32: for each row the row before it on its body a and its body b, which sends the tokens that it
    waits for in Solution.profile; -1: none, the body is the static world.

    body: (m, 2): of a Problem. The order is that of the rows, and goes round from sweep to sweep; with order="colour"
    rows issue in another one.
    """
    body = _array("body", body, np.int32, (None, 2)).ravel()
    by_body = np.argsort(body, kind="stable")
    first = np.ones(len(body), bool)
    first[1:] = body[by_body[1:]] != body[by_body[:-1]]
    before = np.roll(by_body, 1)
    before[first] = by_body[np.roll(first, -1)]
    rows = np.empty(len(body), np.int32)
    rows[by_body] = before // 2
    rows[body < 0] = -1
    return rows.reshape(-1, 2)


#: A row of Solution.profile: visits, and the cycles charged to it, with the waits among them; the fields of
#: ppu_row_profile.
PROFILE = np.dtype([(name, np.uint32) for name in (
    "visits", "cycles", "body_stall", "body_b_stall", "parent_stall", "fetch_stall", "lane_stall",
    "bank_stall", "filter_stall")])

#: Type and shape of the arrays of a problem; m rows, n bodies.
_FIELDS = {
    "body": (np.int32, ("m", 2)),
    "parent": (np.int32, ("m",)),
    "jacobian": (np.float32, ("m", 12)),
    "inv_mass_jacobian": (np.float32, ("m", 12)),
    "rate_bias": (np.float32, ("m",)),
    "inv_diagonal": (np.float32, ("m",)),
    "lower": (np.float32, ("m",)),
    "upper": (np.float32, ("m",)),
    "friction": (np.float32, ("m",)),
    "compliance": (np.float32, ("m",)),
    "impulse": (np.float32, ("m",)),
    "velocity_change": (np.float32, ("n", 6)),
    "inv_mass": (np.float32, ("n",)),
    "inv_inertia": (np.float32, ("n", 3, 3)),
}
#: What stands for an array that may be None.
_DEFAULTS = {"parent": -1, "friction": 0, "compliance": 0, "impulse": 0, "velocity_change": 0,
             "inv_mass": None, "inv_inertia": None}


def _checked(problem: Problem) -> dict[str, np.ndarray | None]:
    """The arrays of a problem, contiguous, with defaults for those that are None."""
    given = {name: getattr(problem, name) for name in _FIELDS}
    if given["parent"] is not None and given["friction"] is None:
        raise ValueError("friction: None, expected the coefficients, since there are parents")
    body = _array("body", given["body"], np.int32, (None, 2))
    rows = len(body)
    bodies = int(body.max(initial=-1)) + 1
    if given["velocity_change"] is not None:
        bodies = len(_array("velocity_change", given["velocity_change"], np.float32, (None, 6)))
    arrays = {}
    for name, (dtype, letters) in _FIELDS.items():
        shape = tuple({"m": rows, "n": bodies}.get(size, size) for size in letters)
        if given[name] is not None or name not in _DEFAULTS:
            arrays[name] = _array(name, given[name], dtype, shape)
        else:
            default = _DEFAULTS[name]
            arrays[name] = None if default is None else np.full(shape, default, dtype)
    return arrays


def _array(name: str, value, dtype, shape: tuple) -> np.ndarray:
    """`value` as a contiguous array, if it has this type and shape; None stands for any size."""
    array = np.asarray(value)
    expected = f"expected {np.dtype(dtype)} of shape {_text(shape)}"
    if array.dtype != dtype:
        raise TypeError(f"{name}: {array.dtype} of shape {_text(array.shape)}, {expected}")
    sizes_fit = all(size in (None, found) for size, found in zip(shape, array.shape))
    if array.ndim != len(shape) or not sizes_fit:
        raise ValueError(f"{name}: shape {_text(array.shape)}, {expected}")
    return np.ascontiguousarray(array)


def _text(shape: tuple) -> str:
    return str(shape).replace("None", "any")


def _count(name: str, value) -> int:
    count = operator.index(value)
    if not 0 <= count < 2**32:
        raise ValueError(f"{name}: {count}, expected 0 to 2^32 - 1")
    return count


def _pair(name: str, values: Sequence[int]) -> tuple[int, int]:
    if len(values) != 2:
        raise ValueError(f"{name}: {len(values)} numbers, expected 2")
    return _count(name, values[0]), _count(name, values[1])


def _choice(name: str, value: str, known: dict[str, int]) -> int:
    if value not in known:
        raise ValueError(f"{name}: {value!r}, expected one of {', '.join(known)}")
    return known[value]


def _nanoseconds(timeout: float | None) -> int:
    if timeout is None:
        return _core.NO_TIMEOUT
    if not 0 <= timeout < 1e9:
        raise ValueError(f"timeout: {timeout} s, expected 0 to 1e9 s or None")
    return int(timeout * 1e9)
