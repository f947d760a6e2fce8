package io.metricsaggregator.snapshot.telemetry.server;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one server, or all of them, measured of themselves over a span of time. A role without a matching series is absent.
 *
 * @param figures by role
 * @param parts figures by role and part, such as waiting requests by reason; for roles that have parts
 * @param ratios by kind, those whose denominator is not 0
 * @param prefixHitsFrom what the prefix hit ratio is computed from: {@code tokens}, {@code queries} or {@code gauge}; null without one
 * @param acceptedByPosition accepted tokens for each draft, by position in the draft; empty if not exposed
 */
public record ServerPanel(
        Map<ServerRole, ServerFigure> figures,
        Map<ServerRole, Map<String, ServerFigure>> parts,
        Map<ServerRatio, Double> ratios,
        @Nullable String prefixHitsFrom,
        List<Double> acceptedByPosition) {
    /** A panel without figures. */
    public static final ServerPanel NONE = new ServerPanel(Map.of(), Map.of(), Map.of(), null, List.of());

    private static final Fields.Form<List<Double>> POSITIONS = Forms.list(Forms.NUMBER);

    static ServerPanel pass(Fields f, ServerPanel v) throws MalformedMessageException {
        Map<ServerRole, ServerFigure> figures = new EnumMap<>(ServerRole.class);
        Map<ServerRole, Map<String, ServerFigure>> parts = new EnumMap<>(ServerRole.class);
        for (ServerRole role : ServerRole.values()) {
            ServerFigure figure = v.figures.get(role);
            Row row = f.absent(
                    role.wireName(), figure == null ? null : new Row(figure, v.parts(role)), Row::pass, Row.BLANK);
            if (row != null && row.figure != null) {
                figures.put(role, row.figure);
            }
            if (row != null && !row.by.isEmpty()) {
                parts.put(role, row.by);
            }
        }
        Map<ServerRatio, Double> ratios = new EnumMap<>(ServerRatio.class);
        for (ServerRatio each : ServerRatio.values()) {
            Double ratio = f.absentReal(each.wireName(), v.ratios.get(each));
            if (ratio != null) {
                ratios.put(each, ratio);
            }
        }
        String prefixHitsFrom = f.absentText("prefix_hit_from", v.prefixHitsFrom);
        List<Double> positions = v.acceptedByPosition;
        positions = f.absentForm("acceptance_by_position", positions.isEmpty() ? null : positions, POSITIONS);
        return new ServerPanel(figures, parts, ratios, prefixHitsFrom, positions == null ? List.of() : positions);
    }

    /** The figure of a role, and those of its parts in the same map. */
    private record Row(@Nullable ServerFigure figure, Map<String, ServerFigure> by) {
        static final Row BLANK = new Row(null, Map.of());

        static Row pass(Fields f, Row v) throws MalformedMessageException {
            ServerFigure figure = ServerFigure.pass(f, v.figure);
            Map<String, Row> rows = new LinkedHashMap<>();
            v.by.forEach((part, each) -> rows.put(part, new Row(each, Map.of())));
            Map<String, ServerFigure> known = new LinkedHashMap<>();
            f.absentMap("by", rows, Row::pass, BLANK).forEach((part, row) -> {
                if (row.figure != null) {
                    known.put(part, row.figure);
                }
            });
            return new Row(figure, known);
        }
    }

    public ServerPanel {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
        ratios = Collections.unmodifiableMap(new LinkedHashMap<>(ratios));
        acceptedByPosition = List.copyOf(acceptedByPosition);
    }

    /** The role's gauge; null if it is absent or no gauge. */
    public ServerFigure.@Nullable Level level(ServerRole role) {
        return figures.get(role) instanceof ServerFigure.Level level ? level : null;
    }

    /** Growth of the role's counter; null if it is absent or no counter. */
    public @Nullable Double growth(ServerRole role) {
        return figures.get(role) instanceof ServerFigure.Growth growth ? (Double) growth.total() : null;
    }

    /** The role's histogram; null if it is absent or no histogram. */
    public ServerFigure.@Nullable Distribution distribution(ServerRole role) {
        return figures.get(role) instanceof ServerFigure.Distribution distribution ? distribution : null;
    }

    /** Figures of the role's parts; empty if it has none. */
    public Map<String, ServerFigure> parts(ServerRole role) {
        return parts.getOrDefault(role, Map.of());
    }

    /** A ratio; null if it is absent. */
    public @Nullable Double ratio(ServerRatio ratio) {
        return ratios.get(ratio);
    }

    /** Whether the prefix hit ratio counts lookups, which some servers repeat while a request waits. */
    public boolean isPrefixHitApproximate() {
        return prefixHitsFrom != null && !prefixHitsFrom.equals("tokens");
    }
}
