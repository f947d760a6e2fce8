"""One request of a load test, from its issue to its end."""

from __future__ import annotations

from time import monotonic_ns
from typing import TYPE_CHECKING, Any, Literal

from . import _wire
from ._chunks import STREAM_MAX
from ._wire import Event

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from typing_extensions import Self

    from ._chunks import Chunk, Stream
    from ._outbox import Outbox
    from .server_times import ServerTimes
    from .usage import Usage

__all__ = ["ErrorKind", "Part", "Sample"]

Part = Literal["output", "reasoning", "tool_calls"]
ErrorKind = Literal["generic", "client", "loadgen", "session"]


class Sample:
    """One request. `Publisher.sample` makes it and records `sample.issued`; `complete`, `error` or `cancel` ends it.

    As a context manager (`with` or `async with`) it ends with the block: completed, or failed with the block's exception,
    which propagates. Calls after the end record nothing and are counted in `Stats.ignored_calls`. No call waits or raises.
    Times are nanoseconds of `time.monotonic_ns()`; `at=None` means now. Use a sample from one thread at a time.

    Attributes:
        id: The sample's `sample_uuid`.
        ended: Whether the sample has ended.
        received: Whether a chunk of the answer was recorded.
    """

    __slots__ = ("_chunks", "_conversation", "_outbox", "_stream", "_turn", "ended", "id", "received")

    def __init__(self, outbox: Outbox, sample_id: str, conversation_id: str, turn: int | None) -> None:
        self._outbox = outbox
        self._conversation = conversation_id
        self._turn = turn
        self._stream: Stream | None = None
        # Of the stream while the sample is open: a chunk is an append.
        self._chunks: list[Chunk] | None = None
        self.id = sample_id
        self.received = False
        self.ended = False

    def first_token(self, at: int | None = None, *, part: Part | None = None, tokens: int | None = None) -> None:
        """Record the first chunk with content; later calls have no effect."""
        if not self.received:
            self.token(at, part=part, tokens=tokens)

    def token(self, at: int | None = None, part: Part | None = None, tokens: int | None = None) -> None:
        """Record a chunk with content: text, reasoning or tool calls; not one with a role or usage only.

        Args:
            at: When it arrived.
            part: What the chunk holds. With it the daemon reports the time to the first token of the answer itself.
            tokens: Number of tokens in the chunk, if the server reports it.
        """
        # No argument is keyword-only: the default of such a one is looked up by each call, for 15 ns.
        chunks = self._chunks
        if chunks is not None:
            now = monotonic_ns() if at is None else at
            chunks.append(now if part is None and tokens is None else (now, part, tokens))
            waiting = len(chunks)
            if waiting == 1:
                # In a run nearly every chunk is the only one of its sample that waits: no call but an append.
                outbox = self._outbox
                outbox.chunk_waits(self._stream)  # type: ignore[arg-type]
                if not outbox.awake:
                    outbox.wake()
            elif waiting >= STREAM_MAX:
                self._outbox.flush_chunks()
            return
        if self.ended:
            self._outbox.ignore()
            return
        event_type = _wire.SAMPLE_RECV_NON_FIRST if self.received else _wire.SAMPLE_RECV_FIRST
        opened = None if self.received else self._outbox.open_stream(self.id, self._conversation, self._turn)
        self.received = True
        event = Event(event_type, monotonic_ns() if at is None else at, self.id, self._conversation, self._turn)
        if part is not None:
            event.part = part
        if tokens is not None:
            event.tokens = tokens
        if opened is not None:
            event.handle = opened.handle
        self._outbox.put(event)
        if opened is not None:
            self._stream = opened
            self._chunks = opened.chunks

    def complete(
        self,
        output: str | Sequence[str] | None = None,
        *,
        reasoning: str | Sequence[str] | None = None,
        tool_calls: Sequence[Any] | None = None,
        finish_reason: str | None = None,
        usage: Usage | None = None,
        server: ServerTimes | None = None,
        at: int | None = None,
    ) -> None:
        """Record the end of the answer.

        Args:
            output: The text, or its chunks in order; the daemon counts tokens after the first chunk apart. None if not kept.
            reasoning: The text of the reasoning, or its chunks.
            tool_calls: Tool calls as maps, or for streamed ones a list of partial maps for each chunk.
            finish_reason: `stop`, `length`, `tool_calls`, `content_filter` or `function_call`; others count as `other`.
            usage: Token counts that the server reported.
            server: Times in the server, as it reported them.
            at: When the answer ended.
        """
        if self.ended:
            self._outbox.ignore()
            return
        self.ended = True
        self._chunks = None
        data = None
        if output is not None or reasoning is not None or tool_calls is not None:
            data = ("TextModelOutput", "" if output is None else output, reasoning, tool_calls)
        time = monotonic_ns() if at is None else at
        event = Event(_wire.SAMPLE_COMPLETE, time, self.id, self._conversation, self._turn, data, finish_reason)
        event.usage = usage
        event.server = server
        stream = self._stream
        self._outbox.put(event, stream=stream)
        if stream is not None:
            self._stream = None
            self._outbox.close_stream(stream)

    def error(
        self,
        error: BaseException | str,
        message: str | None = None,
        *,
        kind: ErrorKind = "generic",
        output: str | Sequence[str] | None = None,
        usage: Usage | None = None,
        at: int | None = None,
        complete: bool = True,
    ) -> None:
        """End the sample as failed: record the error, then the end of the sample at the same time.

        Args:
            error: The exception, or the type of the error as text.
            message: What happened; default: the exception's text.
            kind: `generic`, or `client` or `loadgen` for an error on this side.
            output: What arrived of the answer.
            usage: Token counts that the server reported nevertheless.
            at: When it failed.
            complete: False leaves the sample open, so that `complete` can record its end later.
        """
        if self.ended:
            self._outbox.ignore()
            return
        time = monotonic_ns() if at is None else at
        data = error_data(error, message)
        self._outbox.put(Event(f"error.{kind}", time, self.id, self._conversation, self._turn, data), stream=self._stream)
        if complete:
            self.complete(output, usage=usage, at=time)

    def cancel(self, reason: str = "cancelled by the client", *, at: int | None = None) -> None:
        """End the sample because the client no longer waits for the answer; it counts as failed, with error type Cancelled."""
        self.error("Cancelled", reason, kind="client", at=at)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None) -> None:
        if self.ended:
            return
        if exc is None:
            self.complete()
        elif isinstance(exc, Exception):
            self.error(exc)
        else:
            # CancelledError, GeneratorExit, KeyboardInterrupt, gevent's GreenletExit: the caller's own doing.
            self.cancel(_text_of(exc) or type(exc).__name__)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.__exit__(exc_type, exc, traceback)


def error_data(error: BaseException | str, message: str | None) -> _wire.Data:
    """Return an error as it travels: its type and what happened."""
    if isinstance(error, str):
        return ("ErrorData", error, message or "")
    return ("ErrorData", type(error).__name__, _text_of(error) if message is None else message)


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""
