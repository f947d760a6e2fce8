package io.metricsaggregator.imports.locust;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.SourceHead;

/**
 * Statistics of Locust, {@code --csv PREFIX}: {@code PREFIX_stats.csv} has figures of the whole run, in milliseconds rounded to two
 * significant digits, {@code PREFIX_failures.csv} and {@code PREFIX_exceptions.csv} what went wrong, and {@code PREFIX_stats_history.csv}
 * a row for each second, which becomes gauges. {@code --json-file NAME} writes {@code NAME.json}, the statistics as they are when Locust ends.
 * Locust writes nothing of single requests.
 */
public final class LocustFormat implements ImportFormat {
    static final String STATS = "Type,Name,Request Count,";
    static final String HISTORY = "Timestamp,User Count,Type,Name,";
    static final String FAILURES = "Method,Name,Error,Occurrences";
    static final String EXCEPTIONS = "Count,Message,Traceback,Nodes";

    @Override
    public String name() {
        return "locust";
    }

    @Override
    public String tool() {
        return "Locust";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return isTable(head.firstLine().replace("\"", "")) || isJson(head);
    }

    /** Whether this is a file of {@code --json-file}. */
    static boolean isJson(SourceHead head) {
        return head.has("[].num_requests", "[].num_failures", "[].response_times");
    }

    /** Whether this is the header of one of Locust's tables, without quotes. */
    static boolean isTable(String first) {
        return first.startsWith(STATS)
                || first.startsWith(HISTORY)
                || first.startsWith(FAILURES)
                || first.startsWith(EXCEPTIONS);
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return new LocustReader();
    }
}
