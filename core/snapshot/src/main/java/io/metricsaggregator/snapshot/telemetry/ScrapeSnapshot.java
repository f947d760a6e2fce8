package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import io.metricsaggregator.snapshot.telemetry.server.TritonSnapshot;
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
        return ScrapeSnapshotCodec.of(this);
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
            ValueStatistics durationMillis) {}

    /** Every series on one row of buckets. */
    public record Table(TimeBuckets buckets, List<Series> rows) {}

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
        /** A label; empty if the series has none of that name, as in Prometheus. */
        public String label(String label) {
            return labels.getOrDefault(label, "");
        }
    }
}
