package io.metricsaggregator.telemetry.scrape;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.event.TelemetryRecord;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.fold.TelemetryFold;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import io.metricsaggregator.telemetry.promql.ScrapeSeries;
import io.metricsaggregator.telemetry.statistics.TimeGrid;
import io.metricsaggregator.telemetry.triton.TritonWindow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Metrics scraped from exporters: every series on one grid of time; Triton's models and the GPUs by windows; the notebook's queries as Prometheus
 * would answer them. Windows are closed when what came is a window later; what comes for a closed one is counted as late.
 */
public final class ScrapeFold implements TelemetryFold {
    static final int SERIES_MAX = TelemetryLimits.SCRAPE_SERIES_MAX;
    static final int TARGETS_MAX = 1024;

    private static final long MILLI = 1_000_000L;
    private static final long DAY_MILLIS = 86_400_000L;

    private static final int BUCKETS = 256;
    private static final int TYPE_MAX = 32;

    private static final long STALE = 0x7ff0000000000002L;

    private final ScrapeOptions options;
    private final Map<String, ScrapeTarget> targets = new LinkedHashMap<>();
    private final Map<String, Map<Map<String, String>, ScrapeSeries>> series = new LinkedHashMap<>();
    private final Map<String, List<ScrapeSeries>> byName = new LinkedHashMap<>();
    private final List<ScrapeSeries> all = new ArrayList<>();
    private final TimeGrid grid = new TimeGrid(BUCKETS, 1_000 * MILLI);
    private final ScrapeWindows windows;
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final ScrapeClock clock = new ScrapeClock();
    private final RowBudget rows;
    private final RowBudget openSamples;
    private final Allowance allowance;
    private final long textMax;
    private long text;
    private boolean wallClock;

    /** Of no exporter, with memory for all. */
    public ScrapeFold(ScrapeOptions options) {
        this(options, TelemetryLimits.ample(), Allowance.unlimited(), () -> {});
    }

    /**
     * Of no exporter.
     *
     * @param alive called for each window that is closed: many take long
     */
    public ScrapeFold(ScrapeOptions options, TelemetryLimits limits, Allowance allowance, Runnable alive) {
        this.options = options;
        this.rows = new RowBudget(limits.scrapeSeries(), TelemetryLimits.SERIES_BYTES, allowance);
        this.openSamples = new RowBudget(limits.scrapeSamples(), TelemetryLimits.SAMPLE_BYTES, allowance);
        this.allowance = allowance;
        this.textMax = limits.scrapeTextBytes();
        this.windows = new ScrapeWindows(options, limits, allowance, this::byName, alive);
        for (String each : List.of(
                "samples",
                "samples_late",
                "samples_repeated",
                "samples_invalid",
                "samples_blank",
                "samples_stale",
                "samples_over_limit",
                "bad_lines",
                "samples_left_out",
                "clock_restarts")) {
            counts.put(each, 0L);
        }
    }

    private List<ScrapeSeries> byName(String name) {
        return byName.getOrDefault(name, List.of());
    }

    private void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    @Override
    public TelemetryKind kind() {
        return TelemetryKind.SCRAPE;
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
        target.failed(
                observation.orderNanos() / MILLI,
                why.length() > TelemetryRecord.NAME_MAX_CHARS ? why.substring(0, TelemetryRecord.NAME_MAX_CHARS) : why);
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
                count("clock_restarts");
            }
            case RIGHT -> {}
        }
        counts.merge("bad_lines", badLines, TimestampMath::saturatedAdd);
        counts.merge("samples_left_out", leftOut, TimestampMath::saturatedAdd);
        own.put("job", target.job);
        own.put("instance", target.instance);
        wallClock |= observation.wallNanos() != null;
        long taken = 0;
        for (Object each : samples) {
            taken += sample(target, own, each, at) ? 1 : 0;
        }
        target.answered(at, taken, took);
        clock.advance(at);
        windows.advance(clock.watermark(), before -> all.forEach(each -> each.forget(before)));
    }

    /** One of {@code [name, labels, type, value, milliseconds?]}; what is none is counted, and costs the others nothing. */
    private boolean sample(ScrapeTarget target, Map<String, String> own, @Nullable Object element, long scraped) {
        if (!(element instanceof List<?> list)
                || list.size() < 4
                || !(list.get(0) instanceof String name)
                || name.isEmpty()
                || name.length() > TelemetryRecord.NAME_MAX_CHARS
                || !(list.get(2) instanceof String type)
                || !(list.get(3) instanceof Number number)) {
            count("samples_invalid");
            return false;
        }
        Map<String, String> labels = ScrapeLabels.of(list.get(1));
        if (labels == null) {
            count("samples_invalid");
            return false;
        }
        double value = number.doubleValue();
        if (Double.doubleToRawLongBits(value) == STALE) {
            count("samples_stale");
            return false;
        }
        long at = list.size() > 4 && list.get(4) instanceof Long own4 ? own4 : scraped;
        if (windows.isSettled(at) || at < scraped - DAY_MILLIS || at > scraped + DAY_MILLIS) {
            count("samples_late");
            return false;
        }
        boolean blankCounter = isBlank(name, value) && ScrapeSeries.isCounter(type, labels);
        // A counter that began blank was there: its first value is no growth.
        Long bornAfter = blankCounter ? null : target.answeredMillis();
        ScrapeSeries known = series(name, ScrapeLabels.merged(labels, own), type, bornAfter);
        if (known == null) {
            count("samples_over_limit");
            return false;
        }
        if (blankCounter) {
            count("samples_blank");
            return false;
        }
        if (known.hasForgotten(at)) {
            count("samples_late");
            return false;
        }
        if (known.needsPlace() && !openSamples.take()) {
            count("samples_over_limit");
            return false;
        }
        if (!add(known, at, value)) {
            count("samples_repeated");
            return false;
        }
        count("samples");
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

    /** A series with a row of its own; null if there is no room, for its samples or for its text. Until then nothing of it is kept. */
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
        return made;
    }

    /** Estimated bytes of a series' text: two a character, and the objects around it. */
    private static long textBytes(String name, Map<String, String> labels) {
        long bytes = 2L * name.length();
        for (Map.Entry<String, String> each : labels.entrySet()) {
            bytes += 100 + 2L * (each.getKey().length() + each.getValue().length());
        }
        return bytes;
    }

    /** Adds a sample to its series; false if there is one of that time. */
    private boolean add(ScrapeSeries known, long at, double value) {
        if (known.isCounter()) {
            return addToCounter(known, at, value);
        }
        if (!known.add(at, value)) {
            return false;
        }
        if (isBlank(known.name, value)) {
            count("samples_blank");
        } else if (Double.isFinite(value)) {
            known.column.record(at * MILLI, value, 1);
        }
        return true;
    }

    /** A sample that comes between two others parts the growth that was counted from the one to the other. */
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

    /** Whether it is one of DCGM's values for "nothing". */
    private static boolean isBlank(String name, double value) {
        return name.startsWith("DCGM_") && TritonWindow.isBlank(value);
    }

    @Override
    public void tick(long nowNanos) {
        clock.tick(nowNanos);
    }

    @Override
    public boolean isEmpty() {
        return targets.isEmpty();
    }

    @Override
    public Map<String, @Nullable Object> freeze(boolean terminal) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("targets", LazyTree.list(new ArrayList<>(targets.values()), ScrapeTarget::freeze));
        tree.put("clock", wallClock ? "wall" : "monotonic");
        tree.put("window_ms", options.windowMillis());
        tree.put("series", (long) all.size());
        Map<String, Long> all = new LinkedHashMap<>(counts);
        all.put("windows_dropped", windows.dropped());
        all.put("windows_skipped", windows.skipped());
        tree.put("counts", all);
        tree.put("highlights", new ScrapeHighlights(this::byName).freeze());
        windows.freeze(tree, clock.watermark(), terminal);
        if (terminal) {
            tree.put("table", table());
        }
        return tree;
    }

    /** Every series on one grid: a counter's rate, a gauge's mean. */
    private Map<String, @Nullable Object> table() {
        Map<String, @Nullable Object> tree = grid.freeze();
        List<ScrapeSeries> sorted = new ArrayList<>(all.size());
        byName.values().forEach(sorted::addAll);
        tree.put("rows", LazyTree.list(sorted, ScrapeFold::row));
        return tree;
    }

    private static Map<String, @Nullable Object> row(ScrapeSeries each) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("name", each.name);
        row.put("labels", new TreeMap<>(each.labels));
        row.put("type", each.type);
        row.put("what", each.isCounter() ? "rate_per_s" : "mean");
        row.put("n_samples", each.samples());
        row.put("last", Double.isFinite(each.last()) && !isBlank(each.name, each.last()) ? each.last() : null);
        row.put("grew", each.isCounter() ? (Object) each.total() : null);
        row.put("values", each.column.means());
        return row;
    }
}
