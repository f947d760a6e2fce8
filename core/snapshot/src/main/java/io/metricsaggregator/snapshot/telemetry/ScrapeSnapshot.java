package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import io.metricsaggregator.snapshot.fields.TreeWriter;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import io.metricsaggregator.snapshot.telemetry.server.TritonSnapshot;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Metrics scraped from exporters. Lists may be views that compute an element when it is read (see {@link io.metricsaggregator.codec.LazyTree}), so they are not copied.
 *
 * @param targets in the order in which they were first scraped
 * @param clock the clock of {@code table}, windows and scrapes
 * @param windowMillis width of a window
 * @param series number of series with a row of their own
 * @param counts samples taken and discarded; an older daemon lacks some
 * @param servers well-known figures by server, at most 256
 * @param gpus well-known figures by GPU, at most 256
 * @param hosts well-known figures by host, at most 256
 * @param server figures of inference servers by role; null while no target exposes any
 * @param triton windows of Triton's models and DCGM's GPUs; null while no exporter exposes any of their series
 * @param table every series over time; null in a live snapshot
 */
public record ScrapeSnapshot(
        List<Target> targets,
        SampleClock clock,
        long windowMillis,
        long series,
        Map<ScrapeCount, Long> counts,
        List<ScrapeHighlight> servers,
        List<ScrapeHighlight> gpus,
        List<ScrapeHighlight> hosts,
        @Nullable ServerSnapshot server,
        @Nullable TritonSnapshot triton,
        @Nullable Table table)
        implements TelemetrySnapshot {

    @Override
    public TelemetryKind kind() {
        return TelemetryKind.SCRAPE;
    }

    @Override
    public Map<String, @Nullable Object> tree() {
        return TreeWriter.tree(this, ScrapeSnapshot::pass);
    }

    static final ScrapeSnapshot BLANK = new ScrapeSnapshot(
            List.of(), SampleClock.WALL, 0, 0, Map.of(), List.of(), List.of(), List.of(), null, null, null);

    static ScrapeSnapshot pass(Fields f, ScrapeSnapshot v) throws MalformedMessageException {
        List<Target> targets = f.laterList("targets", v.targets, Target::pass, Target.BLANK);
        SampleClock clock = SampleClock.of(f.laterText("clock", v.clock.wireName()));
        long windowMillis = f.laterCount("window_ms", v.windowMillis);
        long series = f.laterCount("series", v.series);
        Map<ScrapeCount, Long> counts = f.laterRecord("counts", v.counts, ScrapeSnapshot::counts, Map.of());
        Highlights highlights = f.laterRecord(
                "highlights", new Highlights(v.servers, v.gpus, v.hosts), Highlights::pass, Highlights.BLANK);
        return new ScrapeSnapshot(
                targets,
                clock,
                windowMillis,
                series,
                counts,
                highlights.servers,
                highlights.gpus,
                highlights.hosts,
                f.absent("server", v.server, ServerSnapshot::pass, ServerSnapshot.BLANK),
                f.group(v.triton != null, TritonSnapshot.REQUESTS)
                        ? TritonSnapshot.pass(f, v.triton == null ? TritonSnapshot.BLANK : v.triton)
                        : null,
                f.absent("table", v.table, Table::pass, Table.BLANK));
    }

    private static Map<ScrapeCount, Long> counts(Fields f, Map<ScrapeCount, Long> v) throws MalformedMessageException {
        Map<ScrapeCount, Long> counts = new EnumMap<>(ScrapeCount.class);
        for (ScrapeCount each : ScrapeCount.values()) {
            Long count = f.absentCount(each.wireName(), v.get(each));
            if (count != null) {
                counts.put(each, count);
            }
        }
        return counts;
    }

    private record Highlights(List<ScrapeHighlight> servers, List<ScrapeHighlight> gpus, List<ScrapeHighlight> hosts) {
        static final Highlights BLANK = new Highlights(List.of(), List.of(), List.of());

        static Highlights pass(Fields f, Highlights v) throws MalformedMessageException {
            return new Highlights(
                    f.laterList("servers", v.servers, ScrapeHighlight::pass, ScrapeHighlight.BLANK),
                    f.laterList("gpus", v.gpus, ScrapeHighlight::pass, ScrapeHighlight.BLANK),
                    f.absentList("hosts", v.hosts, ScrapeHighlight::pass, ScrapeHighlight.BLANK));
        }
    }

    /** How often something was counted; 0 if the daemon does not count it. */
    public long count(ScrapeCount what) {
        return counts.getOrDefault(what, 0L);
    }

    /**
     * A target of scrapes.
     *
     * @param reachable whether its last scrape succeeded
     * @param everReached whether any scrape succeeded
     * @param failedBeforeSession failures of scrapes that began before the session; 0 in a run without one
     * @param failedInARow failures since the last success
     * @param samples samples taken
     * @param lastError why the last failure failed; null if there was none
     * @param lastScrapeMillis time of its newest scrape; null before the first
     * @param durationMillis how long scrapes took, of those that said so
     */
    public record Target(
            String job,
            String instance,
            boolean reachable,
            boolean everReached,
            long scrapes,
            long failed,
            long failedBeforeSession,
            long failedInARow,
            long samples,
            @Nullable String lastError,
            @Nullable Long lastScrapeMillis,
            ValueStatistics durationMillis) {
        static final Target BLANK = new Target("", "", false, false, 0, 0, 0, 0, 0, null, null, ValueStatistics.NONE);
        private static final Fields.Shape<ValueStatistics> MILLIS = ValueStatistics.in("_ms");

        static Target pass(Fields f, Target v) throws MalformedMessageException {
            return new Target(
                    f.laterText("job", v.job),
                    f.laterText("instance", v.instance),
                    f.laterFlag("reachable", v.reachable),
                    f.laterFlag("ever_reached", v.everReached),
                    f.laterCount("n_scrapes", v.scrapes),
                    f.laterCount("n_failed", v.failed),
                    f.rareCount("n_failed_before_session", v.failedBeforeSession),
                    f.laterCount("n_failed_in_a_row", v.failedInARow),
                    f.laterCount("n_samples", v.samples),
                    f.maybeText("last_error", v.lastError),
                    f.maybeCount("last_scrape_ms", v.lastScrapeMillis),
                    f.laterRecord("scrape_duration", v.durationMillis, MILLIS, ValueStatistics.NONE));
        }
    }

    /** Every series on one row of buckets. */
    public record Table(TimeBuckets buckets, List<Series> rows) {
        static final Table BLANK = new Table(TimeBuckets.BLANK, List.of());

        static Table pass(Fields f, Table v) throws MalformedMessageException {
            return new Table(TimeBuckets.pass(f, v.buckets), f.laterList("rows", v.rows, Series::pass, Series.BLANK));
        }
    }

    /**
     * One series over time.
     *
     * @param type the exposed type, such as {@code counter}
     * @param rate whether values are a counter's rate per second; otherwise they are means
     * @param samples samples taken
     * @param last the newest value; null if it is not finite, or DCGM's "not available"
     * @param grew growth of a counter since it was first seen; null for any other type
     * @param values one per bucket, null where nothing was measured
     */
    public record Series(
            String name,
            Map<String, String> labels,
            String type,
            boolean rate,
            long samples,
            @Nullable Double last,
            @Nullable Double grew,
            List<@Nullable Double> values) {
        static final Series BLANK = new Series("", Map.of(), "", false, 0, null, null, List.of());
        private static final String RATE = "rate_per_s";

        static Series pass(Fields f, Series v) throws MalformedMessageException {
            return new Series(
                    f.laterText("name", v.name),
                    f.textMap("labels", v.labels),
                    f.laterText("type", v.type),
                    f.laterText("what", v.rate ? RATE : "mean").equals(RATE),
                    f.laterCount("n_samples", v.samples),
                    f.maybeReal("last", v.last),
                    f.maybeReal("grew", v.grew),
                    f.form("values", v.values, Forms.COLUMN));
        }

        /** A label; empty if the series has none of that name, as in Prometheus. */
        public String label(String label) {
            return labels.getOrDefault(label, "");
        }
    }
}
