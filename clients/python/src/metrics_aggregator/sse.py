"""Measures answers that a hand-written client reads as server-sent events, with httpx, aiohttp or requests.

with publisher.sample() as sample:  # a connection that fails is then a failed sample
    async with client.stream("POST", url, json=body) as response:
        async for event in measure_sse(response, sample):
            ...
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ._answers import Measurement

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from .sample import Sample

__all__ = ["ServerSentEvent", "SseDecoder", "measure_sse", "measure_sse_sync"]

MAX_EVENT_BYTES = 16 << 20
_KEEP_ALIVE = ("ping", "heartbeat", "keep-alive", "keepalive")


class ServerSentEvent(NamedTuple):
    """One event of a stream.

    Attributes:
        data: Its data lines, joined by line feeds; its comment lines for an event `error` without any.
        event: Its type; `message` if it has none.
        id: The last id that the stream gave.
    """

    data: str
    event: str = "message"
    id: str = ""

    def json(self) -> Any:
        """Return the data as JSON.

        Raises:
            ValueError: it is not JSON.
        """
        return json.loads(self.data)


class SseDecoder:
    """Splits a stream of bytes into events, whatever the reads (WHATWG HTML, server-sent events)."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._size = 0
        self._data: list[str] = []
        self._comments: list[str] = []
        self._event = ""
        self._id = ""
        self._begun = False
        self._skip_line_feed = False

    def feed(self, data: bytes) -> Iterator[ServerSentEvent]:
        """Yield the events that these bytes complete.

        Raises:
            ValueError: an event exceeds 16 MiB.
        """
        skip = self._skip_line_feed
        if data:
            # The line feed of a CRLF may come with the next read.
            self._skip_line_feed = data[-1:] == b"\r"
        if skip:
            data = data.removeprefix(b"\n")
        for line in data.splitlines(keepends=True):
            self._size += len(line)
            if self._size > MAX_EVENT_BYTES:
                raise ValueError(f"a server-sent event exceeds {MAX_EVENT_BYTES} bytes")
            text = line.rstrip(b"\r\n") if line[-1:] in (b"\r", b"\n") else None
            if text is None:
                self._line += line
                continue
            whole = bytes(self._line + text) if self._line else text
            self._line.clear()
            if not self._begun:
                self._begun = True
                whole = whole.removeprefix(b"\xef\xbb\xbf")
            if whole:
                self._field(whole.decode("utf-8", "replace"))
                continue
            self._size = 0
            # The standard drops an event without data, but servers send errors so.
            if self._data or self._event == "error":
                yield ServerSentEvent("\n".join(self._data or self._comments), self._event or "message", self._id)
            self._data, self._comments, self._event = [], [], ""

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif not name:
            self._comments.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value


async def measure_sse(response: Any, sample: Sample, *, texts: bool = False) -> AsyncIterator[ServerSentEvent]:
    """Yield the events of an answer, and record on the sample its chunks with content, its end, errors and usage.

    Chunks of chat completions, completions, the responses API, Anthropic's messages and SGLang's `/generate` are recognised.
    The sample ends with `[DONE]` or the API's last event, at the latest with the stream: failed if it breaks, has a status of
    400 or above, or holds no message that can be read but others, cancelled if the caller stops reading before.

    Args:
        response: An `httpx.Response` opened for streaming, or an `aiohttp.ClientResponse`.
        sample: The sample, made immediately before the request was sent.
        texts: Whether to send the answer's text to the daemon.

    Raises:
        ValueError: an event exceeds 16 MiB.
        Exception: what the response raises.
    """
    reader = _Reader(sample, response, texts)
    chunks = response.aiter_bytes() if hasattr(response, "aiter_bytes") else response.content.iter_any()
    try:
        async for data in chunks:
            for event in reader.read(data):
                yield event
        reader.ended()
    except BaseException as e:
        reader.failed(e)
        raise


def measure_sse_sync(response: Any, sample: Sample, *, texts: bool = False) -> Iterator[ServerSentEvent]:
    """Do the same as `measure_sse` for a synchronous `httpx.Response`, or a `requests.Response` opened with `stream=True`."""
    reader = _Reader(sample, response, texts)
    try:
        for data in _bytes_of(response):
            yield from reader.read(data)
        reader.ended()
    except BaseException as e:
        reader.failed(e)
        raise


def _bytes_of(response: Any) -> Iterator[bytes]:
    if hasattr(response, "iter_bytes"):
        yield from response.iter_bytes()
        return
    raw = response.raw
    # requests' iter_content waits until its buffer is full unless the answer is chunked; read1 returns what is there.
    if hasattr(raw, "read1"):
        while data := raw.read1(65536, decode_content=True):
            yield data
    else:
        yield from response.iter_content(chunk_size=None)


class _Reader:
    """The part of both functions that does not read."""

    def __init__(self, sample: Sample, response: Any, texts: bool) -> None:
        self._decoder = SseDecoder()
        self._measurement = Measurement(sample, texts=texts)
        self._measurement.server.header(getattr(response, "headers", None))
        self._readable = False
        self._unreadable = 0
        status = getattr(response, "status_code", None) or getattr(response, "status", 200)
        if isinstance(status, int) and status >= 400:
            sample.error(f"HTTP {status}", str(getattr(response, "reason_phrase", None) or getattr(response, "reason", "") or ""))

    def read(self, data: bytes) -> Iterator[ServerSentEvent]:
        for event in self._decoder.feed(data):
            if event.event == "error":
                self._measurement.error_event(event.data)
            elif not self._message(event.data) and event.event not in _KEEP_ALIVE:
                # Servers that send one line feed between messages make one event of several messages.
                lines = event.data.split("\n")
                self._unreadable += 1 if len(lines) == 1 else sum(not self._message(line) for line in lines)
            yield event

    def _message(self, text: str) -> bool:
        """Record a message; return whether it could be read."""
        text = text.strip()
        if text.startswith("[DONE]"):
            self.ended()
        elif text:
            try:
                chunk = json.loads(text, strict=False)
            except (ValueError, RecursionError):
                return False
            if not isinstance(chunk, dict):
                return False
            self._readable = True
            self._measurement.chunk(chunk)
        return True

    def ended(self) -> None:
        if self._unreadable and not self._readable:
            message = f"none of {self._unreadable} messages of the answer is a JSON object"
            self._measurement.error({"type": "UnreadableAnswer", "message": message})
        self._measurement.end()

    def failed(self, error: BaseException) -> None:
        if isinstance(error, GeneratorExit):
            self._measurement.abandoned()
        else:
            self._measurement.failed(error)
