package io.metricsaggregator.observe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Windows of scraped series: closed when what came is a window later, and then kept, up to a bound; those that are still open are worked out when they are
 * looked at.
 */
final class ScrapeWindows {
    static final int WINDOWS_MAX = 4096;

    /** Windows in which nothing came that are gone through one by one. */
    private static final int CLOSED_AT_ONCE = 64;

    private final ScrapeOptions options;
    private final Function<String, List<ScrapeSeries>> byName;
    private final TritonNotebook notebook;
    private final Map<Long, Map<String, @Nullable Object>> windows = new TreeMap<>();
    private final Map<String, Double> requestsByModel = new TreeMap<>();
    private @Nullable Map<String, @Nullable Object> frame;
    private long framed;
    private long closed;
    private long dropped;
    private long skipped;
    /** The end of the window that is closed next. */
    private long next = Long.MIN_VALUE;
    /** Windows that end up to here are closed: what is older comes too late. */
    private long settled = Long.MIN_VALUE;

    ScrapeWindows(ScrapeOptions options, Function<String, List<ScrapeSeries>> byName) {
        this.options = options;
        this.byName = byName;
        this.notebook = new TritonNotebook(options, byName);
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
    }

    /** There is a sample of that time. */
    void begin(long millis) {
        if (next == Long.MIN_VALUE) {
            next = ceiling(millis);
            Long from = options.fromMillis();
            next = from == null ? next : Math.max(next, ceiling(from));
        }
    }

    /**
     * It is so late by the samples: windows are closed.
     *
     * @param forget takes a time before which samples are needed no more, but for the last of each series
     */
    void advance(long watermark, LongConsumer forget) {
        if (next == Long.MIN_VALUE) {
            return;
        }
        if (next - watermark > 2 * options.windowMillis()) {
            // The first window wanted is still to come: only what precedes it is needed.
            forget.accept(watermark - options.windowMillis());
        }
        for (int rounds = 0; watermark >= next + options.windowMillis(); rounds++) {
            close(forget);
            if (rounds == CLOSED_AT_ONCE) {
                skip(watermark);
            }
        }
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
        if (isWanted(next)) {
            Map<String, @Nullable Object> window = new TritonWindow(options, byName, next).evaluate();
            total(window, requestsByModel);
            windows.put(next, window);
            notebook.evaluate(next);
            closed++;
            if (windows.size() > WINDOWS_MAX) {
                long first = windows.keySet().iterator().next();
                windows.remove(first);
                notebook.forget(first);
                dropped++;
            }
        }
        settled = next;
        forget.accept(next);
        next += options.windowMillis();
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
            open.put(end, new TritonWindow(options, byName, end).evaluate());
            if (terminal) {
                notebook.evaluate(end);
            }
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
        Map<Long, Map<String, @Nullable Object>> open = open(watermark, terminal);
        Map<Long, Map<String, @Nullable Object>> all = new TreeMap<>(windows);
        all.putAll(open);
        if (!all.isEmpty()) {
            List<Long> ends = new ArrayList<>(all.keySet());
            // The last is still being filled while the run goes on.
            long latest = ends.get(Math.max(0, ends.size() - (terminal ? 1 : 2)));
            Map<String, @Nullable Object> known = new LinkedHashMap<>(all.getOrDefault(latest, Map.of()));
            known.put("end_ms", latest);
            tree.put("last_window", known);
        }
        Map<String, Double> totals = new TreeMap<>(requestsByModel);
        open.values().forEach(each -> total(each, totals));
        tree.put("requests_total_by_model", totals);
        if (!terminal) {
            tree.put("compat", Map.of("promql_semantics", (long) options.promql(), "notebook", closedFrame()));
        }
        if (terminal) {
            Map<String, Object> shown = new LinkedHashMap<>();
            Map<String, Object> nothing = new TritonWindow(options, byName, Long.MIN_VALUE / 2).models();
            all.forEach((end, window) -> {
                Map<String, @Nullable Object> filled = new LinkedHashMap<>(window);
                Map<String, Object> models = new TreeMap<>(nothing);
                ((Map<?, ?>) Objects.requireNonNull(window.get("models")))
                        .forEach((model, one) -> models.put((String) model, (Object) one));
                filled.put("models", models);
                shown.put(Long.toString(end / 1000), filled);
            });
            tree.put("windows", shown);
            Map<String, @Nullable Object> compat = new LinkedHashMap<>();
            compat.put("promql_semantics", (long) options.promql());
            compat.put("promql", notebook.answers());
            compat.put("notebook", notebook.frame());
            tree.put("compat", compat);
            open.keySet().forEach(notebook::forget);
        }
    }
}
