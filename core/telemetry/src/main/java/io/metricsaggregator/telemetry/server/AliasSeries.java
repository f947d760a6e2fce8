package io.metricsaggregator.telemetry.server;

import io.metricsaggregator.telemetry.promql.ScrapeSeries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The series of one server for one way in which it exposes a role. Series that differ in a rank of the same engine count once, by the largest; all
 * others are added up. Belongs to the thread that applies events.
 */
final class AliasSeries {
    /** Most parts of a role; series of further ones count in the role as a whole only. */
    static final int PARTS_MAX = 16;

    /** Labels of ranks that all do the same work. */
    private static final Set<String> RANKS = Set.of("tp_rank", "pp_rank", "moe_ep_rank");

    private static final String EDGE = "le";
    private static final Pattern INFINITE = Pattern.compile("\\+?inf(inity)?", Pattern.CASE_INSENSITIVE);
    /** SGLang exposes a queue as a whole and by this label. */
    private static final String PRIORITY = "priority";

    final RoleAlias alias;
    private final List<List<Member>> bySource = new ArrayList<>();
    private final Set<String> parts = new TreeSet<>();
    /** Numbers of groups and ranks, in the order of their first series. */
    private final Map<Map<String, String>, Integer> labelSets = new HashMap<>();

    private boolean wholeQueue;

    /**
     * A series.
     *
     * @param group number of its labels without those of ranks and edges
     * @param rank number of its labels of the rank
     * @param prioritised whether it is a queue of one priority
     * @param part part of the role; null without
     * @param edge upper edge of the bucket; NaN if it is none
     */
    private record Member(
            ScrapeSeries series,
            RoleTable.Piece piece,
            int group,
            int rank,
            boolean prioritised,
            @Nullable String part,
            double edge) {}

    AliasSeries(RoleAlias alias) {
        this.alias = alias;
        alias.sources().forEach(each -> bySource.add(new ArrayList<>()));
    }

    /** Adds a series whose name is that of the place; one that the source does not select is left out. */
    void add(RoleTable.Place place, ScrapeSeries series) {
        SeriesSource source = alias.sources().get(place.source());
        boolean whole = place.piece() == RoleTable.Piece.VALUE;
        if (!source.selects(series.labels)
                || (!whole && !series.isCounter())
                || (whole && series.type.equals("untyped") && source.name().matches(".*_(total|sum)"))) {
            return;
        }
        Map<String, String> group = new TreeMap<>(series.labels);
        Map<String, String> rank = new TreeMap<>();
        RANKS.forEach(each -> {
            String value = group.remove(each);
            if (value != null) {
                rank.put(each, value);
            }
        });
        double edge = edge(group.remove(EDGE));
        if (place.piece() == RoleTable.Piece.BUCKET && Double.isNaN(edge)) {
            return;
        }
        String part = source.partOf(series.labels);
        if (part != null && !parts.contains(part) && parts.size() == PARTS_MAX) {
            part = null;
        }
        if (part != null) {
            parts.add(part);
        }
        wholeQueue |= !group.containsKey(PRIORITY);
        bySource.get(place.source())
                .add(new Member(
                        series, place.piece(), number(group), number(rank), group.containsKey(PRIORITY), part, edge));
    }

    private int number(Map<String, String> labels) {
        return labelSets.computeIfAbsent(labels, any -> labelSets.size());
    }

    /** The upper edge that a label {@code le} states; NaN if it is no number. */
    static double edge(@Nullable String label) {
        if (label == null) {
            return Double.NaN;
        }
        try {
            // Prometheus reads every spelling of infinity that Go does.
            return INFINITE.matcher(label).matches() ? Double.POSITIVE_INFINITY : Double.parseDouble(label);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    Set<String> parts() {
        return parts;
    }

    /** Whether the server exposes the role in this way: every source, or, of a role made of parts, any. */
    boolean isPresent() {
        boolean some = alias.sources().stream().anyMatch(each -> each.part() != null);
        return some
                ? bySource.stream().anyMatch(each -> !each.isEmpty())
                : bySource.stream().noneMatch(List::isEmpty);
    }

    private List<Member> members(int source) {
        List<Member> all = bySource.get(source);
        return wholeQueue ? all.stream().filter(each -> !each.prioritised()).toList() : all;
    }

    private boolean has(boolean counters, boolean histograms) {
        return bySource.stream()
                .flatMap(List::stream)
                .anyMatch(each -> (each.piece() != RoleTable.Piece.VALUE) == histograms
                        && each.series().isCounter() == counters);
    }

    boolean isHistogram() {
        return has(true, true);
    }

    boolean isCounter() {
        return has(true, false);
    }

    /**
     * The gauge at a time.
     *
     * @param part null for the whole role
     * @param largest whether the largest engine is taken instead of the sum
     * @return NaN if no series has a sample of that time
     */
    double level(long atMillis, @Nullable String part, boolean largest) {
        ToDoubleFunction<Member> value = each -> each.series().isCounter()
                        || each.series().size() == 0
                        || each.series().millis(each.series().size() - 1) != atMillis
                ? Double.NaN
                : each.series().value(each.series().size() - 1);
        if (alias.quotient()) {
            double divisor = combined(1, part, false, value);
            return divisor > 0 ? combined(0, part, false, value) / divisor : Double.NaN;
        }
        double sum = Double.NaN;
        for (int source = 0; source < bySource.size(); source++) {
            double one = combined(source, part, largest, value);
            sum = Double.isNaN(sum) ? one : Double.isNaN(one) ? sum : largest ? Math.max(sum, one) : sum + one;
        }
        return sum;
    }

    /** Growth of the counter; NaN if none of its series has an increment. A value of {@code growth} is NaN for a series without one. */
    double growth(@Nullable String part, ToDoubleFunction<ScrapeSeries> growth) {
        double sum = Double.NaN;
        for (int source = 0; source < bySource.size(); source++) {
            double one = combined(
                    source,
                    part,
                    false,
                    each -> each.piece() == RoleTable.Piece.VALUE
                                    && each.series().isCounter()
                            ? growth.applyAsDouble(each.series())
                            : Double.NaN);
            sum = Double.isNaN(sum) ? one : Double.isNaN(one) ? sum : sum + one;
        }
        return sum;
    }

    /** Values of the series: the largest of the ranks, added up over all other labels. NaN without a value. */
    private double combined(int source, @Nullable String part, boolean largest, ToDoubleFunction<Member> value) {
        Map<Integer, Double> byGroup = new TreeMap<>();
        for (Member each : members(source)) {
            double one = part == null || part.equals(each.part()) ? value.applyAsDouble(each) : Double.NaN;
            if (Double.isFinite(one)) {
                byGroup.merge(each.group(), one, Math::max);
            }
        }
        double scale = alias.sources().get(source).scale();
        double sum = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (double each : byGroup.values()) {
            sum += scale * each;
            most = Math.max(most, scale * each);
        }
        return byGroup.isEmpty() ? Double.NaN : largest ? most : sum;
    }

    /** Growth of the histogram; null if none of its series has an increment. */
    @Nullable
    HistogramGrowth histogram(@Nullable String part, ToDoubleFunction<ScrapeSeries> growth) {
        Map<Integer, Map<Integer, HistogramGrowth>> byGroup = new TreeMap<>();
        for (Member each : members(0)) {
            double grew = part == null || part.equals(each.part()) ? growth.applyAsDouble(each.series()) : Double.NaN;
            if (Double.isNaN(grew) || each.piece() == RoleTable.Piece.VALUE) {
                continue;
            }
            HistogramGrowth one = byGroup.computeIfAbsent(each.group(), any -> new TreeMap<>())
                    .computeIfAbsent(each.rank(), any -> new HistogramGrowth());
            switch (each.piece()) {
                case BUCKET -> one.bucket(each.edge(), grew);
                case SUM -> one.sum(grew);
                case COUNT -> one.count(grew);
                case VALUE -> {}
            }
        }
        HistogramGrowth all = null;
        for (Map<Integer, HistogramGrowth> ranks : byGroup.values()) {
            HistogramGrowth most = null;
            for (HistogramGrowth each : ranks.values()) {
                most = most == null || each.count() > most.count() ? each : most;
            }
            if (most != null) {
                all = all == null ? new HistogramGrowth() : all;
                all.add(most);
            }
        }
        return all;
    }
}
