"""What the README says holds."""

from __future__ import annotations

import re

from tests.cli import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_example_does_what_its_comments_say() -> None:
    [example] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    places: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), places)  # noqa: S102  (our own text)
    for expression, value in re.findall(r"^(reimpl\..*?)  # (\{.*)$", example, re.MULTILINE):
        assert repr(eval(expression, places)) == value  # noqa: S307  (our own text)


def test_ci_runs_the_commands_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for command in ("python3 -m pip install 'nox[uv]'", "python3 -m nox -s tests"):
        assert command in README
        assert command in script.splitlines()


def test_every_file_it_names_exists() -> None:
    for name in re.findall(r"`((?:docs|tests|reimpl|oracle|parity|corpus)/[\w./-]*)`", README):
        assert (ROOT / name).exists(), name
