package io.metricsaggregator.snapshot;

/** Names of the settings by which a merged run says what it consists of; a run that was not merged has neither. */
public final class MergeSettings {
    /** Ids of the merged runs in alphabetical order, separated by commas. Merged runs among them are replaced by what they consist of. */
    public static final String RUNS = "merged_runs";

    /** Whether they measured at the same time: {@code whole}, {@code partial}, {@code none} or {@code unknown}. */
    public static final String OVERLAP = "merged_overlap";

    private MergeSettings() {}
}
