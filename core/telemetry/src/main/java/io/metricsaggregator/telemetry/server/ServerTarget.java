package io.metricsaggregator.telemetry.server;

import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.promql.ScrapeSeries;
import io.metricsaggregator.telemetry.statistics.TimeGrid;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The series of one scraped server by role, and its gauges over time. Belongs to the thread that applies events. */
final class ServerTarget {
    private static final List<String> ENGINES = List.of("vllm", "sglang", "trtllm", "triton", RoleAlias.FRONTEND);
    /** The part that stands for the whole role. */
    private static final String WHOLE = "";

    final String job;
    final String instance;
    private final TimeGrid grid;
    private final Allowance allowance;
    private final Map<ServerRole, Map<RoleAlias, AliasSeries>> series = new EnumMap<>(ServerRole.class);
    private final Map<AliasSeries, Map<String, LevelHistory>> levels = new HashMap<>();
    private long lastMillis = Long.MIN_VALUE;
    private long levelsLeftOut;

    ServerTarget(String job, String instance, TimeGrid grid, Allowance allowance) {
        this.job = job;
        this.instance = instance;
        this.grid = grid;
        this.allowance = allowance;
    }

    /** Adds a new series to the roles that its name has. */
    void add(ScrapeSeries made) {
        for (RoleTable.Place place : RoleTable.places(made.name)) {
            series.computeIfAbsent(place.role(), any -> new LinkedHashMap<>())
                    .computeIfAbsent(place.alias(), AliasSeries::new)
                    .add(place, made);
        }
    }

    /** Number of gauges without memory for their course. */
    long levelsLeftOut() {
        return levelsLeftOut;
    }

    /** Records the gauges of a scrape. */
    void scraped(long atMillis, long stalenessMillis) {
        long since = atMillis - lastMillis;
        boolean follows = lastMillis != Long.MIN_VALUE && since > 0 && since <= stalenessMillis;
        double seconds = follows ? since / 1e3 : 0;
        lastMillis = Math.max(lastMillis, atMillis);
        series.forEach((role, aliases) -> aliases.values().forEach(each -> {
            if (!each.isHistogram() && !each.isCounter() && each.isPresent()) {
                record(role, each, null, atMillis, seconds);
                each.parts().forEach(part -> record(role, each, part, atMillis, seconds));
            }
        }));
    }

    private void record(ServerRole role, AliasSeries from, @Nullable String part, long atMillis, double seconds) {
        double value = from.level(atMillis, part, role.isRatio());
        if (Double.isNaN(value)) {
            return;
        }
        Map<String, LevelHistory> known = levels.computeIfAbsent(from, any -> new TreeMap<>());
        String key = part == null ? WHOLE : part;
        LevelHistory history = known.get(key);
        if (history == null) {
            if (!allowance.take(LevelHistory.BYTES)) {
                levelsLeftOut++;
                return;
            }
            history = new LevelHistory(grid);
            known.put(key, history);
        }
        history.add(atMillis, value, seconds);
    }

    /** Whether any role has a series. */
    boolean isServer() {
        return series.values().stream().flatMap(each -> each.values().stream()).anyMatch(AliasSeries::isPresent);
    }

    /** The first of the engines whose names the server exposes. */
    String engine() {
        return ENGINES.stream()
                .filter(engine -> series.values().stream()
                        .flatMap(each -> each.values().stream())
                        .anyMatch(
                                each -> each.isPresent() && each.alias.engine().equals(engine)))
                .findFirst()
                .orElse("");
    }

    /**
     * What the server exposes for each role.
     *
     * @param span null for the run
     */
    Map<ServerRole, RoleReading> readings(TimeGrid.@Nullable Span span) {
        TimeGrid.Span all = grid.all();
        ToDoubleFunction<ScrapeSeries> growth = each -> {
            boolean measured = each.isCounter() && each.column.weight(span == null ? all : span) > 0;
            return !measured ? Double.NaN : span == null ? each.total() : each.column.sum(span);
        };
        Map<ServerRole, RoleReading> readings = new EnumMap<>(ServerRole.class);
        series.forEach((role, aliases) -> {
            AliasSeries first = null;
            for (RoleAlias alias : RoleTable.aliases(role)) {
                AliasSeries known = aliases.get(alias);
                if (known != null && known.isPresent()) {
                    first = known;
                    break;
                }
            }
            RoleReading reading = first == null ? null : reading(first, growth, span);
            if (reading != null) {
                readings.put(role, reading);
            }
        });
        return readings;
    }

    private @Nullable RoleReading reading(
            AliasSeries from, ToDoubleFunction<ScrapeSeries> growth, TimeGrid.@Nullable Span span) {
        RoleReading.Value whole = value(from, null, growth, span);
        if (whole == null) {
            return null;
        }
        Map<String, RoleReading.Value> parts = new TreeMap<>();
        for (String part : from.parts()) {
            RoleReading.Value value = value(from, part, growth, span);
            if (value != null) {
                parts.put(part, value);
            }
        }
        LevelHistory history = levels.getOrDefault(from, Map.of()).get(WHOLE);
        return new RoleReading(
                from.alias.isFrontend(), whole, parts, history == null ? null : history.shareAboveZero(span));
    }

    private RoleReading.@Nullable Value value(
            AliasSeries from,
            @Nullable String part,
            ToDoubleFunction<ScrapeSeries> growth,
            TimeGrid.@Nullable Span span) {
        if (from.isHistogram()) {
            HistogramGrowth histogram = from.histogram(part, growth);
            return histogram == null
                    ? null
                    : new RoleReading.Buckets(
                            histogram, from.alias.sources().get(0).scale());
        }
        if (from.isCounter()) {
            double grew = from.growth(part, growth);
            return Double.isNaN(grew) ? null : new RoleReading.Growth(grew);
        }
        LevelHistory history = levels.getOrDefault(from, Map.of()).get(part == null ? WHOLE : part);
        var figure = history == null ? null : history.figure(span);
        return figure == null ? null : new RoleReading.Level(figure);
    }
}
