"""Snapshots of a run as the daemon publishes them and writes them to final_snapshot.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from .errors import MetricsAggregatorError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SeriesView", "SnapshotView"]

_SERIES_FIELDS = ("name", "count", "total", "min", "max", "sum_sq", "percentiles", "histogram", "early_stopping_percentiles")
_decode = msgspec.msgpack.Decoder().decode


class SeriesView:
    """Statistics of one series, such as `ttft_ns`; times are nanoseconds. An empty series has 0 everywhere.

    Attributes:
        fields: All fields by name (docs/protocol.md, Snapshot on the wire), the daemon's `detail` included.
    """

    __slots__ = ("fields",)

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = fields

    @property
    def name(self) -> str:
        """The name of the series."""
        return str(self.fields["name"])

    @property
    def count(self) -> int:
        """Number of values."""
        return int(self.fields["count"])

    @property
    def total(self) -> int | float:
        """Sum of the values."""
        return _number(self.fields["total"])

    @property
    def min(self) -> int | float:
        """Smallest value."""
        return _number(self.fields["min"])

    @property
    def max(self) -> int | float:
        """Largest value."""
        return _number(self.fields["max"])

    @property
    def mean(self) -> float:
        """Arithmetic mean; 0 if there are no values."""
        return self.total / self.count if self.count else 0.0

    @property
    def std_dev(self) -> float | None:
        """Standard deviation (n - 1); None below two values."""
        value = self.fields.get("std_dev")
        return None if value is None else float(value)

    @property
    def exact(self) -> bool:
        """Whether percentiles come from the raw values rather than from a histogram."""
        return bool(self.fields.get("exact", False))

    def percentile(self, p: float) -> float:
        """Return a percentile of the daemon's grid: 1, 5, 10, 25, 50, 75, 80, 90, 95, 97, 99 or 99.9.

        It is interpolated linearly, as in reports; that of a snapshot without interpolated ones has MLCommons' rank.

        Raises:
            KeyError: the grid does not have it.
        """
        percentiles: Mapping[str, float] = {**self.fields["percentiles"], **(self.fields.get("interpolated") or {})}
        for key, value in percentiles.items():
            if float(key) == p:
                return float(value)
        raise KeyError(f"percentile {p:g}: the snapshot has {', '.join(percentiles)}")

    def __repr__(self) -> str:
        return f"SeriesView({self.name}, count={self.count})"


class SnapshotView:
    """A snapshot: counters and series by name, and the daemon's additions.

    >>> final = SnapshotView.load("/tmp/bench/out")
    >>> final.counter("tracked_samples_issued"), final.series("ttft_ns").percentile(50)
    (700, 69500000.0)

    Attributes:
        number: Number of the snapshot in its run, from 1; a gap is a missed snapshot.
        timestamp_ns: The daemon's monotonic clock.
        state: `initialize`, `live`, `draining`, `complete` or `interrupted`.
        pending: Texts whose tokens are not counted yet.
        counters: Counters by name.
        additions: The daemon's further maps by name (docs/protocol.md): `run`, `in_flight`, `rates`, `workers`, …; empty from
            other aggregators.
    """

    __slots__ = ("_series", "additions", "counters", "number", "pending", "state", "timestamp_ns")

    def __init__(
        self, number: int, timestamp_ns: int, state: str, pending: int, metrics: list[Any], additions: Mapping[str, Any]
    ) -> None:
        self.number = number
        self.timestamp_ns = timestamp_ns
        self.state = state
        self.pending = pending
        self.additions = additions
        self.counters: dict[str, int] = {}
        self._series: dict[str, SeriesView] = {}
        for metric in metrics:
            fields = metric if isinstance(metric, dict) else _fields(metric)
            if fields["type"] == "counter":
                self.counters[fields["name"]] = fields["value"]
            elif fields["type"] == "series":
                self._series[fields["name"]] = SeriesView(fields)

    @classmethod
    def decode(cls, payload: bytes) -> SnapshotView:
        """Read a snapshot from the payload of a frame.

        Raises:
            MetricsAggregatorError: it is not a snapshot.
        """
        try:
            elements = _decode(payload)
            number, timestamp_ns, state, pending, metrics, *more = elements
            # Schema 1 has the additions at the sixth place, where MLCommons endpoints has its steady state.
            additions = next((each for each in more if isinstance(each, dict) and "run" in each), {})
            return cls(number, timestamp_ns, state, pending, metrics, additions)
        except (msgspec.MsgspecError, ValueError, TypeError, LookupError) as e:
            raise MetricsAggregatorError(f"Cannot read a snapshot of {len(payload)} bytes: {e!r}") from e

    @classmethod
    def load(cls, path: str | Path) -> SnapshotView:
        """Read `final_snapshot.json`, or the one in a directory.

        Raises:
            MetricsAggregatorError: the file is not a snapshot.
            OSError: it cannot be read.
        """
        file = Path(path)
        if file.is_dir():
            file = file / "final_snapshot.json"
        text = file.read_text("utf-8")
        try:
            tree = json.loads(text)
            head = [tree.pop(key) for key in ("counter", "timestamp_ns", "state", "n_pending_tasks", "metrics")]
            number, timestamp_ns, state, pending, metrics = head
            return cls(number, timestamp_ns, state, pending, metrics, tree)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as e:
            raise MetricsAggregatorError(f"Cannot read the snapshot {file}: {e!r}") from e

    @property
    def final(self) -> bool:
        """Whether the run is over: no snapshot follows."""
        return self.state in ("complete", "interrupted")

    def counter(self, name: str) -> int:
        """Return a counter.

        Raises:
            KeyError: the snapshot does not have it.
        """
        return self.counters[name]

    def series(self, name: str) -> SeriesView:
        """Return a series.

        Raises:
            KeyError: the snapshot does not have it.
        """
        return self._series[name]

    @property
    def series_names(self) -> list[str]:
        """Names of all series, in the daemon's order."""
        return list(self._series)

    def __repr__(self) -> str:
        return f"SnapshotView(number={self.number}, state={self.state})"


def _fields(metric: list[Any]) -> dict[str, Any]:
    kind, *rest = metric
    if kind == "counter":
        return {"type": kind, "name": rest[0], "value": rest[1]}
    fields = {"type": kind, **dict(zip(_SERIES_FIELDS, rest))}
    if len(rest) > len(_SERIES_FIELDS) and isinstance(rest[len(_SERIES_FIELDS)], dict):
        fields.update(rest[len(_SERIES_FIELDS)])
    return fields


def _number(value: Any) -> int | float:
    return value if isinstance(value, (int, float)) else 0
