package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import java.util.List;

/** A format of a report; one class per format. */
@FunctionalInterface
public interface Dialect {
    /** Renders the whole file. */
    String render(Report report);

    /** The reasons why figures of the format are missing from the file, one line each; empty for a format that states them itself. */
    default List<String> notes(Report report) {
        return List.of();
    }
}
