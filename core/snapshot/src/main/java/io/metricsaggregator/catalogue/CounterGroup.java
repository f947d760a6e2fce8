package io.metricsaggregator.catalogue;

/** What a counter is about. The counters of a group are one table of docs/reference.md. */
public enum CounterGroup {
    /** The load generator's samples, by the names and rules of MLCommons endpoints. */
    SAMPLES,
    /** Tracked samples split into those that succeeded and those that had an error. */
    OUTCOMES,
    /** Every record, batch, frame and sample received, each under exactly one outcome. */
    LEDGER,
    /** Snapshots, transport, collection and export: the daemon itself. */
    DAEMON,
    /** Texts counted with a tokenizer; only in runs with {@code --tokenizer}. */
    TOKENS,
    /** The journal; only in runs with {@code --journal}. */
    JOURNAL,
    /** Optional keys of the load generator's records; each counter is in a snapshot from its first value on. */
    OPTIONAL
}
