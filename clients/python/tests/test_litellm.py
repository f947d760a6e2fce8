"""The LiteLLM callback, with the real library; installed only by ./check --extras."""

from __future__ import annotations

import importlib.util
import time

import pytest

from metrics_aggregator import Publisher

from server import data, delta

if importlib.util.find_spec("litellm") is None:
    pytest.skip("litellm is not installed: ./check --extras", allow_module_level=True)

MESSAGES = [{"role": "user", "content": "Hi"}]
USAGE = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}


@pytest.fixture
def called(monkeypatch, server, endpoint, peers):
    """A function that sends a request through LiteLLM, and what was published."""
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    from metrics_aggregator.litellm import MetricsLogger

    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        # LiteLLM takes one callback of a class for the life of the process.
        if not litellm.callbacks:
            litellm.callbacks = [MetricsLogger(publisher, texts=True)]
        litellm.callbacks[0]._publisher = publisher

        def call(**options):
            return litellm.completion(
                model="openai/m", api_base=server.url, api_key="x", messages=MESSAGES, num_retries=0, max_retries=0, **options
            )

        yield call, peer


def kinds(records) -> list[str]:
    return [record["event_type"].split(".", 1)[1] for record in records]


def test_a_streamed_answer_has_a_first_token_and_no_others(server, called):
    call, peer = called
    server.answer = [
        *data(delta(content="a")),
        "wait",
        *data(delta(content="b"), delta("stop"), {**delta(), "choices": [], "usage": USAGE}, "[DONE]"),
    ]
    before = time.monotonic_ns()
    stream = call(stream=True, metadata={"metrics_aggregator": {"scheduled_ns": before, "conversation_id": "c", "unknown": 1}})
    next(iter(stream))
    time.sleep(0.05)
    server.go_on()
    for _ in stream:
        pass
    issued, first, complete = peer.await_records(3)
    assert kinds([issued, first, complete]) == ["issued", "recv_first", "complete"]
    assert (issued["scheduled_ns"], issued["conversation_id"], issued["labels"]) == (before, "c", {"model": "m"})
    assert issued["data"][3] == MESSAGES
    assert before - 1_000_000 <= issued["timestamp_ns"] <= first["timestamp_ns"]
    assert complete["timestamp_ns"] - first["timestamp_ns"] >= 40_000_000
    assert complete["data"][1] == ["ab"]
    assert (complete["finish_reason"], complete["usage"]["completion_tokens"]) == ("stop", 2)


def test_a_request_is_in_flight_before_its_answer(server, called):
    call, peer = called
    server.answer = [*data(delta(content="a")), "wait", *data(delta(content="b"), delta("stop"), "[DONE]")]
    stream = call(stream=True)
    next(iter(stream))
    (issued,) = peer.await_records(1)
    assert kinds([issued]) == ["issued"]
    server.go_on()
    for _ in stream:
        pass
    records = peer.await_records(3)
    assert kinds(records) == ["issued", "recv_first", "complete"]
    assert len({record["sample_uuid"] for record in records}) == 1


def test_a_whole_answer_has_no_first_token(server, called):
    call, peer = called
    message = {"role": "assistant", "content": "hi"}
    choice = {"index": 0, "message": message, "finish_reason": "length"}
    server.content_type = "application/json"
    server.answer = [
        b'{"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [%s], "usage": %s}'
        % (data(choice)[0][6:-2], data(USAGE)[0][6:-2])
    ]
    call()
    records = peer.await_records(2)
    assert kinds(records) == ["issued", "complete"]
    assert records[1]["finish_reason"] == "length"


def test_a_failed_request_has_the_exception(server, called):
    call, peer = called
    server.status, server.content_type, server.answer = 400, "application/json", [b'{"error": {"message": "no"}}']
    with pytest.raises(Exception, match="no"):
        call()
    records = peer.await_records(3)
    assert kinds(records) == ["issued", "generic", "complete"]
    assert records[1]["data"][1] == "BadRequestError"
