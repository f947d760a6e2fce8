package io.metricsaggregator.snapshot.telemetry;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshotCodec;
import io.metricsaggregator.snapshot.telemetry.server.TritonSnapshot;
import io.metricsaggregator.snapshot.telemetry.server.TritonSnapshotCodec;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link ScrapeSnapshot} to and from the tree {@code observations.scrape}. Large parts of the tree are views. */
final class ScrapeSnapshotCodec {
    private ScrapeSnapshotCodec() {}

    /** The tree; its large parts are views of the record. */
    static Map<String, @Nullable Object> of(ScrapeSnapshot scrape) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("targets", LazyTree.list(scrape.targets(), ScrapeSnapshotCodec::target));
        tree.put("clock", scrape.clock().wireName());
        tree.put("window_ms", scrape.windowMillis());
        tree.put("series", scrape.series());
        Map<String, @Nullable Object> counts = new LinkedHashMap<>();
        scrape.counts().forEach((what, count) -> counts.put(what.wireName(), count));
        tree.put("counts", counts);
        Map<String, @Nullable Object> highlights = new LinkedHashMap<>();
        highlights.put("servers", LazyTree.list(scrape.servers(), ScrapeSnapshotCodec::highlight));
        highlights.put("gpus", LazyTree.list(scrape.gpus(), ScrapeSnapshotCodec::highlight));
        if (!scrape.hosts().isEmpty()) {
            highlights.put("hosts", LazyTree.list(scrape.hosts(), ScrapeSnapshotCodec::highlight));
        }
        tree.put("highlights", highlights);
        if (scrape.server() != null) {
            tree.put("server", ServerSnapshotCodec.of(scrape.server()));
        }
        TritonSnapshot triton = scrape.triton();
        if (triton != null) {
            TritonSnapshotCodec.put(triton, tree);
        }
        ScrapeSnapshot.Table table = scrape.table();
        if (table != null) {
            Map<String, @Nullable Object> rows = new LinkedHashMap<>();
            table.buckets().put(rows);
            rows.put("rows", LazyTree.list(table.rows(), ScrapeSnapshotCodec::series));
            tree.put("table", rows);
        }
        return tree;
    }

    /**
     * Reads the record from a decoded tree, of this version or an older one.
     *
     * @param path names the tree in errors
     * @throws MalformedMessageException if a field has another type than it should; the message names the field
     */
    static ScrapeSnapshot read(String path, Object tree) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, tree);
        TreeFields counted = fields.map("counts");
        Map<ScrapeCount, Long> counts = new EnumMap<>(ScrapeCount.class);
        for (ScrapeCount each : ScrapeCount.values()) {
            Long count = counted.integerOrNull(each.wireName());
            if (count != null) {
                counts.put(each, count);
            }
        }
        TreeFields highlights = fields.map("highlights");
        return new ScrapeSnapshot(
                fields.list("targets", ScrapeSnapshotCodec::readTarget),
                SampleClock.of(fields.text("clock")),
                fields.integer("window_ms"),
                fields.integer("series"),
                counts,
                highlights.list("servers", ScrapeSnapshotCodec::readHighlight),
                highlights.list("gpus", ScrapeSnapshotCodec::readHighlight),
                highlights.list("hosts", ScrapeSnapshotCodec::readHighlight),
                fields.has("server") ? ServerSnapshotCodec.read(fields.map("server")) : null,
                TritonSnapshotCodec.read(fields),
                fields.has("table") ? readTable(fields.map("table")) : null);
    }

    private static Map<String, @Nullable Object> target(ScrapeSnapshot.Target target) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("job", target.job());
        tree.put("instance", target.instance());
        tree.put("reachable", target.reachable());
        tree.put("ever_reached", target.everReached());
        tree.put("n_scrapes", target.scrapes());
        tree.put("n_failed", target.failed());
        TreeFields.putIfAny(tree, "n_failed_before_session", target.failedBeforeSession());
        tree.put("n_failed_in_a_row", target.failedInARow());
        tree.put("n_samples", target.samples());
        tree.put("last_error", target.lastError());
        tree.put("last_scrape_ms", target.lastScrapeMillis());
        tree.put("scrape_duration", ValueStatisticsCodec.of(target.durationMillis(), "_ms"));
        return tree;
    }

    private static ScrapeSnapshot.Target readTarget(String path, @Nullable Object value)
            throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new ScrapeSnapshot.Target(
                fields.text("job"),
                fields.text("instance"),
                fields.flag("reachable"),
                fields.flag("ever_reached"),
                fields.integer("n_scrapes"),
                fields.integer("n_failed"),
                fields.integerOrZero("n_failed_before_session"),
                fields.integer("n_failed_in_a_row"),
                fields.integer("n_samples"),
                fields.textOrNull("last_error"),
                fields.integerOrNull("last_scrape_ms"),
                ValueStatisticsCodec.read(fields.map("scrape_duration"), "_ms"));
    }

    private static Map<String, @Nullable Object> highlight(ScrapeHighlight highlight) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("name", highlight.name());
        highlight.figures().forEach((figure, value) -> tree.put(figure.wireName(), finite(value)));
        return tree;
    }

    private static ScrapeHighlight readHighlight(String path, @Nullable Object value) throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        Map<ScrapeHighlight.Figure, Double> figures = new LinkedHashMap<>();
        for (String name : fields.names()) {
            ScrapeHighlight.Figure figure = ScrapeHighlight.Figure.of(name);
            Double number = figure == null ? null : fields.real(name);
            if (figure != null && number != null) {
                figures.put(figure, number);
            }
        }
        return new ScrapeHighlight(fields.text("name"), figures);
    }

    private static Map<String, @Nullable Object> series(ScrapeSnapshot.Series series) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("name", series.name());
        tree.put("labels", series.labels());
        tree.put("type", series.type());
        tree.put("what", series.rate() ? "rate_per_s" : "mean");
        tree.put("n_samples", series.samples());
        tree.put("last", finite(series.last()));
        tree.put("grew", finite(series.grew()));
        tree.put("values", LazyTree.list(series.values(), TreeFields::finite));
        return tree;
    }

    private static ScrapeSnapshot.Table readTable(TreeFields fields) throws MalformedMessageException {
        List<ScrapeSnapshot.Series> rows = fields.list("rows", (path, value) -> {
            TreeFields row = TreeFields.of(path, value);
            return new ScrapeSnapshot.Series(
                    row.text("name"),
                    row.byName("labels", TreeFields::text),
                    row.text("type"),
                    row.text("what").equals("rate_per_s"),
                    row.integer("n_samples"),
                    row.real("last"),
                    row.real("grew"),
                    row.reals("values"));
        });
        return new ScrapeSnapshot.Table(TimeBuckets.read(fields), rows);
    }
}
