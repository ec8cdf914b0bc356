"""The schemas describe what is really exchanged, and what does not fit is told in one line."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from parity import corpus, schemas, shape
from parity.codec import CodecError, Record, decode, encode
from parity.report_json import report_json
from parity.schemas import validate
from parity.surfaces import SURFACES
from tests import reports
from tests.cli import ROOT, parity

FILES = sorted((ROOT / "schemas").glob("*.json"))
ENTRIES = list(corpus.entries([corpus.folder()]))
TRIAL = {
    "task": "t",
    "name": "t__0",
    "source": None,
    "agent": "a",
    "model": None,
    "verified": True,
    "rewards": {"dict": [["reward", {"int": "1"}]]},
    "exception": None,
    "tokens": None,
}
JOB = {
    "id": "12345678-1234-5678-1234-567812345678",
    "started_at": "2026-01-02T03:04:05",
    "finished_at": "2026-01-02T03:04:06.000007+01:00",
    "n_attempts": {"int": "1"},
    "n_retries": {"int": "0"},
    "metrics": {"dict": [["d", ["mean", "sum"]]]},
    "trials": [TRIAL],
}


def subschemas(node: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and all within it that tell of a fault themselves."""
    if not isinstance(node, dict):
        return
    yield node
    for keyword in ("properties", "$defs"):
        for child in node.get(keyword, {}).values():
            yield from subschemas(child)
    for keyword in ("allOf", "prefixItems"):
        for child in node.get(keyword, ()):
            yield from subschemas(child)
    for keyword in ("then", "else", "items", "additionalProperties", "propertyNames"):
        yield from subschemas(node.get(keyword))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
class TestFile:
    """Each schema can be used by others as it stands."""

    def test_it_is_a_schema_of_the_draft_it_names(self, path: Any) -> None:
        document = json.loads(path.read_bytes())
        assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert jsonschema_rs.meta.is_valid(document)

    def test_its_id_is_its_name_and_it_refers_to_no_other_place(self, path: Any) -> None:
        text = path.read_text(encoding="utf-8")
        assert json.loads(text)["$id"] == path.name
        assert re.findall(r"[a-z]+://[^\"]*", text) == ["https://json-schema.org/draft/2020-12/schema"]

    def test_it_says_in_words_what_it_is(self, path: Any) -> None:
        document = json.loads(path.read_bytes())
        assert document["title"]
        assert document["description"]

    def test_whatever_can_fail_has_words_for_it(self, path: Any) -> None:
        speaking = {"title", "enum", "required"}
        asserting = {"type", "const", "pattern", "minLength", "minimum", "minItems", "maxItems", "minProperties"}
        for schema in subschemas(json.loads(path.read_bytes())):
            if asserting & schema.keys():
                assert speaking & schema.keys(), schema

    def test_an_anchor_is_the_name_of_its_definition(self, path: Any) -> None:
        for name, schema in json.loads(path.read_bytes()).get("$defs", {}).items():
            assert schema.get("$anchor", name) == name


def test_every_surface_has_inputs_and_outcomes() -> None:
    documents = schemas.documents()
    assert documents["case.json"]["$defs"]["surface"]["enum"] == list(SURFACES)
    for name in ("input.json", "outcome.json"):
        anchored = [key for key, schema in documents[name]["$defs"].items() if "$anchor" in schema]
        assert anchored == list(SURFACES)
    chosen = [
        documents["case.json"]["$defs"]["input_of_surface"]["allOf"],
        documents["pack-case.json"]["$defs"]["of_surface"]["allOf"],
    ]
    for rules in chosen:
        surfaces = [rule["if"]["properties"]["surface"]["const"] for rule in rules]
        inputs = [rule["then"]["properties"]["input"]["$ref"] for rule in rules]
        assert surfaces == list(SURFACES)
        assert inputs == [f"input.json#{surface}" for surface in SURFACES]


class TestCorpus:
    """Every case that is kept fits, and its outcome looks as the surface's outcomes do."""

    def test_each_file_fits(self) -> None:
        assert len(ENTRIES) > 2000
        for entry in ENTRIES:
            data = entry.to_json()
            assert validate("corpus-file", data) is None, entry.name
            assert validate("case", entry.case.to_json()) is None, entry.name
            assert validate(f"outcome#{entry.case.surface}", entry.expect) is None, entry.name
            assert validate("outcome", entry.expect) is None, entry.name

    @pytest.mark.parametrize("surface", SURFACES)
    def test_an_outcome_of_another_shape_does_not(self, surface: str) -> None:
        strange = {"value": {"dict": [[{"int": "1"}, True]]}} if surface not in _DICTS else {"value": [True]}
        assert validate("outcome", strange) is None
        assert validate(f"outcome#{surface}", strange)


_DICTS = {"pass_at_k", "evaluation"}


class TestWords:
    """What does not fit is told by its place and by what should stand there."""

    @pytest.mark.parametrize(
        ("kind", "document", "words"),
        [
            ("case", 7, 'must be a case: {"surface": "…", "input": {…}}'),
            ("case", {"surface": "metric"}, "must hold surface, input"),
            ("case", {"surface": "x", "input": {}}, "surface must be one of: reward_files, metric, "),
            ("input#metric", {"metric": "mean", "rewards": {}}, "rewards must be a list"),
            ("input#metric", {"metric": "mean", "rewards": [{"dict": [["a", None]]}]}, "rewards [0] ['a'] must be a "),
            ("input#metric", {"metric": "mean", "rewards": [{"dict": [[None, True]]}]}, "rewards [0] key [0] must be "),
            ("input#metric", {"metric": "mean", "rewards": [{"dict": [["a"]]}]}, "rewards [0] [0] must be a pair: ["),
            ("input#metric", {"metric": "mean", "rewards": [], "more": 1}, "must hold metric, rewards, no less and no"),
            (
                "input#rubric",
                {"dimensions": [{}], "rollup_strategy": "", "scores": []},
                "dimensions [0] must hold id, ",
            ),
            ("input#reward_files", {"reward.txt": "1", "reward.json": None}, 'reward.txt must be null, {"bytes": "…"}'),
            ("input#reason_code", {"text": 1}, "text must be text or null"),
            ("input#job_result", {**JOB, "started_at": "today"}, "started_at must be a time such as 2026-01-02T03:04"),
            ("input#job_result", {**JOB, "id": "1"}, "id must be a UUID, such as 1234"),
            ("input#job_result", {**JOB, "trials": [{**TRIAL, "tokens": {}}]}, "trials [0] tokens must hold input, "),
            ("outcome", {"value": 0.5}, "value must be null, true, false, text, a list or an object: a number is "),
            ("outcome", {"value": {"float": "1"}}, "value float must be a float as Python writes it"),
            ("outcome", {"value": {"int": "07"}}, "value int must be an integer in plain decimal digits"),
            ("outcome", {"value": {"bytes": "€"}}, "value bytes must be bytes written as Latin-1"),
            ("outcome", {"value": None, "error": {}}, 'must be an outcome: {"value": …} or {"error": {…}}'),
            ("outcome", {"error": {"type": "E"}}, 'error must be an error: {"type": "…", "message": "…"} or '),
            ("request", {"cmd": "go"}, "cmd must be one of: start, run, stop"),
            ("request", {"cmd": "run", "seq": 1}, "must hold cmd, seq, surface, input, no less and no more"),
            ("request", {"cmd": "start", "version": 2}, "version must be 1, the version of the protocol"),
            ("answer-to-start", {"version": 1}, "must hold version, implementation, surfaces"),
            ("answer-to-run", {"seq": "1", "value": None}, "seq must be the integer that the request had: a bare "),
            ("answer-to-run", {"seq": 1}, "must be an answer to run: seq, and one of value, error and skipped"),
            ("answer-to-run", {"seq": 1, "value": None, "error": {}}, "must be an answer to run: seq, and one of "),
            ("corpus-file", {"case": "x"}, "must hold case, surface, note, input, expect, oracle, found, no less "),
            ("report", {}, "must hold version, kind, a, b, verdict, surfaces"),
            ("pack-manifest", {"pack": "x"}, "must hold pack, format, version, "),
        ],
    )
    def test_place_and_expectation(self, kind: str, document: Any, words: str) -> None:
        said = validate(kind, document)
        assert said is not None
        assert said.startswith(words)

    @pytest.mark.parametrize("text", ["\ud800", "a\nb\x00", "x" * 5000, "\u2028"])
    def test_one_line_whatever_the_data(self, text: str) -> None:
        reward = {"dict": [[text, None], [text, {"int": text}]]}
        for document in ({"metric": "mean", "rewards": [reward]}, {text: text}, [text], text):
            said = validate("input#metric", document)
            assert said is not None
            assert len(said.splitlines()) == 1
            assert len(said) < 400

    def test_a_lone_surrogate_is_text(self) -> None:
        assert validate("input#metric", {"metric": "mean", "rewards": [{"dict": [["\ud800", True]]}]}) is None
        assert validate("input#reason_code", {"text": "\ud800"}) is None
        assert validate("value", {"bytes": "\ud800"})
        assert validate("value", {"int": "\ud800"})
        assert validate("value", {"\ud800": "\udfff"}) is None

    def test_a_deep_value_is_no_trouble(self) -> None:
        deep: Any = 1
        for _ in range(900):
            deep = [deep]
        said = validate("value", deep)
        assert said is not None
        assert said.startswith("[0] " * 900 + "must be null")

    def test_the_outermost_fault_is_told_first(self) -> None:
        document = {"n_total_trials": None, "n_retries": {"int": "0"}, "steps": [{"op": "add", "trial": {}}], "x": 1}
        assert (
            validate("input#job_stats", document) == "must hold n_total_trials, n_retries, steps, no less and no more"
        )


class TestBeyondSchemas:
    """What no schema can say is refused as well."""

    @pytest.mark.parametrize("day", ["2026-02-30", "0000-01-01", "2026-13-01"])
    def test_a_day_that_no_calendar_has(self, day: str) -> None:
        job = {**JOB, "finished_at": f"{day}T00:00:00"}
        assert validate("input#job_result", job) is None
        assert (shape.fault("job_result", job) or "").startswith("finished_at is no time: ")
        assert shape.fault("job_result", JOB) is None

    @pytest.mark.parametrize("number", ["-1", "1", "9" * 5000])
    def test_a_trial_that_was_not_seen(self, number: str) -> None:
        steps = [{"op": "add", "trial": TRIAL}, {"op": "replace", "trial": TRIAL, "previous": {"int": number}}]
        job = {"n_total_trials": None, "n_retries": {"int": "0"}, "steps": steps}
        assert validate("input#job_stats", job) is None
        assert shape.fault("job_stats", job) == f"steps [1] refers to trial {number}, and 1 were seen before it"
        steps[1]["previous"] = {"int": "0"}
        assert shape.fault("job_stats", job) is None


class TestWire:
    """What is said on the wire fits, in both directions."""

    @pytest.mark.parametrize("side", ["reimpl", "oracle"])
    def test_a_conversation(self, side: str) -> None:
        cases = {entry.case.surface: entry.case for entry in ENTRIES}
        requests: list[Any] = [{"cmd": "start", "version": 1}]
        requests += [{"cmd": "run", "seq": number, **case.to_json()} for number, case in enumerate(cases.values())]
        requests += [{"cmd": "stop"}]
        assert [validate("request", request) for request in requests] == [None] * (len(SURFACES) + 2)
        done = parity("serve", side, stdin="".join(json.dumps(request) + "\n" for request in requests))
        hello, *answers = map(json.loads, done.stdout.splitlines())
        assert validate("answer-to-start", hello) is None
        assert [validate("answer-to-run", answer) for answer in answers] == [None] * len(SURFACES)

    def test_a_start_may_tell_more(self) -> None:
        hello = {
            "version": 1,
            "implementation": {"name": "harbor", "version": "0.13.1", "language": "python"},
            "surfaces": ["metric"],
            "absent": {"outcome": "the consumer's"},
            "python": "3.12",
            "pydantic": "2.14.3",
            "whatever": [1],
        }
        assert validate("answer-to-start", hello) is None
        assert validate("answer-to-start", {**hello, "absent": {"outcome": 1}}) == "absent outcome must be text"


@pytest.mark.parametrize("make", [reports.quiet, reports.telling])
def test_a_report_fits(make: Any) -> None:
    assert validate("report", json.loads(json.dumps(report_json(make())))) is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.text() | st.binary() | st.integers() | st.floats(),
    lambda items: (
        st.lists(items, max_size=4)
        | st.dictionaries(st.none() | st.text() | st.integers() | st.floats() | st.binary(), items, max_size=4)
        | st.dictionaries(st.text(), items, min_size=2, max_size=4).map(Record)
    ),
    max_leaves=12,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("019.-einfa\n", max_size=4),
    lambda items: (
        st.lists(items, max_size=3)
        | st.dictionaries(st.sampled_from(["int", "float", "bytes", "dict", "x"]), items, max_size=2)
    ),
    max_leaves=8,
)


class TestValues:
    """The codec and the schema have one idea of a value."""

    @given(VALUES)
    def test_what_is_encoded_fits(self, value: Any) -> None:
        assert validate("value", encode(value)) is None

    @given(JSON)
    def test_what_fits_is_decoded_unless_it_has_two_spellings(self, data: Any) -> None:
        if validate("value", data) is None:
            try:
                decode(data)
            except CodecError as error:
                assert re.search(r"not written as Python's repr|the same key twice", str(error))  # noqa: PT017


@cache
def others_validator(kind: str) -> Draft202012Validator:
    """Return a validator of the library that harbor uses, which shares no code with ours."""
    resources = [(name, DRAFT202012.create_resource(schema)) for name, schema in schemas.documents().items()]
    return Draft202012Validator({"$ref": f"{kind}.json"}, registry=Registry().with_resources(resources))


def changed(data: Any, random_: random.Random) -> Any:
    """Return a document with one thing in it changed, somewhere."""
    if isinstance(data, dict) and data and random_.random() < 0.9:
        name = random_.choice(list(data))
        if random_.random() < 0.1:
            return {key: item for key, item in data.items() if key != name}
        return {**data, name: changed(data[name], random_)}
    if isinstance(data, list) and data and random_.random() < 0.9:
        place = random_.randrange(len(data))
        if random_.random() < 0.1:
            return data[:place] + data[place + 1 :]
        return [*data[:place], changed(data[place], random_), *data[place + 1 :]]
    odd: tuple[Any, ...] = (
        None,
        True,
        7,
        "7",
        "nan",
        "",
        [],
        {},
        {"int": "7"},
        {"float": "7"},
        {"dict": []},
        {"kind": "directory"},
    )
    return random_.choice(odd)


def test_another_validator_agrees() -> None:
    random_ = random.Random(5)  # noqa: S311
    counts = {True: 0, False: 0}
    for entry in random_.sample(ENTRIES, 150):
        for _ in range(4):
            document = changed(entry.to_json(), random_)
            fits = validate("corpus-file", document) is None
            assert others_validator("corpus-file").is_valid(document) is fits, document
            counts[fits] += 1
    assert min(counts.values()) > 50
