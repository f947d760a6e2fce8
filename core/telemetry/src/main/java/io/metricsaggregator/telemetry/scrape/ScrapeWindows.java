package io.metricsaggregator.telemetry.scrape;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.snapshot.telemetry.server.ScrapeWindow;
import io.metricsaggregator.snapshot.telemetry.server.TritonSnapshot;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import io.metricsaggregator.telemetry.promql.ScrapeSeries;
import io.metricsaggregator.telemetry.triton.TritonNotebook;
import io.metricsaggregator.telemetry.triton.TritonWindow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Windows of scraped series. A window closes when a sample is a window later; closed windows are kept up to a bound, open ones are evaluated for each snapshot. Belongs to the thread
 * that applies events.
 */
final class ScrapeWindows {
    static final int WINDOWS_MAX = 4096;
    /** Most models, and most GPUs, of a window in a live snapshot. */
    static final int SHOWN_LIVE = 256;

    /** Windows closed one by one at a time; beyond them, windows without samples are skipped and counted. */
    private static final int CLOSED_AT_ONCE = 64;

    private final ScrapeOptions options;
    private final Function<String, List<ScrapeSeries>> byName;
    private final TritonNotebook notebook;
    private final Map<Long, ScrapeWindow> windows = new TreeMap<>();
    private final Map<Long, Integer> rowsOf = new HashMap<>();
    private final Map<String, Double> requestsByModel = new TreeMap<>();
    /** Ends of windows that hold samples: all others are empty. */
    private final TreeSet<Long> filled = new TreeSet<>();

    private final TelemetryLimits limits;
    private final RowBudget rows;
    private final Runnable alive;
    /** Open windows of the last snapshot, whose views read the notebook's answers until the next sample. */
    private final List<Long> shownOpen = new ArrayList<>();

    private @Nullable ScrapeWindow empty;
    private int emptyModels = -1;
    private long lastFilled = Long.MIN_VALUE;
    private TritonSnapshot.@Nullable Frame frame;
    private long framed;
    private long closed;
    private long dropped;
    private long skipped;
    /** End of the window that closes next. */
    private long next = Long.MIN_VALUE;
    /** Windows that end at or before this time are closed, and their samples are late. */
    private long settled = Long.MIN_VALUE;

    ScrapeWindows(
            ScrapeOptions options,
            TelemetryLimits limits,
            Allowance allowance,
            Function<String, List<ScrapeSeries>> byName,
            Runnable alive) {
        this.options = options;
        this.byName = byName;
        this.alive = alive;
        this.limits = limits;
        this.rows = new RowBudget(limits.windowRows(), TelemetryLimits.WINDOW_ROW_BYTES, allowance);
        this.notebook = new TritonNotebook(
                options, byName, new RowBudget(limits.notebookPoints(), TelemetryLimits.POINT_BYTES, allowance));
    }

    /** Whether a sample of that time is late. */
    boolean isSettled(long millis) {
        return millis <= settled;
    }

    /** Number of closed windows dropped for want of memory. */
    long dropped() {
        return dropped;
    }

    /** Number of windows without samples that were not evaluated. */
    long skipped() {
        return skipped;
    }

    private long ceiling(long millis) {
        return -Math.floorDiv(-millis, options.windowMillis()) * options.windowMillis();
    }

    /** Starts again at the time of the next sample; closed windows stay. */
    void restart() {
        next = Long.MIN_VALUE;
        settled = Long.MIN_VALUE;
        filled.clear();
        lastFilled = Long.MIN_VALUE;
    }

    /** Notes a sample of that time. */
    void begin(long millis) {
        if (next == Long.MIN_VALUE) {
            next = ceiling(millis);
            Long from = options.fromMillis();
            next = from == null ? next : Math.max(next, ceiling(from));
        }
        long end = ceiling(millis);
        if (end != lastFilled) {
            lastFilled = end;
            filled.add(end);
        }
        if (millis == end) {
            // In Prometheus 2 a range includes both ends.
            filled.add(end + options.windowMillis());
        }
    }

    /** Whether the window that ends at that time has no sample. */
    private boolean isEmpty(long end) {
        return !filled.contains(end);
    }

    /** The window without samples; all such windows share it until a model is added. */
    private ScrapeWindow emptyWindow() {
        int models = byName.apply(TritonWindow.REQUESTS).size();
        ScrapeWindow known = empty;
        if (known == null || models != emptyModels) {
            known = new TritonWindow(options, byName, Long.MIN_VALUE / 2).evaluate();
            empty = known;
            emptyModels = models;
        }
        return known;
    }

    /**
     * Closes the windows that the newest scrape is a window past.
     *
     * @param watermark time of the newest scrape, in milliseconds
     * @param forget receives a time before which series need only their last sample
     */
    void advance(long watermark, LongConsumer forget) {
        forgetOpen();
        if (next == Long.MIN_VALUE) {
            return;
        }
        if (next - watermark > 2 * options.windowMillis()) {
            // The first wanted window is still to come: series need only the samples just before it.
            forget.accept(watermark - options.windowMillis());
        }
        for (int rounds = 0; watermark >= next + options.windowMillis(); rounds++) {
            close(forget);
            alive.run();
            if (rounds == CLOSED_AT_ONCE) {
                skip(watermark);
            }
        }
    }

    private void forgetOpen() {
        shownOpen.forEach(notebook::forget);
        shownOpen.clear();
    }

    /** Skips and counts the windows of a long time without samples. */
    private void skip(long watermark) {
        long to = ceiling(watermark) - options.windowMillis();
        if (to > next) {
            skipped += (to - next) / options.windowMillis();
            next = to;
            settled = next - options.windowMillis();
        }
    }

    /** Evaluates the next window and closes it. */
    private void close(LongConsumer forget) {
        boolean nothing = isEmpty(next);
        if (isWanted(next)) {
            ScrapeWindow window = nothing ? emptyWindow() : new TritonWindow(options, byName, next).evaluate();
            total(window, requestsByModel);
            if (keep(next, window, nothing)) {
                notebook.evaluate(next, nothing);
            }
            closed++;
        }
        settled = next;
        if (!nothing) {
            forget.accept(next);
        }
        filled.headSet(next, true).clear();
        next += options.windowMillis();
    }

    /** Keeps a window and drops older ones to make room; false if there is no room for it at all. */
    private boolean keep(long end, ScrapeWindow window, boolean shared) {
        int wanted = shared ? 1 : 1 + window.models().size() + window.gpus().size();
        int taken = 0;
        while (taken < wanted) {
            if (rows.take()) {
                taken++;
            } else if (windows.isEmpty()) {
                rows.giveBack(taken);
                dropped++;
                return false;
            } else {
                dropOldest();
            }
        }
        windows.put(end, window);
        rowsOf.put(end, wanted);
        if (windows.size() > WINDOWS_MAX) {
            dropOldest();
        }
        return true;
    }

    private void dropOldest() {
        long first = windows.keySet().iterator().next();
        windows.remove(first);
        Integer held = rowsOf.remove(first);
        rows.giveBack(held == null ? 0 : held);
        notebook.forget(first);
        dropped++;
    }

    private boolean isWanted(long end) {
        Long to = options.toMillis();
        return to == null || end <= to;
    }

    private static void total(ScrapeWindow window, Map<String, Double> into) {
        window.models().forEach((model, one) -> {
            Double requests = one.requests();
            if (requests != null) {
                into.merge(model, requests, Double::sum);
            }
        });
    }

    /** Evaluates the windows that are still open. */
    private Map<Long, ScrapeWindow> open(long watermark, boolean terminal) {
        Map<Long, ScrapeWindow> open = new TreeMap<>();
        if (next == Long.MIN_VALUE || watermark == Long.MIN_VALUE) {
            return open;
        }
        Long to = options.toMillis();
        long last = terminal && to != null ? Math.max(to, ceiling(watermark)) : ceiling(watermark);
        last = Math.min(last, next + WINDOWS_MAX * options.windowMillis());
        for (long end = next; end <= last && isWanted(end); end += options.windowMillis()) {
            boolean nothing = isEmpty(end);
            open.put(end, nothing ? emptyWindow() : new TritonWindow(options, byName, end).evaluate());
            if (terminal) {
                notebook.evaluate(end, nothing);
            }
            alive.run();
        }
        return open;
    }

    /** The notebook's table of the closed windows, without its rows. */
    private TritonSnapshot.Frame closedFrame() {
        TritonSnapshot.Frame known = frame;
        if (known == null || framed != closed) {
            known = notebook.frame().withoutRows();
            frame = known;
            framed = closed;
        }
        return known;
    }

    /**
     * The windows; null while there is no series that windows are made of.
     *
     * @param watermark time of the newest scrape, in milliseconds
     * @param terminal whether to show all windows, as views of the fold, or only the newest complete one
     */
    @Nullable
    TritonSnapshot snapshot(long watermark, boolean terminal) {
        if (TritonWindow.MEASURES.stream().allMatch(name -> byName.apply(name).isEmpty())) {
            return null;
        }
        forgetOpen();
        Map<Long, ScrapeWindow> open = open(watermark, terminal);
        Map<Long, ScrapeWindow> all = new TreeMap<>(windows);
        all.putAll(open);
        TritonSnapshot.LastWindow last = last(all, terminal);
        Map<String, Double> totals = new TreeMap<>(requestsByModel);
        open.values().forEach(each -> total(each, totals));
        if (!terminal) {
            return new TritonSnapshot(
                    last,
                    first(totals),
                    false,
                    null,
                    new TritonSnapshot.Notebook(options.promql(), null, closedFrame()));
        }
        shownOpen.addAll(open.keySet());
        Map<String, ScrapeWindow.Model> idle =
                new TritonWindow(options, byName, Long.MIN_VALUE / 2).evaluate().models();
        // Windows × models can make the file larger than readers accept: a window then lists only the models measured
        // in it.
        boolean withoutIdle = (long) all.size() * idle.size() > limits.windowRows();
        return new TritonSnapshot(
                last,
                totals,
                withoutIdle,
                withoutIdle ? measured(all) : filled(all, idle),
                new TritonSnapshot.Notebook(options.promql(), notebook.answers(), notebook.frame()));
    }

    private static TritonSnapshot.@Nullable LastWindow last(Map<Long, ScrapeWindow> all, boolean terminal) {
        if (all.isEmpty()) {
            return null;
        }
        List<Long> ends = new ArrayList<>(all.keySet());
        // During the run, samples still arrive for the last window.
        long latest = ends.get(Math.max(0, ends.size() - (terminal ? 1 : 2)));
        ScrapeWindow window = Objects.requireNonNull(all.get(latest));
        return terminal
                ? new TritonSnapshot.LastWindow(window, latest, 0, 0)
                : new TritonSnapshot.LastWindow(
                        window.with(first(window.models()), first(window.gpus())),
                        latest,
                        Math.max(0, window.models().size() - SHOWN_LIVE),
                        Math.max(0, window.gpus().size() - SHOWN_LIVE));
    }

    private static Map<String, ScrapeWindow> bySecond(Map<Long, ScrapeWindow> all) {
        Map<String, ScrapeWindow> bySecond = new LinkedHashMap<>();
        all.forEach((end, window) -> bySecond.put(Long.toString(end / 1000), window));
        return bySecond;
    }

    /** All windows, each with a row for every model of the run. */
    private static Map<String, ScrapeWindow> filled(Map<Long, ScrapeWindow> all, Map<String, ScrapeWindow.Model> idle) {
        return LazyTree.map(bySecond(all), (end, window) -> {
            Map<String, ScrapeWindow.Model> models = new TreeMap<>(idle);
            models.putAll(window.models());
            return window.withModels(models);
        });
    }

    /** All windows; one without samples lists no model. */
    @SuppressWarnings("ReferenceEquality") // the same window, not one like it
    private Map<String, ScrapeWindow> measured(Map<Long, ScrapeWindow> all) {
        ScrapeWindow shared = empty;
        return LazyTree.map(bySecond(all), (end, window) -> window == shared ? window.withModels(Map.of()) : window);
    }

    /** The first rows by name, as many as a live snapshot shows. */
    private static <T> Map<String, T> first(Map<String, T> rows) {
        Map<String, T> first = new LinkedHashMap<>();
        rows.entrySet().stream().limit(SHOWN_LIVE).forEach(each -> first.put(each.getKey(), each.getValue()));
        return first;
    }
}
