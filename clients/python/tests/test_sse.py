"""Server-sent events: the parser, and measured answers of httpx, aiohttp and requests."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from metrics_aggregator import Publisher
from metrics_aggregator.sse import ServerSentEvent, SseDecoder, measure_sse, measure_sse_sync

from server import data, delta

STREAM = (
    b"\xef\xbb\xbf: comment\n\nevent: delta\ndata: one\r\ndata:two\r\n\r\nid: 7\rdata\r\rretry: 5\nunknown: x\n\n"
    b"data: gr\xc3\xbc\xc3\x9fe\n\ndata:  \xff\n\ndata: unfinished\n"
)
EVENTS = [
    ServerSentEvent("one\ntwo", "delta", ""),
    ServerSentEvent("", "message", "7"),
    ServerSentEvent("grüße", "message", "7"),
    ServerSentEvent(" \ufffd", "message", "7"),
]
ANSWER = data(delta(role="assistant"), delta(content="a"), delta(content="b"), delta("stop"), "[DONE]")


def test_events_do_not_depend_on_the_reads():
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    for _ in range(500):
        decoder, events, rest = SseDecoder(), [], STREAM
        while rest:
            length = chance.choice([0, 1, 2, 5, 40])
            events += decoder.feed(rest[:length])
            rest = rest[length:]
        assert events == EVENTS


@pytest.mark.parametrize("piece", [b"x" * 65536, b"data: x\n" * 8192])
def test_an_event_without_end_is_refused(monkeypatch, piece):
    monkeypatch.setattr("metrics_aggregator.sse.MAX_EVENT_BYTES", 1 << 20)
    decoder = SseDecoder()
    with pytest.raises(ValueError, match="exceeds 1048576 bytes"):
        for _ in range(17):
            list(decoder.feed(piece))


@pytest.fixture
def recorded(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        publisher.wait_for_subscriber()
        yield publisher, peer


def kinds(records) -> list[str]:
    return [record["event_type"].split(".", 1)[1] for record in records]


COMPLETE = ["issued", "recv_first", "recv_non_first", "complete"]


def check_complete(records) -> None:
    assert kinds(records) == COMPLETE
    assert records[-1]["finish_reason"] == "stop"
    assert records[-1]["data"][1] == ["a", "b"]


def test_httpx_asynchronous(server, recorded):
    httpx = pytest.importorskip("httpx")
    publisher, peer = recorded
    server.answer = ANSWER

    async def request() -> list[str]:
        async with httpx.AsyncClient() as client:
            sample = publisher.sample()
            async with client.stream("POST", server.url, json={}) as response:
                return [event.data async for event in measure_sse(response, sample, texts=True)]

    assert asyncio.run(request())[-1] == "[DONE]"
    check_complete(peer.await_records(4))


def test_httpx_synchronous(server, recorded):
    httpx = pytest.importorskip("httpx")
    publisher, peer = recorded
    server.answer = ANSWER
    with httpx.Client() as client:
        sample = publisher.sample()
        with client.stream("POST", server.url, json={}) as response:
            assert len(list(measure_sse_sync(response, sample, texts=True))) == 5
    check_complete(peer.await_records(4))


def test_aiohttp(server, recorded):
    aiohttp = pytest.importorskip("aiohttp")
    publisher, peer = recorded
    server.answer = ANSWER

    async def request() -> int:
        async with aiohttp.ClientSession() as session:
            sample = publisher.sample()
            async with session.post(server.url, json={}) as response:
                return len([event async for event in measure_sse(response, sample, texts=True)])

    assert asyncio.run(request()) == 5
    check_complete(peer.await_records(4))


def test_requests_delivers_a_chunk_when_it_arrives(server, recorded):
    requests = pytest.importorskip("requests")
    publisher, peer = recorded
    server.answer = [*ANSWER[:2], "wait", *ANSWER[2:]]
    sample = publisher.sample()
    with requests.post(server.url, json={}, stream=True, timeout=30) as response:
        events = measure_sse_sync(response, sample, texts=True)
        next(events)
        next(events)
        assert kinds(peer.await_records(2)) == ["issued", "recv_first"]
        server.go_on()
        assert len(list(events)) == 3
    check_complete(peer.await_records(4))


def test_a_refused_connection_is_a_failed_sample_in_the_form_of_the_readme(recorded):
    httpx = pytest.importorskip("httpx")
    publisher, peer = recorded
    with pytest.raises(httpx.ConnectError), publisher.sample() as sample:
        with httpx.stream("POST", "http://127.0.0.1:9/", json={}) as response:
            list(measure_sse_sync(response, sample))
    issued, error, complete = peer.await_records(3)
    assert (issued["event_type"], complete["event_type"]) == ("sample.issued", "sample.complete")
    assert error["event_type"].startswith("error.")
    assert error["data"][1] == "ConnectError"


def read(server: Any, publisher: Publisher, count: int | None = None) -> list[ServerSentEvent]:
    """Read an answer with httpx, or leave it after a number of events."""
    httpx = pytest.importorskip("httpx")
    events = []
    with httpx.Client() as client:
        sample = publisher.sample()
        with client.stream("POST", server.url, json={}) as response:
            stream = measure_sse_sync(response, sample, texts=True)
            for event in stream:
                events.append(event)
                if len(events) == count:
                    stream.close()
                    break
    return events


def test_a_caller_that_stops_at_done_has_a_complete_sample(server, recorded):
    publisher, peer = recorded
    server.answer = [*ANSWER, "wait"]
    read(server, publisher, 5)
    check_complete(peer.await_records(4))


def test_a_caller_that_stops_before_cancels(server, recorded):
    publisher, peer = recorded
    server.answer = [*ANSWER[:2], "wait"]
    read(server, publisher, 2)
    assert kinds(peer.await_records(4)) == ["issued", "recv_first", "client", "complete"]


def test_a_broken_connection_fails_the_sample(server, recorded):
    publisher, peer = recorded
    server.answer = [*ANSWER[:2], "break"]
    with pytest.raises(Exception, match="peer closed connection"):
        read(server, publisher)
    records = peer.await_records(4)
    assert kinds(records) == ["issued", "recv_first", "generic", "complete"]
    assert records[2]["data"][1] == "RemoteProtocolError"


def test_an_error_status_fails_the_sample_and_events_still_arrive(server, recorded):
    publisher, peer = recorded
    server.status, server.answer = 503, ANSWER
    assert len(read(server, publisher)) == 5
    records = peer.await_records(3)
    assert kinds(records) == ["issued", "generic", "complete"]
    assert records[1]["data"] == ["ErrorData", "HTTP 503", "Service Unavailable"]


@pytest.mark.parametrize("error", [{"message": "no memory", "type": "oom"}, {"message": "no memory", "code": "oom"}])
def test_an_error_in_the_stream_fails_the_sample(server, recorded, error):
    publisher, peer = recorded
    server.answer = data(delta(content="a"), {"error": error})
    read(server, publisher)
    records = peer.await_records(4)
    assert records[2]["data"] == ["ErrorData", "oom", "no memory"]
    assert records[3]["data"][1] == ["a"]


@pytest.mark.parametrize(
    ("event", "kind", "message"),
    [
        ('event: error\ndata: {"message": "boom", "code": 500}', "500", "boom"),
        (
            'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "boom"}}',
            "overloaded_error",
            "boom",
        ),
        ("event: error\ndata: boom", "ServerError", "boom"),
        ("event: error\n: boom", "ServerError", "boom"),
    ],
)
def test_an_error_event_fails_the_sample_whatever_its_data(server, recorded, event, kind, message):
    publisher, peer = recorded
    server.answer = [*data(delta(content="a")), event.encode() + b"\n\n", *data("[DONE]")]
    read(server, publisher)
    records = peer.await_records(4)
    assert records[2]["data"] == ["ErrorData", kind, message]


def test_reasoning_details_are_reasoning(server, recorded):
    publisher, peer = recorded
    details = [{"type": "reasoning.text", "text": "h"}, {"type": "reasoning.summary", "summary": "m"}]
    server.answer = data(
        delta(role="assistant", reasoning_details=[]),
        delta(content="", reasoning="", reasoning_details=details),
        delta(content="a"),
        "[DONE]",
    )
    read(server, publisher)
    records = peer.await_records(4)
    assert [record.get("part") for record in records[1:-1]] == ["reasoning", "output"]
    assert records[-1]["data"][2] == ["hm"]


def test_messages_of_anthropic(server, recorded):
    publisher, peer = recorded
    server.answer = data(
        {"type": "message_start", "message": {"usage": {"input_tokens": 9, "cache_read_input_tokens": 8, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "ping"},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "a"}},
        {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{}"}},
        {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 4}},
        {"type": "message_stop"},
    )
    read(server, publisher)
    records = peer.await_records(5)
    assert [record.get("part") for record in records[1:-1]] == ["reasoning", "output", "tool_calls"]
    assert records[-1]["finish_reason"] == "length"
    assert records[-1]["usage"] == {"prompt_tokens": 17, "completion_tokens": 4, "cached_tokens": 8}


@pytest.mark.parametrize(
    "hostile",
    [
        "[]",
        "null",
        "{",
        "\ufffe",
        json.dumps({"choices": 7}),
        json.dumps({"choices": [None, 1, "x", {"delta": 5}, {"delta": {"content": 5, "tool_calls": 3}}]}),
        json.dumps({"choices": [{"text": {"a": 1}, "finish_reason": []}], "usage": {"prompt_tokens": -1}}),
        json.dumps({"choices": [], "usage": {"prompt_tokens": True, "completion_tokens": "9", "prompt_tokens_details": []}}),
        json.dumps({"type": "response.completed", "response": []}),
        json.dumps({"type": "response.output_text.delta", "delta": {"x": 1}}),
        json.dumps({"type": "content_block_delta", "delta": []}),
        json.dumps({"type": ["x"]}),
    ],
)
def test_events_of_other_shapes_are_passed_over(server, recorded, hostile):
    publisher, peer = recorded
    server.answer = data(hostile, "[DONE]")
    assert len(read(server, publisher)) == 2
    records = peer.await_records(2)
    assert records[0]["event_type"] == "sample.issued"
    assert "sample.complete" in [record["event_type"] for record in peer.await_records(2 if len(records) == 2 else 3)]
    assert publisher.stats().rejected == 0
