package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the {@link SlowSample}s to and from a map: for each duration that ranks them a list, the slowest first. */
final class SlowSampleCodec {
    private SlowSampleCodec() {}

    static Map<String, Object> of(List<SlowSample> samples) {
        Map<String, List<Object>> lists = new LinkedHashMap<>();
        for (SlowSample each : samples) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            tree.put("id", each.id());
            tree.put("worker", each.worker());
            tree.put("value_ns", each.nanos());
            tree.put("failed", each.failed());
            tree.put("scheduled_ns", each.scheduledNanos());
            tree.put("issued_ns", each.issuedNanos());
            tree.put("first_ns", each.firstNanos());
            tree.put("last_ns", each.lastNanos());
            tree.put("completed_ns", each.completedNanos());
            lists.computeIfAbsent(each.by(), by -> new ArrayList<>()).add(tree);
        }
        return new LinkedHashMap<>(lists);
    }

    /** Reads the samples; an empty list if the snapshot has none. */
    static List<SlowSample> read(@Nullable Object value) throws MalformedMessageException {
        List<SlowSample> samples = new ArrayList<>();
        for (Map.Entry<?, ?> entry : (value == null ? Map.of() : map("slowest", value)).entrySet()) {
            String by = text("slowest", entry.getKey());
            for (Object element : list("slowest", entry.getValue())) {
                Map<?, ?> tree = map("slowest", element);
                samples.add(new SlowSample(
                        by,
                        text("slowest.id", tree.get("id")),
                        text("slowest.worker", tree.get("worker")),
                        integer("slowest.value_ns", tree.get("value_ns")),
                        Boolean.TRUE.equals(tree.get("failed")),
                        time("slowest.scheduled_ns", tree.get("scheduled_ns")),
                        integer("slowest.issued_ns", tree.get("issued_ns")),
                        time("slowest.first_ns", tree.get("first_ns")),
                        time("slowest.last_ns", tree.get("last_ns")),
                        integer("slowest.completed_ns", tree.get("completed_ns"))));
            }
        }
        return samples;
    }

    private static @Nullable Long time(String field, @Nullable Object value) throws MalformedMessageException {
        return value == null ? null : Long.valueOf(integer(field, value));
    }
}
