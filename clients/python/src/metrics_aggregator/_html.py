"""The summary of a run for notebooks: HTML with inline styles and SVG. Every text of the run is escaped; nothing is loaded."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from .errors import MetricsAggregatorError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .run import Run, RunSeries

# Readable on white and on black; the second curve is dashed, too.
_BLUE, _ORANGE, _RED, _GREEN = "#3b82c4", "#d9822b", "#d64545", "#3a9a5b"
_COLOURS = {"valid": _GREEN, "questionable": _ORANGE, "invalid": _RED}
_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 430, 170, 52, 22, 22


class _Curve(NamedTuple):
    label: str
    colour: str
    dash: str
    values: Sequence[float | None]


def render_run(run: Run) -> str:
    """Return verdict, tiles and plots of requests and of the time to first token, or of the latency if nothing was streamed."""
    word, colour, reasons = _judge(run)
    tiles = [_tile("verdict", word, colour), *_counts(run)]
    ttft = _first(run, "succeeded_ttft_ns", "ttft_ns")
    latency = _first(run, "succeeded_sample_latency_ns", "sample_latency_ns")
    for title, series in (("time to first token", ttft), ("latency", latency)):
        if series is not None:
            tiles.append(_tile(f"{title}, p50 · p99", f"{series.p50} · {series.p99}"))
    lines = "".join(f'<div style="margin:2px 0">{escape(each)}</div>' for each in reasons)
    head = f"{run.id or run.path}, {run.state}"
    return (
        f'<div style="font-family:sans-serif;font-size:13px;max-width:{2 * _WIDTH + 20}px">'
        f'<div style="opacity:.75">Run {escape(head)}</div>'
        f'<div style="display:flex;flex-wrap:wrap;gap:8px;margin:6px 0">{"".join(tiles)}</div>{lines}'
        f'<div style="display:flex;flex-wrap:wrap;gap:12px">{_plots(run, ttft is not None)}</div></div>'
    )


def _judge(run: Run) -> tuple[str, str, list[str]]:
    """Word, colour and up to three reasons; the state of the run if the program, which judges, cannot be used."""
    try:
        verdict = run.verdict
    except MetricsAggregatorError as e:
        return run.state.upper(), "", [f"No verdict: {e}"]
    return verdict.validity.upper(), _COLOURS.get(verdict.validity, ""), [str(each) for each in verdict.reasons[:3]]


def _counts(run: Run) -> list[str]:
    counters = run.snapshot.counters
    tiles = []
    completed, duration = counters.get("tracked_samples_completed"), counters.get("tracked_duration_ns")
    if completed is not None and duration:
        tiles.append(_tile("requests/s", f"{completed * 1e9 / duration:.4g}"))
    issued, failed = counters.get("tracked_samples_issued"), counters.get("tracked_samples_failed")
    if issued is not None and failed is not None:
        share = f" ({failed / issued:.2%})" if issued else ""
        tiles.append(_tile("failed", f"{failed:,} of {issued:,}{share}", _RED if failed else ""))
    return tiles


def _tile(title: str, text: str, colour: str = "") -> str:
    edge = colour or "currentColor"
    return (
        f'<div style="border:1px solid rgba(128,128,128,.4);border-left:4px solid {edge};border-radius:4px;padding:4px 10px">'
        f'<div style="opacity:.75;font-size:11px">{escape(title)}</div>'
        f'<div style="font-size:17px;font-variant-numeric:tabular-nums">{escape(text)}</div></div>'
    )


def _plots(run: Run, streamed: bool) -> str:
    try:
        starts, columns = run._slices()
    except MetricsAggregatorError as e:
        return f'<div style="opacity:.75">{escape(str(e))}</div>'
    width = starts[1] - starts[0] if len(starts) > 1 else 1.0
    # A merged snapshot can have slices of another width; rates are by second whatever it is.
    per_second = {
        name: [None if value is None else value / width for value in columns.get(name, [])] for name in ("completed", "failed")
    }
    name, title = ("ttft", "Time to first token, ms") if streamed else ("latency", "Latency, ms")
    in_ms = {p: [None if value is None else value / 1e6 for value in columns.get(f"{name}_{p}_ns", [])] for p in ("p50", "p99")}
    return _plot(
        "Requests per second",
        starts,
        [_Curve("completed", _BLUE, "", per_second["completed"]), _Curve("failed", _RED, "5 3", per_second["failed"])],
    ) + _plot(title, starts, [_Curve("p50", _BLUE, "", in_ms["p50"]), _Curve("p99", _ORANGE, "5 3", in_ms["p99"])])


def _plot(title: str, starts: Sequence[float], curves: Sequence[_Curve]) -> str:
    """Return an SVG of curves over seconds, from 0 up; a curve has a gap where there is no value."""
    values = [value for curve in curves for value in curve.values if value is not None and math.isfinite(value)]
    top = _ceiling(max(values, default=0.0))
    end = max(starts[-1], 1e-9)
    width, height = _WIDTH - _LEFT - 8, _HEIGHT - _TOP - _BOTTOM
    parts = [f'<text x="{_LEFT}" y="13" font-weight="bold">{escape(title)}</text>']
    for share in (0.0, 0.5, 1.0):
        y = _TOP + height * (1 - share)
        parts.append(f'<path d="M{_LEFT} {y:.1f}h{width}" stroke="currentColor" stroke-opacity=".2"/>')
        parts.append(f'<text x="{_LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{top * share:g}</text>')
    parts.append(f'<text x="{_LEFT}" y="{_HEIGHT - 6}">0 s</text>')
    parts.append(f'<text x="{_WIDTH - 8}" y="{_HEIGHT - 6}" text-anchor="end">{end:.6g} s</text>')
    for place, curve in enumerate(curves):
        shown = "".join(_path(starts, curve.values, end, top, width, height))
        parts.append(
            f'<path d="{shown}" fill="none" stroke="{curve.colour}" stroke-width="1.6" stroke-linecap="round" '
            f'stroke-dasharray="{curve.dash}"/>'
        )
        x = _WIDTH - 8 - 84 * (len(curves) - place)
        parts.append(
            f'<path d="M{x} 9h16" stroke="{curve.colour}" stroke-width="2" stroke-dasharray="{curve.dash}"/>'
            f'<text x="{x + 20}" y="13">{escape(curve.label)}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="11" fill="currentColor">{"".join(parts)}</svg>'
    )


def _path(
    starts: Sequence[float], values: Sequence[float | None], end: float, top: float, width: int, height: int
) -> Sequence[str]:
    path: list[str] = []
    pen = "M"
    for start, value in zip(starts, values):
        if value is None or not math.isfinite(value):
            pen = "M"
            continue
        x, y = _LEFT + width * start / end, _TOP + height * (1 - min(max(value / top, 0.0), 1.0))
        # A value between two gaps is a dot.
        path.append(f"{pen}{x:.1f} {y:.1f}" + ("h0" if pen == "M" else ""))
        pen = "L"
    return path


def _ceiling(value: float) -> float:
    """The least of 1, 2, 4, 5, 6, 8 and 10 times a power of ten that is not below a value; 1 for 0."""
    if not value > 0 or value > 1e300:
        return max(value, 1.0)
    power = 10.0 ** math.floor(math.log10(value))
    return next((step * power for step in (1, 2, 4, 5, 6, 8, 10) if step * power >= value), 10 * power)


def _first(run: Run, *names: str) -> RunSeries | None:
    """The first series that the run has with values."""
    for name in names:
        if name in run.snapshot.series_names and (series := run.series(name)).count:
            return series
    return None
