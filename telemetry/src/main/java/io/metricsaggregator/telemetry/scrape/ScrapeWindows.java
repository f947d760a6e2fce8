package io.metricsaggregator.telemetry.scrape;

import io.metricsaggregator.codec.LazyTree;
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
 * Windows of scraped series: closed when what came is a window later, and then kept, up to a bound; those that are still open are worked out when they are
 * looked at.
 */
final class ScrapeWindows {
    static final int WINDOWS_MAX = 4096;
    /** Models, and GPUs, of a window in a live snapshot. */
    static final int SHOWN_LIVE = 256;

    /** Windows in which nothing came that are gone through one by one. */
    private static final int CLOSED_AT_ONCE = 64;

    private final ScrapeOptions options;
    private final Function<String, List<ScrapeSeries>> byName;
    private final TritonNotebook notebook;
    private final Map<Long, Map<String, @Nullable Object>> windows = new TreeMap<>();
    private final Map<Long, Integer> rowsOf = new HashMap<>();
    private final Map<String, Double> requestsByModel = new TreeMap<>();
    /** Ends of windows in which samples lie: the others are empty without a look at any series. */
    private final TreeSet<Long> filled = new TreeSet<>();

    private final TelemetryLimits limits;
    private final RowBudget rows;
    private final Runnable alive;
    /** Open windows that the last snapshot of a run shows: views of it read the notebook's answers until the next sample. */
    private final List<Long> shownOpen = new ArrayList<>();

    private @Nullable Map<String, @Nullable Object> empty;
    private int emptyModels = -1;
    private long lastFilled = Long.MIN_VALUE;
    private @Nullable Map<String, @Nullable Object> frame;
    private long framed;
    private long closed;
    private long dropped;
    private long skipped;
    /** The end of the window that is closed next. */
    private long next = Long.MIN_VALUE;
    /** Windows that end up to here are closed: what is older comes too late. */
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

    /** Whether a sample of that time comes too late. */
    boolean isSettled(long millis) {
        return millis <= settled;
    }

    /** Windows kept no longer. */
    long dropped() {
        return dropped;
    }

    /** Windows that were not looked at, since nothing came for long. */
    long skipped() {
        return skipped;
    }

    private long ceiling(long millis) {
        return -Math.floorDiv(-millis, options.windowMillis()) * options.windowMillis();
    }

    /** Time begins anew; windows that were closed stay. */
    void restart() {
        next = Long.MIN_VALUE;
        settled = Long.MIN_VALUE;
        filled.clear();
        lastFilled = Long.MIN_VALUE;
    }

    /** There is a sample of that time. */
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
            // In Prometheus 2 a range has both its ends.
            filled.add(end + options.windowMillis());
        }
    }

    /** Whether a window has no sample. */
    private boolean isEmpty(long end) {
        return !filled.contains(end);
    }

    /** A window without samples: the same for all of them, until there are more models. */
    private Map<String, @Nullable Object> emptyWindow() {
        int models = byName.apply(TritonWindow.REQUESTS).size();
        Map<String, @Nullable Object> known = empty;
        if (known == null || models != emptyModels) {
            known = new TritonWindow(options, byName, Long.MIN_VALUE / 2).evaluate();
            empty = known;
            emptyModels = models;
        }
        return known;
    }

    /**
     * It is so late by the samples: windows are closed.
     *
     * @param forget takes a time before which samples are needed no more, but for the last of each series
     */
    void advance(long watermark, LongConsumer forget) {
        forgetOpen();
        if (next == Long.MIN_VALUE) {
            return;
        }
        if (next - watermark > 2 * options.windowMillis()) {
            // The first window wanted is still to come: only what precedes it is needed.
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

    /** Nothing came for so long that the windows in between are not worth their time: they are counted. */
    private void skip(long watermark) {
        long to = ceiling(watermark) - options.windowMillis();
        if (to > next) {
            skipped += (to - next) / options.windowMillis();
            next = to;
            settled = next - options.windowMillis();
        }
    }

    /** The window is over. */
    private void close(LongConsumer forget) {
        boolean nothing = isEmpty(next);
        if (isWanted(next)) {
            Map<String, @Nullable Object> window =
                    nothing ? emptyWindow() : new TritonWindow(options, byName, next).evaluate();
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

    /** Keeps a window, for which older ones may have to go; false if there is no room for it at all. */
    private boolean keep(long end, Map<String, @Nullable Object> window, boolean shared) {
        int wanted = shared ? 1 : 1 + size(window, "models") + size(window, "gpus");
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

    private static int size(Map<String, @Nullable Object> window, String table) {
        return window.get(table) instanceof Map<?, ?> map ? map.size() : 0;
    }

    private boolean isWanted(long end) {
        Long to = options.toMillis();
        return to == null || end <= to;
    }

    private static void total(Map<String, @Nullable Object> window, Map<String, Double> into) {
        ((Map<?, ?>) Objects.requireNonNull(window.get("models"))).forEach((model, one) -> {
            if (((Map<?, ?>) one).get("requests") instanceof Double requests) {
                into.merge((String) model, requests, Double::sum);
            }
        });
    }

    /** Windows that are not closed yet, as far as they are known. */
    private Map<Long, Map<String, @Nullable Object>> open(long watermark, boolean terminal) {
        Map<Long, Map<String, @Nullable Object>> open = new TreeMap<>();
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

    /** What the notebook makes of the windows that are closed, without its rows. */
    private Map<String, @Nullable Object> closedFrame() {
        Map<String, @Nullable Object> known = frame;
        if (known == null || framed != closed) {
            known = notebook.frame();
            known.remove("rows");
            frame = known;
            framed = closed;
        }
        return known;
    }

    /** Shows windows, as far as there is anything that windows are made of. */
    void freeze(Map<String, @Nullable Object> tree, long watermark, boolean terminal) {
        if (TritonWindow.MEASURES.stream().allMatch(name -> byName.apply(name).isEmpty())) {
            return;
        }
        forgetOpen();
        Map<Long, Map<String, @Nullable Object>> open = open(watermark, terminal);
        Map<Long, Map<String, @Nullable Object>> all = new TreeMap<>(windows);
        all.putAll(open);
        if (!all.isEmpty()) {
            List<Long> ends = new ArrayList<>(all.keySet());
            // The last is still being filled while the run goes on.
            long latest = ends.get(Math.max(0, ends.size() - (terminal ? 1 : 2)));
            Map<String, @Nullable Object> known = new LinkedHashMap<>(all.getOrDefault(latest, Map.of()));
            known.put("end_ms", latest);
            tree.put("last_window", terminal ? known : shortened(known));
        }
        Map<String, Double> totals = new TreeMap<>(requestsByModel);
        open.values().forEach(each -> total(each, totals));
        tree.put("requests_total_by_model", terminal ? totals : first(totals));
        if (!terminal) {
            tree.put("compat", Map.of("promql_semantics", (long) options.promql(), "notebook", closedFrame()));
        }
        if (terminal) {
            tree.put("windows", shown(tree, all));
            Map<String, @Nullable Object> compat = new LinkedHashMap<>();
            compat.put("promql_semantics", (long) options.promql());
            compat.put("promql", notebook.answers());
            compat.put("notebook", notebook.frame());
            tree.put("compat", compat);
            shownOpen.addAll(open.keySet());
        }
    }

    /** All windows by second, with a row for every model there has ever been as far as that is not too much. */
    private Map<String, @Nullable Object> shown(
            Map<String, @Nullable Object> tree, Map<Long, Map<String, @Nullable Object>> all) {
        Map<String, Object> nothing = new TritonWindow(options, byName, Long.MIN_VALUE / 2).models();
        Map<String, Map<String, @Nullable Object>> bySecond = new LinkedHashMap<>();
        all.forEach((end, window) -> bySecond.put(Long.toString(end / 1000), window));
        if ((long) all.size() * nothing.size() <= limits.windowRows()) {
            return LazyTree.map(bySecond, (end, window) -> filled(window, nothing));
        }
        // Windows × models would make the file larger than any reader takes: what a window lacks was not measured in
        // it.
        tree.put("windows_without_idle_models", true);
        Map<String, @Nullable Object> shared = empty;
        return LazyTree.map(bySecond, (end, window) -> window == shared ? without(window) : window);
    }

    private static Map<String, @Nullable Object> without(Map<String, @Nullable Object> window) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>(window);
        copy.put("models", Map.of());
        return copy;
    }

    /** A window with a row for every model there has ever been. */
    private static Map<String, @Nullable Object> filled(
            Map<String, @Nullable Object> window, Map<String, Object> nothing) {
        Map<String, Object> models = new TreeMap<>(nothing);
        ((Map<?, ?>) Objects.requireNonNull(window.get("models")))
                .forEach((model, one) -> models.put((String) model, (Object) one));
        Map<String, @Nullable Object> copy = new LinkedHashMap<>(window);
        copy.put("models", models);
        return copy;
    }

    /** A window with so many models and GPUs as a live snapshot shows, by name. */
    private static Map<String, @Nullable Object> shortened(Map<String, @Nullable Object> window) {
        for (String table : List.of("models", "gpus")) {
            if (window.get(table) instanceof Map<?, ?> map && map.size() > SHOWN_LIVE) {
                window.put(table, first(map));
                window.put(table + "_not_shown", (long) map.size() - SHOWN_LIVE);
            }
        }
        return window;
    }

    private static Map<String, @Nullable Object> first(Map<?, ?> map) {
        Map<String, @Nullable Object> first = new LinkedHashMap<>();
        map.entrySet().stream().limit(SHOWN_LIVE).forEach(each -> first.put((String) each.getKey(), each.getValue()));
        return first;
    }
}
