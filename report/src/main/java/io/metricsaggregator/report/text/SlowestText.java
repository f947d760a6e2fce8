package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SlowSample;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lists the slowest samples with their ids and times, to find them in the log of a server. */
public final class SlowestText {
    private static final int EACH_MAX = 5;
    private static final int ID_WIDTH = 36;

    private SlowestText() {}

    /** The slowest samples by latency, then by time to first chunk, each list with a head line; empty if no sample completed. */
    public static List<String> lines(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        List<String> lines = new ArrayList<>();
        if (extensions == null) {
            return lines;
        }
        for (String by : List.of(SlowSample.LATENCY, SlowSample.TTFT)) {
            List<SlowSample> slowest = extensions.slowest().stream()
                    .filter(each -> each.by().equals(by))
                    .limit(EACH_MAX)
                    .toList();
            if (!slowest.isEmpty()) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%-10s %-" + ID_WIDTH + "s %12s  %12s  %12s  %12s  %s",
                        by.equals(SlowSample.TTFT) ? "first" : "latency",
                        "sample",
                        "issued at",
                        "first chunk",
                        "last chunk",
                        "completed",
                        "worker"));
            }
            slowest.forEach(each -> lines.add(line(each, extensions.slices().startNanos())));
        }
        return lines;
    }

    private static String line(SlowSample each, long startNanos) {
        return String.format(
                        Locale.ROOT,
                        "%-10s %-" + ID_WIDTH + "s %12s  %12s  %12s  %12s  %s%s%s",
                        Figures.duration(each.nanos()),
                        Printable.escape(each.id(), ID_WIDTH),
                        after(startNanos, each.issuedNanos()),
                        after(each.issuedNanos(), each.firstNanos()),
                        after(each.issuedNanos(), each.lastNanos()),
                        after(each.issuedNanos(), each.completedNanos()),
                        Printable.escape(each.worker(), 24),
                        each.scheduledNanos() == null
                                ? ""
                                : ", issued " + after(each.scheduledNanos(), each.issuedNanos()) + " late",
                        each.failed() ? ", FAILED" : "")
                .stripTrailing();
    }

    /** The duration from one time to another, with a plus sign; {@code -} for null. */
    private static String after(long fromNanos, @Nullable Long atNanos) {
        return atNanos == null ? "-" : "+" + Figures.duration(Figures.between(fromNanos, atNanos));
    }
}
