package io.metricsaggregator.telemetry.server;

import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import io.metricsaggregator.snapshot.telemetry.server.ServerPanel;
import io.metricsaggregator.snapshot.telemetry.server.ServerRatio;
import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Computes panels from what servers expose by role. Stateless. */
final class ServerPanels {
    private static final String COMPUTED = "local_compute";

    private ServerPanels() {}

    /** The panel of all these servers, or of one. */
    static ServerPanel of(List<Map<ServerRole, RoleReading>> servers) {
        Map<ServerRole, ServerFigure> figures = new EnumMap<>(ServerRole.class);
        Map<ServerRole, Map<String, ServerFigure>> parts = new EnumMap<>(ServerRole.class);
        Map<ServerRatio, Double> ratios = new EnumMap<>(ServerRatio.class);
        for (ServerRole role : ServerRole.values()) {
            RoleReading all = sum(role, servers);
            if (all != null) {
                figures.put(role, all.whole().figure());
                Map<String, ServerFigure> by = new LinkedHashMap<>();
                all.parts().forEach((part, value) -> by.put(part, value.figure()));
                if (!by.isEmpty()) {
                    parts.put(role, by);
                }
                if (role == ServerRole.WAITING && all.shareAboveZero() != null) {
                    ratios.put(ServerRatio.WAITING_SCRAPES, all.shareAboveZero());
                }
            }
        }
        String hitsFrom = prefixHits(ratios, figures, servers);
        put(
                ratios,
                ServerRatio.EXTERNAL_PREFIX_HITS,
                Quotient.of(ServerRole.EXTERNAL_PREFIX_HITS, ServerRole.EXTERNAL_PREFIX_QUERIES, servers),
                0);
        unaccounted(ratios, figures, parts);
        speculation(ratios, figures, servers);
        return new ServerPanel(figures, parts, ratios, hitsFrom, positions(servers));
    }

    /** The role over those servers that count it; null if none does. */
    private static @Nullable RoleReading sum(ServerRole role, List<Map<ServerRole, RoleReading>> servers) {
        RoleReading sum = null;
        for (Map<ServerRole, RoleReading> each : counting(role, servers)) {
            RoleReading one = each.get(role);
            sum = sum == null || one == null ? one == null ? sum : one : sum.plus(one, role.isRatio());
        }
        return sum;
    }

    /** The servers that count a role: where requests pass frontends and engines, only one of both kinds. */
    private static List<Map<ServerRole, RoleReading>> counting(
            ServerRole role, List<Map<ServerRole, RoleReading>> servers) {
        List<Map<ServerRole, RoleReading>> frontends = new ArrayList<>();
        List<Map<ServerRole, RoleReading>> engines = new ArrayList<>();
        for (Map<ServerRole, RoleReading> each : servers) {
            RoleReading reading = each.get(role);
            if (reading != null) {
                (reading.frontend() ? frontends : engines).add(each);
            }
        }
        boolean byFrontend = switch (role.scope()) {
            case REQUEST -> !frontends.isEmpty();
            case ENGINE -> engines.isEmpty();
        };
        return byFrontend ? frontends : engines;
    }

    /** Growth of two counters of the same servers, divided. */
    private record Quotient(double dividend, double divisor) {
        /** Null if no server has both. */
        static @Nullable Quotient of(
                ServerRole dividend, ServerRole divisor, List<Map<ServerRole, RoleReading>> servers) {
            Quotient sum = null;
            List<Map<ServerRole, RoleReading>> both =
                    dividend.scope() == divisor.scope() ? counting(divisor, servers) : servers;
            for (Map<ServerRole, RoleReading> each : both) {
                RoleReading above = each.get(dividend);
                RoleReading below = each.get(divisor);
                if (above != null
                        && below != null
                        && above.whole() instanceof RoleReading.Growth top
                        && below.whole() instanceof RoleReading.Growth bottom) {
                    Quotient before = sum == null ? new Quotient(0, 0) : sum;
                    sum = new Quotient(
                            before.dividend + top.figure().total(),
                            before.divisor + bottom.figure().total());
                }
            }
            return sum;
        }
    }

    /** Puts a quotient, plus something; nothing if it is null or its divisor 0. */
    private static void put(
            Map<ServerRatio, Double> ratios, ServerRatio ratio, @Nullable Quotient quotient, double plus) {
        if (quotient != null && quotient.divisor() > 0) {
            ratios.put(ratio, plus + quotient.dividend() / quotient.divisor());
        }
    }

    private static void gauge(
            Map<ServerRatio, Double> ratios,
            ServerRatio ratio,
            Map<ServerRole, ServerFigure> figures,
            ServerRole role) {
        if (figures.get(role) instanceof ServerFigure.Level level) {
            ratios.put(ratio, level.mean());
        }
    }

    /** Puts the prefix hit ratio and returns its source; null without. Counted tokens are preferred: servers may repeat lookups. */
    private static @Nullable String prefixHits(
            Map<ServerRatio, Double> ratios,
            Map<ServerRole, ServerFigure> figures,
            List<Map<ServerRole, RoleReading>> servers) {
        Quotient tokens = Quotient.of(ServerRole.CACHED_PROMPT_TOKENS, ServerRole.PROMPT_TOKENS, servers);
        Quotient queries = Quotient.of(ServerRole.PREFIX_HITS, ServerRole.PREFIX_QUERIES, servers);
        String from;
        if (tokens != null) {
            put(ratios, ServerRatio.PREFIX_HITS, tokens, 0);
            from = "tokens";
        } else if (queries != null) {
            put(ratios, ServerRatio.PREFIX_HITS, queries, 0);
            from = "queries";
        } else {
            gauge(ratios, ServerRatio.PREFIX_HITS, figures, ServerRole.PREFIX_HIT_RATE);
            from = "gauge";
        }
        return ratios.containsKey(ServerRatio.PREFIX_HITS) ? from : null;
    }

    private static void unaccounted(
            Map<ServerRatio, Double> ratios,
            Map<ServerRole, ServerFigure> figures,
            Map<ServerRole, Map<String, ServerFigure>> parts) {
        boolean whole =
                parts.getOrDefault(ServerRole.PROMPT_TOKENS_BY_SOURCE, Map.of()).containsKey(COMPUTED);
        if (whole
                && figures.get(ServerRole.PROMPT_TOKENS) instanceof ServerFigure.Growth prompt
                && figures.get(ServerRole.PROMPT_TOKENS_BY_SOURCE) instanceof ServerFigure.Growth sources) {
            put(
                    ratios,
                    ServerRatio.PROMPT_UNACCOUNTED,
                    new Quotient(prompt.total() - sources.total(), prompt.total()),
                    0);
        }
    }

    private static void speculation(
            Map<ServerRatio, Double> ratios,
            Map<ServerRole, ServerFigure> figures,
            List<Map<ServerRole, RoleReading>> servers) {
        Quotient accepted = Quotient.of(ServerRole.ACCEPTED_TOKENS, ServerRole.DRAFT_TOKENS, servers);
        if (accepted == null) {
            gauge(ratios, ServerRatio.ACCEPTANCE, figures, ServerRole.ACCEPT_RATE_GAUGE);
        }
        put(ratios, ServerRatio.ACCEPTANCE, accepted, 0);
        Quotient byDraft = Quotient.of(ServerRole.ACCEPTED_TOKENS, ServerRole.DRAFTS, servers);
        Quotient byCall = Quotient.of(ServerRole.OUTPUT_TOKENS, ServerRole.VERIFY_CALLS, servers);
        if (byDraft != null) {
            put(ratios, ServerRatio.ACCEPTANCE_LENGTH, byDraft, 1);
        } else if (byCall != null) {
            put(ratios, ServerRatio.ACCEPTANCE_LENGTH, byCall, 0);
        } else {
            gauge(ratios, ServerRatio.ACCEPTANCE_LENGTH, figures, ServerRole.ACCEPT_LENGTH_GAUGE);
        }
    }

    /** Accepted tokens for each draft by position; empty without drafts, or if a position is no number. */
    private static List<Double> positions(List<Map<ServerRole, RoleReading>> servers) {
        RoleReading drafts = sum(ServerRole.DRAFTS, servers);
        RoleReading accepted = sum(ServerRole.ACCEPTED_BY_POSITION, servers);
        if (drafts == null
                || accepted == null
                || !(drafts.whole() instanceof RoleReading.Growth all)
                || all.figure().total() <= 0) {
            return List.of();
        }
        TreeMap<Integer, Double> byPosition = new TreeMap<>();
        accepted.parts().forEach((part, value) -> {
            if (part.matches("\\d{1,4}") && value instanceof RoleReading.Growth one) {
                byPosition.put(
                        Integer.valueOf(part),
                        one.figure().total() / all.figure().total());
            }
        });
        boolean whole = !byPosition.isEmpty() && byPosition.lastKey() == byPosition.size() - 1;
        return whole ? List.copyOf(byPosition.values()) : List.of();
    }
}
