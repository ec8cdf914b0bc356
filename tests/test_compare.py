"""The comparator decides on bits, and says where and how two outcomes differ."""

from __future__ import annotations

from typing import Any

import pytest

from parity.codec import Json, Record, encode
from parity.compare import divergences, fingerprint, same, ulps


def value(thing: Any) -> Json:
    return {"value": encode(thing)}


def error(type: str, message: str = "") -> Json:
    return {"error": {"type": type, "message": message}}


def invalid(*details: tuple[list[str], str]) -> Json:
    listed = [{"loc": loc, "type": type} for loc, type in details]
    return {"error": {"type": "ValidationError", "details": listed}}


class TestEquality:
    """Two outcomes are the same if and only if type, bits and order are."""

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            (1, 1.0),
            (1, True),
            (0, False),
            (0.0, -0.0),
            (0.1 + 0.2, 0.3),
            (float("nan"), None),
            (float("nan"), "nan"),
            (1e16, 10**16),
            ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
            ({1: 0}, {1.0: 0}),
            ({"a": {}}, {"a": []}),
            ([], [[]]),
            (b"", ""),
            (b'{"a": 1}', b'{"a":1}'),
            (b'{"a": 1}', b'{"a": 1.0}'),
            (b'{"a": 1, "a": 2}', b'{"a": 2}'),
            (b'"\\u00e9"', '"é"'.encode()),
        ],
    )
    def test_these_differ_and_are_explained(self, a: Any, b: Any) -> None:
        assert not same(value(a), value(b))
        assert divergences(value(a), value(b))
        assert divergences(value(b), value(a))

    @pytest.mark.parametrize("thing", [float("nan"), -0.0, {"a": float("nan")}, b"\xff", [10**5000], "\ud800"])
    def test_a_value_equals_itself(self, thing: Any) -> None:
        assert same(value(thing), value(thing))
        assert divergences(value(thing), value(thing)) == []


class TestExplanation:
    """A divergence names its path, its kind and both sides."""

    @pytest.mark.parametrize(
        ("a", "b", "path", "kind"),
        [
            (value({"reward": 1}), value({"reward": 1.0}), 'value["reward"]', "int ≠ float"),
            (value({"a": 0.1}), value({"a": 0.2}), 'value["a"]', "float differs"),
            (value({"a": 1, "b": 2}), value({"b": 2, "a": 1}), "value", "key order"),
            (value({"a": 1}), value({"a": 1, "b": 2}), 'value["b"]', "only one side has this int"),
            (value({"a.b[0]": 1}), value({"a.b[0]": 2}), 'value["a.b[0]"]', "int differs"),
            (value({2: 0.5}), value({2: 0.25}), 'value[{"int":"2"}]', "float differs"),
            (value([1, 2]), value([1]), "value[1]", "only one side has this int"),
            (value(Record(verified=True)), value(Record(verified=False)), "value.verified", "bool differs"),
            (value({}), error("ValueError"), "outcome", "a value ≠ ValueError"),
            (error("TypeError"), error("ValueError"), "error.type", "TypeError ≠ ValueError"),
            (error("ValueError", "x"), error("ValueError", "y"), "error.message", "str differs"),
            (
                invalid((["rewards", "a", "int"], "int_parsing")),
                invalid((["rewards", "a", "int"], "int_type")),
                "error.details[0]",
                "int_parsing ≠ int_type",
            ),
            (
                value(b'{"stats": {"evals": {"x": {"metrics": [{"mean": 1}]}}}}'),
                value(b'{"stats": {"evals": {"x": {"metrics": [{"mean": 1.0}]}}}}'),
                'value.stats.evals["x"].metrics[0]["mean"]',
                "number differs",
            ),
            (
                value(b'{"reward_stats": {"nan": [1], "nan": [2]}}'),
                value(b'{"reward_stats": {"nan": [1], "nan": [3]}}'),
                'value.reward_stats["nan" (again 2)][0]',
                "number differs",
            ),
            (value(b'{"a": 1}\n'), value(b'{"a": 1}'), "value", "bytes differ"),
        ],
    )
    def test_path_and_kind(self, a: Json, b: Json, path: str, kind: str) -> None:
        assert [(each.path, each.kind) for each in divergences(a, b)] == [(path, kind)]

    def test_every_place_is_listed(self) -> None:
        found = divergences(value({"a": 1, "b": 2, "c": 3}), value({"a": 1.0, "b": 2, "c": 4}))
        assert [each.path for each in found] == ['value["a"]', 'value["c"]']


class TestFingerprint:
    """One fault has one fingerprint, whichever key, index or number shows it."""

    def test_keys_and_indices_are_generalised(self) -> None:
        [one] = divergences(value({"a": [0.1]}), value({"a": [0.2]}))
        [other] = divergences(value({"zz": [7, 0.5]}), value({"zz": [7, 0.75]}))
        assert fingerprint("metric", one) == fingerprint("metric", other) == "metric value[*][*] float differs"

    def test_fields_of_a_rendered_file_are_kept(self) -> None:
        [mean] = divergences(value(b'{"metrics": [1]}'), value(b'{"metrics": [2]}'))
        [cost] = divergences(value(b'{"cost_usd": 1}'), value(b'{"cost_usd": 2}'))
        assert fingerprint("job_stats", mean) == "job_stats value.metrics[*] number differs"
        assert fingerprint("job_stats", cost) == "job_stats value.cost_usd number differs"

    def test_error_types_tell_faults_apart(self) -> None:
        [one] = divergences(error("A"), error("B"))
        [other] = divergences(error("A"), error("C"))
        assert fingerprint("metric", one) != fingerprint("metric", other)


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [("0.1", "0.10000000000000002", 1), ("0.0", "5e-324", 1), ("-5e-324", "5e-324", 2), ("nan", "0.1", None)],
)
def test_distance_counts_floats_in_between(a: str, b: str, distance: int | None) -> None:
    assert ulps(a, b) == distance
