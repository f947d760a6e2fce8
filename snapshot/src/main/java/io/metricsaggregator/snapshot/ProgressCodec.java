package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts {@link Progress}, and that of single targets, to and from maps. */
final class ProgressCodec {
    private static final String FIELD = "progress";
    private static final String IDLE = "idle_ns";
    private static final String LONGEST = "longest_idle_ns";
    private static final String STALLS = "endpoint_stalls";
    private static final String STALLED = "stalled_ns";

    private ProgressCodec() {}

    static Map<String, @Nullable Object> of(Progress progress) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("state", progress.state().wire());
        tree.put(IDLE, progress.idleNanos());
        tree.put("slow_ns", progress.slowNanos());
        tree.put("limit_ns", progress.limitNanos());
        tree.put(LONGEST, progress.longestIdleNanos());
        tree.put(STALLS, progress.endpointStalls());
        tree.put(STALLED, progress.stalledNanos());
        tree.put("stalls", progress.stalls().stream().map(ProgressCodec::of).toList());
        if (progress.interruptedBy() != null) {
            tree.put("interrupted_by", progress.interruptedBy());
        }
        return tree;
    }

    private static Map<String, @Nullable Object> of(Stall stall) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("start_ns", stall.startNanos());
        tree.put("since_start_ns", stall.sinceStartNanos());
        tree.put("duration_ns", stall.durationNanos());
        tree.put("in_flight", stall.inFlight());
        tree.put("issued_during", stall.issuedDuring());
        Stall.End end = stall.end();
        tree.put("end", end == null ? null : end.wire());
        tree.put("from_event_ns", stall.fromEventNanos());
        tree.put("to_event_ns", stall.toEventNanos());
        return tree;
    }

    static Progress read(Map<?, ?> tree) throws MalformedMessageException {
        List<Stall> stalls = new ArrayList<>();
        for (Object element : list(FIELD + ".stalls", tree.get("stalls"))) {
            stalls.add(stall(map(FIELD + ".stalls", element)));
        }
        Object cause = tree.get("interrupted_by");
        return new Progress(
                state(FIELD + ".state", tree.get("state")),
                integerOrNull(tree, IDLE),
                integerOrNull(tree, "slow_ns"),
                integerOrNull(tree, "limit_ns"),
                integer(FIELD + "." + LONGEST, tree.get(LONGEST)),
                integer(FIELD + "." + STALLS, tree.get(STALLS)),
                integer(FIELD + "." + STALLED, tree.get(STALLED)),
                stalls,
                cause == null ? null : text(FIELD + ".interrupted_by", cause));
    }

    private static Stall stall(Map<?, ?> tree) throws MalformedMessageException {
        Object end = tree.get("end");
        return new Stall(
                integer(FIELD + ".start_ns", tree.get("start_ns")),
                integer(FIELD + ".since_start_ns", tree.get("since_start_ns")),
                integer(FIELD + ".duration_ns", tree.get("duration_ns")),
                integer(FIELD + ".in_flight", tree.get("in_flight")),
                integer(FIELD + ".issued_during", tree.get("issued_during")),
                end == null ? null : end(text(FIELD + ".end", end)),
                integer(FIELD + ".from_event_ns", tree.get("from_event_ns")),
                integerOrNull(tree, "to_event_ns"));
    }

    private static Stall.End end(String name) throws MalformedMessageException {
        Stall.End end = Stall.End.ofWire(name);
        if (end == null) {
            throw new MalformedMessageException(FIELD + ".end is " + name);
        }
        return end;
    }

    private static ProgressState state(String field, @Nullable Object value) throws MalformedMessageException {
        String name = text(field, value);
        ProgressState state = ProgressState.ofWire(name);
        if (state == null) {
            throw new MalformedMessageException(field + " is " + name);
        }
        return state;
    }

    private static @Nullable Long integerOrNull(Map<?, ?> tree, String name) throws MalformedMessageException {
        return tree.get(name) == null ? null : (Long) integer(FIELD + "." + name, tree.get(name));
    }
}
