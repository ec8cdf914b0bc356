"""Isolated environments, each with one harbor release and nothing of ours but `oracle/`."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from parity.errors import CannotRunError
from parity.limits import GIB, Limits
from parity.program import Program

OUR_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
_ORACLE = Path(__file__).parent.parent / "oracle"
_DONE = "complete.json"
"""Written last: an environment without it was left half way, and is made again."""
_LIMITS = Limits(start_seconds=180.0, seconds=60.0, memory=4 * GIB)
"""Importing a release for the first time compiles thousands of files."""


@dataclass(frozen=True)
class Recipe:
    """What an environment holds."""

    harbor: str
    """A version, or the path of a wheel."""
    python: str
    pins: tuple[str, ...] = ()
    """Requirements beside harbor, such as `pydantic==2.12.5`."""
    overrides: tuple[str, ...] = ()
    """Requirements that stand in for those harbor declares, such as `certifi>=2024`."""

    @property
    def requirement(self) -> str:
        """What is installed: harbor itself."""
        return str(Path(self.harbor).resolve()) if self.is_file else f"harbor=={self.harbor}"

    @property
    def is_file(self) -> bool:
        """Whether harbor comes from a wheel on disk."""
        return self.harbor.endswith(".whl")

    @property
    def name(self) -> str:
        """The environment's folder: the release, the Python, and what else makes it another."""
        release = Path(self.harbor).stem if self.is_file else f"harbor-{self.harbor}"
        others = [
            *self.pins,
            *map("instead: {}".format, self.overrides),
            *([_digest(Path(self.harbor))] if self.is_file else []),
        ]
        mark = hashlib.sha256(json.dumps(others).encode()).hexdigest()[:8] if others else ""
        return re.sub(r"[^A-Za-z0-9.]+", "-", f"{release}-python{self.python}-{mark}").strip("-")


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise CannotRunError(f"{path}: {error.strerror}") from None


def cache() -> Path:
    """Return where environments are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "harbor-parity" / "environments"


def worker(recipe: Recipe, say: Callable[[str], None]) -> Program:
    """Return the oracle of an environment, which is made if it is not there or does not work."""
    folder = cache() / recipe.name
    with _locked(folder):
        if not _works(folder):
            say(f"making an environment with harbor {recipe.harbor} on Python {recipe.python}")
            _make(folder, recipe)
        seen = _visible(folder)
    environment = (("PYTHONPATH", str(seen)), ("HARBOR_TELEMETRY", "0"), ("PATH", _path()))
    return Program(recipe.name, (str(_python(folder)), "-m", "oracle"), _LIMITS, environment)


def _path() -> str:
    """Return where commands are, our own `uv` first: harbor runs metrics that are scripts with it."""
    from uv import find_uv_bin  # noqa: PLC0415  (comes with the harness)

    return os.pathsep.join([str(Path(find_uv_bin()).parent), os.environ.get("PATH", os.defpath)])


def _python(folder: Path) -> Path:
    return folder / "bin" / "python"


def _works(folder: Path) -> bool:
    """Tell whether an environment was finished, and its Python still starts."""
    if not (folder / _DONE).is_file():
        return False
    asked = subprocess.run([_python(folder), "-c", "import harbor"], capture_output=True, check=False)  # noqa: S603
    return asked.returncode == 0


def _make(folder: Path, recipe: Recipe) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    _uv("venv", "--quiet", "--python", _interpreter(recipe.python), str(folder))
    overrides = folder / "overrides.txt"
    overrides.write_text("\n".join(recipe.overrides), encoding="utf-8")
    wanted = [recipe.requirement, *recipe.pins, "--overrides", str(overrides)]
    _uv("pip", "install", "--quiet", "--python", str(_python(folder)), *wanted)
    (folder / _DONE).write_text(json.dumps(vars(recipe)) + "\n", encoding="utf-8")


def _interpreter(python: str) -> str:
    """Return how uv finds a Python: our own by its path, because a shim may hide it from uv."""
    return str(getattr(sys, "_base_executable", sys.executable)) if python == OUR_PYTHON else python


def _visible(folder: Path) -> Path:
    """Put a copy of `oracle/` beside the environment, alone in its folder, and return that folder."""
    place = folder / "visible"
    fresh = folder / f"visible.{os.getpid()}.tmp"
    shutil.copytree(_ORACLE, fresh / "oracle", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(place, ignore_errors=True)
    fresh.rename(place)
    return place


def _uv(*arguments: str) -> None:
    from uv import find_uv_bin  # noqa: PLC0415  (comes with the harness)

    # Beside the project's list of Pythons, so that a version manager offers them all.
    done = subprocess.run(  # noqa: S603
        [find_uv_bin(), *arguments], cwd=_ORACLE.parent, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CannotRunError(_reason(done.stderr))


def _reason(text: str) -> str:
    """Return what uv says was wrong, in one line."""
    lines = [re.sub(r"^[\s×╰─▶├│]+", "", line) for line in text.splitlines()]
    told = " ".join(line for line in lines if line and not line.startswith(("hint:", "warning:")))
    told = told.removeprefix("error: ")
    return told if len(told) <= 400 else f"{told[:397]}…"


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let only one process at a time make or change an environment."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with folder.with_suffix(folder.suffix + ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise CannotRunError(f"{error.filename or folder}: {error.strerror}") from None
