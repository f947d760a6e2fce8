package io.metricsaggregator.snapshot.telemetry.server;

import java.util.Collections;
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
