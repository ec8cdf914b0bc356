"""Which functions of reimpl a change can touch, by the names they use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

REIMPL = Path(__file__).parents[2] / "reimpl"

Function = tuple[str, str]
"""A module and the name of a function in it, that of its class before it."""


def modules() -> list[str]:
    """List the modules of reimpl."""
    return sorted(path.stem for path in REIMPL.glob("*.py"))


def around(node: ast.AST, line: int) -> list[ast.stmt]:
    """List the statements that a line is in, the outermost first."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):
            continue
        first = min([child.lineno, *(each.lineno for each in getattr(child, "decorator_list", ()))])
        if first <= line <= (child.end_lineno or 0):
            return [child, *around(child, line)]
    return []


def function(module: str, statements: list[ast.stmt]) -> Function | None:
    """Return the outermost function that a change within these statements is in."""
    names: list[str] = []
    for statement in statements:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            names.append(statement.name)
        if isinstance(statement, ast.FunctionDef):
            return module, ".".join(names)
    return None


def names(statements: list[ast.stmt]) -> frozenset[str]:
    """Return the names that may stand for something else after a change within these statements, at import.

    They are those that the statement gives a value to and, in any module, those of what is made of them.
    """
    changed = [statement.name for statement in statements if isinstance(statement, ast.ClassDef)]
    # The default of a field is felt by those who make such a record, and not by all who read the field.
    if not changed or "ClassVar" in ast.unparse(statements[-1]) or not isinstance(statements[-1], ast.AnnAssign):
        changed += _bound(statements[-1])
    return _with_what_is_made_of(frozenset(changed))


def _with_what_is_made_of(names: frozenset[str]) -> frozenset[str]:
    while True:
        more = frozenset(name for bound, used in _at_import() if not used.isdisjoint(names) for name in bound)
        if more <= names:
            return names
        names |= more


def users_of_results(functions: frozenset[Function]) -> frozenset[Function]:
    """Return the functions that use what others, which are called at import, may have made."""
    called = frozenset(name.rpartition(".")[2] for _, name in functions)
    return users(_with_what_is_made_of(called) - called)


def users(names: frozenset[str]) -> frozenset[Function]:
    """Return the functions that use one of these names."""
    return frozenset(function for function, used in _functions() if not used.isdisjoint(names))


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement gives a value to."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        yield statement.name
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _used(node: ast.AST) -> frozenset[str]:
    """Return every name in a piece of code, those of attributes too, whatever they belong to.

    Annotations do nothing when the code runs, so they use nothing.
    """
    if isinstance(node, ast.Name):
        return frozenset([node.id])
    own = {node.attr} if isinstance(node, ast.Attribute) else ()
    parts = (part for name, part in ast.iter_fields(node) if name not in ("annotation", "returns"))
    each = chain.from_iterable(part if isinstance(part, list) else [part] for part in parts)
    return frozenset(own).union(*(_used(part) for part in each if isinstance(part, ast.AST)))


@cache
def _parsed() -> tuple[tuple[str, ast.Module], ...]:
    return tuple((name, ast.parse((REIMPL / f"{name}.py").read_text(encoding="utf-8"))) for name in modules())


@cache
def _at_import() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """List what each statement outside of functions binds, and what it uses."""
    found = []
    for _, tree in _parsed():
        for statement in tree.body:
            if isinstance(statement, ast.ClassDef):
                # What its methods use is used when they are called.
                inside = [each for each in statement.body if not isinstance(each, ast.FunctionDef)]
                used = frozenset().union(*map(_used, [*inside, *statement.bases, *statement.decorator_list]))
                found.append((frozenset([statement.name]), used))
            elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                found += [(frozenset([each.asname]), frozenset([each.name])) for each in statement.names if each.asname]
            elif not isinstance(statement, ast.FunctionDef):
                found.append((frozenset(_bound(statement)), _used(statement)))
    return tuple(found)


@cache
def _functions() -> tuple[tuple[Function, frozenset[str]], ...]:
    """List every function outside of functions, and what it uses; a method uses its class and what that binds."""
    found: list[tuple[Function, frozenset[str]]] = []
    for module, tree in _parsed():
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef):
                found.append(((module, statement.name), _used(statement)))
            elif isinstance(statement, ast.ClassDef):
                found += [
                    ((module, f"{statement.name}.{each.name}"), _used(each) | {statement.name})
                    for each in statement.body
                    if isinstance(each, ast.FunctionDef)
                ]
    return tuple(found)


EVERYTHING = frozenset(function for function, _ in _functions())
