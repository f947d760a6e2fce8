package io.metricsaggregator.snapshot.telemetry.server;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link ServerSnapshot} to and from the tree {@code observations.scrape.server}. */
public final class ServerSnapshotCodec {
    private ServerSnapshotCodec() {}

    /** The tree of the figures. */
    public static Map<String, @Nullable Object> of(ServerSnapshot server) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        put(tree, server.run());
        ServerSnapshot.Steady steady = server.steady();
        if (steady != null) {
            Map<String, @Nullable Object> window = new LinkedHashMap<>();
            window.put("from_ms", steady.fromMillis());
            window.put("to_ms", steady.toMillis());
            put(window, steady.figures());
            tree.put("steady", window);
        }
        tree.put("targets", LazyTree.list(server.targets(), ServerSnapshotCodec::target));
        tree.put("targets_left_out", server.targetsLeftOut());
        return tree;
    }

    private static Map<String, @Nullable Object> target(ServerSnapshot.Target target) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("job", target.job());
        tree.put("instance", target.instance());
        tree.put("engine", target.engine());
        put(tree, target.run());
        if (target.steady() != null) {
            Map<String, @Nullable Object> steady = new LinkedHashMap<>();
            put(steady, target.steady());
            tree.put("steady", steady);
        }
        return tree;
    }

    private static void put(Map<String, @Nullable Object> tree, ServerSnapshot.Figures figures) {
        put(tree, figures.panel());
        if (figures.ttftGapNanos() != null) {
            tree.put("server_ttft_gap_ns", finite(figures.ttftGapNanos()));
        }
        if (figures.e2eGapNanos() != null) {
            tree.put("server_e2e_gap_ns", finite(figures.e2eGapNanos()));
        }
    }

    private static void put(Map<String, @Nullable Object> tree, ServerPanel panel) {
        for (ServerRole role : ServerRole.values()) {
            ServerFigure figure = panel.figures().get(role);
            if (figure != null) {
                Map<String, @Nullable Object> one = figure(figure);
                Map<String, @Nullable Object> by = new LinkedHashMap<>();
                panel.parts(role).forEach((part, each) -> by.put(part, figure(each)));
                if (!by.isEmpty()) {
                    one.put("by", by);
                }
                tree.put(role.wireName(), one);
            }
        }
        panel.ratios().forEach((ratio, value) -> tree.put(ratio.wireName(), finite(value)));
        if (panel.prefixHitsFrom() != null) {
            tree.put("prefix_hit_from", panel.prefixHitsFrom());
        }
        if (!panel.acceptedByPosition().isEmpty()) {
            tree.put("acceptance_by_position", panel.acceptedByPosition());
        }
    }

    private static Map<String, @Nullable Object> figure(ServerFigure figure) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        if (figure instanceof ServerFigure.Level level) {
            tree.put("mean", finite(level.mean()));
            tree.put("max", finite(level.max()));
            tree.put("last", finite(level.last()));
        } else if (figure instanceof ServerFigure.Growth growth) {
            tree.put("total", finite(growth.total()));
        } else if (figure instanceof ServerFigure.Distribution values) {
            tree.put("count", finite(values.count()));
            tree.put("mean", finite(values.mean()));
            tree.put("p50", finite(values.p50()));
            tree.put("p90", finite(values.p90()));
            tree.put("p99", finite(values.p99()));
            if (!values.over().isEmpty()) {
                tree.put("over", values.over());
            }
        }
        return tree;
    }

    /**
     * Reads the record from a decoded tree.
     *
     * @throws MalformedMessageException if a field has another type than it should; the message names the field
     */
    public static ServerSnapshot read(TreeFields fields) throws MalformedMessageException {
        ServerSnapshot.Steady steady = null;
        if (fields.has("steady")) {
            TreeFields window = fields.map("steady");
            steady = new ServerSnapshot.Steady(window.integer("from_ms"), window.integer("to_ms"), readFigures(window));
        }
        return new ServerSnapshot(
                readFigures(fields),
                steady,
                fields.list("targets", ServerSnapshotCodec::readTarget),
                fields.integer("targets_left_out"));
    }

    private static ServerSnapshot.Target readTarget(String path, @Nullable Object value)
            throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new ServerSnapshot.Target(
                fields.text("job"),
                fields.text("instance"),
                fields.text("engine"),
                readPanel(fields),
                fields.has("steady") ? readPanel(fields.map("steady")) : null);
    }

    private static ServerSnapshot.Figures readFigures(TreeFields fields) throws MalformedMessageException {
        return new ServerSnapshot.Figures(
                readPanel(fields), fields.real("server_ttft_gap_ns"), fields.real("server_e2e_gap_ns"));
    }

    private static ServerPanel readPanel(TreeFields fields) throws MalformedMessageException {
        Map<ServerRole, ServerFigure> figures = new EnumMap<>(ServerRole.class);
        Map<ServerRole, Map<String, ServerFigure>> parts = new EnumMap<>(ServerRole.class);
        for (String name : fields.names()) {
            ServerRole role = ServerRole.of(name);
            if (role != null && fields.has(name)) {
                TreeFields one = fields.map(name);
                ServerFigure figure = readFigure(one);
                if (figure != null) {
                    figures.put(role, figure);
                }
                Map<String, ServerFigure> by = readParts(one);
                if (!by.isEmpty()) {
                    parts.put(role, by);
                }
            }
        }
        Map<ServerRatio, Double> ratios = new EnumMap<>(ServerRatio.class);
        for (ServerRatio each : ServerRatio.values()) {
            Double value = fields.real(each.wireName());
            if (value != null) {
                ratios.put(each, value);
            }
        }
        return new ServerPanel(
                figures,
                parts,
                ratios,
                fields.textOrNull("prefix_hit_from"),
                fields.list("acceptance_by_position", ServerSnapshotCodec::readNumber));
    }

    private static Map<String, ServerFigure> readParts(TreeFields one) throws MalformedMessageException {
        Map<String, ServerFigure> by = new LinkedHashMap<>();
        TreeFields rows = one.map("by");
        for (String part : rows.names()) {
            ServerFigure figure = readFigure(rows.map(part));
            if (figure != null) {
                by.put(part, figure);
            }
        }
        return by;
    }

    private static double readNumber(String path, @Nullable Object value) throws MalformedMessageException {
        Double number = TreeFields.real(path, value);
        if (number == null) {
            throw new MalformedMessageException(path + " should be a number, is nil");
        }
        return number;
    }

    /** The figure; null if a newer daemon gives it a shape that is not known here. */
    private static @Nullable ServerFigure readFigure(TreeFields fields) throws MalformedMessageException {
        Double total = fields.real("total");
        Double count = fields.real("count");
        Double mean = fields.real("mean");
        Double max = fields.real("max");
        Double last = fields.real("last");
        if (total != null) {
            return new ServerFigure.Growth(total);
        }
        if (count != null) {
            List<String> over = fields.texts("over");
            return new ServerFigure.Distribution(
                    count, mean, fields.real("p50"), fields.real("p90"), fields.real("p99"), over);
        }
        return mean == null || max == null || last == null ? null : new ServerFigure.Level(mean, max, last);
    }
}
