"""The small changes of a source file: each is one place, the text that stands there, and another text.

A comparison is turned (`<` becomes `<=`, `in` becomes `not in`), a number is shifted, a condition is removed,
a return value is emptied, a sum becomes a difference, the smallest becomes the largest. Only places that
decide something are changed: no docstrings, annotations, decorators, error messages or protocols.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
}
_OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any", "ceil": "floor", "floor": "ceil"}
_EMPTY = {
    "str": "''",
    "int": "0",
    "float": "0.0",
    "bytes": "b''",
    "tuple": "()",
    "list": "[]",
    "dict": "{}",
    "Mapping": "{}",
    "Sequence": "()",
    "set": "set()",
    "frozenset": "frozenset()",
    "Iterator": "iter(())",
    "Iterable": "()",
}
_SMALL = 10  # whole numbers up to this are raised by one, larger ones are doubled
#: Arguments that decide how fast, how patient or how strict a call is, never what it returns.
_PACE = frozenset(
    {"maxsize", "timeout", "stacklevel", "chunksize", "max_workers", "encoding", "indent", "strict"}
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the file, the function it is in, the place in bytes, and both texts."""

    file: str  # below src/pykala
    function: str  # qualified; "" at the level of the module
    line: int
    start: int
    end: int
    before: str
    after: str
    number: int  # among the like changes of the same function

    @property
    def room(self) -> str:
        """The package of the file."""
        return self.file.partition("/")[0]

    def place_in(self, seed: int) -> str:
        """Where it stands in the order of a draw; a file may move, and other code may change around it."""
        name = self.file.rpartition("/")[2]
        text = f"{seed}\n{name}\n{self.function}\n{self.before}\n{self.after}\n{self.number}"
        return hashlib.sha256(text.encode()).hexdigest()

    def applied(self, source: bytes) -> bytes:
        """The file with the change made."""
        return source[: self.start] + self.after.encode() + source[self.end :]

    def __str__(self) -> str:
        before, after = (" ".join(text.split()) for text in (self.before, self.after))
        return f"{self.file}:{self.line} {self.function}  {before}  →  {after}"


def mutants(file: str, source: bytes) -> list[Mutant]:
    """Every change of a file that can be made, in its order."""
    places = _Places(source)
    seen: dict[tuple[str, str, str], int] = {}
    found = []
    for function, node, after in _changes(ast.parse(source)):
        start, end = places.of(node)
        before = source[start:end].decode()
        key = function, before, after
        seen[key] = seen.get(key, 0) + 1
        found.append(Mutant(file, function, node.lineno, start, end, before, after, seen[key]))
    return found


class _Places:
    """Where each line of a file begins, in bytes, as `ast` counts columns."""

    def __init__(self, source: bytes) -> None:
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def of(self, node: ast.expr) -> tuple[int, int]:
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[end_line - 1] + end_column


def _changes(module: ast.Module) -> Iterator[tuple[str, ast.expr, str]]:
    """Function, expression, and what to write in its place."""
    yield from _of_body(module.body, "", None)


def _of_statement(
    node: ast.stmt, function: str, returns: ast.expr | None
) -> Iterator[tuple[str, ast.expr, str]]:
    match node:
        case ast.ClassDef():
            if not any("Protocol" in ast.unparse(base) for base in node.bases):
                yield from _of_body(node.body, _below(function, node.name), None)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            if node.name != "__repr__":
                yield from _of_body(node.body, _below(function, node.name), node.returns)
        case ast.Raise() | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return  # a message, or a docstring, or the body of an abstract method
        case ast.If() if "TYPE_CHECKING" in ast.unparse(node.test):
            return
        case _:
            yield from _of_whole_statement(node, function, returns)
            for child in ast.iter_child_nodes(node):
                if not (isinstance(node, ast.AnnAssign) and child is node.annotation):
                    yield from _of_part(child, function, returns)


def _of_body(
    body: Sequence[ast.stmt], function: str, returns: ast.expr | None
) -> Iterator[tuple[str, ast.expr, str]]:
    for statement in body:
        yield from _of_statement(statement, function, returns)


def _of_whole_statement(
    node: ast.stmt, function: str, returns: ast.expr | None
) -> Iterator[tuple[str, ast.expr, str]]:
    if isinstance(node, ast.If):
        yield function, node.test, "True"
        yield function, node.test, "False"
    if isinstance(node, ast.Return) and node.value is not None:
        empty = _emptied(node.value, returns)
        if empty and empty != ast.unparse(node.value):
            yield function, node.value, empty


def _of_part(node: ast.AST, function: str, returns: ast.expr | None) -> Iterator[tuple[str, ast.expr, str]]:
    if isinstance(node, ast.stmt):
        yield from _of_statement(node, function, returns)
        return
    if isinstance(node, ast.JoinedStr):
        return  # the places inside are not told exactly
    if isinstance(node, ast.keyword) and node.arg in _PACE:
        return
    if isinstance(node, ast.expr):
        for after in _of_expression(node):
            yield function, node, after
    if isinstance(node, ast.comprehension):
        for condition in node.ifs:
            yield function, condition, "True"
    for child in ast.iter_child_nodes(node):
        yield from _of_part(child, function, returns)


def _of_expression(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                turned = copy.deepcopy(node)
                turned.ops[index] = _TURNED[type(operator)]()
                yield _unparsed(turned)
        case ast.BoolOp():
            for index in range(len(node.values)):
                rest = [value for place, value in enumerate(node.values) if place != index]
                yield _unparsed(rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest))
        case ast.UnaryOp(op=ast.Not() | ast.USub()) if not isinstance(node.operand, ast.Constant):
            yield _unparsed(node.operand)
        case ast.IfExp():
            yield _unparsed(node.body)
            yield _unparsed(node.orelse)
        case ast.BinOp() if type(node.op) in _RECKONED and _reckons(node):
            yield _unparsed(ast.BinOp(node.left, _RECKONED[type(node.op)](), node.right))
        case ast.Call(func=ast.Name(id=name)) if name in _OPPOSITES:
            yield _unparsed(ast.Call(ast.Name(_OPPOSITES[name]), node.args, node.keywords))
        case ast.Constant(value=bool() as value):
            yield str(not value)
        case ast.Constant(value=int() | float() as value):
            yield repr(_shifted(value))


def _reckons(node: ast.BinOp) -> bool:
    """Whether an operation is one on numbers: `+` joins texts and tuples as well."""
    if not isinstance(node.op, ast.Add):
        return not isinstance(node.left, ast.JoinedStr)
    return any(
        isinstance(side, ast.Constant) and isinstance(side.value, int | float)
        for side in (node.left, node.right)
    )


def _shifted(value: float) -> float:
    if isinstance(value, int):
        return value + 1 if abs(value) <= _SMALL else value * 2
    return value * 2 or 1.0


def _emptied(value: ast.expr, returns: ast.expr | None) -> str | None:
    """The empty value of a function's type; None where it has nothing to empty."""
    if isinstance(value, ast.Constant) or returns is None:
        return None
    named = ast.unparse(returns).partition("[")[0]
    if named == "bool":
        return f"(not {ast.unparse(value)})"
    return _EMPTY.get(named, "None")


def _unparsed(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if isinstance(node, ast.Name | ast.Constant | ast.Attribute | ast.Call) else f"({text})"


def _below(function: str, name: str) -> str:
    return f"{function}.{name}" if function else name
