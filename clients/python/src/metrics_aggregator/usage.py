"""Token counts of one request as the server, or the tool's own tokenizer, reports them."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Usage"]

_WIRE_NAMES = {
    "input": "prompt_tokens",
    "output": "completion_tokens",
    "cached": "cached_tokens",
    "cache_write": "cache_write_tokens",
    "reasoning": "reasoning_tokens",
    "accepted_prediction": "accepted_prediction_tokens",
    "rejected_prediction": "rejected_prediction_tokens",
    "spec_draft": "spec_draft_tokens",
    "spec_accepted": "spec_accepted_tokens",
}


class Usage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename=_WIRE_NAMES):
    """Token counts of one request, all optional and at least 0.

    The daemon keeps them beside its own tokenizer's counts and never mixes the two. It discards all counts of a request in
    which `cached` exceeds `input` or `reasoning` exceeds `output`, and counts that in `usage_rejected`; of a request whose
    `spec_histogram` does not add up, it discards that alone (`spec_histogram_rejected`).

    Attributes:
        input: Tokens of the prompt, those from a cache included.
        output: Tokens of the answer, reasoning included.
        cached: Tokens of the prompt that the server took from its prefix cache. None means not reported; 0 means none.
        cache_write: Tokens of the prompt that the server wrote to its cache.
        reasoning: Tokens of the answer that are reasoning.
        accepted_prediction: Tokens of a predicted output that the answer contains.
        rejected_prediction: Tokens of a predicted output that the answer does not contain.
        spec_drafts: Drafts of speculative decoding.
        spec_draft: Tokens that speculative decoding proposed.
        spec_accepted: Tokens of those that the model accepted.
        spec_histogram: How many drafts had 0, 1, ... tokens accepted, at most 32 entries. They add up to `spec_drafts`, and their
            accepted tokens to `spec_accepted`.
        by: Who counted: the `"server"`, or the `"client"` with a tokenizer of its own.
    """

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None
    accepted_prediction: int | None = None
    rejected_prediction: int | None = None
    spec_drafts: int | None = None
    spec_draft: int | None = None
    spec_accepted: int | None = None
    spec_histogram: tuple[int, ...] | None = None
    by: Literal["server", "client"] = "server"
