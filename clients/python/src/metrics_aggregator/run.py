"""Finished runs: their verdict, figures with units, data frames, and a summary for notebooks."""

from __future__ import annotations

import functools
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, overload

from . import _frames
from ._frames import Column, Library
from ._html import render_run
from ._program import run_program
from ._samples import read_samples
from .errors import InvalidRunError, MetricsAggregatorError
from .snapshot import SeriesView, SnapshotView
from .units import Quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    import polars as pl
    from typing_extensions import Self

__all__ = ["Finding", "Percentile", "Run", "RunSeries", "Verdict", "load"]

_UNITS = {
    "isl": "tokens",
    "osl": "tokens",
    "osl_all": "tokens",
    "osl_answer": "tokens",
    "osl_reasoning": "tokens",
    "conversation_turns": "turns",
    "conversation_tok_per_s": "tok/s",
}


class Percentile(Quantity):
    """A percentile of a series. `?` behind it marks one of too few values, `≈` before it an estimate, as in reports.

    Attributes:
        certain: Whether it has a bound that holds with 99 % confidence for independent values (docs/metrics.md, Certainty of
            percentiles): p99 from 662 values on.
        exact: Whether it was computed from the values themselves and not from a histogram.
        upper_bound: That bound, for percentiles from 50 up of the series whose bounds the snapshot has; else None.
    """

    __slots__ = ("certain", "exact", "upper_bound")

    def __init__(self, value: float, unit: str, *, certain: bool, exact: bool, upper_bound: Quantity | None) -> None:
        super().__init__(value, unit)
        self.certain = certain
        self.exact = exact
        self.upper_bound = upper_bound

    def __str__(self) -> str:
        return f"{'' if self.exact else '≈ '}{super().__str__()}{'' if self.certain else '?'}"


class RunSeries:
    """Statistics of one series in its unit.

    >>> latency = load("/tmp/bench/out").series("sample_latency_ns")
    >>> latency
    RunSeries(sample_latency_ns, count=700, p50=119.5 ms, p99=169 ms)
    >>> latency.p99_9  # too few values for a bound
    170 ms?
    >>> latency.p99.upper_bound
    170 ms

    Attributes:
        view: The same without units, and every field of the snapshot.
        unit: `ns`, `tokens`, `turns`, `tok/s`, or empty.
    """

    def __init__(self, view: SeriesView) -> None:
        self.view = view
        self.unit = _unit(view.name)

    @property
    def name(self) -> str:
        """The name of the series."""
        return self.view.name

    @property
    def count(self) -> int:
        """Number of values."""
        return self.view.count

    @property
    def mean(self) -> Quantity:
        """Arithmetic mean."""
        return self._quantity(self.view.mean)

    @property
    def min(self) -> Quantity:
        """Smallest value."""
        return self._quantity(self.view.min)

    @property
    def max(self) -> Quantity:
        """Largest value."""
        return self._quantity(self.view.max)

    @property
    def p50(self) -> Percentile:
        """The median."""
        return self.percentile(50)

    @property
    def p90(self) -> Percentile:
        """The 90th percentile."""
        return self.percentile(90)

    @property
    def p95(self) -> Percentile:
        """The 95th percentile."""
        return self.percentile(95)

    @property
    def p99(self) -> Percentile:
        """The 99th percentile."""
        return self.percentile(99)

    @property
    def p99_9(self) -> Percentile:
        """The 99.9th percentile."""
        return self.percentile(99.9)

    def percentile(self, p: float) -> Percentile:
        """Return a percentile of the daemon's grid: 1, 5, 10, 25, 50, 75, 80, 90, 95, 97, 99 or 99.9.

        Raises:
            KeyError: the grid does not have it.
            MetricsAggregatorError: the series has no values.
        """
        self._require_values()
        try:
            value = self.view.percentile(p)
            certification: Mapping[str, Any] = self.view.fields.get("certification") or {}
            bound = next((row.get("upper_bound") for key, row in certification.items() if float(key) == p), None)
            upper = None if bound is None else Quantity(float(bound), self.unit)
        except (ValueError, TypeError, AttributeError) as e:
            raise MetricsAggregatorError(f"Cannot read percentile {p:g} of the series {self.name}: {e}") from e
        certain = self.count >= _least_count(max(p, 100 - p))
        return Percentile(value, self.unit, certain=certain, exact=self.view.exact, upper_bound=upper)

    def _quantity(self, value: float) -> Quantity:
        self._require_values()
        return Quantity(float(value), self.unit)

    def _require_values(self) -> None:
        # The snapshot has 0 everywhere, which would keep every limit.
        if self.count == 0:
            raise MetricsAggregatorError(f"The series {self.name} has no values in this run.")

    def __repr__(self) -> str:
        return f"RunSeries({self.name}, count={self.count}" + (f", p50={self.p50}, p99={self.p99})" if self.count else ")")


class Finding(NamedTuple):
    """What one check of the verdict found. `weight` is `bad`, `remark`, `note`, `unknown` or `good`."""

    weight: str
    what: str
    evidence: str

    def __str__(self) -> str:
        return f"{self.what}: {self.evidence}"


class Verdict(NamedTuple):
    """The judgement on a run (docs/metrics.md, The verdict).

    Attributes:
        validity: `valid`, `questionable` or `invalid`.
        limit: What limited the run: `client`, `server`, `not_stationary`, `none` or `unknown`.
        findings: One of each check, gravest first.
    """

    validity: str
    limit: str
    findings: tuple[Finding, ...]

    @property
    def reasons(self) -> list[Finding]:
        """The findings that make it invalid or questionable; none if it is valid."""
        return [each for each in self.findings if each.weight in ("bad", "remark")]

    def __str__(self) -> str:
        return "; ".join([f"{self.validity.upper()}", *map(str, self.reasons)])


class Run:
    """A finished run. In a notebook it shows its verdict, headline figures and two plots. Not thread-safe.

    Attributes:
        path: The file of its snapshot.
        snapshot: Counters, series and the daemon's further maps.
    """

    def __init__(self, path: Path, snapshot: SnapshotView, samples: Path) -> None:
        self.path = path
        self.snapshot = snapshot
        self._samples = samples

    @property
    def id(self) -> str | None:
        """The id of the run; None from other aggregators."""
        return cast("str | None", _map(self.snapshot.additions.get("run")).get("run_id"))

    @property
    def state(self) -> str:
        """`complete` or `interrupted`."""
        return self.snapshot.state

    def counter(self, name: str) -> int:
        """Return a counter.

        Raises:
            KeyError: the snapshot does not have it.
        """
        return self.snapshot.counter(name)

    def series(self, name: str) -> RunSeries:
        """Return a series, such as `ttft_ns`, whose figures have units.

        Raises:
            KeyError: the snapshot does not have it; the message names those that it has.
        """
        if name not in self.snapshot.series_names:
            raise KeyError(f"series {name}: the run has {', '.join(self.snapshot.series_names)}")
        return RunSeries(self.snapshot.series(name))

    @functools.cached_property
    def report(self) -> dict[str, Any]:
        """The report as `metrics-aggregator report --format json` prints it; made when first asked for, which takes a second.

        Raises:
            ProgramNotFoundError: the program is not installed.
            MetricsAggregatorError: it could not make the report.
        """
        try:
            report = json.loads(run_program("report", self.path.absolute(), "--format", "json"))
        except ValueError as e:
            raise MetricsAggregatorError(f"The report on {self.path} is not JSON: {e}") from e
        return cast("dict[str, Any]", report)

    @property
    def verdict(self) -> Verdict:
        """The program's judgement; raises what `report` raises."""
        tree = self.report["verdict"]
        findings = (Finding(each["weight"], each["what"], each["evidence"]) for each in tree["findings"])
        return Verdict(tree["validity"], tree["limit"], tuple(findings))

    def require_valid(self, *, questionable: bool = True) -> Self:
        """Return this run unless its verdict is invalid, or questionable with `questionable=False`.

        Raises:
            InvalidRunError: it is; the message has the reasons.
            ProgramNotFoundError: the program, which judges, is not installed.
        """
        verdict = self.verdict
        if verdict.validity == "invalid" or (verdict.validity == "questionable" and not questionable):
            raise InvalidRunError(f"The run {self.id or self.path} is {verdict}")
        return self

    @overload
    def samples(self, library: Literal["pandas"]) -> pd.DataFrame: ...
    @overload
    def samples(self, library: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def samples(self, library: None = None) -> Any: ...
    def samples(self, library: Library | None = None) -> Any:
        """Return a frame with a row for each sample (docs/parquet.md, Columns); times are nanoseconds of the producer's clock.

        Args:
            library: `"pandas"` or `"polars"`; default: the first of them that is installed.

        Raises:
            MetricsAggregatorError: neither is installed, or the run has no samples: the daemon ran without --journal, and
                nothing was exported.
        """
        return read_samples(self._samples, self.id, _frames.choose(library))

    @overload
    def slices(self, library: Literal["pandas"]) -> pd.DataFrame: ...
    @overload
    def slices(self, library: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def slices(self, library: None = None) -> Any: ...
    def slices(self, library: Library | None = None) -> Any:
        """Return a frame with a row for each time slice, usually a second: events, samples in flight, percentiles.

        `start_s` counts from the first slice; the other columns are those of the snapshot's `slices` (docs/protocol.md).

        Raises:
            MetricsAggregatorError: neither pandas nor polars is installed, or the snapshot has no slices.
        """
        chosen = _frames.choose(library)
        starts, columns = self._slices()
        frame = {"start_s": Column("number", starts)}
        for name, values in columns.items():
            whole = all(value is None or isinstance(value, int) for value in values)
            frame[name] = Column("integer" if whole else "number", values)
        return _frames.build(frame, chosen)

    @overload
    def percentiles(self, library: Literal["pandas"]) -> pd.DataFrame: ...
    @overload
    def percentiles(self, library: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def percentiles(self, library: None = None) -> Any: ...
    def percentiles(self, library: Library | None = None) -> Any:
        """Return a frame with a row for each series that has values and each of its percentiles.

        Columns: `series`, `unit`, `count`, `percentile`, `value` and `upper_bound` in that unit, `certain`, `exact`.

        Raises:
            MetricsAggregatorError: neither pandas nor polars is installed.
        """
        chosen = _frames.choose(library)
        rows = []
        for series in map(self.series, self.snapshot.series_names):
            for key in series.view.fields.get("percentiles") or () if series.count else ():
                each = series.percentile(float(key))
                bound = each.upper_bound.value if each.upper_bound else None
                rows.append((series.name, series.unit, series.count, float(key), each.value, bound, each.certain, each.exact))
        kinds: dict[str, _frames.Kind] = {
            "series": "text",
            "unit": "text",
            "count": "integer",
            "percentile": "number",
            "value": "number",
            "upper_bound": "number",
            "certain": "boolean",
            "exact": "boolean",
        }
        return _frames.build(
            {name: Column(kind, [row[place] for row in rows]) for place, (name, kind) in enumerate(kinds.items())}, chosen
        )

    def _slices(self) -> tuple[list[float], dict[str, list[float | None]]]:
        """Starts in seconds from the first slice, and columns of the same length; whatever is no number is None."""
        tree = _map(self.snapshot.additions.get("slices"))
        columns = {str(name): values for name, values in _map(tree.get("columns")).items() if isinstance(values, list)}
        width = tree.get("width_ns")
        if not columns or not isinstance(width, int):
            raise MetricsAggregatorError(f"The snapshot {self.path} has no time slices.")
        length = max(map(len, columns.values()))
        return [number * width / 1e9 for number in range(length)], {
            name: [_number(value) for value in values] + [None] * (length - len(values)) for name, values in columns.items()
        }

    def _repr_html_(self) -> str:
        """Tiles and plots for notebooks: one piece of HTML without scripts, which loads nothing."""
        return render_run(self)

    def __repr__(self) -> str:
        return f"Run({self.id or self.path}, {self.state})"


def load(path: str | Path, *, samples: str | Path | None = None) -> Run:
    """Open a finished run.

    >>> run = load("/tmp/bench/out")
    >>> run.series("ttft_ns").p99
    119 ms
    >>> run.series("ttft_ns").p99 < 0.5 * s
    True
    >>> run.verdict.validity
    'valid'
    >>> rows = run.samples("pandas")
    >>> f"{rows[rows.tracked].ttft_ns.quantile(0.99) / 1e6:.2f} ms"
    '119.01 ms'

    Args:
        path: `final_snapshot.json`, or its directory: the daemon's --output-dir.
        samples: Where its samples are: a Parquet or SQLite file or folder that `metrics-aggregator export` wrote, or the
            journal, which the program then exports. Default: such files, or a journal, in the snapshot's directory.

    Raises:
        MetricsAggregatorError: there is no snapshot, or it cannot be read.
    """
    file = Path(path)
    if file.is_dir():
        file = file / "final_snapshot.json"
    try:
        snapshot = SnapshotView.load(file)
    except OSError as e:
        hint = ""
        if any(file.parent.glob("run-*/segment-*.journal")):
            hint = f" {file.parent} is a journal: metrics-aggregator replay {file.parent} --output-dir DIR writes a snapshot."
        raise MetricsAggregatorError(f"Cannot read {file}: {e.strerror or e}.{hint}") from e
    return Run(file, snapshot, file.parent if samples is None else Path(samples))


@functools.lru_cache(maxsize=64)
def _least_count(percent: float) -> int:
    """The least number of values with which a percentile from 50 up is certain: 11 for p50, 662 for p99, 6636 for p99.9.

    It is certain once P(Binomial(n, 1 - p) <= 1) is below 1 %: MLPerf's early stopping rule, as the daemon has it.
    """
    p = percent / 100
    if not 0 < p < 1:
        return sys.maxsize

    def in_doubt(n: int) -> bool:
        return math.pow(p, n) + n * (1 - p) * math.pow(p, n - 1) >= 0.01

    high = 2
    while in_doubt(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if in_doubt(middle) else (low, middle)
    return high


def _unit(name: str) -> str:
    if name.endswith("_ns"):
        return "ns"
    return "tokens" if name.startswith("usage_") and name.endswith("_tokens") else _UNITS.get(name, "")


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(value: object) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
