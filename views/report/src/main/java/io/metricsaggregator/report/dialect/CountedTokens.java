package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.ReportedTokens;

/** Refuses reports in the form of a tool that counts tokens with a tokenizer, where a run has the servers' counts in their place. */
final class CountedTokens {
    private CountedTokens() {}

    /**
     * Requires that the token series of a run were counted.
     *
     * @throws IllegalArgumentException if they come from the servers
     */
    static void require(Report report) {
        if (ReportedTokens.areTheSource(report.snapshot())) {
            throw new IllegalArgumentException(
                    "MLCommons endpoints counts tokens with a tokenizer, this run has those of --token-source usage: replay its journal"
                            + " with --tokenizer PATH");
        }
    }
}
