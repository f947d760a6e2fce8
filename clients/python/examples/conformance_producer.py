"""Publishes the script of a producer case of the conformance kit (conformance/README.md).

    metrics-aggregator check-producer -- python examples/conformance_producer.py

The kit gives the endpoint to bind in MA_ENDPOINT and the script as JSON on standard input.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any, cast

from metrics_aggregator import ErrorKind, Publisher, Sample, Session, Usage

USAGE = {
    "prompt_tokens": "input",
    "completion_tokens": "output",
    "cached_tokens": "cached",
    "cache_write_tokens": "cache_write",
    "reasoning_tokens": "reasoning",
}


def wait_until(nanos: int) -> None:
    """Sleep until a time of the monotonic clock."""
    left = (nanos - time.monotonic_ns()) / 1e9
    if left > 0:
        time.sleep(left)


def flood(publisher: Publisher, step: dict[str, Any]) -> None:
    """Issue and complete samples at a rate; 0 means without a pause."""
    started, rate = time.monotonic_ns(), step["samples_per_s"]
    for number in range(step["samples"]):
        if rate and number % 100 == 0:
            wait_until(started + number * 10**9 // rate)
        publisher.sample(id=f"{step['prefix']}{number}").complete()


def session_event(session: Session, event: str) -> None:
    """Record one of the events that begin and end a session and its window."""
    {
        "session.started": session.start,
        "session.start_performance_tracking": session.start_tracking,
        "session.stop_performance_tracking": session.stop_tracking,
        "session.stop_loadgen": session.stop_load,
        "session.ended": session.end,
    }[event]()


def perform(publisher: Publisher, steps: list[dict[str, Any]]) -> None:
    """Take each step at its time."""
    session, samples = publisher.session(tracking=False), dict[str, Sample]()
    started = time.monotonic_ns()
    for step in steps:
        wait_until(started + step["at_ms"] * 1_000_000)
        sample = samples.get(step.get("sample", ""))
        if step["do"] == "session":
            session_event(session, step["event"])
        elif step["do"] == "flood":
            flood(publisher, step)
        elif step["do"] == "issue":
            scheduled = step.get("scheduled_ms")
            samples[step["sample"]] = publisher.sample(
                prompt=step.get("prompt"),
                id=step["sample"],
                scheduled_ns=None if scheduled is None else started + scheduled * 1_000_000,
                conversation_id=step.get("conversation", ""),
                turn=step.get("turn"),
            )
        elif step["do"] == "chunk" and sample:
            sample.token(part=step.get("part"), tokens=step.get("tokens"))
        elif step["do"] == "complete" and sample:
            usage = {USAGE.get(name, name): value for name, value in step.get("usage", {}).items()}
            sample.complete(step.get("text"), finish_reason=step.get("finish_reason"), usage=Usage(**usage) if usage else None)
        elif step["do"] == "error":
            kind = cast("ErrorKind", step["event"].removeprefix("error."))
            if sample:
                sample.error(step["type"], step["message"], kind=kind, complete=False)
            else:
                publisher.error(step["type"], step["message"], kind=kind)
        else:
            sys.exit(f"unknown step: {step}")


if __name__ == "__main__":
    script = json.load(sys.stdin)
    with Publisher(os.environ["MA_ENDPOINT"]) as load:
        load.wait_for_subscriber(30)
        perform(load, script["steps"])
        sys.exit(1 if load.close(30) else 0)
