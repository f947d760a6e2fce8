package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import io.metricsaggregator.snapshot.fields.TreeWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Custom metrics by name and label set. Rows may be views that compute a row when it is read (see {@link
 * io.metricsaggregator.codec.LazyTree}), so they are not copied.
 *
 * @param rows one per kind, name and label set, in the order in which they were first received
 * @param recordsOverLimit records that found no row of their own and count in the row {@code other} of their kind
 * @param wall buckets of the rows on the wall clock; null in a live snapshot
 * @param monotonic buckets of the rows on the monotonic clock; null in a live snapshot
 */
public record MetricSnapshot(
        List<Row> rows,
        long recordsOverLimit,
        @Nullable TimeBuckets wall,
        @Nullable TimeBuckets monotonic) implements TelemetrySnapshot {

    @Override
    public TelemetryKind kind() {
        return TelemetryKind.METRIC;
    }

    @Override
    public Map<String, @Nullable Object> tree() {
        return TreeWriter.tree(this, MetricSnapshot::pass);
    }

    static final MetricSnapshot BLANK = new MetricSnapshot(List.of(), 0, null, null);

    static MetricSnapshot pass(Fields f, MetricSnapshot v) throws MalformedMessageException {
        return new MetricSnapshot(
                f.laterList("rows", v.rows, Row::pass, Row.BLANK),
                f.laterCount("records_over_limit", v.recordsOverLimit),
                f.absent("wall", v.wall, TimeBuckets::pass, TimeBuckets.BLANK),
                f.absent("monotonic", v.monotonic, TimeBuckets::pass, TimeBuckets.BLANK));
    }

    /** The buckets of a clock; null in a live snapshot. */
    public @Nullable TimeBuckets buckets(SampleClock clock) {
        return switch (clock) {
            case WALL -> wall;
            case MONOTONIC -> monotonic;
        };
    }

    /** What the records of a row mean. */
    public enum RowKind {
        /** {@code metric.count}: each record adds to a total. */
        COUNT("count"),
        /** {@code metric.gauge}: each record is the current value. */
        GAUGE("gauge"),
        /** {@code metric.record}: each record is a value of a distribution. */
        RECORD("record");

        private final String wireName;

        RowKind(String wireName) {
            this.wireName = wireName;
        }

        /** The name on the wire and in a snapshot: the second part of the topic. */
        public String wireName() {
            return wireName;
        }

        /** The kind of that name; {@link #RECORD} for any other name. */
        static RowKind of(String wireName) {
            for (RowKind each : values()) {
                if (each.wireName.equals(wireName)) {
                    return each;
                }
            }
            return RECORD;
        }
    }

    /**
     * One series of a custom metric.
     *
     * @param labels by name, sorted
     * @param unit as the producer gave it; empty for none
     * @param figures what its records add up to
     * @param timeline its values over time; null in a live snapshot
     */
    public record Row(
            RowKind kind,
            String name,
            Map<String, String> labels,
            String unit,
            Figures figures,
            @Nullable Timeline timeline) {
        static final Row BLANK = new Row(RowKind.COUNT, "", Map.of(), "", Total.BLANK, null);

        static Row pass(Fields f, Row v) throws MalformedMessageException {
            RowKind kind = RowKind.of(f.laterText("kind", v.kind.wireName()));
            return new Row(
                    kind,
                    f.laterText("name", v.name),
                    f.textMap("labels", v.labels),
                    f.laterText("unit", v.unit),
                    Figures.pass(f, kind, v.figures),
                    f.group(v.timeline != null, "clock")
                            ? Timeline.pass(f, v.timeline == null ? Timeline.BLANK : v.timeline)
                            : null);
        }
    }

    /** The figures of a row, by its kind. */
    public sealed interface Figures permits Total, Gauge, Distribution {
        /** Number of records. */
        long count();

        private static Figures pass(Fields f, RowKind kind, Figures v) throws MalformedMessageException {
            return switch (kind) {
                case COUNT -> Total.pass(f, v instanceof Total total ? total : Total.BLANK);
                case GAUGE -> Gauge.pass(f, v instanceof Gauge gauge ? gauge : Gauge.BLANK);
                case RECORD -> Distribution.pass(f, v instanceof Distribution values ? values : Distribution.BLANK);
            };
        }
    }

    /**
     * Sum of {@code metric.count} records.
     *
     * @param total null if it is not finite
     */
    public record Total(long count, @Nullable Double total) implements Figures {
        static final Total BLANK = new Total(0, null);

        static Total pass(Fields f, Total v) throws MalformedMessageException {
            return new Total(f.laterCount("count", v.count), f.maybeReal("total", v.total));
        }
    }

    /**
     * Last value and extremes of {@code metric.gauge} records; the mean is per record, not per time.
     *
     * @param last value of the record with the largest timestamp
     */
    public record Gauge(
            long count,
            @Nullable Double last,
            @Nullable Double min,
            @Nullable Double max,
            @Nullable Double mean) implements Figures {
        static final Gauge BLANK = new Gauge(0, null, null, null, null);

        static Gauge pass(Fields f, Gauge v) throws MalformedMessageException {
            return new Gauge(
                    f.laterCount("count", v.count),
                    f.maybeReal("last", v.last),
                    f.maybeReal("min", v.min),
                    f.maybeReal("max", v.max),
                    f.maybeReal("mean", v.mean));
        }
    }

    /**
     * Distribution of {@code metric.record} values.
     *
     * @param method how percentiles were computed: {@code linear}, {@code hdr} or {@code sampled}
     */
    public record Distribution(ValueStatistics values, String method) implements Figures {
        static final Distribution BLANK = new Distribution(ValueStatistics.NONE, "");

        static Distribution pass(Fields f, Distribution v) throws MalformedMessageException {
            return new Distribution(ValueStatistics.pass(f, v.values, ""), f.laterText("percentile_method", v.method));
        }

        @Override
        public long count() {
            return values.count();
        }
    }

    /**
     * Values over time: sums per bucket for counts, means for gauges and distributions.
     *
     * @param clock the clock that ordered the row's first record
     * @param values one per bucket, null where nothing was measured; the list is null if the snapshot omits it
     */
    public record Timeline(SampleClock clock, @Nullable List<@Nullable Double> values) {
        static final Timeline BLANK = new Timeline(SampleClock.WALL, null);

        static Timeline pass(Fields f, Timeline v) throws MalformedMessageException {
            return new Timeline(
                    SampleClock.of(f.laterText("clock", v.clock.wireName())),
                    f.absentForm("values", v.values, Forms.COLUMN));
        }
    }
}
