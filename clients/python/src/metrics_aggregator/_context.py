"""What a load generator knows of a request and the library that sends it does not."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_details: ContextVar[dict[str, Any]] = ContextVar("metrics_aggregator_request", default={})  # noqa: B039


@contextmanager
def request_details(
    *,
    id: str | None = None,  # noqa: A002
    scheduled_ns: int | None = None,
    conversation_id: str = "",
    turn: int | None = None,
    last_turn: bool = False,
    labels: Mapping[str, str] | None = None,
    job_id: str | None = None,
    parents: Sequence[str] = (),
    agent: str | None = None,
    last_of_job: bool = False,
    traceparent: str | None = None,
) -> Iterator[None]:
    """Attach details to the requests that the block issues through an instrumented client; see `Publisher.sample`.

        with request_details(scheduled_ns=due, conversation_id="c1", turn=2):
            stream = client.chat.completions.create(…, stream=True)

    Concurrent tasks and threads each have their own.
    """
    details = {
        "id": id,
        "scheduled_ns": scheduled_ns,
        "conversation_id": conversation_id,
        "turn": turn,
        "last_turn": last_turn,
        "labels": labels,
        "job_id": job_id,
        "parents": parents,
        "agent": agent,
        "last_of_job": last_of_job,
        "traceparent": traceparent,
    }
    token = _details.set({name: value for name, value in details.items() if value})
    try:
        yield
    finally:
        _details.reset(token)


def current_details(labels: Mapping[str, str] | None) -> dict[str, Any]:
    """Return keyword arguments for `Publisher.sample`, with these labels below the block's own."""
    details = dict(_details.get())
    if labels or "labels" in details:
        details["labels"] = {**(labels or {}), **(details.get("labels") or {})}
    return details
