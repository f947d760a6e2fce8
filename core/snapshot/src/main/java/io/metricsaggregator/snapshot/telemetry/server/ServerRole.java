package io.metricsaggregator.snapshot.telemetry.server;

/**
 * What a scraped series of an inference server measures, whatever the server calls it. The names of a role's series are in the module
 * {@code telemetry}; units are in the wire names, and figures without one are counts.
 */
public enum ServerRole {
    /** Requests being processed. */
    RUNNING("running", Scope.ENGINE),
    /** Requests waiting to be processed. */
    WAITING("waiting", Scope.ENGINE),
    /** Requests waiting, by the reason for which they wait. */
    WAITING_BY_REASON("waiting_by_reason", Scope.ENGINE),
    /** Share of the KV cache in use, 0 to 1; the largest of a server's engines. */
    KV_USAGE("kv_usage_ratio", Scope.ENGINE),
    /** Requests taken out of the batch for want of KV cache. */
    PREEMPTIONS("preemptions", Scope.ENGINE),
    /** Prompt tokens processed, cached ones included. */
    PROMPT_TOKENS("prompt_tokens", Scope.REQUEST),
    /** Output tokens generated. */
    OUTPUT_TOKENS("output_tokens", Scope.REQUEST),
    /** Prompt tokens that came from a cache. */
    CACHED_PROMPT_TOKENS("cached_prompt_tokens", Scope.REQUEST),
    /** Prompt tokens by where they came from. */
    PROMPT_TOKENS_BY_SOURCE("prompt_tokens_by_source", Scope.REQUEST),
    /** Tokens or blocks looked up in the prefix cache. */
    PREFIX_QUERIES("prefix_queries", Scope.ENGINE),
    /** Tokens or blocks found in the prefix cache. */
    PREFIX_HITS("prefix_hits", Scope.ENGINE),
    /** Hit rate of the prefix cache as the server computes it, 0 to 1; the largest of a server's engines. */
    PREFIX_HIT_RATE("prefix_hit_rate_ratio", Scope.ENGINE),
    /** Tokens looked up in caches of other instances. */
    EXTERNAL_PREFIX_QUERIES("external_prefix_queries", Scope.ENGINE),
    /** Tokens found in caches of other instances. */
    EXTERNAL_PREFIX_HITS("external_prefix_hits", Scope.ENGINE),
    /** Drafts of speculative decoding. */
    DRAFTS("drafts", Scope.ENGINE),
    /** Draft tokens of speculative decoding. */
    DRAFT_TOKENS("draft_tokens", Scope.ENGINE),
    /** Draft tokens that were accepted. */
    ACCEPTED_TOKENS("accepted_tokens", Scope.ENGINE),
    /** Accepted draft tokens by their position in the draft, from 0. */
    ACCEPTED_BY_POSITION("accepted_tokens_by_position", Scope.ENGINE),
    /** Verification steps of speculative decoding, over all requests. */
    VERIFY_CALLS("verify_calls", Scope.ENGINE),
    /** Tokens for each verification step, as the server computes them; the largest of a server's engines. */
    ACCEPT_LENGTH_GAUGE("server_acceptance_length", Scope.ENGINE),
    /** Accepted tokens for each draft token, as the server computes them; the largest of a server's engines. */
    ACCEPT_RATE_GAUGE("server_acceptance_ratio", Scope.ENGINE),
    /** Time that requests waited to be scheduled. */
    QUEUE("queue_time_s", Scope.ENGINE),
    /** Time that requests spent in prefill. */
    PREFILL("prefill_s", Scope.ENGINE),
    /** Time that requests spent in decode. */
    DECODE("decode_s", Scope.ENGINE),
    /** Time to the first token, as the server measures it. */
    TTFT("ttft_s", Scope.REQUEST),
    /** Time between tokens, as the server measures it. */
    ITL("itl_s", Scope.REQUEST),
    /** Time of a whole request, as the server measures it. */
    E2E("e2e_s", Scope.REQUEST),
    /** Requests that completed. */
    DONE("requests_done", Scope.REQUEST),
    /** Requests that were aborted or failed. */
    ABORTED("requests_aborted", Scope.REQUEST),
    /** Time of a KV-cache transfer. */
    KV_TRANSFER("kv_transfer_s", Scope.ENGINE),
    /** Speed of KV-cache transfers, 10⁹ bytes a second. */
    KV_TRANSFER_SPEED("kv_transfer_gb_per_s", Scope.ENGINE),
    /** Bytes of the KV cache moved from the host to the GPU. */
    KV_ONBOARD_BYTES("kv_onboard_bytes", Scope.ENGINE),
    /** Bytes of the KV cache moved from the GPU to the host. */
    KV_OFFLOAD_BYTES("kv_offload_bytes", Scope.ENGINE),
    /** Blocks of the KV cache moved by a block manager, by direction and storage. */
    KV_BLOCKS("kv_blocks_moved", Scope.ENGINE),
    /** Prompt tokens that a block manager found in its storage. */
    KV_MATCHED_TOKENS("kv_matched_tokens", Scope.ENGINE),
    /** Tokens of one step of the engine. */
    ITERATION_TOKENS("iteration_tokens", Scope.ENGINE),
    /** Time of one step of the engine. */
    ITERATION("iteration_s", Scope.ENGINE),
    /** Load of the server as it computes it itself, 1 for its target; the largest of a server's engines. */
    UTILIZATION("utilization_ratio", Scope.ENGINE),
    /** Share of the time in which the GPU ran the model, as the server computes it; the largest of a server's engines. */
    FORWARD_OCCUPANCY("forward_occupancy", Scope.ENGINE),
    /** 1 for the states of sleep in which the engines are, by state. */
    SLEEP_STATE("sleep_state", Scope.ENGINE),
    /** Requests moved to another worker. */
    MIGRATIONS("migrations", Scope.REQUEST);

    /** What a role counts, which decides who counts it where requests pass a frontend and engines behind it. */
    public enum Scope {
        /** Work of an engine: of all engines; a frontend's only if no engine exposes it. */
        ENGINE,
        /** Requests: of the frontends, which see each request once; of the engines if there is no frontend. */
        REQUEST
    }

    private final String wireName;
    private final Scope scope;

    ServerRole(String wireName, Scope scope) {
        this.wireName = wireName;
        this.scope = scope;
    }

    /** The name in a snapshot. */
    public String wireName() {
        return wireName;
    }

    /** Who counts it where requests pass a frontend and engines behind it. */
    public Scope scope() {
        return scope;
    }

    /** Whether its figures are durations, in seconds. */
    public boolean isTime() {
        return wireName.endsWith("_s") && !wireName.endsWith("_per_s");
    }

    /** Whether gauges of several engines have no sum, so that the largest of them is taken. */
    public boolean isRatio() {
        return switch (this) {
            case KV_USAGE,
                    PREFIX_HIT_RATE,
                    ACCEPT_LENGTH_GAUGE,
                    ACCEPT_RATE_GAUGE,
                    UTILIZATION,
                    FORWARD_OCCUPANCY,
                    KV_TRANSFER_SPEED,
                    KV_TRANSFER,
                    ITERATION -> true;
            case RUNNING,
                    WAITING,
                    WAITING_BY_REASON,
                    PREEMPTIONS,
                    PROMPT_TOKENS,
                    OUTPUT_TOKENS,
                    CACHED_PROMPT_TOKENS,
                    PROMPT_TOKENS_BY_SOURCE,
                    PREFIX_QUERIES,
                    PREFIX_HITS,
                    EXTERNAL_PREFIX_QUERIES,
                    EXTERNAL_PREFIX_HITS,
                    DRAFTS,
                    DRAFT_TOKENS,
                    ACCEPTED_TOKENS,
                    ACCEPTED_BY_POSITION,
                    VERIFY_CALLS,
                    QUEUE,
                    PREFILL,
                    DECODE,
                    TTFT,
                    ITL,
                    E2E,
                    DONE,
                    ABORTED,
                    KV_ONBOARD_BYTES,
                    KV_OFFLOAD_BYTES,
                    KV_BLOCKS,
                    KV_MATCHED_TOKENS,
                    ITERATION_TOKENS,
                    SLEEP_STATE,
                    MIGRATIONS -> false;
        };
    }
}
