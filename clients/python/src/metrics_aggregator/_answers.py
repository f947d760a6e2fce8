"""Recognises content, usage and ends in answers of OpenAI-compatible, Anthropic and SGLang servers, and records them on a sample.

Chunks are maps or objects with the same names as attributes. What is unknown or of another type is passed over: a chunk is a
server's input and must not disturb the load. One measurement belongs to one request, and one thread at a time.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .server_times import ServerClock
from .usage import Usage

if TYPE_CHECKING:
    from .sample import Part, Sample

_RESPONSES_PARTS: dict[str, Part] = {
    "response.output_text.delta": "output",
    "response.refusal.delta": "output",
    "response.reasoning_text.delta": "reasoning",
    "response.reasoning.delta": "reasoning",
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
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}


# Items of a response that the client has to answer; calls of the server's own tools do not end the response.
_CALLS = ("function_call", "custom_tool_call")
_CALL_DELTAS = ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta")


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
        self.server = ServerClock()
        self._called_tools = False
        self._generated = ""
        self._incremental = False

    # -- streamed --------------------------------------------------------------------------------------------------

    def chunk(self, chunk: Any) -> None:
        """Record a chunk that has content; remember its finish reason and usage; end with the server's last event."""
        if self.sample.ended:
            return
        kind = get(chunk, "type")
        self._read_server(chunk)
        if get(chunk, "choices") is not None:
            self._choices(chunk)
        elif kind == "error" or get(chunk, "object") == "error":
            self.error(get(chunk, "error") or chunk)
        elif isinstance(kind, str) and kind.startswith("response."):
            self._responses(kind, chunk)
        elif isinstance(get(chunk, "meta_info"), dict):
            self._generate(chunk)
        elif isinstance(kind, str):
            self._anthropic(kind, chunk)
        else:
            self._delta("output", get(chunk, "text_output"))
        error = get(chunk, "error")
        if error:
            self.error(error)

    def _choices(self, chunk: Any) -> None:
        before = self._usage.get("output")
        self._read_usage(get(chunk, "usage"))
        part: Part | None = None
        for choice in _list(get(chunk, "choices")):
            delta = get(choice, "delta")
            reason = get(choice, "finish_reason")
            if isinstance(reason, str) and reason:
                self._finish_reason = reason
            reasoning, text = _texts(delta)
            text = text or _text(get(choice, "text"))
            tool_calls = _calls(get(delta, "tool_calls")) or _calls(get(delta, "function_call"))
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
            self.sample.token(part=part, tokens=self._grown(before))

    def _grown(self, before: int | None) -> int | None:
        """Return how many tokens a chunk has: servers that report usage with each chunk say so by its growth."""
        after: int | None = self._usage.get("output")
        return after - (before or 0) if after is not None and after >= (before or 0) else None

    def _generate(self, chunk: Any) -> None:
        """Record a chunk of SGLang's own API: a text that grows from chunk to chunk, or token ids without one."""
        before = self._usage.get("output")
        self._read_usage(get(chunk, "meta_info"))
        text = get(chunk, "text")
        if isinstance(text, str):
            self._incremental = self._incremental or not text.startswith(self._generated)
            piece = text if self._incremental else text[len(self._generated) :]
            self._generated = text
            self._delta("output", piece, self._grown(before))
        elif get(chunk, "output_ids") and self._usage.get("output") != before:
            self.sample.token(part="output", tokens=self._grown(before))
        self._generated_end(chunk)

    def _generated_end(self, chunk: Any) -> None:
        reason = get(chunk, "meta_info", "finish_reason")
        kind = get(reason, "type")
        if kind == "abort":
            self.error(reason)
        elif isinstance(kind, str) and kind:
            self._finish_reason = kind

    def _responses(self, kind: str, chunk: Any) -> None:
        part = _RESPONSES_PARTS.get(kind)
        if part is not None:
            self._called_tools = self._called_tools or kind in _CALL_DELTAS
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

    def _delta(self, part: Part, text: Any, tokens: int | None = None) -> None:
        if not isinstance(text, str) or not text:
            return
        self.sample.token(part=part, tokens=tokens)
        if part != "tool_calls":
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
        self._read_server(answer)
        status = get(answer, "status")
        error = get(answer, "error")
        if error or status == "failed" or get(answer, "object") == "error" or get(answer, "type") == "error":
            self.error(error if error or status == "failed" else answer)
            return
        for choice in _list(get(answer, "choices"))[:1]:
            reason = get(choice, "finish_reason")
            self._finish_reason = reason if isinstance(reason, str) and reason else None
            self._keep_both(_texts(get(choice, "message")))
            self._keep(self._output, get(choice, "text"))
            if self._texts:
                self._tool_calls += [plain(each) for each in _list(get(choice, "message", "tool_calls"))]
        if get(answer, "type") == "message":
            reason = get(answer, "stop_reason")
            self._finish_reason = _FINISH_REASONS.get(reason, reason) if isinstance(reason, str) else None
            self._keep_both(_blocks(get(answer, "content")))
            if self._texts:
                blocks = _list(get(answer, "content"))
                self._tool_calls += [plain(each) for each in blocks if get(each, "type") == "tool_use"]
        elif isinstance(get(answer, "meta_info"), dict):
            self._read_usage(get(answer, "meta_info"))
            self._keep(self._output, get(answer, "text"))
            self._generated_end(answer)
        elif isinstance(status, str):
            reason = get(answer, "incomplete_details", "reason")
            called = self._called_tools or any(get(item, "type") in _CALLS for item in _list(get(answer, "output")))
            self._finish_reason = _FINISH_REASONS.get(str(reason), str(reason)) if reason else "tool_calls" if called else "stop"
            if not self.sample.received:
                self._keep_both(_blocks(get(answer, "output")))
        self.end(at)

    def _keep_both(self, texts: tuple[str, str]) -> None:
        reasoning, output = texts
        if reasoning:
            self._keep(self._reasoning, reasoning)
        if output:
            self._keep(self._output, output)

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
            server=self.server.times(),
            at=at,
        )

    def error(self, error: Any) -> None:
        """End with an error that the server sent instead of the answer."""
        if self.sample.ended:
            return
        kinds = (get(error, name) for name in ("type", "code"))
        kind = next((each for each in kinds if isinstance(each, (str, int)) and each not in ("", "error")), "ServerError")
        message = get(error, "message")
        self.sample.error(str(kind), str(message if message is not None else error), output=self._output or None)

    def error_event(self, data: str) -> None:
        """End with an event of the type `error`, whatever its data."""
        try:
            error = json.loads(data, strict=False)
        except (ValueError, RecursionError):
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

    def _read_server(self, message: Any) -> None:
        """Take over the times in the server, llama.cpp's cached tokens and vLLM's speculative decoding."""
        self.server.message(message)
        cached = _count(get(message, "timings", "cache_n"))
        if cached is not None:
            self._usage.setdefault("cached", cached)
        speculation = get(message, "metrics", "speculative_decoding")
        for name, key in _SPECULATION.items():
            count = _count(get(speculation, name))
            if count is not None:
                self._usage[key] = count
        steps = get(speculation, "acceptance_histogram")
        if isinstance(steps, (list, tuple)) and len(steps) <= _STEPS_MAX and all(_count(each) is not None for each in steps):
            self._usage["spec_histogram"] = tuple(steps)

    def _read_usage(self, usage: Any) -> None:
        """Take over the counts of OpenAI's and Anthropic's usage objects."""
        if usage is None:
            return
        before = self._usage.get("input", 0)
        for name, paths in _USAGE_PATHS.items():
            for path in paths:
                value = _count(get(usage, *path))
                if value is not None:
                    self._usage[name] = value
                    break
        if "input" in self._usage:
            # Anthropic counts apart what came from its cache or went into it, and a later message may lack those counts.
            apart = 0
            if _count(get(usage, "prompt_tokens")) is None and _count(get(usage, "input_tokens")) is not None:
                apart = sum(_count(get(usage, name)) or 0 for name in ("cache_read_input_tokens", "cache_creation_input_tokens"))
            self._usage["input"] = max(before, self._usage["input"] + apart)


_USAGE_PATHS: dict[str, tuple[tuple[str, ...], ...]] = {
    "input": (("prompt_tokens",), ("input_tokens",)),
    "output": (("completion_tokens",), ("output_tokens",)),
    "cached": (
        ("prompt_tokens_details", "cached_tokens"),
        ("input_tokens_details", "cached_tokens"),
        ("cache_read_input_tokens",),
        ("cached_tokens",),
    ),
    "cache_write": (("cache_creation_input_tokens",),),
    "reasoning": (
        ("completion_tokens_details", "reasoning_tokens"),
        ("output_tokens_details", "reasoning_tokens"),
        ("reasoning_tokens",),
    ),
    "accepted_prediction": (("completion_tokens_details", "accepted_prediction_tokens"),),
    "rejected_prediction": (("completion_tokens_details", "rejected_prediction_tokens"),),
}


# vLLM with --per-request-spec-decode-metrics; accepted tokens are draft tokens, without the model's own one of each step.
_SPECULATION = {
    "num_spec_steps": "spec_drafts",
    "num_draft_tokens": "spec_draft",
    "num_accepted_draft_tokens": "spec_accepted",
}
_STEPS_MAX = 32
_NESTED_MAX = 8


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _calls(value: Any) -> Any:
    return None if isinstance(value, (str, int, float)) else value


def _texts(message: Any) -> tuple[str, str]:
    """Return the reasoning and the visible text of a message of a chat, or of a delta of one."""
    content = get(message, "content")
    thought, text = _blocks(content) if isinstance(content, (list, tuple)) else ("", _text(content))
    reasoning = _text(get(message, "reasoning_content")) or _text(get(message, "reasoning"))
    reasoning = reasoning or _details(get(message, "reasoning_details"))
    return reasoning + thought, text or _text(get(message, "refusal"))


def _blocks(blocks: Any, depth: int = 0) -> tuple[str, str]:
    """Return the reasoning and the visible text of typed blocks, such as `{"type": "text", "text": "a"}`."""
    reasoning = output = ""
    for block in blocks if isinstance(blocks, (list, tuple)) and depth < _NESTED_MAX else ():
        kind = str(get(block, "type"))
        if kind == "tool_use" or kind in _CALLS:
            continue
        for name in ("text", "thinking", "summary", "content", "data", "refusal"):
            value = get(block, name)
            thought, text = _blocks(value, depth + 1) if isinstance(value, (list, tuple)) else ("", _text(value))
            if "thinking" in kind or "reasoning" in kind:
                thought, text = thought + text, ""
            reasoning += thought
            output += text
    return reasoning, output


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
