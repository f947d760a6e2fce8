"""A run of a load generator: the records that begin and end it, and the window whose samples count."""

from __future__ import annotations

from contextlib import contextmanager
from time import monotonic_ns
from typing import TYPE_CHECKING

from . import _wire
from ._wire import Event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from typing_extensions import Self

    from ._outbox import Outbox

__all__ = ["Session"]


class Session:
    """A run. `Publisher.session` makes it; use it as a context manager (`with` or `async with`).

    Enter records `session.started`, and leave records `session.ended`, upon which the daemon writes the final snapshot and
    exits. An exception in the block records `session.interrupted` first, and propagates. Of several processes that publish to
    one daemon, one has the session; the others only record samples. No method waits or raises.
    """

    def __init__(self, outbox: Outbox, *, tracking: bool) -> None:
        self._outbox = outbox
        self._track = tracking
        self._tracking = False

    def _record(self, event_type: str, data: _wire.Data | None = None) -> None:
        self._outbox.put(Event(event_type, monotonic_ns(), data=data), ends_batch=True)

    def start_tracking(self) -> None:
        """Begin the window: samples issued from now on count in the tracked series. No effect while it is open."""
        if not self._tracking:
            self._tracking = True
            self._record(_wire.SESSION_START_TRACKING)

    def stop_tracking(self) -> None:
        """End the window; samples already issued still count. No effect while it is closed."""
        if self._tracking:
            self._tracking = False
            self._record(_wire.SESSION_STOP_TRACKING)

    @contextmanager
    def tracking(self) -> Iterator[None]:
        """Track the samples that the block issues, as in `with session.tracking():` after a warm-up."""
        self.start_tracking()
        try:
            yield
        finally:
            self.stop_tracking()

    def stop_load(self) -> None:
        """Record that no further sample will be issued, while answers are still awaited."""
        self._record(_wire.SESSION_STOP_LOADGEN)

    def phase(self, phase_type: str, *, drain_after: bool = True, size: int | None = None) -> None:
        """Begin a phase, such as `performance`; `size` is the number of samples in one pass over the dataset."""
        self._record(_wire.SESSION_PHASE_START, ("PhaseData", phase_type, drain_after, size))

    def start(self) -> None:
        """Begin the run, and the window unless `tracking=False` was given."""
        self._record(_wire.SESSION_STARTED)
        if self._track:
            self.start_tracking()

    def end(self, *, interrupted: bool = False) -> None:
        """End the window and the run."""
        self.stop_tracking()
        if interrupted:
            self._record(_wire.SESSION_INTERRUPTED)
        self._record(_wire.SESSION_ENDED)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None) -> None:
        self.end(interrupted=exc is not None)

    async def __aenter__(self) -> Self:
        self.start()
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end(interrupted=exc is not None)
