package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.analysis.TimeAxis;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What the page remembers of a run: the changes of the last minute, in steps of a second or more, and the heat maps of the whole run. The first snapshot of another run clears it. Memory is bounded by the number of steps and columns. Belongs to the
 * thread of the page.
 */
public final class RecentRun {
    /** Lengths of the windows that the page may call now, in seconds; the first is the default. */
    public static final List<Integer> WINDOWS = List.of(10, 30, 60);

    private static final int KEPT_SECONDS = 60;
    /** The series of the table of percentiles, in the order of the page. */
    static final List<SeriesName> SERIES = List.of(
            SeriesName.SUCCEEDED_TTFT_NS,
            SeriesName.TTFO_NS,
            SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS,
            SeriesName.TPOT_NS,
            SeriesName.CHUNK_DELTA_NS,
            SeriesName.RESPONSE_TTFT_NS,
            SeriesName.RESPONSE_LATENCY_NS,
            SeriesName.FAILED_TTFT_NS,
            SeriesName.FAILED_SAMPLE_LATENCY_NS,
            SeriesName.TTFT_NS,
            SeriesName.SAMPLE_LATENCY_NS);
    /** The series with a heat map. */
    static final List<SeriesName> MAPPED =
            List.of(SeriesName.SUCCEEDED_TTFT_NS, SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS);

    private static final long SECOND = 1_000_000_000L;
    /** A step is due a little early, so that ticks of a divisor of a second give steps of one second. */
    private static final long STEP_NANOS = SECOND - 20_000_000L;

    private final Deque<RecentWindow.Step> steps = new ArrayDeque<>();
    private final Map<SeriesName, Histogram> latest = new EnumMap<>(SeriesName.class);
    private final Map<SeriesName, HeatMap> maps = new EnumMap<>(SeriesName.class);
    private String runId = "";
    private long counter;
    private long lastSecond;

    /**
     * Adds a snapshot if a second has passed since the last one added, or if it is terminal.
     *
     * @return whether it was added
     */
    public boolean add(MetricsSnapshot snapshot) {
        String id = snapshot.extensions().run().runId();
        if (!id.equals(runId) || snapshot.counter() < counter) {
            clear();
        }
        runId = id;
        RecentWindow.Step last = steps.peekLast();
        boolean due = last == null
                || snapshot.timestampNanos() - last.timestampNanos() >= STEP_NANOS
                || (snapshot.state().isTerminal() && snapshot.counter() != counter);
        if (!due) {
            return false;
        }
        counter = snapshot.counter();
        steps.addLast(step(snapshot, last == null));
        while (steps.size() > 2 && secondOf(steps) <= snapshot.timestampNanos() - KEPT_SECONDS * SECOND) {
            steps.removeFirst();
        }
        return true;
    }

    private static long secondOf(Deque<RecentWindow.Step> steps) {
        return steps.stream().skip(1).findFirst().orElseThrow().timestampNanos();
    }

    private void clear() {
        steps.clear();
        latest.clear();
        maps.clear();
        counter = 0;
    }

    private RecentWindow.Step step(MetricsSnapshot snapshot, boolean first) {
        Map<SeriesName, ValueCounts> added = new EnumMap<>(SeriesName.class);
        long second = second(snapshot);
        for (SeriesName name : SERIES) {
            ValueCounts values = first ? first(name, snapshot) : added(name, snapshot);
            if (values != null && values.total() > 0) {
                added.put(name, values);
            }
            if (MAPPED.contains(name) && latest.containsKey(name)) {
                maps.computeIfAbsent(name, each -> new HeatMap())
                        .add(first ? second - 1 : lastSecond, second, values == null ? ValueCounts.NONE : values);
            }
        }
        lastSecond = second;
        SeriesMetric tokens = snapshot.series(SeriesName.OSL);
        SnapshotExtensions extensions = snapshot.extensions();
        return new RecentWindow.Step(
                snapshot.timestampNanos(),
                snapshot.counter(CounterName.TOTAL_SAMPLES_COMPLETED),
                tokens == null || tokens.count() == 0
                        ? null
                        : (Double) tokens.total().doubleValue(),
                extensions.isNone() ? Map.of() : records(extensions.workers()),
                extensions.errors(),
                added);
    }

    /** Seconds since the start of the session, on the axis of the plots. */
    private static long second(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        return extensions.isNone()
                ? snapshot.timestampNanos() / SECOND
                : (long) Math.floor(
                        new TimeAxis(snapshot).seconds("wall", extensions.run().wallNanos()));
    }

    /** Remembers the values before the first step; they belong to no step, unless the run itself is as young as one. */
    private @Nullable ValueCounts first(SeriesName name, MetricsSnapshot snapshot) {
        boolean young = snapshot.counter(CounterName.TOTAL_DURATION_NS) < 2 * SECOND;
        ValueCounts values = added(name, snapshot);
        return young ? values : null;
    }

    private @Nullable ValueCounts added(SeriesName name, MetricsSnapshot snapshot) {
        SeriesMetric series = Quantity.leading(name, snapshot).measured(snapshot);
        Histogram before = latest.get(name);
        if (series == null || (before != null && before.getTotalCount() == series.count())) {
            return null;
        }
        Histogram after = SeriesHistogram.of(series);
        if (after == null) {
            return null;
        }
        latest.put(name, after);
        return ValueCounts.added(after, before);
    }

    /** The last seconds of the run, one of {@link #WINDOWS}. */
    RecentWindow last(int seconds) {
        List<RecentWindow.Step> within = new ArrayList<>(steps);
        long end = steps.isEmpty() ? 0 : steps.getLast().timestampNanos();
        int first = 0;
        while (within.size() - first > 2 && within.get(first + 1).timestampNanos() <= end - seconds * SECOND) {
            first++;
        }
        return new RecentWindow(seconds, within.subList(first, within.size()));
    }

    private static Map<String, Long> records(List<SnapshotExtensions.WorkerRow> rows) {
        Map<String, Long> records = new HashMap<>();
        rows.forEach(row -> records.merge(row.worker(), row.records(), Long::sum));
        return records;
    }

    /** The heat map of a series; null without one. */
    @Nullable
    HeatMap map(SeriesName name) {
        return maps.get(name);
    }
}
