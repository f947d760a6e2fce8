"""The OpenAI wrapper, with the real client, against the synthetic server and against hostile streams."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from typing import Any

import pytest

from metrics_aggregator import Publisher

from conftest import DAEMON, SyntheticServer, await_true
from server import data, delta

openai = pytest.importorskip("openai")
from metrics_aggregator.openai import instrument, request_details, uninstrument  # noqa: E402

MESSAGES: list[Any] = [{"role": "user", "content": "Hi"}]
USAGE = {
    "prompt_tokens": 9,
    "completion_tokens": 4,
    "total_tokens": 13,
    "prompt_tokens_details": {"cached_tokens": 8},
    "completion_tokens_details": {"reasoning_tokens": 1},
}


@pytest.fixture
def recorded(endpoint, peers):
    """A publisher and what it published."""
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        publisher.wait_for_subscriber()
        yield publisher, peer


def client(url: str, **options: Any) -> Any:
    return openai.OpenAI(base_url=url, api_key="none", max_retries=0, **options)


def async_client(url: str) -> Any:
    return openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0)


def synthetic_server(*options: str) -> SyntheticServer:
    if not DAEMON.exists():
        pytest.skip(f"no daemon at {DAEMON}; set METRICS_AGGREGATOR to the launcher")
    return SyntheticServer(*options)


def kinds(records) -> list[str]:
    return [record["event_type"].split(".", 1)[1] for record in records]


def test_a_streamed_chat_answer_of_the_synthetic_server(synthetic, recorded):
    publisher, peer = recorded
    chat = instrument(client(f"{synthetic.url}/v1"), publisher, texts=True, labels={"tenant": "a"}).chat.completions
    before = time.monotonic_ns()
    stream = chat.create(model="synthetic", messages=MESSAGES, stream=True, stream_options={"include_usage": True})
    assert isinstance(stream, openai.Stream)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
    records = peer.await_records(22)
    assert kinds(records) == ["issued", "recv_first", *["recv_non_first"] * 19, "complete"]
    assert [record["part"] for record in records[1:-1]] == ["reasoning"] * 5 + ["output"] * 15
    issued, first, complete = records[0], records[1], records[-1]
    assert issued["labels"] == {"tenant": "a", "model": "synthetic"}
    assert issued["data"][3] == MESSAGES
    # The chunk with the role comes at once and is not the first token, which comes 20 ms later.
    assert first["timestamp_ns"] - issued["timestamp_ns"] >= 15_000_000
    assert issued["timestamp_ns"] >= before
    assert "".join(complete["data"][1]) == text
    assert len(complete["data"][1]) == 2
    assert complete["finish_reason"] == "stop"
    usage = complete["usage"]
    assert (usage["completion_tokens"], usage["reasoning_tokens"]) == (20, 5)
    assert 0 < usage["cached_tokens"] <= usage["prompt_tokens"]


def test_concurrent_streams_of_the_asynchronous_client(synthetic, recorded):
    publisher, peer = recorded

    async def load() -> None:
        async with async_client(f"{synthetic.url}/v1") as asynchronous:
            completions = instrument(asynchronous, publisher).completions

            async def request(number: int) -> None:
                with request_details(scheduled_ns=1000 + number, conversation_id=f"c{number}", turn=1, labels={"n": str(number)}):
                    stream = await completions.create(model="m", prompt="Hi", stream=True)
                assert isinstance(stream, openai.AsyncStream)
                async for _ in stream:
                    pass

            await asyncio.gather(*(request(number) for number in range(10)))

    asyncio.run(load())
    records = peer.await_records(10 * 22)
    for number in range(10):
        mine = [record for record in records if record["conversation_id"] == f"c{number}"]
        assert kinds(mine) == ["issued", "recv_first", *["recv_non_first"] * 19, "complete"]
        assert (mine[0]["scheduled_ns"], mine[0]["labels"]) == (1000 + number, {"n": str(number), "model": "m"})
        assert "data" not in mine[0]
        assert "data" not in mine[-1]


def test_whole_answers_have_no_first_token(synthetic, recorded):
    publisher, peer = recorded
    instrumented = instrument(client(f"{synthetic.url}/v1"), publisher)
    answer = instrumented.chat.completions.create(model="m", messages=MESSAGES)
    assert answer.choices[0].message.content
    instrumented.completions.create(model="m", prompt="Hi")
    records = peer.await_records(4)
    assert kinds(records) == ["issued", "complete"] * 2
    assert [record["usage"]["completion_tokens"] for record in records[1::2]] == [20, 20]


def test_coroutines_made_early_are_issued_when_they_are_awaited(server, recorded):
    publisher, peer = recorded
    server.answer = data(delta(content="a"), "[DONE]")

    async def late() -> int:
        async with async_client(server.url) as asynchronous:
            instrument(asynchronous, publisher)
            coroutine = asynchronous.chat.completions.create(model="m", messages=MESSAGES, stream=True)
            await asyncio.sleep(0.05)
            awaited = time.monotonic_ns()
            async for _ in await coroutine:
                pass
            return awaited

    awaited = asyncio.run(late())
    assert peer.await_records(3)[0]["timestamp_ns"] >= awaited


def test_only_chunks_with_content_are_tokens(server, recorded):
    publisher, peer = recorded
    function = {"index": 0, "id": "f", "function": {"name": "look", "arguments": ""}}
    arguments = {"index": 0, "function": {"arguments": "{}"}}
    server.answer = data(
        delta(role="assistant", content=""),
        delta(),
        delta(reasoning_content="hm"),
        delta(reasoning="hm"),
        delta(content="a"),
        delta(content=None, tool_calls=[function]),
        delta(tool_calls=[arguments]),
        delta(refusal="no"),
        delta("tool_calls"),
        {**delta(), "choices": [], "usage": USAGE},
        "[DONE]",
    )
    stream = instrument(client(server.url), publisher, texts=True).chat.completions.create(
        model="m", messages=MESSAGES, stream=True
    )
    assert len(list(stream)) == 10
    records = peer.await_records(8)
    assert [record["part"] for record in records[1:-1]] == [
        "reasoning",
        "reasoning",
        "output",
        "tool_calls",
        "tool_calls",
        "output",
    ]
    complete = records[-1]
    assert complete["data"] == [
        "TextModelOutput",
        ["a", "no"],
        ["hm", "hm"],
        [
            [{"index": 0, "id": "f", "function": {"name": "look", "arguments": ""}}],
            [{"index": 0, "function": {"arguments": "{}"}}],
        ],
    ]
    assert complete["finish_reason"] == "tool_calls"
    assert complete["usage"] == {"prompt_tokens": 9, "completion_tokens": 4, "cached_tokens": 8, "reasoning_tokens": 1}


def test_usage_that_grows_with_each_chunk_gives_its_tokens(server, recorded):
    publisher, peer = recorded
    counts = [1, 4, 6]
    server.answer = data(
        *(delta(content="x", usage={"prompt_tokens": 9, "completion_tokens": count, "total_tokens": 9}) for count in counts),
        "[DONE]",
    )
    for _ in instrument(client(server.url), publisher).chat.completions.create(model="m", messages=MESSAGES, stream=True):
        pass
    assert [record["tokens"] for record in peer.await_records(5)[1:-1]] == [1, 3, 2]


def test_the_responses_api(server, recorded):
    publisher, peer = recorded
    response = {
        **{"id": "r", "object": "response", "created_at": 1, "model": "m", "output": [], "parallel_tool_calls": True},
        **{"tool_choice": "auto", "tools": [], "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
        "usage": {
            **{"input_tokens": 9, "output_tokens": 4, "total_tokens": 13},
            **{"input_tokens_details": {"cached_tokens": 8}, "output_tokens_details": {"reasoning_tokens": 1}},
        },
    }
    place = {"item_id": "i", "output_index": 0, "content_index": 0, "sequence_number": 1, "logprobs": []}
    events = [
        {"type": "response.created", "response": {**response, "status": "in_progress"}, "sequence_number": 0},
        {"type": "response.reasoning_text.delta", "delta": "hm", **place},
        {"type": "response.output_text.delta", "delta": "Yes", **place},
        {"type": "response.output_text.delta", "delta": ".", **place},
        {"type": "response.output_text.done", "text": "Yes.", **place},
        {"type": "response.incomplete", "response": response, "sequence_number": 9},
    ]
    server.answer = [b"event: " + event["type"].encode() + b"\n" + data(event)[0] for event in events]
    for _ in instrument(client(server.url), publisher, texts=True).responses.create(model="m", input="Hi", stream=True):
        pass
    records = peer.await_records(5)
    assert [record.get("part") for record in records] == [None, "reasoning", "output", "output", None]
    assert records[0]["data"][1] == "Hi"
    assert records[-1]["data"] == ["TextModelOutput", ["Yes", "."], ["hm"], None]
    assert records[-1]["finish_reason"] == "length"
    assert records[-1]["usage"] == {"prompt_tokens": 9, "completion_tokens": 4, "cached_tokens": 8, "reasoning_tokens": 1}


def test_the_helper_that_collects_a_stream_is_measured(server, recorded):
    publisher, peer = recorded
    server.answer = data(delta(content="a"), delta(content="b"), delta("stop"), "[DONE]")
    with instrument(client(server.url), publisher).chat.completions.stream(model="m", messages=MESSAGES) as stream:
        assert stream.get_final_completion().choices[0].message.content == "ab"
    assert kinds(peer.await_records(4)) == ["issued", "recv_first", "recv_non_first", "complete"]


@pytest.mark.parametrize(
    ("status", "answer", "error_type"),
    [
        (500, [b'{"error": {"message": "no", "type": "x"}}'], "InternalServerError"),
        (200, data(delta(content="a"), {"error": {"message": "no memory", "type": "oom"}}), "APIError"),
        (200, [*data(delta(content="a")), b"data: {broken\n\n"], "JSONDecodeError"),
        (200, [*data(delta(content="a")), "break"], "APIConnectionError"),
    ],
)
def test_a_failure_ends_the_sample_and_reaches_the_caller(server, recorded, status, answer, error_type):
    publisher, peer = recorded
    server.status, server.answer = status, answer
    server.content_type = "application/json" if status != 200 else "text/event-stream"
    instrumented = instrument(client(server.url), publisher)
    with pytest.raises(Exception) as caught:  # noqa: PT011
        list(instrumented.chat.completions.create(model="m", messages=MESSAGES, stream=True))
    assert type(caught.value).__name__ == error_type
    *_, error, complete = peer.await_records(3 if status == 500 else 4)
    assert (error["event_type"], error["data"][1]) == ("error.generic", error_type)
    assert complete["event_type"] == "sample.complete"


@pytest.mark.parametrize("leave", ["close", "forget"])
def test_a_stream_that_the_caller_leaves_is_cancelled(server, recorded, leave):
    publisher, peer = recorded
    server.answer = [*data(delta(content="a")), "wait", *data("[DONE]")]
    stream = instrument(client(server.url), publisher).chat.completions.create(model="m", messages=MESSAGES, stream=True)
    next(stream)
    if leave == "close":
        stream.close()
        stream.close()
    else:
        del stream
        gc.collect()
    records = peer.await_records(4)
    assert kinds(records) == ["issued", "recv_first", "client", "complete"]
    assert records[2]["data"][1] == "Cancelled"


def test_a_stream_left_after_its_finish_reason_is_complete(server, recorded):
    publisher, peer = recorded
    server.answer = [*data(delta(content="a"), delta("stop")), "wait", *data("[DONE]")]
    with instrument(client(server.url), publisher).chat.completions.create(model="m", messages=MESSAGES, stream=True) as stream:
        for chunk in stream:
            if chunk.choices[0].finish_reason:
                break
    assert kinds(peer.await_records(3)) == ["issued", "recv_first", "complete"]


def test_a_cancelled_task_cancels_its_sample(server, recorded):
    publisher, peer = recorded
    server.answer = [*data(delta(content="a")), "wait"]

    async def scenario() -> None:
        async with async_client(server.url) as asynchronous:
            instrument(asynchronous, publisher)
            begun = asyncio.Event()

            async def request() -> None:
                async for _ in await asynchronous.chat.completions.create(model="m", messages=MESSAGES, stream=True):
                    begun.set()

            task = asyncio.create_task(request())
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(scenario())
    assert kinds(peer.await_records(4)) == ["issued", "recv_first", "client", "complete"]


def test_instrumenting_twice_records_once_and_can_be_undone(server, recorded):
    publisher, peer = recorded
    server.answer = data(delta(content="a"), "[DONE]")
    instrumented = instrument(instrument(client(server.url), publisher), publisher)
    list(instrumented.chat.completions.create(model="m", messages=MESSAGES, stream=True))
    assert kinds(peer.await_records(3)) == ["issued", "recv_first", "complete"]
    list(uninstrument(instrumented).chat.completions.create(model="m", messages=MESSAGES, stream=True))
    assert publisher.stats().recorded == 3


def test_raw_responses_pass_unmeasured_and_requests_are_sent_as_they_are(server, recorded):
    publisher, _peer = recorded
    server.content_type = "application/json"
    server.answer = [b'{"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": []}']
    instrumented = instrument(client(server.url), publisher)
    assert instrumented.chat.completions.with_raw_response.create(model="m", messages=MESSAGES).status_code == 200
    assert publisher.stats().recorded == 0
    assert server.requests == [{"messages": MESSAGES, "model": "m"}]


@pytest.mark.parametrize("form", ["vllm", "llama.cpp", "header"])
@pytest.mark.parametrize("streamed", [True, False])
def test_the_times_in_the_server_are_those_that_it_logged(recorded, tmp_path, form, streamed):
    publisher, peer = recorded
    log = tmp_path / "served.jsonl"
    server = synthetic_server("--tokens", "3", "--server-times", form, "--log", str(log))
    try:
        chat = instrument(client(f"{server.url}/v1"), publisher).chat.completions
        options: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}} if streamed else {}
        for _ in range(3):
            answer = chat.create(model="synthetic", messages=MESSAGES, **options)
            if streamed:
                list(answer)
        per_sample = 5 if streamed else 2
        completions = [each for each in peer.await_records(3 * per_sample) if each["event_type"] == "sample.complete"]
        served = await_true(
            lambda: (lines := log.read_text().splitlines()) and len(lines) == 3 and lines, "the log of the server"
        )
    finally:
        server.close()
    for completion, line in zip(completions, served):
        truth = json.loads(line)
        expected = {"queue_ns": truth["queue_ns"], "ttft_ns": truth["server_ttft_ns"], "decode_ns": truth["decode_ns"]}
        if form == "llama.cpp":
            expected.pop("queue_ns")
            expected["prefill_ns"] = truth["server_ttft_ns"]
        if form == "header":
            # The client hands out the headers of a stream alone, which are sent before the answer is decoded.
            expected.pop("decode_ns")
            expected = expected if streamed else {}
        assert completion.get("server", {}) == (expected and {**expected, "source": "header" if form == "header" else "body"})
