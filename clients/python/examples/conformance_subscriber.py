"""Prints the snapshots of a subscriber case of the conformance kit (conformance/README.md).

    metrics-aggregator check-subscriber -- python examples/conformance_subscriber.py

The kit publishes at MA_ENDPOINT; each snapshot becomes one line of JSON in which numbers and bytes are tagged.
"""

from __future__ import annotations

import json
import os
from typing import Any

from metrics_aggregator import SnapshotView, Subscriber


def tagged(value: Any) -> Any:
    """Return a value with `$int`, `$float` and `$bin` around what JSON readers confuse."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return {"$int": str(value)}
    if isinstance(value, float):
        return {"$float": repr(value)}
    if isinstance(value, bytes):
        return {"$bin": value.hex()}
    if isinstance(value, dict):
        return {key: tagged(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [tagged(each) for each in value]
    return value


def line(snapshot: SnapshotView) -> dict[str, Any]:
    """Return the fields of a snapshot that every version has."""
    metrics: dict[str, Any] = dict(snapshot.counters)
    for name in snapshot.series_names:
        metrics[name] = {key: value for key, value in snapshot.series(name).fields.items() if key not in ("type", "name")}
    return {
        "counter": snapshot.number,
        "timestamp_ns": snapshot.timestamp_ns,
        "state": snapshot.state,
        "n_pending_tasks": snapshot.pending,
        "metrics": metrics,
    }


if __name__ == "__main__":
    with Subscriber(os.environ["MA_ENDPOINT"], timeout=30) as snapshots:
        for each in snapshots:
            print(json.dumps(tagged(line(each))), flush=True)
