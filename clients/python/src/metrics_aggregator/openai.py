"""Measures requests of an OpenAI client, synchronous or asynchronous.

    from openai import AsyncOpenAI
    from metrics_aggregator import Publisher
    from metrics_aggregator.openai import instrument

    client = instrument(AsyncOpenAI(base_url="http://localhost:8000/v1"), publisher)

Covered are `chat.completions`, `completions` and `responses`, streamed and whole, and what the client builds on them, such as
`chat.completions.stream()`. A chunk's time is when the caller takes it. Retries inside the client belong to the request.
Requests through `with_raw_response` and `with_streaming_response` are not measured, and neither are clients that `copy()` or
`with_options()` makes: instrument those as well.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, TypeVar

from ._answers import Measurement, plain
from ._context import current_details, request_details

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typing_extensions import Self

    from .publisher import Publisher

__all__ = ["instrument", "request_details", "uninstrument"]

Client = TypeVar("Client")

_RESOURCES = ("chat.completions", "completions", "responses")
_METHODS = ("create", "parse")
_MARK = "_metrics_aggregator_original"
_RAW_HEADERS = ("x-stainless-raw-response",)


def instrument(client: Client, publisher: Publisher, *, texts: bool = False, labels: Mapping[str, str] | None = None) -> Client:
    """Record a sample for each request that this client sends; return the client.

    Args:
        client: `OpenAI`, `AsyncOpenAI` or a subclass. Only this object is changed, not its class.
        publisher: Where to record.
        texts: Whether to send prompts and answers to the daemon, which needs them to count tokens by its own tokenizer. They
            then stand in its journal.
        labels: Labels of every sample, beside `model`.

    A second call replaces the publisher of the first. Token counts come from the server: for streams, ask for them with
    `stream_options={"include_usage": True}`; the request is sent as it is.
    """
    uninstrument(client)
    for resource in _resources(client):
        for name in _METHODS:
            original = getattr(resource, name, None)
            if callable(original):
                setattr(resource, name, _measured(original, publisher, texts, dict(labels or {})))
    return client


def uninstrument(client: Client) -> Client:
    """Undo `instrument`; return the client."""
    for resource in _resources(client):
        for name in _METHODS:
            if hasattr(resource.__dict__.get(name), _MARK):
                delattr(resource, name)
    return client


def _resources(client: object) -> list[Any]:
    found = []
    for path in _RESOURCES:
        resource: Any = client
        for name in path.split("."):
            resource = getattr(resource, name, None)
        if resource is not None:
            found.append(resource)
    return found


def _measured(original: Callable[..., Any], publisher: Publisher, texts: bool, labels: dict[str, str]) -> Callable[..., Any]:
    def begin(arguments: dict[str, Any]) -> Measurement:
        model = arguments.get("model")
        details = current_details({**labels, "model": model} if isinstance(model, str) else labels)
        if texts:
            details.update(_prompt(arguments))
        return Measurement(publisher.sample(**details), texts=texts)

    @functools.wraps(original)
    def measured(*positional: Any, **arguments: Any) -> Any:
        if _is_raw(arguments):
            return original(*positional, **arguments)
        measurement = begin(arguments)
        try:
            result = original(*positional, **arguments)
        except BaseException as e:
            measurement.failed(e)
            raise
        return _finish(result, measurement)

    @functools.wraps(original)
    async def measured_async(*positional: Any, **arguments: Any) -> Any:
        if _is_raw(arguments):
            return await original(*positional, **arguments)
        measurement = begin(arguments)
        try:
            result = await original(*positional, **arguments)
        except BaseException as e:
            measurement.failed(e)
            raise
        return _finish(result, measurement)

    # The client's decorators hide that a method is a coroutine function.
    asynchronous = inspect.iscoroutinefunction(inspect.unwrap(original))
    wrapper = measured_async if asynchronous else measured
    setattr(wrapper, _MARK, original)
    return wrapper


def _is_raw(arguments: dict[str, Any]) -> bool:
    headers = arguments.get("extra_headers")
    return isinstance(headers, dict) and any(str(name).lower() in _RAW_HEADERS for name in headers)


def _prompt(arguments: dict[str, Any]) -> dict[str, Any]:
    """The prompt as keyword arguments for `Publisher.sample`."""
    prompt = arguments.get("messages") or arguments.get("prompt") or arguments.get("input")
    if isinstance(prompt, str):
        return {"prompt": prompt}
    if not isinstance(prompt, (list, tuple)) or not prompt:
        return {}
    if all(isinstance(each, int) for each in prompt):
        return {"token_ids": list(prompt)}
    if all(isinstance(each, str) for each in prompt):
        return {"prompt": "".join(prompt)}
    tools = arguments.get("tools")
    return {
        "messages": [each for each in plain(prompt) if isinstance(each, dict)],
        "tools": plain(tools) if isinstance(tools, (list, tuple)) else None,
    }


def _finish(result: Any, measurement: Measurement) -> Any:
    # Only streams of the client have their HTTP response.
    measurement.server.header(getattr(getattr(result, "response", None), "headers", None))
    if hasattr(result, "__anext__"):
        return _MeasuredAsyncStream(result, measurement)
    if hasattr(result, "__next__"):
        return _MeasuredStream(result, measurement)
    measurement.whole(result)
    return result


class _Measured:
    """Stands for a stream of the client: passes everything on to it, and is an instance of its class for `isinstance`."""

    def __init__(self, stream: Any, measurement: Measurement) -> None:
        self._stream = stream
        self._measurement = measurement

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        return type(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_stream"], name)

    def __del__(self) -> None:
        measurement = self.__dict__.get("_measurement")
        if measurement is not None:
            measurement.abandoned()


class _MeasuredStream(_Measured):
    def __iter__(self) -> _MeasuredStream:
        return self

    def __next__(self) -> Any:
        try:
            chunk = next(self._stream)
        except StopIteration:
            self._measurement.end()
            raise
        except BaseException as e:
            self._measurement.failed(e)
            raise
        self._measurement.chunk(chunk)
        return chunk

    def close(self) -> None:
        self._measurement.abandoned()
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


class _MeasuredAsyncStream(_Measured):
    def __aiter__(self) -> _MeasuredAsyncStream:
        return self

    async def __anext__(self) -> Any:
        try:
            chunk = await self._stream.__anext__()
        except StopAsyncIteration:
            self._measurement.end()
            raise
        except BaseException as e:
            self._measurement.failed(e)
            raise
        self._measurement.chunk(chunk)
        return chunk

    async def close(self) -> None:
        self._measurement.abandoned()
        await self._stream.close()

    aclose = close

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_exception: object) -> None:
        await self.close()
