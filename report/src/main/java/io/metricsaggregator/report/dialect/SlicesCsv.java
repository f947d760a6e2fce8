package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.Slices;
import io.metricsaggregator.snapshot.SnapshotExtensions;

/** One row per time slice, one column per slice column of the snapshot; empty cells for unmeasured values. */
public final class SlicesCsv {
    private static final double NANOS_PER_SECOND = 1e9;

    private SlicesCsv() {}

    public static String render(Report report) {
        SnapshotExtensions extensions = report.snapshot().extensions();
        Slices slices = extensions == null ? null : extensions.slices();
        StringBuilder out = new StringBuilder("slice,start_s,end_s");
        if (slices == null) {
            return out.append("\r\n").toString();
        }
        slices.columns().forEach(column -> out.append(',').append(column.name()));
        out.append("\r\n");
        for (int i = 0; i < slices.length(); i++) {
            double width = slices.widthNanos() / NANOS_PER_SECOND;
            out.append(i).append(',').append(i * width).append(',').append((i + 1) * width);
            for (Slices.Column column : slices.columns()) {
                long value = column.values()[i];
                out.append(',').append(value == Slices.NOT_MEASURED ? "" : Long.toString(value));
            }
            out.append("\r\n");
        }
        return out.toString();
    }
}
