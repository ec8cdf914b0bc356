"""The scoring document (`scoring.txt`): its verifier contract, reward rollup, validity gates and result.

What it says of the records beyond ingestion (error tags, annotations, unknown fields, the default strategy) is no
outcome of a surface: `tests/reimpl/test_evaluation.py` and `tests/reimpl/test_rubric.py` hold it.
"""

from __future__ import annotations

from parity.codec import Json, decode
from tests.claims import about, evaluated, refused, rewarded

FIELDS = ["reward", "validity", "breakdown", "error_taxonomy", "confidence", "annotations"]
DETAILS = {
    "f0": {"score": 0.66, "max_score": 1.0, "evidence": "ok"},
    "f1": {"score": 0.94, "max_score": 1.0, "evidence": "ok"},
}


def has_the_fields(outcome: Json) -> bool:
    """Claim the fields of a result, in order."""
    return list(decode(outcome["value"])) == FIELDS


CLAIMS = [
    *about(
        "scoring contract",
        "evaluation",
        ("a headline number is enough", "reward-alone", evaluated("reward", is_=1.0)),
        ("details are optional", "reward-alone", evaluated("breakdown", is_=None)),
        ("details are the breakdown", "reward-is-not-recomputed", evaluated("breakdown", is_=DETAILS)),
        ("0.0 to 1.0", "reward-above-one", refused()),
        ("0.0 to 1.0", "reward-below-zero", refused()),
        ("0.0 to 1.0", "reward-nan", refused()),
        ("the reward is mandatory", "empty-object", refused(), 51),
    ),
    *about(
        "scoring rollup",
        "evaluation",
        ("not recomputed from details", "reward-is-not-recomputed", evaluated("reward", is_=1.0)),
        ("not recomputed from details", "zero-beside-details", evaluated("reward", is_=0.0)),
        ("used as it is", "reward-as-it-is", evaluated("reward", is_=0.889215810134167)),
    ),
    *about(
        "scoring rollup",
        "rubric",
        ("score / max_score", "one-dimension", rewarded(0.8)),
        ("clamped to 1", "score-above-the-maximum", rewarded(0.25)),
        ("clamped to 0", "score-below-zero", rewarded(0.6)),
        ("row weighted_mean, 4 decimals", "weighted-mean", rewarded(0.6667)),
        ("divided by sum(weight)", "weights-of-zero", refused(), 52),
        ("row min", "min-is-the-worst", rewarded(0.097)),
        ("4 decimals", "min-is-rounded", rewarded(0.7171)),
        ("must land in [0, 1]", "reward-above-one", refused()),
        ("must land in [0, 1]", "reward-below-zero", refused()),
        ("must land in [0, 1]", "nan-under-weighted-mean", refused()),
    ),
    *about(
        "scoring gates",
        "evaluation",
        ("unparseable: no reward", "unparseable-with-reward", refused()),
        ("unparseable: 0 is valid", "unparseable-with-zero", evaluated("reward", is_=0.0)),
        ("missing: 0.0", "missing-reward", evaluated("reward", is_=0.0)),
        ("missing: not completed", "missing-reward", evaluated("validity", "verifier_completed", is_=False)),
        ("missing: 0.0", "missing-reward-beside-details", evaluated("reward", is_=0.0)),
        ("missing: 0.0", "missing-reward-and-unparseable", evaluated("reward", is_=0.0)),
        ("the schema does not force", "schema-invalid-keeps-the-reward", evaluated("reward", is_=0.93)),
        ("it surfaces", "schema-invalid-keeps-the-reward", evaluated("validity", "schema_valid", is_=False)),
        ("did it appear?", "null-reward-file", evaluated("validity", "verifier_completed", is_=True), 50),
    ),
    *about(
        "scoring result",
        "evaluation",
        ("its fields", "reward-alone", has_the_fields),
        ("nobody classified or reviewed", "reward-alone", evaluated("annotations", is_=None)),
    ),
]
