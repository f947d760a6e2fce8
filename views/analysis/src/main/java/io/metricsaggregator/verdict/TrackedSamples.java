package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.SessionGap;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether any sample was tracked and completed. */
final class TrackedSamples implements Check {
    /** The words with which a recomputation describes its window. */
    private static final Pattern WINDOW =
            Pattern.compile("^only samples issued in ((?:(\\d+(?:\\.\\d+)?)(h|m|s|ms|ns))?\\.\\.\\S*) since");

    @Override
    public String name() {
        return "samples";
    }

    @Override
    public String effect() {
        return "no tracked sample completed, as in a `--window` outside the run, or `session.started` or performance tracking was missed, so that no sample is tracked:"
                + " invalid, with the remedy";
    }

    @Override
    public boolean isForLiveRuns() {
        return false;
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        SessionGap gap = SessionGap.of(snapshot);
        if (gap != null) {
            return List.of(
                    new Finding(Finding.Weight.BAD, "the session", gap.explained() + ". Remedy: " + gap.remedy()));
        }
        return snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED) > 0 || SessionEnd.isTelemetryOnly(snapshot)
                ? List.of()
                : List.of(new Finding(Finding.Weight.BAD, name(), evidence(snapshot), Finding.Limit.UNKNOWN));
    }

    private static String evidence(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        if (!extensions.isNone() && snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED) == 0) {
            for (String word : extensions.run().recomputed()) {
                Matcher window = WINDOW.matcher(word);
                if (window.find()) {
                    long lasted = snapshot.counter(CounterName.TOTAL_DURATION_NS);
                    String of = "the run, which lasted " + Figures.duration(lasted);
                    return nanos(window.group(2), window.group(3)) >= lasted
                            ? "the window " + window.group(1) + " lies outside " + of
                            : "no tracked sample was issued in the window " + window.group(1) + " of " + of;
                }
            }
        }
        return "no tracked sample completed";
    }

    private static double nanos(@Nullable String number, @Nullable String unit) {
        if (number == null || unit == null) {
            return 0;
        }
        double value = Double.parseDouble(number);
        return switch (unit) {
            case "h" -> value * 3600e9;
            case "m" -> value * 60e9;
            case "s" -> value * 1e9;
            case "ms" -> value * 1e6;
            default -> value;
        };
    }
}
