"""The mutants: reimpl with one small change each, as mutmut makes them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from libcst import Module
from mutmut.mutation.file_mutation import create_mutations

from tests.mutants import uses
from tests.mutants.uses import REIMPL, Function


@dataclass(frozen=True)
class Mutant:
    """A module of reimpl with one change; what it is called does not depend on the lines around it."""

    module: str
    place: str
    """The function or class, with those around it, or nothing for the module itself."""
    was: str
    now: str
    """The lines that changed, before and after."""
    source: str
    touched: frozenset[Function]
    """The functions that may do something else: the one the change is in, or those that use what is changed."""
    names: frozenset[str]
    """Where the change is outside of all functions: names that may stand for something else."""

    @property
    def name(self) -> tuple[str, str, str]:
        """What the list of equivalents calls it."""
        return f"{self.module}.{self.place}".rstrip("."), self.was, self.now

    def __str__(self) -> str:
        """Show the change."""
        where, was, now = self.name
        return f"{where}\n  - {was}\n  + {now}"


def mutants_of(module: str) -> list[Mutant]:
    """Make all mutants of a module."""
    path = REIMPL / f"{module}.py"
    code = path.read_text(encoding="utf-8")
    tree, mutations, _, _ = create_mutations(str(path), code)
    mutated = (tree.deep_replace(each.original_node, each.mutated_node) for each in mutations)
    return list(_numbered(_mutant(module, code, each.code) for each in mutated if isinstance(each, Module)))


def _mutant(module: str, code: str, source: str) -> Mutant:
    before, after = code.splitlines(), source.splitlines()
    changes = [
        change for change in SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if change[0] != "equal"
    ]
    (_, first, _, start, _), (_, _, last, _, end) = changes[0], changes[-1]
    was, now = (" ".join(line.strip() for line in lines) for lines in (before[first:last], after[start:end]))
    around = uses.around(ast.parse(code), first + 1)
    function = uses.function(module, around)
    names = frozenset[str]() if function else uses.names(around)
    return Mutant(
        module,
        place=".".join(node.name for node in around if isinstance(node, (ast.FunctionDef, ast.ClassDef))),
        was=was,
        now=now,
        source=source,
        touched=frozenset([function]) if function else uses.users(names),
        names=names,
    )


def _numbered(mutants: Iterator[Mutant]) -> Iterator[Mutant]:
    """Tell apart the mutants of equal lines in one function."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for mutant in mutants:
        seen[mutant.name] += 1
        number = seen[mutant.name]
        if number == 1:
            yield mutant
        else:
            yield Mutant(**{**vars(mutant), "now": f"{mutant.now}  # {number}"})


def planted(module: str, was: str, now: str) -> Mutant:
    """Make a mutant by hand, of which every function may be touched."""
    code = (REIMPL / f"{module}.py").read_text(encoding="utf-8")
    assert code.count(was) == 1, f"there is not one {was!r} in {module}"
    return Mutant(module, "", was, now, code.replace(was, now), touched=uses.EVERYTHING, names=frozenset())
