# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""A study file: what is varied, under which constraints, which columns are wanted.

expand() gives its points: the words of `ppu profile` for each, beside the values of the axes.
"""
import ast
import itertools
import operator
import os

try:
    import tomllib
except ImportError:  # Before Python 3.11.
    import tomli as tomllib

import columns
from refusal import Refusal

# Options of `ppu profile` that a study may set or vary; every other name is a key of a configuration.
OPTIONS = ("backend", "program", "sweeps", "threshold", "mark_threshold", "budget_us", "relaxation",
           "order", "friction", "start", "stream", "early", "timeout")
PLACES = ("problem", "seed", "config", "parts")
TABLES = {"title": str, "point": dict, "axes": dict, "constraints": list, "columns": list,
          "clock": dict, "search": dict}
SEARCH = {"minimize": list, "maximize": list, "trials": int, "seed": int}
WORDS = {str: "a string", dict: "a table", list: "an array", int: "a whole number"}
OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.USub: operator.neg,
    ast.Not: operator.not_, ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt,
    ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b}


def evaluate(node, names):
    """The value of an expression of numbers, strings, names, comparisons, and, or, not."""
    if isinstance(node, ast.Expression):
        return evaluate(node.body, names)
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, (ast.List, ast.Tuple)):
        return [evaluate(item, names) for item in node.elts]
    if isinstance(node, ast.BoolOp):
        values = (evaluate(value, names) for value in node.values)
        return all(values) if isinstance(node.op, ast.And) else any(values)
    if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](evaluate(node.operand, names))
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](evaluate(node.left, names), evaluate(node.right, names))
    if isinstance(node, ast.Compare) and all(type(op) in OPERATORS for op in node.ops):
        values = [evaluate(value, names) for value in (node.left, *node.comparators)]
        return all(OPERATORS[type(op)](a, b) for op, a, b in zip(node.ops, values, values[1:]))
    raise ValueError("arithmetic, comparisons, 'and', 'or', 'not' and 'in'")


class Study:
    def __init__(self, path):
        self.path = path
        self.folder = os.path.dirname(os.path.abspath(path))
        try:
            with open(path, "rb") as file:
                self.data = tomllib.load(file)
        except OSError as error:
            raise Refusal(f"{path}: {error.strerror}, expected a study file (TOML)") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise Refusal(f"{path}: {error}, expected TOML") from None
        for name, value in self.data.items():
            if name not in TABLES:
                self.refuse(name, "is no part of a study", "one of " + ", ".join(TABLES))
            self.expect_type(name, value, TABLES[name])
        self.axes = self.read_axes()
        self.point = self.data.get("point", {})
        self.check_point()
        self.constraints = [self.read_constraint(i, text)
                            for i, text in enumerate(self.data.get("constraints", []), 1)]
        self.technology = self.read_technology()
        self.columns = self.read_columns("columns", self.data.get("columns", columns.USUAL))
        self.search = self.data.get("search", {})
        for name, value in self.search.items():
            if name not in SEARCH:
                self.refuse(f"search.{name}", "is unknown", "one of " + ", ".join(SEARCH))
            self.expect_type(f"search.{name}", value, SEARCH[name])
        for name in ("minimize", "maximize"):
            self.read_columns(f"search.{name}", self.search.get(name, []))

    @property
    def title(self):
        return self.data.get("title", os.path.splitext(os.path.basename(self.path))[0])

    def refuse(self, item, found, expected):
        raise Refusal(f"{self.path}: {item} {found}, expected {expected}")

    def expect_type(self, item, value, kind):
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.refuse(item, f"is {value!r}", WORDS[kind])

    def read_axes(self):
        """[((name, ...), [(value, ...), ...]), ...]"""
        axes, seen = [], set()
        for item, values in self.data.get("axes", {}).items():
            names = tuple(name.strip() for name in item.split(","))
            if not isinstance(values, list) or not values:
                self.refuse(f"axes.{item}", f"is {values!r}", "an array with at least one value")
            for name in names:
                if name in seen:
                    self.refuse(f"axes.{item}", f"varies {name} a second time", "each name once")
                seen.add(name)
            tuples = [(value,) for value in values] if len(names) == 1 else values
            for value in tuples:
                if len(names) > 1 and (not isinstance(value, list) or len(value) != len(names)):
                    self.refuse(f"axes.{item}", f"has {value!r}", f"arrays of {len(names)} values")
            axes.append((names, [tuple(value) for value in tuples]))
        if not axes:
            self.refuse("axes", "is missing", "a table of arrays: [axes] pipes = [1, 2, 4]")
        return axes

    def check_point(self):
        for name in self.point:
            if any(name in names for names, _ in self.axes):
                self.refuse(f"point.{name}", "is an axis as well", "one of both")
        if "problem" not in self.point and not any("problem" in names for names, _ in self.axes):
            self.refuse("problem", "is missing", "it in [axes], or in [point]: problem = \"wall10\"")

    def read_constraint(self, number, text):
        item = f"constraints, number {number},"
        self.expect_type(item, text, str)
        try:
            return text, ast.parse(text, mode="eval")
        except SyntaxError:
            self.refuse(item, f"is '{text}'", "an expression such as 'velocity_banks >= 2 * pipes'")

    def read_technology(self):
        clock = self.data.get("clock", {})
        known = columns.technologies()
        for name in clock:
            if name != "technology":
                self.refuse(f"clock.{name}", "is unknown", "technology")
        if clock and clock.get("technology") not in known:
            self.refuse("clock.technology", f"is {clock.get('technology')!r}",
                        "one of " + ", ".join(known))
        return clock.get("technology")

    def read_columns(self, item, names):
        for name in names:
            if name not in columns.COLUMNS:
                self.refuse(f"{item} has", repr(name), "columns of " + ", ".join(columns.COLUMNS))
            if name in columns.OF_TECHNOLOGY and not self.technology:
                self.refuse(f"{item} has", f"{name!r}, which depends on the cells",
                            "[clock] technology = one of " + ", ".join(columns.technologies()))
        return list(names)

    def holds(self, values, late):
        """Whether the constraints hold, as far as `values` has their names; late: it has all."""
        for number, (text, tree) in enumerate(self.constraints, 1):
            try:
                if not evaluate(tree, values):
                    return False
            except KeyError as error:
                if late:
                    self.refuse(f"constraints, number {number},", f"names {error.args[0]!r}",
                                "axes, keys of a configuration, rows or bodies")
            except (TypeError, ValueError, ZeroDivisionError) as error:
                self.refuse(f"constraints, number {number},", f"'{text}' gives no answer ({error})",
                            "an expression such as 'velocity_banks >= 2 * pipes'")
        return True

    def expand(self, chosen_axes=None):
        """The points that hold, [(axes, words)]: problem by problem, so that each is read once. Of axes
        in `chosen_axes`, {names: values}, only with those values."""
        chosen_axes = chosen_axes or {}
        axes = sorted(((names, [chosen_axes[names]] if names in chosen_axes else values)
                       for names, values in self.axes),
                      key=lambda axis: not {"problem", "seed"} & set(axis[0]))
        for values in itertools.product(*(values for _, values in axes)):
            chosen = {}
            for (names, _), value in zip(axes, values):
                chosen.update(zip(names, value))
            known = {**self.point, **chosen}
            if self.holds(known, late=False):
                yield {name: label(value) for name, value in chosen.items()}, self.words(known)

    def words(self, known):
        """What follows `ppu profile`."""
        known = dict(known)
        problem = known.pop("problem")
        if isinstance(problem, dict):
            words = ["--scene", str(problem.get("scene")), "--frame", str(problem.get("frame", 0)),
                     "--seed", str(known.pop("seed", 1))]
        else:
            words = [self.place(problem)]
            if "seed" in known:
                self.refuse("seed", f"is given for the problem {problem!r}, which is a file",
                            "scenes: problem = {scene = \"wall10\", frame = 60}")
        parts = known.pop("parts", "")
        config = self.place(known.pop("config", "default"))
        words += ["--config", "+".join(part for part in (config, parts) if part)]
        if self.technology and "clock_mhz" not in known:
            known["clock_mhz"] = self.clock_of(known)
        for name, value in known.items():
            if name in ("stream", "early"):
                words += ["--" + name] if value else []
            elif name in OPTIONS:
                words += ["--" + name.replace("_", "-"), plain(value)]
            else:
                words += ["--set", f"{name}={plain(value)}"]
        return words

    def clock_of(self, known):
        """MHz of the row pipe of this shape in the cells of the study."""
        pipe = columns.row_pipe(self.technology, known)
        if not pipe:
            self.refuse("clock.technology", f"is {self.technology!r}, which has no figures for "
                        + ", ".join(f"{key}={known.get(key, value)}"
                                    for key, value in columns.SHAPE.items()),
                        "an axis with shapes that docs/reference/measured/physical.md has: "
                        + "; ".join(columns.shapes(self.technology)))
        return int(1000 / pipe["period_ns"])

    def place(self, name):
        """A file that the study names, from here; other names stay."""
        path = os.path.join(self.folder, str(name))
        if not os.path.isfile(path):
            return str(name)
        near = os.path.relpath(path)
        return os.path.abspath(path) if near.startswith("..") else near


def plain(value):
    return str(int(value)) if isinstance(value, bool) else str(value)


def label(value):
    """A value of an axis as a table or a chart shows it."""
    if isinstance(value, dict):
        return f"{value.get('scene')} frame {value.get('frame', 0)}"
    if isinstance(value, str) and value.endswith(".h5"):
        return os.path.splitext(os.path.basename(value))[0]
    return value
