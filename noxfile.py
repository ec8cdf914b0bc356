"""Everything this project does, as sessions: `nox -l` lists them."""

from __future__ import annotations

from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv"
nox.options.sessions = ["tests"]

HARNESS = "3.12"
"""The Python whose `sum()`, `float()` and `json` the recorded outcomes come from."""


def install(session: nox.Session, extra: str, *groups: str) -> None:
    """Install the project with the pinned versions of everything it needs."""
    wanted = [f".[{extra}]"]
    for group in groups:
        wanted += nox.project.dependency_groups(nox.project.load_toml("pyproject.toml"), group)
    session.install("-c", "constraints.txt", "-e", *wanted)


@nox.session(python=HARNESS)
def parity(session: nox.Session) -> None:
    """Compare reimpl with harbor on every surface."""
    install(session, "harness")
    session.run("parity", "run", *session.posargs)


@nox.session(python=HARNESS)
def tests(session: nox.Session) -> None:
    """Run the tests."""
    run_tests(session)


@nox.session(name="tests-3.13", python="3.13")
def tests_on_3_13(session: nox.Session) -> None:
    """Run the tests on the other Python the harness supports."""
    run_tests(session)


def run_tests(session: nox.Session) -> None:
    install(session, "harness", "test")
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def replay(session: nox.Session) -> None:
    """Replay the corpus with reimpl alone, without harbor: the same bits on every Python."""
    install(session, "replay")
    session.run("parity", "replay", "--recorded", *session.posargs)


@nox.session(python=HARNESS)
def lint(session: nox.Session) -> None:
    """Check style, types, the walls between the rooms, and the workflows."""
    install(session, "redis,upgrade", "lint", "coverage", "mutants")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("mypy")
    session.run("lint-imports")
    session.run("shellcheck", *map(str, sorted(Path(".ci").iterdir())))
    workflows = map(str, sorted(Path(".github", "workflows").glob("*.yml")))
    session.run("actionlint", *workflows)  # with shellcheck, which it finds by itself
    session.run("zizmor", "--offline", "--pedantic", "--strict-collection", "--quiet", ".github/workflows")


@nox.session(name="oracle-coverage", python=HARNESS)
def oracle_coverage(session: nox.Session) -> None:
    """Measure which lines and branches of harbor's scoring code the cases execute, and which lines whole jobs do."""
    install(session, "harness", "coverage")
    session.run("python", "-m", "tests.job_coverage")
    session.run("python", "-m", "tests.oracle_coverage")


@nox.session(python=HARNESS)
def bench(session: nox.Session) -> None:
    """Measure reimpl and the harness against harbor, as ratios in one run."""
    install(session, "upgrade")
    session.run("python", "-m", "tests.bench", *session.posargs)


@nox.session(python=HARNESS)
def power(session: nox.Session) -> None:
    """Measure how soon each of the gallery's wrong implementations is found, and by baselines."""
    install(session, "harness", "power")
    session.run("python", "-m", "tests.power", *session.posargs)


@nox.session(python=HARNESS)
def mutants(session: nox.Session) -> None:
    """Change reimpl in every small way, and see that the suite notices: `nox -s mutants -- metrics` for one module."""
    install(session, "harness", "test", "mutants")
    session.run("python", "-m", "tests.mutants", *session.posargs)


@nox.session(python=HARNESS)
def browser(session: nox.Session) -> None:
    """Open the HTML report in headless Chromium, which must be installed."""
    install(session, "harness", "test")
    session.run("pytest", "tests/browser", *session.posargs)


@nox.session(python=HARNESS)
def redis(session: nox.Session) -> None:
    """Hunt with a Redis server, which must be installed, as the memory that machines share."""
    install(session, "redis", "test")
    session.run("pytest", "tests/redis", *session.posargs)


@nox.session(python=HARNESS)
def node(session: nox.Session) -> None:
    """Run an exported pack in Node, which must be installed, and without Python."""
    install(session, "harness", "test")
    session.run("pytest", "tests/node", *session.posargs)


@nox.session(python=HARNESS)
def upgrade(session: nox.Session) -> None:
    """Compare other harbor releases with 0.13.1: `nox -s upgrade -- latest`."""
    install(session, "upgrade")
    session.run("parity", "upgrade", *session.posargs)


@nox.session(name="upgrade-tests", python=HARNESS)
def upgrade_tests(session: nox.Session) -> None:
    """Compare releases with planted changes, in environments made from the package index."""
    install(session, "upgrade", "test")
    session.run("pytest", "tests/upgrade", *session.posargs)
