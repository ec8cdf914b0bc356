"""A Python function is checked without a wire: what it returns or raises is its outcome."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from parity.codec import Json, Record
from parity.errors import CannotRunError
from parity.function import Function


def door(surface: str, input: dict[str, Any]) -> Any:
    """Return or raise what the text of the case says."""
    del surface
    return eval(input["text"])  # noqa: S307  (the text is written below)


def answer(text: str) -> Json:
    [given] = Function("it", f"{__name__}:door").start()("reason_code", [Record(text=text)])
    return given


class TestOutcomes:
    """The door's contract is that of `run(surface, input)`."""

    @pytest.mark.parametrize(
        ("text", "outcome"),
        [
            ("{'value': {'a': 1, 'b': 0.5}}", {"value": {"dict": [["a", {"int": "1"}], ["b", {"float": "0.5"}]]}}),
            ("{'value': None}", {"value": None}),
            ("{'error': {'type': 'E', 'message': 'm'}}", {"error": {"type": "E", "message": "m"}}),
            ("1 / 0", {"error": {"type": "ZeroDivisionError", "message": "division by zero"}}),
        ],
    )
    def test_right(self, text: str, outcome: Json) -> None:
        assert answer(text) == outcome

    @pytest.mark.parametrize(
        "text",
        [
            "None",
            "1",
            "{}",
            "{'value': 1, 'error': {}}",
            "{'value': 1j}",
            "{'error': {}}",
            "{'error': 'E'}",
            "{'x': 1}",
        ],
    )
    def test_no_outcome(self, text: str) -> None:
        fault = answer(text)["fault"]
        assert fault["kind"] == "returned what is no outcome"
        assert "return {'value': …}" in fault["message"]


class TestLoading:
    """A door that cannot be found is told in one line."""

    @pytest.mark.parametrize(
        "text", ["no.such.module:run", "tests.test_function:nothing", "tests.test_function", ":x", "json:__name__"]
    )
    def test_refused(self, text: str) -> None:
        with pytest.raises(CannotRunError) as caught:
            Function("it", text).load()
        assert "\n" not in str(caught.value)

    def test_the_current_directory_is_searched(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "a_reader_of_mine.py").write_text("def run(surface, input): return {'value': None}\n")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.path", ["/nowhere"])
        assert Function("it", "a_reader_of_mine:run").start()("metric", [{}]) == [{"value": None}]

    def test_it_travels_to_workers(self) -> None:
        function = Function("it", "a:b")
        assert pickle.loads(pickle.dumps(function)) == function  # noqa: S301
