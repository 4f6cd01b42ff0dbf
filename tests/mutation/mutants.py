# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Mutants of rtl/: small mistakes, each behind `ppu_mutant_pkg::Id == its number`, in one copy of the sources."""
import dataclasses
import hashlib
import pathlib
import re

import verilog

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"
KINDS = ("operator", "constant", "off by one", "dropped enable", "stuck bit", "wrong lane", "swapped port")
ROOMS = ("prim", "pipe", "rows", "state", "dataflow", "engine", "device")
# Rooms that keys call by another name: what they hold was there when the first mutants got theirs.
KEYED_AS = {"rows": "engine", "state": "engine", "dataflow": "engine"}
# Assertions and checks of parameters are no hardware.
LEFT_OUT = {"ppu_row_pipe_checks", "ppu_request_check"}
OPERATORS = {"&&": "||", "||": "&&", "&": "|", "|": "&", "^": "|", "+": "-", "-": "+", "*": "+", "<<": ">>",
             ">>": "<<", "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
ENABLES = re.compile(r"(read|write|push|pop|enable|valid|clear|take|start|init)_i$")
LANES = (("_a", "_b"), ("_b", "_a"), ("body_a", "body_b"), ("body_b", "body_a"))
# Of a file with n lines of code, so many mutants.
PER_LINE = 0.135
FEWEST = 5


@dataclasses.dataclass
class Mutant:
    file: str      # relative to rtl
    line: int
    kind: str
    was: str       # as it stands in the source
    becomes: str
    edits: list    # (start, end, text, port of an implicit connection or "")
    key: str = ""
    number: int = 0


def is_constant(text):
    """Parameters and constants are UpperCamel, here."""
    words = re.findall(r"(?<![\w'.$])[A-Za-z_]\w*", re.sub(r"\w+::", "", re.sub(r"\d*'[a-z]?\w+", "", text)))
    return all(word[0].isupper() for word in words)


class Maker:
    """All mutants of one file."""

    def __init__(self, path, ports):
        self.name = str(path.relative_to(RTL))
        self.keyed = f"{KEYED_AS.get(path.parent.name, path.parent.name)}/{path.name}"
        self.text = path.read_text()
        self.reader = verilog.read(self.text)
        self.ports = ports
        self.found = []

    def of(self, node):
        return self.text[node.start:node.end]

    def add(self, kind, node, becomes, port="", also=()):
        was = self.of(node)
        if was == becomes:
            return
        line = self.text.count("\n", 0, node.start) + 1
        self.found.append(Mutant(self.name, line, kind, " ".join(was.split()), " ".join(becomes.split()),
                                 [(node.start, node.end, becomes, port), *also]))

    def all(self):
        for site in self.reader.sites:
            self.site(site)
        self.swapped()
        seen, counts = {}, {}
        for mutant in self.found:
            seen.setdefault((mutant.edits[0][:3], len(mutant.edits)), mutant)
        for mutant in seen.values():
            around = self.text[self.text.rfind("\n", 0, mutant.edits[0][0]):mutant.edits[0][0]]
            words = f"{self.keyed}|{mutant.kind}|{around.strip()}|{mutant.was}|{mutant.becomes}"
            counts[words] = counts.get(words, 0) + 1
            mutant.key = hashlib.sha1(f"{words}|{counts[words]}".encode()).hexdigest()[:10]
        return list(seen.values())

    def site(self, site):
        node, text = site.node, self.of(site.node)
        if re.match(r"\{?\s*unused_", site.target) or "unused_" in text:
            return
        if site.implicit:
            return
        if site.use == "reset":
            self.constants(node)
            return
        if site.use in ("enable", "condition"):
            self.add("operator", node, f"!({text})")
            if site.use == "enable":
                self.add("dropped enable", node, "1'b1")
        if site.use == "ff" and re.fullmatch(r"\w+_q", site.target) and site.target not in self.reader.arrays:
            self.add("dropped enable", node, site.target)
        if site.use == "port" and ENABLES.search(site.target):
            self.add("dropped enable", node, "'1")
        if site.use in ("assign", "comb", "ff") and text not in self.reader.arrays and node.kind != "opaque":
            self.stuck(site)
        if not is_constant(text) or site.use not in ("condition",):
            self.inside(node)

    def stuck(self, site):
        node, text = site.node, self.of(site.node)
        target = re.match(r"\w+", site.target)
        kind = self.reader.declared.get(target.group() if target else "", "")
        if text in ("1'b0", "1'b1"):
            return  # The bit that is stuck is the constant, or the constant's own mutant.
        if kind == "logic":
            self.add("stuck bit", node, "1'b0")
            self.add("stuck bit", node, "1'b1")
        elif not re.fullmatch(r"'[01]|\d+'d\d+", text):
            self.add("stuck bit", node, f"({text}) | 1'b1")
            self.add("stuck bit", node, f"({text}) & ~1'b1")
            high = re.fullmatch(r"logic \[([^\[\]:]+)-1:0\]", kind)
            if high and site.target == target.group():
                width = high.group(1).strip()
                self.add("stuck bit", node, f"({text}) | (({width})'(1) << (({width}) - 1))")

    def inside(self, node):
        """Mutants of an expression and of all below it."""
        text = self.of(node)
        if node.kind == "binary":
            self.binary(node)
        elif node.kind == "unary" and node.sign in ("!", "~"):
            self.add("operator", node, f"({self.of(node.parts[0])})")
        elif node.kind == "unary" and node.sign in ("^", "|", "&"):
            self.add("operator", node, ("|" if node.sign == "^" else "^") + self.of(node.parts[0]))
        elif node.kind == "choice":
            condition, yes, no = map(self.of, node.parts)
            self.add("operator", node, f"{condition} ? {no} : {yes}")
        elif node.kind == "number":
            self.constants(node)
        elif node.kind == "select":
            self.select(node)
        elif node.kind == "name":
            self.lanes(node, text)
        elif node.kind == "paren" and is_constant(text):
            return
        for part in node.parts if node.kind != "select" else ():
            if not is_constant(self.of(part)) or part.kind == "number":
                self.inside(part)

    def binary(self, node):
        left, right = map(self.of, node.parts)
        if is_constant(self.of(node)):
            return
        if node.sign in OPERATORS:
            self.add("operator", node, f"{left} {OPERATORS[node.sign]} {right}")
        if node.sign in ("&&", "||"):
            self.add("operator", node, left)
            self.add("operator", node, right)
        if node.sign in ("<", ">", "<=", ">="):
            self.add("operator", node, f"{left} {'>=' if node.sign[0] == '<' else '<='} {right}")
        if node.sign in COMPARISONS and not re.search(r"'|::", right) and node.parts[1].kind != "number":
            # Of a bit and what has a sign the sum has none.
            one = "1" if "signed" in right else "1'b1"
            self.add("off by one", node.parts[1], f"({right} + {one})")
        if node.sign in ("+", "-"):
            self.add("off by one", node, f"({self.of(node)}) + 1'b1")
            self.add("off by one", node, f"({self.of(node)}) - 1'b1")

    def constants(self, node):
        text = self.of(node)
        simple = {"'0": "'1", "'1": "'0", "1'b0": "1'b1", "1'b1": "1'b0"}
        if text in simple:
            self.add("constant", node, simple[text])
            return
        number = re.fullmatch(r"(\d+)'d(\d+)", text)
        if number:
            width, value = int(number.group(1)), int(number.group(2))
            self.add("constant", node, f"{width}'d{(value + 1) % (1 << width)}")
            self.add("constant", node, f"{width}'d{(value - 1) % (1 << width)}")
        number = re.fullmatch(r"(\d+)'([bh])([0-9a-f]+)", text)
        if number:
            base = {"b": 2, "h": 16}[number.group(2)]
            value = int(number.group(3), base) ^ 1
            self.add("constant", node, f"{number.group(1)}'{number.group(2)}{format(value, 'b' if base == 2 else 'x')}")

    def select(self, node):
        text, base = self.of(node), node.sign
        self.lanes(node, text)
        if base not in self.reader.declared:
            return
        for index in node.parts:
            words = self.of(index)
            if index.kind == "number":
                other = "1" if words == "0" else str(int(words) - 1)
                self.add("wrong lane", index, other)
            elif not is_constant(words) and "::" not in words:
                name = re.search(r"(?<![\w.$'])[a-z]\w*(?![\w:('\[.])", words)
                if name:
                    start = index.start + name.start()
                    inner = verilog.Node("name", start, start + len(name.group()), [])
                    self.add("wrong lane", inner, f"({name.group()} ^ 1'b1)")

    def lanes(self, node, text):
        for suffix, other in LANES:
            changed = re.sub(rf"{suffix}(?=\b|_q\b|_d\b|_i\b)", other, text)
            if changed != text and re.search(rf"\b{re.escape(changed.split('.')[0].split('[')[0])}\b", self.text) and \
                    re.search(rf"\b{re.escape(changed.split('.')[-1].split('[')[0])}\b", self.text):
                self.add("wrong lane", node, changed)
                return

    def swapped(self):
        """Two inputs of an instance that have the same type, one after the other."""
        by_instance = {}
        for site in self.reader.sites:
            if site.use == "port":
                by_instance.setdefault(site.instance, []).append(site)
        for sites in by_instance.values():
            kinds = {}
            for site in sites:
                kind = self.ports.get(site.module, {}).get(site.target)
                if kind is None or site.target == "rst_ni":
                    continue
                before, kinds[kind] = kinds.get(kind), site
                if before is None:
                    continue
                first, second = self.connected(before), self.connected(site)
                if first != second and "unused" not in first + second:
                    self.add("swapped port", before.node, second, before.target if before.implicit else "",
                             [(site.node.start, site.node.end, first, site.target if site.implicit else "")])

    def connected(self, site):
        return site.target if site.implicit else self.of(site.node)


def every():
    """All mutants there could be, by file."""
    paths = [RTL / line for line in (RTL / "ppu.f").read_text().split("\n") if line and line[0] != "/"]
    paths = [path for path in paths if path.parent.name in ROOMS and path.stem not in LEFT_OUT]
    ports = {}
    for path in paths:
        ports.update(verilog.read(path.read_text()).ports)
    return {str(path.relative_to(RTL)): Maker(path, ports).all() for path in paths}


def chosen():
    """The campaign: of each file as many as it has code, by turns of every kind, in an order that is a hash."""
    found = []
    for name, mutants in every().items():
        lines = [line.strip() for line in (RTL / name).read_text().split("\n")]
        lines = [line for line in lines if line and not line.startswith(("//", "input", "output", "parameter"))]
        wanted = max(FEWEST, round(len(lines) * PER_LINE))
        queues = {kind: sorted((m for m in mutants if m.kind == kind), key=lambda m: m.key) for kind in KINDS}
        while wanted > 0 and any(queues.values()):
            for kind in KINDS:
                if queues[kind] and wanted > 0:
                    found.append(queues[kind].pop(0))
                    wanted -= 1
    found.sort(key=lambda m: (m.file, m.line, m.key))
    for number, mutant in enumerate(found, 1):
        mutant.number = number
    return found


def instrumented(text, mutants):
    """The text with every mutant behind its number."""
    spans = {}
    for mutant in mutants:
        for start, end, becomes, port in mutant.edits:
            spans.setdefault((start, -end, port), []).append((mutant.number, becomes))
    opens = sorted(spans)

    def render(start, end, place):
        out = ""
        while place < len(opens) and opens[place][0] < end:
            first, last, port = opens[place][0], -opens[place][1], opens[place][2]
            out += text[start:first]
            inner, place_after = render(first, last, place + 1)
            inner = port if port else f"({inner})"
            for number, becomes in spans[opens[place]]:
                inner = f"(ppu_mutant_pkg::Id == {number} ? ({becomes}) : {inner})"
            out += f".{port}({inner})" if port else inner
            start, place = last, place_after
        return out + text[start:end], place

    return render(0, len(text), 0)[0]
