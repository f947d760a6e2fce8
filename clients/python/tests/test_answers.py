"""The vectors of answers that the Java reader is tested with, read by the client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from metrics_aggregator._answers import Measurement
from metrics_aggregator.sse import _Reader

VECTORS = Path(__file__).resolve().parents[3] / "core/sse/src/test/resources/answers.json"
if not VECTORS.exists():
    pytest.skip("the vectors are in the checkout of the daemon", allow_module_level=True)


class Recorder:
    """A sample that keeps what is recorded on it."""

    def __init__(self) -> None:
        self.parts: list[str | None] = []
        self.ended = self.received = False
        self.end: dict[str, Any] = {}

    def token(self, at: int | None = None, *, part: str | None = None, tokens: int | None = None) -> None:
        self.received = True
        self.parts.append(part)

    def complete(self, output: Any = None, **end: Any) -> None:
        self.ended = True
        self.end = {"output": output, **end}

    def error(self, kind: str, message: str, *, output: Any = None) -> None:
        self.ended = True
        self.end = {"output": output, "error": kind, "message": message}


class Response:
    status_code = 200


def measured(vector: dict[str, Any]) -> Recorder:
    sample: Any = Recorder()
    if "body" in vector:
        Measurement(sample, texts=True).whole(vector["body"])
        return sample
    reader = _Reader(sample, Response(), texts=True)
    for event in vector["events"]:
        block = event if isinstance(event, str) else "data: " + json.dumps(event)
        list(reader.read(block.encode() + b"\n\n"))
    reader.ended()
    return sample


def known(struct: Any) -> dict[str, Any]:
    return {} if struct is None else {key: value for key, value in msgspec.structs.asdict(struct).items() if value is not None}


@pytest.mark.parametrize("vector", json.loads(VECTORS.read_text()), ids=lambda vector: vector["name"])
def test_the_client_reads_an_answer_as_the_importers_do(vector):
    sample = measured(vector)
    # The client records each message of an event that holds several; the importers take an event for one chunk.
    assert sample.parts == vector.get("parts_of_messages", vector.get("parts", []))
    assert "".join(sample.end["output"] or []) == vector.get("output", "")
    assert sample.end.get("error") == vector.get("error")
    if "message" in vector:
        assert sample.end["message"] == vector["message"]
    if "error" not in vector:
        assert "".join(sample.end["reasoning"] or []) == vector.get("reasoning", "")
        assert sample.end["finish_reason"] == vector.get("finish_reason")
        assert known(sample.end["server"]) == vector.get("server", {})
        usage = sample.end["usage"]
        names = ("input", "output", "cached", "reasoning", "spec_drafts", "spec_draft", "spec_accepted", "spec_histogram")
        counts = {name: getattr(usage, name) for name in names if usage}
        counts["spec_histogram"] = list(counts.get("spec_histogram") or ()) or None
        assert {name: count for name, count in counts.items() if count is not None} == vector.get("usage", {})
