"""Later chunks that wait for a frame of them (docs/protocol.md). The outbox calls it with its lock held."""

from __future__ import annotations

import sys
from array import array
from collections import deque
from typing import Any, Union

from . import _wire
from ._batch import Frame

# A chunk without keys is its time alone; with keys it is time, part and tokens.
Chunk = Union[int, tuple[int, Any, Any]]

HANDLES = 1 << 20
# Fewer waiting chunks than this go into the batch before their sample's next record, instead of ending the batch.
SINGLES = 5
# A stream flushes itself when so many wait, should the flusher be late.
STREAM_MAX = 1000

_PARTS = {None: 0, "reasoning": 1, "output": 2, "tool_calls": 3}
_REJECTED_PART = 0xFF
_NO_TOKENS = 0xFFFF
_REJECTED_TOKENS = 0xFFFE
_TOKENS_MAX = 4096
# Offsets have 32 bits from the base, which lies before the first chunk: later streams may have earlier ones.
_LEAD_NS = 1_000_000_000
_BASE_MAX = (1 << 63) - (1 << 32)


class Stream:
    """The chunks of one sample after its first. One thread appends to `chunks`, the one with the outbox's lock takes from it."""

    __slots__ = ("chunks", "conversation", "handle", "life", "sample_id", "turn")

    def __init__(self, handle: int, life: int, sample_id: str, conversation: str, turn: int | None) -> None:
        self.handle = handle
        self.life = life
        self.sample_id = sample_id
        self.conversation = conversation
        self.turn = turn
        self.chunks: list[Chunk] = []

    def take(self) -> list[Chunk]:
        """Return the chunks so far and forget them; what is appended meanwhile stays."""
        taken = self.chunks[:]
        del self.chunks[: len(taken)]
        return taken

    def single(self, chunk: Chunk) -> _wire.Event:
        """Return the record that a chunk stands for."""
        time, part, tokens = chunk if isinstance(chunk, tuple) else (chunk, None, None)
        event = _wire.Event(_wire.SAMPLE_RECV_NON_FIRST, time, self.sample_id, self.conversation, self.turn)
        event.part = part
        event.tokens = tokens
        return event


class Streams:
    """The handles of a publisher's samples, and which of these have chunks that wait."""

    def __init__(self, life: int) -> None:
        self._life = life
        self.waiting: deque[Stream] = deque()
        self._free: list[int] = []
        self._next = 0

    def handle(self) -> int:
        """Return a handle that no open sample has; -1 if there is none."""
        if self._free:
            return self._free.pop()
        if self._next == HANDLES:
            return -1
        self._next += 1
        return self._next - 1

    def release(self, handle: int) -> None:
        """Take back the handle of a sample that completed."""
        self._free.append(handle)

    def forget(self) -> None:
        """Drop what waits: it is the parent's, in a forked child."""
        while self.waiting:
            self.waiting.popleft().chunks.clear()

    def take(self) -> tuple[list[Stream], list[Chunk], bool]:
        """Return the stream of each chunk that waits, the chunks, and whether all handles are of this life."""
        own = True
        owners: list[Stream] = []
        taken: list[Chunk] = []
        for _ in range(len(self.waiting)):
            stream = self.waiting.popleft()
            chunks = stream.chunks
            if stream.life != self._life:
                own = False
            if len(chunks) == 1:
                owners.append(stream)
                taken.append(chunks.pop(0))
            else:
                several = stream.take()
                owners += [stream] * len(several)
                taken += several
            if chunks:
                # Appended since: its thread saw that others waited before, so left the stream out of the queue.
                self.waiting.append(stream)
        return owners, taken, own


def pack(source: str, life: int, seq: int, owners: list[Stream], chunks: list[Chunk]) -> Frame:
    """Return chunks as a frame.

    Raises:
        Exception: a time is not an integer, or too far from the others. Single records are to be sent instead.
    """
    first = chunks[0]
    base = (first[0] if isinstance(first, tuple) else first) - _LEAD_NS
    if base > _BASE_MAX:
        raise OverflowError(base)
    handles = [stream.handle for stream in owners]
    parts = tokens = None
    try:
        offsets = array("I", [chunk - base for chunk in chunks])  # type: ignore[operator]
    except TypeError:
        flat = [each if isinstance(each, tuple) else (each, None, None) for each in chunks]
        offsets = array("I", [time - base for time, _, _ in flat])
        parts = bytes(_PARTS.get(part, _REJECTED_PART) for _, part, _ in flat)
        tokens = _bytes(array("H", [_tokens(each) for _, _, each in flat]))
    wide = max(handles) > 0xFFFF
    columns = (_bytes(array("I" if wide else "H", handles)), _bytes(offsets), tokens, parts)
    return Frame(_wire.CHUNKS_TOPIC + _wire.pack((1, source, life, seq, base, *columns)), len(handles))


def _tokens(tokens: Any) -> int:
    if tokens is None:
        return _NO_TOKENS
    return tokens if type(tokens) is int and 0 <= tokens <= _TOKENS_MAX else _REJECTED_TOKENS


def _bytes(column: array[int]) -> bytes:
    if sys.byteorder == "big":
        column.byteswap()
    return column.tobytes()
