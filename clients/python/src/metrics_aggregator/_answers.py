"""Recognises content, usage and ends in the answers of OpenAI-compatible and Anthropic servers, and records them on a sample.

Chunks are maps or objects with the same names as attributes. What is unknown or of another type is passed over: a chunk is a
server's input and must not disturb the load. One measurement belongs to one request, and one thread at a time.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .usage import Usage

if TYPE_CHECKING:
    from .sample import Part, Sample

_RESPONSES_PARTS: dict[str, Part] = {
    "response.output_text.delta": "output",
    "response.refusal.delta": "output",
    "response.reasoning_text.delta": "reasoning",
    "response.reasoning_summary_text.delta": "reasoning",
    "response.function_call_arguments.delta": "tool_calls",
    "response.custom_tool_call_input.delta": "tool_calls",
    "response.mcp_call_arguments.delta": "tool_calls",
    "response.code_interpreter_call_code.delta": "tool_calls",
}
_ANTHROPIC_PARTS: dict[str, tuple[str, Part]] = {
    "text_delta": ("text", "output"),
    "thinking_delta": ("thinking", "reasoning"),
    "input_json_delta": ("partial_json", "tool_calls"),
}
_FINISH_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}


def get(value: Any, *names: str) -> Any:
    """Return a nested field of maps or objects; None if one of them is missing."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
        if value is None:
            return None
    return value


class Measurement:
    """Records the chunks and the end of one answer; keeps texts only if asked to."""

    def __init__(self, sample: Sample, *, texts: bool) -> None:
        self.sample = sample
        self._texts = texts
        self._output: list[str] = []
        self._reasoning: list[str] = []
        self._tool_calls: list[Any] = []
        self._finish_reason: str | None = None
        self._usage: dict[str, Any] = {}
        self._called_tools = False

    # -- streamed --------------------------------------------------------------------------------------------------

    def chunk(self, chunk: Any) -> None:
        """Record a chunk that has content; remember its finish reason and usage; end with the server's last event."""
        if self.sample.ended:
            return
        kind = get(chunk, "type")
        if get(chunk, "choices") is not None:
            self._choices(chunk)
        elif isinstance(kind, str) and kind.startswith("response."):
            self._responses(kind, chunk)
        elif isinstance(kind, str):
            self._anthropic(kind, chunk)
        error = get(chunk, "error")
        if error is not None:
            self.error(error)

    def _choices(self, chunk: Any) -> None:
        before = self._usage.get("output")
        self._read_usage(get(chunk, "usage"))
        part: Part | None = None
        for choice in _list(get(chunk, "choices")):
            delta = get(choice, "delta")
            reason = get(choice, "finish_reason")
            if isinstance(reason, str):
                self._finish_reason = reason
            reasoning = get(delta, "reasoning_content") or get(delta, "reasoning") or _details(get(delta, "reasoning_details"))
            tool_calls = get(delta, "tool_calls") or get(delta, "function_call")
            text = get(delta, "content") or get(delta, "refusal") if delta is not None else get(choice, "text")
            if reasoning:
                part = part or "reasoning"
                self._keep(self._reasoning, reasoning)
            if tool_calls:
                part = part or "tool_calls"
                if self._texts:
                    self._tool_calls.append([plain(each) for each in _list(tool_calls)])
            if text:
                part = "output"
                self._keep(self._output, text)
        if part is not None:
            after = self._usage.get("output")
            # Servers that report usage with each chunk say by its growth how many tokens the chunk has.
            tokens = after - (before or 0) if after is not None and after >= (before or 0) else None
            self.sample.token(part=part, tokens=tokens)

    def _responses(self, kind: str, chunk: Any) -> None:
        part = _RESPONSES_PARTS.get(kind)
        if part is not None:
            self._delta(part, get(chunk, "delta"))
        elif kind in ("response.completed", "response.incomplete", "response.failed"):
            self.whole(get(chunk, "response"))

    def _anthropic(self, kind: str, chunk: Any) -> None:
        if kind == "content_block_delta":
            name, part = _ANTHROPIC_PARTS.get(str(get(chunk, "delta", "type")), ("", None))
            if part is not None:
                self._delta(part, get(chunk, "delta", name))
        elif kind == "message_start":
            self._read_usage(get(chunk, "message", "usage"))
        elif kind == "message_delta":
            self._read_usage(get(chunk, "usage"))
            reason = get(chunk, "delta", "stop_reason")
            if isinstance(reason, str):
                self._finish_reason = _FINISH_REASONS.get(reason, reason)
        elif kind == "message_stop":
            self.end()

    def _delta(self, part: Part, text: Any) -> None:
        if not isinstance(text, str) or not text:
            return
        self.sample.token(part=part)
        if part == "tool_calls":
            self._called_tools = True
        else:
            self._keep(self._reasoning if part == "reasoning" else self._output, text)

    def _keep(self, texts: list[str], text: Any) -> None:
        if self._texts and isinstance(text, str):
            # The first chunk stays apart: the daemon counts its tokens apart from the others'.
            if len(texts) < 2:
                texts.append(text)
            else:
                texts[1] += text

    # -- the end ---------------------------------------------------------------------------------------------------

    def whole(self, answer: Any, at: int | None = None) -> None:
        """End with an answer that arrived in one piece, or with the summary that ends a stream of the responses API."""
        self._read_usage(get(answer, "usage"))
        for choice in _list(get(answer, "choices"))[:1]:
            reason = get(choice, "finish_reason")
            self._finish_reason = reason if isinstance(reason, str) else None
            self._keep(self._output, get(choice, "message", "content") or get(choice, "text"))
            message = get(choice, "message")
            reasoning = get(message, "reasoning_content") or get(message, "reasoning")
            self._keep(self._reasoning, reasoning or _details(get(message, "reasoning_details")))
            if self._texts:
                self._tool_calls += [plain(each) for each in _list(get(choice, "message", "tool_calls"))]
        status = get(answer, "status")
        if status == "failed":
            self.error(get(answer, "error"))
            return
        if isinstance(status, str):
            reason = get(answer, "incomplete_details", "reason")
            self._finish_reason = _FINISH_REASONS.get(str(reason), str(reason)) if reason else "stop"
            if self._called_tools or any(get(item, "type") == "function_call" for item in _list(get(answer, "output"))):
                self._finish_reason = "tool_calls"
            if not self.sample.received:
                self._keep(self._output, get(answer, "output_text"))
        self.end(at)

    def end(self, at: int | None = None) -> None:
        """Record the end of the answer with all that is known of it."""
        if self.sample.ended:
            return
        self.sample.complete(
            self._output or None,
            reasoning=self._reasoning or None,
            tool_calls=self._tool_calls or None,
            finish_reason=self._finish_reason,
            usage=Usage(**self._usage) if self._usage else None,
            at=at,
        )

    def error(self, error: Any) -> None:
        """End with an error that the server sent instead of the answer."""
        if self.sample.ended:
            return
        kind = get(error, "type") or get(error, "code") or "ServerError"
        message = get(error, "message")
        self.sample.error(str(kind), str(message if message is not None else error), output=self._output or None)

    def error_event(self, data: str) -> None:
        """End with an event of the type `error`, whatever its data."""
        try:
            error = json.loads(data)
        except ValueError:
            error = None
        self.error((get(error, "error") or error) if isinstance(error, dict) else {"message": data})

    def failed(self, error: BaseException) -> None:
        """End with an exception: of the client as an error, of the caller's own doing as a cancellation."""
        self.sample.__exit__(type(error), error, error.__traceback__)

    def abandoned(self) -> None:
        """End because the caller stops reading: cancelled, unless the answer had reached its finish reason."""
        if self.sample.ended:
            return
        if self._finish_reason is not None:
            self.end()
        else:
            self.sample.cancel("the client stopped reading")

    def _read_usage(self, usage: Any) -> None:
        """Take over the counts of OpenAI's and Anthropic's usage objects."""
        if usage is None:
            return
        for name, paths in _USAGE_PATHS.items():
            for path in paths:
                value = get(usage, *path)
                if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
                    self._usage[name] = value
                    break


_USAGE_PATHS: dict[str, tuple[tuple[str, ...], ...]] = {
    "input": (("prompt_tokens",), ("input_tokens",)),
    "output": (("completion_tokens",), ("output_tokens",)),
    "cached": (
        ("prompt_tokens_details", "cached_tokens"),
        ("input_tokens_details", "cached_tokens"),
        ("cache_read_input_tokens",),
    ),
    "cache_write": (("cache_creation_input_tokens",),),
    "reasoning": (("completion_tokens_details", "reasoning_tokens"), ("output_tokens_details", "reasoning_tokens")),
    "accepted_prediction": (("completion_tokens_details", "accepted_prediction_tokens"),),
    "rejected_prediction": (("completion_tokens_details", "rejected_prediction_tokens"),),
}


def _details(details: Any) -> str:
    """Return the text of blocks of reasoning, such as OpenRouter's."""
    texts = (get(each, name) for each in _list(details) for name in ("text", "summary", "data"))
    return "".join(text for text in texts if isinstance(text, str))


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def plain(value: Any) -> Any:
    """Return maps, lists and scalars as they are, models as maps, and anything else as text."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    dump = getattr(value, "model_dump", None)
    return plain(dump(exclude_none=True)) if callable(dump) else str(value)
