package io.metricsaggregator.simulation.life;

import io.metricsaggregator.catalogue.CounterName;
import org.jspecify.annotations.Nullable;

/** A figure that the model computes. */
enum Count {
    RECORDS(CounterName.RECORDS_RECEIVED),
    APPLIED(CounterName.RECORDS_APPLIED),
    MALFORMED(CounterName.RECORDS_MALFORMED),
    UNKNOWN(CounterName.RECORDS_UNKNOWN),
    DUPLICATE(CounterName.EVENTS_DUPLICATE),
    ORPHAN(CounterName.EVENTS_ORPHAN),
    LATE(CounterName.EVENTS_LATE),
    ANONYMOUS(CounterName.EVENTS_ANONYMOUS),
    EMPTY_FRAMES(CounterName.FRAMES_EMPTY),
    BATCHES(CounterName.BATCHES_RECEIVED),
    MALFORMED_BATCHES(CounterName.BATCHES_MALFORMED),
    ALL_ISSUED(CounterName.TOTAL_SAMPLES_ISSUED),
    ALL_COMPLETED(CounterName.TOTAL_SAMPLES_COMPLETED),
    FAILED(CounterName.TOTAL_SAMPLES_FAILED),
    ISSUED(CounterName.TRACKED_SAMPLES_ISSUED),
    COMPLETED(CounterName.TRACKED_SAMPLES_COMPLETED),
    /** Prompts and outputs of tracked samples. */
    TEXTS(CounterName.TEXTS_ENQUEUED),
    LOST(null),
    PROMPTS(null),
    PROMPT_WORDS(null),
    /** Outputs that are not empty. */
    OUTPUTS(null),
    OUTPUT_WORDS(null),
    /** Outputs with words behind their first chunk, whose time is known. */
    TIMED_OUTPUTS(null),
    LATENCIES(null),
    LATENCY_TOTAL(null),
    LATENCY_MIN(null),
    LATENCY_MAX(null),
    FIRST_TOKENS(null),
    FIRST_TOKEN_TOTAL(null);

    private final @Nullable CounterName shownAs;

    Count(@Nullable CounterName shownAs) {
        this.shownAs = shownAs;
    }

    /** The counter that shows it; null for one that no counter shows. */
    @Nullable
    CounterName shownAs() {
        return shownAs;
    }
}
