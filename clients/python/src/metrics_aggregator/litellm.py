"""Records the requests of LiteLLM, its SDK or its proxy.

    import litellm
    from metrics_aggregator.litellm import MetricsLogger

    litellm.callbacks = [MetricsLogger(publisher)]

LiteLLM calls before it sends a request, which is then in flight, and after its end, when it reports the first chunk too. It does
not report the chunks between them: latency and time to first token, no time between chunks. A stream that the caller abandons
stays in flight. Times are its wall-clock times, put on the monotonic clock when the callback runs. Further arguments of
`Publisher.sample` travel in the request: `metadata={"metrics_aggregator": {"scheduled_ns": due}}`.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Any

from litellm.integrations.custom_logger import CustomLogger

from ._answers import Measurement, get, plain

if TYPE_CHECKING:
    from .publisher import Publisher
    from .sample import Sample

__all__ = ["MetricsLogger"]

_DETAILS = (
    "scheduled_ns",
    "conversation_id",
    "turn",
    "last_turn",
    "labels",
    "job_id",
    "parents",
    "agent",
    "last_of_job",
)
# Ids of requests reported last: LiteLLM may call the synchronous and the asynchronous method for the same one.
_REMEMBERED = 4096
# Requests in flight that are remembered; one beyond them is recorded after its end.
_OPEN = 65536


class MetricsLogger(CustomLogger):  # type: ignore[misc,unused-ignore]
    """A LiteLLM callback that records a sample for each request, with the label `model`.

    Args:
        publisher: Where to record.
        texts: Whether to send prompts and answers to the daemon.
    """

    def __init__(self, publisher: Publisher, *, texts: bool = False) -> None:
        super().__init__()
        self._publisher = publisher
        self._texts = texts
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._open: dict[str, Sample] = {}
        self._lock = Lock()

    def log_pre_api_call(self, model: Any, messages: Any, kwargs: dict[str, Any]) -> None:
        """Record that a request is about to be sent; a retry of the same call is no further request."""
        call_id = str(kwargs.get("litellm_call_id") or "")
        with self._lock:
            if not call_id or call_id in self._open or call_id in self._seen or len(self._open) >= _OPEN:
                return
            self._open[call_id] = self._issue(kwargs, kwargs.get("start_time"))

    def log_success_event(self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any) -> None:
        """Record a request that was answered."""
        self._record(kwargs, response_obj, start_time, end_time)

    def log_failure_event(self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any) -> None:
        """Record a request that failed."""
        self._record(kwargs, None, start_time, end_time)

    async def async_log_success_event(self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any) -> None:
        """Record a request that was answered."""
        self._record(kwargs, response_obj, start_time, end_time)

    async def async_log_failure_event(self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any) -> None:
        """Record a request that failed."""
        self._record(kwargs, None, start_time, end_time)

    def _record(self, call: dict[str, Any], answer: Any, start: Any, end: Any) -> None:
        call_id = str(call.get("litellm_call_id") or "")
        if call_id and not self._is_new(call_id):
            return
        ended = _monotonic(end)
        with self._lock:
            issued = self._open.pop(call_id, None)
        # An answer from a cache has no call before it.
        sample = issued or self._issue(call, start)
        first = call.get("completion_start_time")
        # Without streaming, LiteLLM gives the end as the time of the first chunk.
        if isinstance(first, datetime) and get(call, "optional_params", "stream"):
            sample.first_token(_monotonic(first))
        if answer is None:
            error = call.get("exception")
            sample.error(error if isinstance(error, BaseException) else "Error", None if error else "unknown", at=ended)
            return
        measurement = Measurement(sample, texts=self._texts)
        measurement.whole(answer, at=ended)

    def _issue(self, call: dict[str, Any], start: Any) -> Sample:
        model = call.get("model")
        given = get(call, "litellm_params", "metadata", "metrics_aggregator")
        details = {name: value for name, value in given.items() if name in _DETAILS} if isinstance(given, dict) else {}
        if isinstance(model, str):
            details["labels"] = {"model": model, **(details.get("labels") or {})}
        if self._texts and isinstance(call.get("messages"), list):
            details["messages"] = [each for each in plain(call["messages"]) if isinstance(each, dict)]
        return self._publisher.sample(at=_monotonic(start), **details)

    def _is_new(self, call_id: str) -> bool:
        with self._lock:
            if call_id in self._seen:
                return False
            self._seen[call_id] = None
            if len(self._seen) > _REMEMBERED:
                self._seen.popitem(last=False)
            return True


def _monotonic(moment: Any) -> int:
    """Return a wall-clock time on the monotonic clock; now if it is none."""
    now = time.monotonic_ns()
    if not isinstance(moment, datetime):
        return now
    return now - round((datetime.now(moment.tzinfo) - moment).total_seconds() * 1e9)
