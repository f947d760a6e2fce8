package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.codec.CsvRow;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import org.jspecify.annotations.Nullable;

/** One row per time slice, one column per slice column of the snapshot; empty cells for unmeasured values. */
public final class SlicesCsv implements Dialect {
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public String render(Report report) {
        SnapshotExtensions extensions = report.snapshot().extensions();
        Slices slices = extensions.isNone() ? null : extensions.slices();
        CsvRow head = new CsvRow().name("slice").name("start_s").name("end_s");
        if (slices == null) {
            return head.toString();
        }
        slices.columns().forEach(column -> head.name(column.name()));
        StringBuilder out = new StringBuilder().append(head);
        double width = slices.widthNanos() / NANOS_PER_SECOND;
        for (int i = 0; i < slices.length(); i++) {
            CsvRow row = new CsvRow().value(i).value(i * width).value((i + 1) * width);
            for (Slices.Column column : slices.columns()) {
                long value = column.values()[i];
                row.value(value == Slices.NOT_MEASURED ? null : (Long) value);
            }
            out.append(row);
        }
        return out.toString();
    }

    @Override
    public @Nullable String missing(Report report) {
        SnapshotExtensions extensions = report.snapshot().extensions();
        Slices slices = extensions.isNone() ? null : extensions.slices();
        return slices == null || slices.length() == 0 ? "the snapshot has no time slices" : null;
    }
}
