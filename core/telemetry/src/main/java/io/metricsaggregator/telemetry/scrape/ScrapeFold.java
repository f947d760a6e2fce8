package io.metricsaggregator.telemetry.scrape;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.SampleClock;
import io.metricsaggregator.snapshot.telemetry.ScrapeCount;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.fold.TelemetryFold;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import io.metricsaggregator.telemetry.promql.ScrapeSeries;
import io.metricsaggregator.telemetry.server.ServerFold;
import io.metricsaggregator.telemetry.server.ServerReference;
import io.metricsaggregator.telemetry.statistics.TimeGrid;
import io.metricsaggregator.telemetry.triton.TritonWindow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates scraped samples: every series over time, Triton's models and the GPUs by window, and the notebook's queries as Prometheus would answer them. A window closes when a
 * sample is a window later; late samples for a closed window are counted as late. Belongs to the thread that applies events.
 */
public final class ScrapeFold implements TelemetryFold {
    static final int SERIES_MAX = TelemetryLimits.SCRAPE_SERIES_MAX;
    static final int TARGETS_MAX = 1024;

    private static final long MILLI = 1_000_000L;
    private static final long DAY_MILLIS = 86_400_000L;

    private static final int BUCKETS = 256;
    private static final int TYPE_MAX = 32;

    private static final long NO_SESSION = -1;
    private static final long STALE = 0x7ff0000000000002L;

    private final ScrapeOptions options;
    private final Map<String, ScrapeTarget> targets = new LinkedHashMap<>();
    private final Map<String, Map<Map<String, String>, ScrapeSeries>> series = new LinkedHashMap<>();
    private final Map<String, List<ScrapeSeries>> byName = new LinkedHashMap<>();
    private final List<ScrapeSeries> all = new ArrayList<>();
    private final TimeGrid grid = new TimeGrid(BUCKETS, 1_000 * MILLI);
    private final ServerFold servers;
    private final ScrapeWindows windows;
    private final Map<ScrapeCount, Long> counts = new EnumMap<>(ScrapeCount.class);
    private final ScrapeClock clock = new ScrapeClock();
    private final RowBudget rows;
    private final RowBudget openSamples;
    private final Allowance allowance;
    private final long textMax;
    private long text;
    private long sessionAgeNanos = NO_SESSION;
    private boolean wallClock;

    /** A fold without memory limits. */
    public ScrapeFold(ScrapeOptions options) {
        this(options, TelemetryLimits.ample(), Allowance.unlimited(), () -> {});
    }

    /**
     * A fold without samples.
     *
     * @param options how windows and queries are computed
     * @param limits bounds on series, samples and windows
     * @param allowance memory that all kinds share
     * @param alive called for each closed window, because closing many takes long
     */
    public ScrapeFold(ScrapeOptions options, TelemetryLimits limits, Allowance allowance, Runnable alive) {
        this.options = options;
        this.rows = new RowBudget(limits.scrapeSeries(), TelemetryLimits.SERIES_BYTES, allowance);
        this.openSamples = new RowBudget(limits.scrapeSamples(), TelemetryLimits.SAMPLE_BYTES, allowance);
        this.allowance = allowance;
        this.servers = new ServerFold(grid, allowance);
        this.textMax = limits.scrapeTextBytes();
        this.windows = new ScrapeWindows(options, limits, allowance, this::byName, alive);
        for (ScrapeCount each : ScrapeCount.values()) {
            counts.put(each, 0L);
        }
    }

    private List<ScrapeSeries> byName(String name) {
        return byName.getOrDefault(name, List.of());
    }

    private void count(ScrapeCount what) {
        counts.merge(what, 1L, Long::sum);
    }

    @Override
    public List<String> categories() {
        return List.of("scrape");
    }

    @Override
    public void apply(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        switch (observation.action()) {
            case "samples" -> samples(observation);
            case "failed" -> failed(observation);
            default -> throw new TelemetryRecord.Rejected("unknown_type");
        }
    }

    /** Sets how long before the next record the session began, in nanoseconds; negative if it did not. */
    public void sessionAge(long nanos) {
        sessionAgeNanos = nanos;
    }

    private ScrapeTarget target(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        String job = name(observation, "job");
        String instance = name(observation, "instance");
        String key = job + "\0" + instance;
        ScrapeTarget known = targets.get(key);
        if (known == null) {
            if (targets.size() == TARGETS_MAX) {
                throw new TelemetryRecord.Rejected("too_many_targets");
            }
            known = new ScrapeTarget(job, instance, allowance);
            targets.put(key, known);
        }
        return known;
    }

    private static String name(TelemetryRecord observation, String key) throws TelemetryRecord.Rejected {
        String text = observation.text(key);
        if (text == null || text.length() > TelemetryRecord.NAME_MAX_CHARS) {
            throw new TelemetryRecord.Rejected("invalid_" + key);
        }
        return text;
    }

    private void failed(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        ScrapeTarget target = target(observation);
        String error = observation.text("error");
        String why = error == null ? "failed" : error;
        boolean early = sessionAgeNanos < 0
                || (observation.fields().get("scrape_duration_ns") instanceof Long took && took > sessionAgeNanos);
        target.failed(
                observation.orderNanos() / MILLI,
                why.length() > TelemetryRecord.NAME_MAX_CHARS ? why.substring(0, TelemetryRecord.NAME_MAX_CHARS) : why,
                early);
    }

    private void samples(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        if (!(observation.fields().get("samples") instanceof List<?> samples)) {
            throw new TelemetryRecord.Rejected("missing_samples");
        }
        if (Boolean.FALSE.equals(observation.fields().get("ok"))) {
            failed(observation);
            return;
        }
        long at = observation.orderNanos() / MILLI;
        Map<String, String> own = ScrapeLabels.of(observation.fields().get("labels"));
        if (own == null) {
            throw new TelemetryRecord.Rejected("invalid_labels");
        }
        long badLines = observation.count("bad_lines", 0);
        long leftOut = observation.count("samples_left_out", 0);
        Double took = observation.has("scrape_duration_ns") ? observation.positive("scrape_duration_ns") / 1e6 : null;
        ScrapeTarget target = target(observation);
        switch (clock.judge(target, at, observation.timestampNanos() / MILLI, targets.values())) {
            case WRONG -> throw new TelemetryRecord.Rejected("clock_off");
            case RESTART -> {
                windows.restart();
                count(ScrapeCount.CLOCK_RESTARTS);
            }
            case RIGHT -> {}
        }
        counts.merge(ScrapeCount.BAD_LINES, badLines, TimestampMath::saturatedAdd);
        counts.merge(ScrapeCount.SAMPLES_LEFT_OUT, leftOut, TimestampMath::saturatedAdd);
        own.put("job", target.job);
        own.put("instance", target.instance);
        wallClock |= observation.wallNanos() != null;
        long taken = 0;
        for (Object each : samples) {
            taken += sample(target, own, each, at) ? 1 : 0;
        }
        target.answered(at, taken, took);
        servers.scraped(target.job, target.instance, at, options.stalenessMillis());
        clock.advance(at);
        windows.advance(clock.watermark(), before -> all.forEach(each -> each.forget(before)));
    }

    /** Applies one {@code [name, labels, type, value, milliseconds?]}; a malformed one is counted and discarded alone. Returns whether it was taken. */
    private boolean sample(ScrapeTarget target, Map<String, String> own, @Nullable Object element, long scraped) {
        if (!(element instanceof List<?> list)
                || list.size() < 4
                || !(list.get(0) instanceof String name)
                || name.isEmpty()
                || name.length() > TelemetryRecord.NAME_MAX_CHARS
                || !(list.get(2) instanceof String type)
                || !(list.get(3) instanceof Number number)) {
            count(ScrapeCount.SAMPLES_INVALID);
            return false;
        }
        Map<String, String> labels = ScrapeLabels.of(list.get(1));
        if (labels == null) {
            count(ScrapeCount.SAMPLES_INVALID);
            return false;
        }
        double value = number.doubleValue();
        if (Double.doubleToRawLongBits(value) == STALE) {
            count(ScrapeCount.SAMPLES_STALE);
            return false;
        }
        long at = list.size() > 4 && list.get(4) instanceof Long own4 ? own4 : scraped;
        if (windows.isSettled(at) || at < scraped - DAY_MILLIS || at > scraped + DAY_MILLIS) {
            count(ScrapeCount.SAMPLES_LATE);
            return false;
        }
        if (PossibleRange.excludes(name, value)) {
            count(ScrapeCount.SAMPLES_BLANK);
            return false;
        }
        boolean blankCounter = isBlank(name, value) && ScrapeSeries.isCounter(type, labels);
        // A counter whose first value is blank existed before, so its first number is not growth.
        Long bornAfter = blankCounter ? null : target.answeredMillis();
        ScrapeSeries known = series(name, ScrapeLabels.merged(labels, own), type, bornAfter);
        if (known == null) {
            count(ScrapeCount.SAMPLES_OVER_LIMIT);
            return false;
        }
        if (blankCounter) {
            count(ScrapeCount.SAMPLES_BLANK);
            return false;
        }
        if (known.hasForgotten(at)) {
            count(ScrapeCount.SAMPLES_LATE);
            return false;
        }
        if (known.needsPlace() && !openSamples.take()) {
            count(ScrapeCount.SAMPLES_OVER_LIMIT);
            return false;
        }
        if (!add(known, at, value)) {
            count(ScrapeCount.SAMPLES_REPEATED);
            return false;
        }
        count(ScrapeCount.SAMPLES);
        windows.begin(at);
        known.shorten();
        return true;
    }

    private @Nullable ScrapeSeries series(
            String name, Map<String, String> labels, String type, @Nullable Long bornAfter) {
        Map<Map<String, String>, ScrapeSeries> named = series.get(name);
        ScrapeSeries known = named == null ? null : named.get(labels);
        return known != null ? known : newSeries(name, labels, type, bornAfter);
    }

    /** Creates a series; null if there is no memory for its samples or its text, in which case nothing of it is kept. */
    private @Nullable ScrapeSeries newSeries(
            String name, Map<String, String> labels, String type, @Nullable Long bornAfter) {
        long more = textBytes(name, labels);
        if (text + more > textMax || !rows.take()) {
            return null;
        }
        text += more;
        ScrapeSeries made = new ScrapeSeries(
                name,
                Map.copyOf(labels),
                type.length() <= TYPE_MAX ? type : type.substring(0, TYPE_MAX),
                bornAfter,
                grid.column(),
                TritonWindow.isRead(name),
                openSamples);
        series.computeIfAbsent(name, each -> new LinkedHashMap<>()).put(made.labels, made);
        byName.computeIfAbsent(name, each -> new ArrayList<>()).add(made);
        all.add(made);
        servers.add(made.label("job"), made.label("instance"), made);
        return made;
    }

    /** Estimated bytes of a series' text: two per character, and the objects around it. */
    private static long textBytes(String name, Map<String, String> labels) {
        long bytes = 2L * name.length();
        for (Map.Entry<String, String> each : labels.entrySet()) {
            bytes += 100 + 2L * (each.getKey().length() + each.getValue().length());
        }
        return bytes;
    }

    /** Adds a sample to its series; false if the series has one of that time. */
    private boolean add(ScrapeSeries known, long at, double value) {
        if (known.isCounter()) {
            return addToCounter(known, at, value);
        }
        if (!known.add(at, value)) {
            return false;
        }
        if (isBlank(known.name, value)) {
            count(ScrapeCount.SAMPLES_BLANK);
        } else if (Double.isFinite(value)) {
            known.column.record(at * MILLI, value, 1);
        }
        return true;
    }

    /** Adds a sample to a counter. A sample between two others splits the growth counted between them. */
    private boolean addToCounter(ScrapeSeries known, long at, double value) {
        int i = known.from(at);
        ScrapeSeries.Increment whole = i < known.size() ? known.increment(i, options.stalenessMillis()) : null;
        if (!known.add(at, value)) {
            return false;
        }
        if (whole != null && whole.seconds() > 0) {
            known.grew(-whole.value());
            known.column.takeBack(known.millis(i + 1) * MILLI, whole.value() / whole.seconds(), whole.seconds());
        }
        for (int j = i; j <= i + 1 && j < known.size(); j++) {
            ScrapeSeries.Increment part = known.increment(j, options.stalenessMillis());
            if (part != null && part.seconds() > 0) {
                known.grew(part.value());
                known.column.record(known.millis(j) * MILLI, part.value() / part.seconds(), part.seconds());
            }
        }
        return true;
    }

    /** Whether a value is one of DCGM's sentinels for "not available". */
    private static boolean isBlank(String name, double value) {
        return name.startsWith("DCGM_") && TritonWindow.isBlank(value);
    }

    /** Sets what figures of servers in the next snapshots are compared with. */
    public void compareWith(ServerReference reference) {
        servers.compareWith(reference);
    }

    @Override
    public void tick(long nowNanos) {
        clock.tick(nowNanos);
    }

    @Override
    public boolean isEmpty() {
        return targets.isEmpty();
    }

    /**
     * The scrapes over the run.
     *
     * @param terminal whether this is the run's last snapshot: then it has all windows and series, and its large parts are views of the fold
     */
    @Override
    public ScrapeSnapshot snapshot(boolean terminal) {
        Map<ScrapeCount, Long> counted = new EnumMap<>(counts);
        counted.put(ScrapeCount.WINDOWS_DROPPED, windows.dropped());
        counted.put(ScrapeCount.WINDOWS_SKIPPED, windows.skipped());
        counted.put(ScrapeCount.SERVER_LEVELS_LEFT_OUT, servers.levelsLeftOut());
        ScrapeHighlights highlights = new ScrapeHighlights(this::byName);
        return new ScrapeSnapshot(
                targets.values().stream()
                        .map(each -> each.snapshot(sessionAgeNanos >= 0))
                        .toList(),
                wallClock ? SampleClock.WALL : SampleClock.MONOTONIC,
                options.windowMillis(),
                all.size(),
                counted,
                highlights.servers(),
                highlights.gpus(),
                highlights.hosts(),
                servers.snapshot(wallClock),
                windows.snapshot(clock.watermark(), terminal),
                terminal ? table() : null);
    }

    /** Every series on one row of buckets: a counter's rate, a gauge's mean. */
    private ScrapeSnapshot.Table table() {
        List<ScrapeSeries> sorted = new ArrayList<>(all.size());
        byName.values().forEach(sorted::addAll);
        return new ScrapeSnapshot.Table(grid.timeBuckets(), LazyTree.list(sorted, ScrapeFold::row));
    }

    private static ScrapeSnapshot.Series row(ScrapeSeries each) {
        boolean shown = Double.isFinite(each.last()) && !isBlank(each.name, each.last());
        return new ScrapeSnapshot.Series(
                each.name,
                new TreeMap<>(each.labels),
                each.type,
                each.isCounter(),
                each.samples(),
                shown ? (Double) each.last() : null,
                each.isCounter() ? (Double) each.total() : null,
                each.column.means());
    }
}
