package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists the labels that the user gave the run, such as {@code concurrency=64}. */
final class RunLabelSection {
    private static final int TEXT_MAX = 320;

    private RunLabelSection() {}

    /** One line of labels by name; null for a run without labels. */
    static @Nullable Section of(Report report) {
        SnapshotExtensions extensions = report.snapshot().extensions();
        if (extensions.run().labels().isEmpty()) {
            return null;
        }
        String labels = extensions.run().labels().entrySet().stream()
                .map(each -> Printable.escape(each.getKey() + "=" + each.getValue(), TEXT_MAX))
                .collect(Collectors.joining(", "));
        return Section.ofLines("Labels of the run", "Labels", List.of(labels));
    }
}
