package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A format of a report; one class per format. */
@FunctionalInterface
public interface Dialect {
    /** Renders the whole file. */
    String render(Report report);

    /** Why the file holds no data of the run, such as a table of nothing but its header; null if it holds some. */
    default @Nullable String missing(Report report) {
        return null;
    }

    /** The reasons why figures of the format are missing from the file, one line each; empty for a format that states them itself. */
    default List<String> notes(Report report) {
        return List.of();
    }
}
