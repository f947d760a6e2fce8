"""Collects encoded records into one frame; the outbox that owns a batch calls it with its lock held."""

from __future__ import annotations

from typing import NamedTuple

from ._wire import BATCH_TOPIC, topic

MAX_RECORDS = 1000
MAX_BYTES = 256 * 1024

# The topic, and the head of an array whose length is known when the batch is taken.
_START = BATCH_TOPIC + b"\xdc\0\0"
_SHORT = [bytes((0xC4, length)) for length in range(256)]


class Frame(NamedTuple):
    """A message for the socket and the number of records in it."""

    data: bytes | bytearray
    records: int


class Batch:
    """The records of the next frame: at most 1000, and none is added once they have 256 KiB."""

    __slots__ = ("_data", "_last", "_type", "records")

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._data = bytearray(_START)
        self._last = b""
        self._type = ""
        self.records = 0

    def add(self, event_type: str, payload: bytes) -> bool:
        """Append a record; return whether the batch is full."""
        length = len(payload)
        data = self._data
        if length < 256:
            data += _SHORT[length]
        elif length < 65536:
            data += b"\xc5" + length.to_bytes(2, "big")
        else:
            data += b"\xc6" + length.to_bytes(4, "big")
        data += payload
        self._last = payload
        self._type = event_type
        self.records += 1
        return self.records >= MAX_RECORDS or len(data) >= MAX_BYTES

    @property
    def size(self) -> int:
        """Bytes of the frame as it is now."""
        return len(self._data) if self.records else 0

    def take(self) -> Frame:
        """Return the frame and begin the next one. A single record travels under its own topic."""
        records = self.records
        if records == 1:
            frame = Frame(topic(self._type) + self._last, 1)
        else:
            self._data[len(BATCH_TOPIC) + 1 : len(_START)] = records.to_bytes(2, "big")
            frame = Frame(self._data, records)
        self._clear()
        return frame
