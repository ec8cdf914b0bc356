"""A case: a surface and an input. It is data, and its id is a hash of its encoding."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from parity.codec import Json, Record, case_id, decode, encode


@dataclass(frozen=True)
class Case:
    """An input for one surface, encoded."""

    surface: str
    input: Json

    @classmethod
    def of(cls, surface: str, input: Record) -> Case:
        """Make a case from a native input."""
        return cls(surface, encode(input))

    @cached_property
    def id(self) -> str:
        """The case's name: stable for ever."""
        return case_id(self.surface, self.input)

    def native(self) -> Record:
        """Return the input as Python values."""
        record: Record = decode(self.input)
        return record

    def to_json(self) -> Json:
        """Return the case as the wire and the corpus write it."""
        return {"surface": self.surface, "input": self.input}
