package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists the slowest samples with their ids and times, to find them in the log of a server. */
public final class SlowestSection {
    private static final int EACH_MAX = 5;
    private static final int ID_WIDTH = 36;
    private static final int TRACE_WIDTH = 32;

    private SlowestSection() {}

    /** A table by latency and one by time to first chunk; null if no sample completed. */
    static @Nullable Section of(Report report) {
        List<Section.Block> blocks = blocks(report.snapshot());
        return blocks.isEmpty() ? null : new Section("Slowest samples", "Slowest", blocks);
    }

    /** A table of the slowest samples by latency, then one by time to first chunk; empty if no sample completed. */
    public static List<Section.Block> blocks(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        List<Section.Block> blocks = new ArrayList<>();
        if (extensions.isNone()) {
            return blocks;
        }
        for (String by : List.of(SlowSample.LATENCY, SlowSample.TTFT)) {
            List<SlowSample> slowest = extensions.slowest().stream()
                    .filter(each -> each.by().equals(by))
                    .limit(EACH_MAX)
                    .toList();
            if (!slowest.isEmpty()) {
                blocks.add(table(by, slowest, extensions.slices().startNanos()));
            }
        }
        return blocks;
    }

    private static Section.Table table(String by, List<SlowSample> slowest, long startNanos) {
        boolean late = slowest.stream().anyMatch(each -> each.scheduledNanos() != null);
        boolean failed = slowest.stream().anyMatch(SlowSample::failed);
        boolean traced = slowest.stream().anyMatch(each -> each.traceId() != null);
        List<Section.Column> columns = new ArrayList<>();
        columns.add(new Section.Column(
                by.equals(SlowSample.TTFT) ? "slowest to first chunk" : "slowest by latency", Section.Align.LEFT));
        for (String each : List.of("duration", "issued at", "first chunk", "last chunk", "completed")) {
            columns.add(new Section.Column(each, Section.Align.RIGHT));
        }
        if (late) {
            columns.add(new Section.Column("issued late by", Section.Align.RIGHT));
        }
        columns.add(new Section.Column("worker", Section.Align.LEFT));
        if (failed) {
            columns.add(new Section.Column("result", Section.Align.LEFT));
        }
        if (traced) {
            columns.add(new Section.Column("trace", Section.Align.LEFT));
        }
        List<List<String>> rows = new ArrayList<>();
        for (SlowSample each : slowest) {
            List<String> row = new ArrayList<>();
            row.add(Printable.escape(each.id(), ID_WIDTH));
            row.add(Figures.duration(each.nanos()));
            row.add(after(startNanos, each.issuedNanos()));
            row.add(after(each.issuedNanos(), each.firstNanos()));
            row.add(after(each.issuedNanos(), each.lastNanos()));
            row.add(after(each.issuedNanos(), each.completedNanos()));
            if (late) {
                row.add(each.scheduledNanos() == null ? "-" : after(each.scheduledNanos(), each.issuedNanos()));
            }
            row.add(Printable.escape(each.worker(), 24));
            if (failed) {
                row.add(each.failed() ? "FAILED" : "");
            }
            if (traced) {
                row.add(each.traceId() == null ? "-" : Printable.escape(each.traceId(), TRACE_WIDTH));
            }
            rows.add(row);
        }
        return new Section.Table(columns, rows);
    }

    /** The duration from one time to another, with its sign; {@code -} for null. */
    private static String after(long fromNanos, @Nullable Long atNanos) {
        if (atNanos == null) {
            return "-";
        }
        double nanos = Figures.between(fromNanos, atNanos);
        return (nanos < 0 ? "" : "+") + Figures.duration(nanos);
    }
}
