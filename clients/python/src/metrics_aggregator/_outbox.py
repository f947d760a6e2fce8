"""Numbers records, batches them and hands them to the socket; a bounded queue keeps what nobody takes yet.

Any thread may call an outbox. Its lock guards all state, the socket included, and is never held while waiting for a peer.
The flusher, a daemon thread that starts with the first record, sends a batch 10 ms after the last flush at the latest.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket as sockets
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from . import _chunks, _lifecycle
from ._batch import Batch, Frame
from ._chunks import Stream, Streams
from ._wire import Record, encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._endpoint import Endpoint
    from ._socket import EventSocket

log = logging.getLogger("metrics_aggregator")

FLUSH_SECONDS = 0.01
WARN_SECONDS = 60.0
# The flusher sleeps until the next record after this many flushes without one.
IDLE_FLUSHES = 100
# Frames sent while the lock is held: a recording call waits for so many copies at most, a fraction of a millisecond.
FRAMES_OF_A_TURN = 4
FRAMES_OF_A_CALL = 2
# Room beyond the queue's limit for batches that a session event ends: without session.ended the run would not end.
SESSION_RESERVE = 1 << 20


class Stats(NamedTuple):
    """Counts of one publisher since it was opened; `recorded == sent + queued + dropped + rejected`.

    Attributes:
        recorded: Records made; each has a sequence number.
        sent: Records handed to ZeroMQ while a subscriber was there.
        queued: Records in the batch and the queue.
        queued_bytes: Bytes of those.
        dropped: Records lost because the queue was full, the publisher closed, or its endpoint could not be opened.
        rejected: Records lost because a value cannot be expressed, such as an integer above 64 bits.
        ignored_calls: Calls on samples that had ended; they make no record.
        subscribers: Peers that subscribe now.
    """

    recorded: int
    sent: int
    queued: int
    queued_bytes: int
    dropped: int
    rejected: int
    ignored_calls: int
    subscribers: int


class Outbox:
    """The state behind a publisher."""

    def __init__(self, endpoint: Endpoint, open_socket: Callable[[], EventSocket], source: str | None, max_queue: int) -> None:
        self.name = str(endpoint)
        self._bound = endpoint.bind
        self._open_socket = open_socket
        self._source = source
        self._max_queue = max_queue
        self._forked_from: EventSocket | None = None
        self._begin(f"{sockets.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}" if source is None else source)
        self._socket: EventSocket | None = open_socket()
        _lifecycle.opened(self)

    def _begin(self, source: str) -> None:
        # Reentrant: a signal handler or finaliser may record while the same thread is inside `put`.
        self._lock = threading.RLock()
        self._busy = False
        self._deferred: deque[tuple[Record, bool, Stream | None]] = deque()
        self.source_id = source
        self._life = time.time_ns()
        self._seq = 0
        self._batch = Batch()
        self._streams = Streams(self._life)
        # Notes, without the lock, that a stream has its first waiting chunk. Whoever calls it looks at `awake` then.
        self.chunk_waits = self._streams.waiting.append
        self._queue: deque[Frame] = deque()
        self._queue_bytes = self._queued = 0
        self._sent = self._dropped = self._rejected = self._ignored = 0
        self._frames_in = self._frames_out = 0
        self._closing = self._closed = False
        self._left = 0
        self._wake = threading.Event()
        self._flusher: threading.Thread | None = None
        self.awake = True
        self._idle = 0
        self._warned_at = -WARN_SECONDS
        self._warned_losses = 0

    def restart_in_child(self) -> None:
        """Begin anew in a forked child: empty, with a name of its own, and without the parent's socket."""
        name = self._source or sockets.gethostname()
        # Closing the parent's socket here would use its threads, which do not exist in this process.
        self._forked_from = self._forked_from or self._socket
        self._streams.forget()
        self._socket = None
        self._begin(f"{name}:{os.getpid()}:{secrets.token_hex(4)}")

    # -- recording -------------------------------------------------------------------------------------------------

    def put(self, record: Record, *, ends_batch: bool = False, stream: Stream | None = None) -> None:
        """Number, encode and batch a record; send the batch if it is full or `ends_batch`. Never raises or waits.

        Chunks that wait go before it: those of `stream`, the record's sample, or all if it ends the batch.
        """
        with self._lock:
            if self._busy:
                self._deferred.append((record, ends_batch, stream))
                return
            self._busy = True
            try:
                self._put(record, ends_batch, stream)
                while self._deferred:
                    self._put(*self._deferred.popleft())
            finally:
                self._busy = False

    def open_stream(self, sample_id: str, conversation: str, turn: int | None) -> Stream | None:
        """Return a stream for the chunks of a sample; None if they are to be single records."""
        with self._lock:
            if self._closed or self._socket is None or not self._socket.takes_chunks():
                return None
            handle = self._streams.handle()
            return None if handle < 0 else Stream(handle, self._life, sample_id, conversation, turn)

    def close_stream(self, stream: Stream) -> None:
        """Take back the handle of a sample whose end was put."""
        with self._lock:
            if stream.life == self._life:
                self._streams.release(stream.handle)

    def wake(self) -> None:
        """Wake the flusher, which was seen asleep."""
        with self._lock:
            if not self.awake:
                self.awake = True
                self._wake.set()

    def flush_chunks(self) -> None:
        """Send the chunks that wait: a stream has very many."""
        with self._lock:
            if not self._busy:
                self._busy = True
                try:
                    self._flush_chunks()
                    self._send(FRAMES_OF_A_CALL)
                finally:
                    self._busy = False

    def _flush_chunks(self) -> None:
        """Put the chunks that wait into a frame, or single records where a subscriber does not read frames."""
        owners, chunks, own = self._streams.take()
        if not chunks:
            return
        # Not `own`: a sample of the parent goes on in a forked child.
        if own and not self._closed and self._socket is not None and self._socket.takes_chunks():
            try:
                frame = _chunks.pack(self.source_id, self._life, self._seq, owners, chunks)
            except Exception:
                pass
            else:
                self._seal()
                self._seq += frame.records
                self._enqueue(frame, 0)
                return
        for stream, chunk in zip(owners, chunks):
            self._record(stream.single(chunk), False)

    def _put(self, record: Record, ends_batch: bool, stream: Stream | None = None) -> None:
        if ends_batch or (stream is not None and len(stream.chunks) >= _chunks.SINGLES):
            self._flush_chunks()
        elif stream is not None and stream.chunks:
            for chunk in stream.take():
                self._record(stream.single(chunk), False)
        self._record(record, ends_batch)

    def _record(self, record: Record, ends_batch: bool) -> None:
        record.source_id = self.source_id
        record.seq = self._seq
        record.life = self._life
        self._seq += 1
        if self._flusher is None:
            self._start()
        elif not self.awake:
            self.wake()
        if self._closed or self._socket is None:
            self._dropped += 1
            return
        try:
            if not isinstance(record.timestamp_ns, int):
                raise TypeError(f"at is a {type(record.timestamp_ns).__name__}, not nanoseconds as int")
            payload = encode(record)
        except Exception:
            self._rejected += 1
            return
        if self._batch.add(record.event_type, payload) or ends_batch:
            self._seal(SESSION_RESERVE if ends_batch else 0)
            self._send(FRAMES_OF_A_CALL)

    def _start(self) -> None:
        """Open what a forked child does not inherit, and start the flusher."""
        if self._closed:
            return
        if self._socket is None and not self._bound:
            try:
                self._socket = self._open_socket()
            except Exception as e:
                log.warning("publisher not opened in the forked process pid=%d error=%s", os.getpid(), e)
            _lifecycle.opened_in_child(self)
        elif self._socket is None:
            log.warning(
                "records are dropped in the forked process pid=%d: only one process can bind; use connect=True with a "
                "daemon that binds (--in bind:…)",
                os.getpid(),
            )
        self._flusher = threading.Thread(target=self._flush_periodically, name="metrics-aggregator-flusher", daemon=True)
        self._flusher.start()

    def ignore(self) -> None:
        """Count a call on a sample that has ended."""
        with self._lock:
            self._ignored += 1

    # -- sending ---------------------------------------------------------------------------------------------------

    def _seal(self, reserve: int = 0) -> None:
        if self._batch.records == 0:
            return
        self._enqueue(self._batch.take(), reserve)

    def _enqueue(self, frame: Frame, reserve: int) -> None:
        if self._queue and self._queue_bytes + len(frame.data) > self._max_queue + reserve:
            self._dropped += frame.records
            return
        self._frames_in += 1
        self._queue.append(frame)
        self._queue_bytes += len(frame.data)
        self._queued += frame.records

    def _send(self, limit: int = FRAMES_OF_A_TURN) -> bool:
        """Hand frames to the socket, at most `limit`; return whether it may take more at once."""
        if not self._queue or self._socket is None or self._socket.subscribers() == 0:
            return False
        for _ in range(limit):
            if not self._queue:
                return False
            # Taken out first: a signal handler that closes the publisher here neither repeats nor loses a frame.
            frame = self._queue.popleft()
            if not self._socket.send(frame):
                self._queue.appendleft(frame)
                return False
            self._frames_out += 1
            self._queue_bytes -= len(frame.data)
            self._queued -= frame.records
            self._sent += frame.records
        return bool(self._queue)

    def _flush_periodically(self) -> None:
        flusher, wake = threading.current_thread(), self._wake
        while True:
            time.sleep(FLUSH_SECONDS)
            more, asleep = True, False
            while more:
                with self._lock:
                    if self._closed or self._flusher is not flusher:
                        return
                    more = self._flush_now()
                    asleep = not self.awake
                # Recording threads take their turn while a long queue drains.
                time.sleep(0)
            self._warn()
            if asleep:
                wake.wait()

    def _flush_now(self) -> bool:
        """Send what waits; return whether there is more to send at once. Falls asleep when nothing was recorded for long."""
        if self._busy:
            return False
        self._busy = True
        try:
            idle = not self._queue and self._batch.records == 0 and not self._streams.waiting
            if self._streams.waiting:
                self.subscribers()
                self._flush_chunks()
            self._idle = self._idle + 1 if idle else 0
            # While frames wait for a subscriber, the batch may as well grow: more records fit into a full socket.
            more = self._send()
            if not self._queue:
                self._seal()
                more = self._send()
            if self._idle >= IDLE_FLUSHES:
                self.awake = False
                self._wake.clear()
                if self._streams.waiting:
                    # Its thread saw the flusher awake just before.
                    self.awake = True
                    self._wake.set()
            return more
        finally:
            self._busy = False

    def _warn(self) -> None:
        losses = self._dropped + self._rejected
        now = time.monotonic()
        if losses > self._warned_losses and now - self._warned_at >= WARN_SECONDS:
            self._warned_at = now
            self._warned_losses = losses
            stats = self.stats()
            log.warning(
                "records lost dropped=%d rejected=%d queued_bytes=%d subscribers=%d",
                stats.dropped,
                stats.rejected,
                stats.queued_bytes,
                stats.subscribers,
            )

    # -- control ---------------------------------------------------------------------------------------------------

    def stats(self) -> Stats:
        """Return the counts as of now."""
        with self._lock:
            return Stats(
                recorded=self._seq,
                sent=self._sent,
                queued=self._queued + self._batch.records,
                queued_bytes=self._queue_bytes + self._batch.size,
                dropped=self._dropped,
                rejected=self._rejected,
                ignored_calls=self._ignored,
                subscribers=self.subscribers(),
            )

    def subscribers(self) -> int:
        """Return how many peers subscribe now."""
        with self._lock:
            return 0 if self._closed or self._socket is None else self._socket.subscribers()

    def flush(self, timeout: float) -> bool:
        """Wait until ZeroMQ has every record made so far; false if `timeout` seconds were not enough."""
        deadline = time.monotonic() + timeout
        with self._lock:
            if self._busy:
                # A signal handler interrupted `put` on this thread, and nothing moves before it returns.
                return False
            self._flush_chunks()
            self._seal()
            goal = self._frames_in
        while True:
            with self._lock:
                more = self._send()
                done = self._frames_out >= goal
            if done or time.monotonic() >= deadline:
                return done
            time.sleep(0 if more else 0.001)

    def close(self, timeout: float) -> int:
        """Send what waits, for at most `timeout` seconds, then close; return the number of records left unsent."""
        deadline = time.monotonic() + timeout
        with self._lock:
            if self._closing:
                return self._left
            self._closing = True
        self.flush(timeout)
        with self._lock:
            self._flush_chunks()
            self._seal()
            self._send()
            self._closed = True
            socket, self._socket = self._socket, None
            self._left = self._queued
            self._dropped += self._queued
            self._queue.clear()
            self._queued = self._queue_bytes = 0
            self._wake.set()
        if socket is not None:
            self._left += socket.close(max(0.0, deadline - time.monotonic()))
        _lifecycle.closed(self)
        return self._left
