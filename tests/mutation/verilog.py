# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""As much of SystemVerilog as rtl/ is written in: the expressions of a module, with where they stand."""
import dataclasses
import re

TOKEN = re.compile(r"""
  (?P<skip>\s+ | //[^\n]* | /\*.*?\*/ | `ifdef\b.*?`endif | `include[^\n]*)
| (?P<string>"[^"]*")
| (?P<number>\d+'s?[bdho][0-9a-fA-F_]+ | '[01](?!\w) | \d[\d_]*)
| (?P<name>[`$]?[A-Za-z_]\w*)
| (?P<sign><<<|>>>|<<|>>|<=|>=|==|!=|&&|\|\||\+:|-:|::|'\{|'\(|\+\+|\+=|\*\*|~\^|[-+*/%&|^~!<>=?:;,.(){}\[\]@\#])
""", re.VERBOSE | re.DOTALL)
BINARY = {"||": 2, "&&": 3, "|": 4, "^": 5, "~^": 5, "&": 6, "==": 7, "!=": 7, "<": 8, "<=": 8, ">": 8, ">=": 8,
          "inside": 8, "<<": 9, ">>": 9, "<<<": 9, ">>>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11, "**": 12}
UNARY = {"!", "~", "-", "+", "&", "|", "^", "~^"}
TYPES = {"logic", "int", "bit", "genvar", "localparam", "parameter", "typedef", "integer", "automatic", "import"}


class SyntaxProblem(Exception):
    pass


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclasses.dataclass
class Node:
    """An expression: kind is number, name, select, call, cast, concat, opaque, paren, unary, binary or choice."""
    kind: str
    start: int
    end: int
    parts: list
    sign: str = ""


@dataclasses.dataclass
class Site:
    """An expression and what it is for: assign, comb, ff, reset, condition, enable, port."""
    use: str
    node: Node
    target: str = ""     # what is assigned; the port
    statement: tuple = (0, 0)
    instance: int = 0    # number of the instance whose port it is
    implicit: bool = False
    module: str = ""     # of the instance


def tokens(text):
    found, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise SyntaxProblem(f"line {text.count(chr(10), 0, at) + 1}: '{text[at:at + 20]}'")
        if match.lastgroup != "skip":
            found.append(Token(match.lastgroup, match.group(), at, match.end()))
        at = match.end()
    return found


class Reader:
    """Reads one file; `sites` are the expressions of its modules that work while it runs."""

    def __init__(self, text):
        self.text = text
        self.tokens = tokens(text)
        self.at = 0
        self.sites = []
        self.declared = {}    # name: its type
        self.arrays = set()   # names of unpacked arrays
        self.ports = {}       # module: {port: type}
        self.instances = 0
        self.in_reset = False

    # Tokens.
    def peek(self, ahead=0):
        place = self.at + ahead
        return self.tokens[place].text if place < len(self.tokens) else ""

    def kind(self, ahead=0):
        place = self.at + ahead
        return self.tokens[place].kind if place < len(self.tokens) else ""

    def take(self, text=None):
        token = self.tokens[self.at]
        if text is not None and token.text != text:
            line = self.text.count("\n", 0, token.start) + 1
            raise SyntaxProblem(f"line {line}: '{token.text}', expected '{text}'")
        self.at += 1
        return token

    def maybe(self, text):
        if self.peek() != text:
            return False
        self.at += 1
        return True

    def skip_group(self):
        """From an opening bracket to behind the closing one."""
        depth = 0
        while True:
            text = self.take().text
            depth += text in ("(", "[", "{", "'{", "'(")
            depth -= text in (")", "]", "}")
            if depth == 0:
                return

    def skip_to(self, end):
        while self.peek() != end:
            if self.peek() in ("(", "[", "{", "'{", "'("):
                self.skip_group()
            else:
                self.take()
        self.take(end)

    # Expressions.
    def expression(self, least=0):
        left = self.unary()
        while True:
            sign = self.peek()
            level = BINARY.get(sign)
            if level is None or level < least:
                break
            self.take()
            if sign == "inside":
                self.skip_group()
                left = Node("opaque", left.start, self.tokens[self.at - 1].end, [])
                continue
            right = self.expression(level + 1)
            left = Node("binary", left.start, right.end, [left, right], sign)
        if least <= 1 and self.peek() == "?":
            self.take()
            yes = self.expression(1)
            self.take(":")
            no = self.expression(1)
            left = Node("choice", left.start, no.end, [left, yes, no])
        return left

    def unary(self):
        if self.kind() == "sign" and self.peek() in UNARY:
            token = self.take()
            part = self.unary()
            return Node("unary", token.start, part.end, [part], token.text)
        return self.postfix(self.primary())

    def primary(self):
        token = self.take()
        if token.text == "(":
            inner = self.expression()
            return Node("paren", token.start, self.take(")").end, [inner])
        if token.text == "'{":
            self.at -= 1
            self.skip_group()
            return Node("opaque", token.start, self.tokens[self.at - 1].end, [])
        if token.text == "{":
            parts = [self.expression()]
            if self.maybe("{"):
                parts = [self.expression()]
                while self.maybe(","):
                    parts.append(self.expression())
                self.take("}")
            else:
                while self.maybe(","):
                    parts.append(self.expression())
            return Node("concat", token.start, self.take("}").end, parts)
        if token.kind == "number":
            return Node("number", token.start, token.end, [])
        if token.kind in ("name", "string"):
            return Node("name", token.start, token.end, [], token.text)
        line = self.text.count("\n", 0, token.start) + 1
        raise SyntaxProblem(f"line {line}: '{token.text}' begins no expression")

    def postfix(self, node):
        while True:
            sign = self.peek()
            if sign in ("::", "."):
                self.take()
                name = self.take()
                # The index before it may be that of a generated block, which stays.
                node = Node("name", node.start, name.end, [], node.sign)
            elif sign == "[":
                self.take()
                index = self.expression()
                if self.maybe(":"):
                    self.expression()
                    index = None
                elif self.peek() in ("+:", "-:"):
                    self.take()
                    self.expression()
                end = self.take("]").end
                node = Node("select", node.start, end, node.parts + ([index] if index else []), node.sign)
            elif sign == "'(":
                self.take()
                inner = self.expression()
                node = Node("cast", node.start, self.take(")").end, [inner])
            elif sign == "(" and node.kind == "name":
                self.take()
                parts = []
                while self.peek() != ")":
                    parts.append(self.expression())
                    self.maybe(",")
                node = Node("call", node.start, self.take(")").end, parts, node.sign)
            else:
                return node

    # Statements.
    def statement(self, use):
        first = self.peek()
        if first == "begin":
            self.take()
            if self.maybe(":"):
                self.take()
            while not self.maybe("end"):
                self.statement(use)
        elif first == "if":
            self.take()
            self.take("(")
            start = self.tokens[self.at].start
            condition = self.expression()
            end = self.take(")").end
            text = self.text[condition.start:condition.end]
            resets = use == "ff" and text == "!rst_ni"
            if not resets:
                self.sites.append(Site("enable" if use == "ff" else "condition", condition, "", (start, end)))
            before, self.in_reset = self.in_reset, resets or self.in_reset
            self.statement(use)
            self.in_reset = before
            if self.maybe("else"):
                self.statement(use)
        elif first == "for":
            self.take()
            self.skip_group()
            self.statement(use)
        elif first in ("case", "unique"):
            self.maybe("unique")
            self.take("case")
            self.take("(")
            subject = self.expression()
            self.sites.append(Site("subject", subject, "", (subject.start, self.take(")").end)))
            while not self.maybe("endcase"):
                if not self.maybe("default"):
                    self.expression()
                    while self.maybe(","):
                        self.expression()
                self.take(":")
                self.statement(use)
        elif first == ";":
            self.take()
        elif first in TYPES or self.kind(1) == "name" or (self.peek(1) == "::" and self.kind(3) == "name"):
            self.declaration()
        elif first.startswith("$"):
            self.skip_to(";")
        else:
            self.assignment("reset" if self.in_reset else use)

    def assignment(self, use):
        start = self.tokens[self.at].start
        if self.peek() == "{":
            self.skip_group()
        else:
            self.postfix(self.primary())
        end = self.tokens[self.at - 1].end
        if self.peek() not in ("=", "<="):
            self.skip_to(";")
            return
        self.take()
        node = self.expression()
        self.sites.append(Site(use, node, self.text[start:end], (start, node.end)))
        self.take(";")

    def declaration(self):
        """Notes the names and their types; none has a value that changes."""
        start = self.at
        if self.peek() == "typedef":
            self.skip_to(";")
            return
        while self.kind() == "name" and self.kind(1) == "name" or self.peek() in ("logic", "int", "bit", "var") or \
                self.peek(1) == "::" or self.peek() == "[":
            if self.peek() == "[":
                self.skip_group()
            elif self.peek(1) == "::":
                self.at += 3
            else:
                self.at += 1
        begin, end = self.tokens[start].start, self.tokens[self.at - 1].end
        kind = " ".join(self.text[begin:end].split())
        while self.peek() != ";":
            name = self.take().text
            self.declared[name] = kind
            while self.peek() == "[":
                self.arrays.add(name)
                self.skip_group()
            if self.maybe("="):
                while self.peek() not in (",", ";"):
                    self.skip_group() if self.peek() in ("(", "[", "{", "'{", "'(") else self.take()
            self.maybe(",")
        self.take(";")

    # Modules.
    def read(self):
        while self.at < len(self.tokens):
            if self.peek() == "module":
                self.module()
            elif self.peek() in ("package", "`PPU_ASSERT"):
                return
            else:
                self.take()

    def module(self):
        self.take()
        name = self.take().text
        if self.maybe("#"):
            self.skip_group()
        self.take("(")
        ports = self.ports[name] = {}
        while not self.maybe(")"):
            start = self.at
            while self.peek() not in (",", ")"):
                self.skip_group() if self.peek() in ("[", "(") else self.take()
            begin, port = self.tokens[start + 1].start, self.tokens[self.at - 1]
            ports[port.text] = self.declared[port.text] = " ".join(self.text[begin:port.start].split())
            self.maybe(",")
        self.take(";")
        self.items("endmodule")

    def items(self, end):
        while not self.maybe(end):
            self.item()

    def item(self):
        first = self.peek()
        if first == "assign":
            self.take()
            self.assignment("assign")
        elif first in ("always_ff", "always_comb"):
            self.take()
            if self.maybe("@"):
                self.skip_group()
            self.statement("ff" if first == "always_ff" else "comb")
        elif first in ("for", "if"):
            self.take()
            self.skip_group()
            self.block()
            while self.maybe("else"):
                if self.maybe("if"):
                    self.skip_group()
                self.block()
        elif first == "function":
            self.function()
        elif first in ("initial", "generate", "endgenerate"):
            self.take()
        elif first.startswith(("$", "`")):
            self.take()
            self.skip_group()
            self.maybe(";")
        elif first in TYPES or self.peek(1) == "::" or not self.is_instance():
            self.declaration()
        else:
            self.instance()

    def function(self):
        """Of a module in which constants are computed by functions, none is read: they must stay constant."""
        if re.search(r"localparam[^;]*=\s*\w+\(", self.text):
            while self.peek() != "endfunction":
                self.take()
        else:
            self.skip_to(";")
            while self.peek() != "endfunction":
                self.statement("comb")
        self.take("endfunction")

    def block(self):
        if self.maybe("begin"):
            if self.maybe(":"):
                self.take()
            self.items("end")
        else:
            self.item()

    def is_instance(self):
        return self.peek(1) == "#" or self.peek(2) == "("

    def instance(self):
        module = self.take().text
        self.instances += 1
        if self.maybe("#"):
            self.skip_group()
        self.take()
        self.take("(")
        while not self.maybe(")"):
            start = self.take(".").start
            port = self.take()
            if self.maybe("("):
                if self.maybe(")"):
                    self.maybe(",")
                    continue
                node = self.expression()
                end, implicit = self.take(")").end, False
            else:
                node, end, implicit = Node("name", start, port.end, [], port.text), port.end, True
            if port.text.endswith("_i") and port.text != "clk_i":
                self.sites.append(Site("port", node, port.text, (start, end), self.instances, implicit, module))
            self.maybe(",")
        self.take(";")


def read(text):
    reader = Reader(text)
    reader.read()
    return reader
