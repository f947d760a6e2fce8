package io.metricsaggregator.snapshot.telemetry.server;

/** A figure that is computed from several roles of a server. */
public enum ServerRatio {
    /** Share of scrapes that found requests waiting. */
    WAITING_SCRAPES("waiting_scrapes_ratio"),
    /** Share of prompt tokens that came from a cache; see {@link ServerPanel#prefixHitsFrom()}. */
    PREFIX_HITS("prefix_hit_ratio"),
    /** Share of looked-up tokens that caches of other instances had. */
    EXTERNAL_PREFIX_HITS("external_prefix_hit_ratio"),
    /** Prompt tokens without a source, over all prompt tokens; negative if the sources exceed them. */
    PROMPT_UNACCOUNTED("prompt_unaccounted_ratio"),
    /** Accepted tokens for each draft token. */
    ACCEPTANCE("acceptance_ratio"),
    /** Tokens for each draft, the one that the model adds included. */
    ACCEPTANCE_LENGTH("acceptance_length");

    private final String wireName;

    ServerRatio(String wireName) {
        this.wireName = wireName;
    }

    /** The name in a snapshot. */
    public String wireName() {
        return wireName;
    }
}
