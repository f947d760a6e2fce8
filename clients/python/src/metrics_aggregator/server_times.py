"""Where one request spent its time inside the server, as the server reports it."""

from __future__ import annotations

import math
import re
from typing import Any, Literal

import msgspec

__all__ = ["ServerTimes"]

_NANOS_MAX = (1 << 63) - 1


class ServerTimes(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Times of one request in nanoseconds, all optional and at least 0; what is not reported is None, not 0.

    The daemon discards all of them if one breaks a rule, and counts that in `server_rejected`.

    Attributes:
        queue_ns: From the arrival at the scheduler until the request was scheduled.
        prefill_ns: Processing of the prompt.
        ttft_ns: From the scheduling to the first token.
        decode_ns: From the first token to the last.
        e2e_ns: From the arrival to the end of the answer.
        kv_transfer_ns: Transfer of the KV cache from the prefill node to the decode node.
        kv_bytes: Bytes of that transfer.
        source: Where they were found.
        prefill_node: Node that processed the prompt, at most 64 bytes of UTF-8.
        decode_node: Node that generated the answer, likewise.
    """

    queue_ns: int | None = None
    prefill_ns: int | None = None
    ttft_ns: int | None = None
    decode_ns: int | None = None
    e2e_ns: int | None = None
    kv_transfer_ns: int | None = None
    kv_bytes: int | None = None
    source: Literal["body", "header", "span"] | None = None
    prefill_node: str | None = None
    decode_node: str | None = None


# vLLM's `metrics` (--enable-per-request-metrics) and llama.cpp's `timings`; both first tokens count from the scheduling.
_BODY = (
    ("metrics", "queue_time_ms", "queue_ns"),
    ("metrics", "time_to_first_token_ms", "ttft_ns"),
    ("metrics", "generation_time_ms", "decode_ns"),
    ("timings", "prompt_ms", "prefill_ns"),
    ("timings", "prompt_ms", "ttft_ns"),
    ("timings", "predicted_ms", "decode_ns"),
)
_HEADER = {
    "queue_ns": ("queue", "queued", "queueing", "queuing"),
    "prefill_ns": ("prefill", "prompt"),
    "ttft_ns": ("ttft", "first_token", "time_to_first_token"),
    "decode_ns": ("decode", "generation", "predicted"),
    "e2e_ns": ("total", "e2e"),
    "kv_transfer_ns": ("kv_transfer", "kv"),
}
_NAMES = {name: key for key, names in _HEADER.items() for name in names}
_HEADER_CHARS_MAX = 8192
_ENTRIES_MAX = 64
_DURATION = re.compile(r'\s*dur\s*=\s*(?:"([^"]*)"|([^\s"]*))\s*', re.IGNORECASE)


class ServerClock:
    """Collects what messages and header of one answer say; the body wins over the header, a later message over an earlier."""

    def __init__(self) -> None:
        self._body: dict[str, int] = {}
        self._header: dict[str, int] = {}

    def message(self, message: Any) -> None:
        """Take a message, or a whole answer: a map, or an object with the same names as attributes."""
        for name, field, key in _BODY:
            nanos = _nanos(_get(_get(message, name), field))
            if nanos is not None:
                self._body[key] = nanos

    def header(self, headers: Any) -> None:
        """Take the `Server-Timing` among headers: names with `dur` in milliseconds."""
        value = _get_header(headers)
        if value is None or len(value) > _HEADER_CHARS_MAX:
            return
        for entry in value.split(",", _ENTRIES_MAX)[:_ENTRIES_MAX]:
            name, *parameters = entry.split(";")
            key = _NAMES.get(name.strip().lower().replace("-", "_").removesuffix("_time"))
            for parameter in parameters if key is not None else ():
                match = _DURATION.fullmatch(parameter)
                nanos = _nanos(_number(match[1] or match[2])) if match is not None else None
                if nanos is not None and key is not None:
                    self._header[key] = nanos
                    break

    def times(self) -> ServerTimes | None:
        """Return what is known; None if nothing is."""
        if not self._body and not self._header:
            return None
        times: dict[str, Any] = {**self._header, **self._body, "source": "body" if self._body else "header"}
        return ServerTimes(**times)


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def _get_header(headers: Any) -> str | None:
    try:
        value = headers.get("server-timing")
    except Exception:
        # Headers of a client that is not known here.
        return None
    return value if isinstance(value, str) else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _nanos(millis: Any) -> int | None:
    if isinstance(millis, bool) or not isinstance(millis, (int, float)) or not math.isfinite(millis):
        return None
    nanos = round(millis * 1e6) if isinstance(millis, float) else millis * 1_000_000
    return nanos if 0 <= nanos <= _NANOS_MAX else None
