package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the {@link Outage}s of a run to and from a list of maps. */
final class OutageCodec {
    private OutageCodec() {}

    static List<Object> of(List<Outage> outages) {
        List<Object> rows = new ArrayList<>();
        for (Outage each : outages) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("from_wall_ns", each.fromWallNanos());
            row.put("to_wall_ns", each.toWallNanos());
            row.put("in_flight", each.inFlight());
            row.put("orphaned", each.orphaned());
            row.put("orphan_records", each.orphanRecords());
            rows.add(row);
        }
        return rows;
    }

    static List<Outage> read(@Nullable Object value) throws MalformedMessageException {
        List<Outage> outages = new ArrayList<>();
        for (Object element : value == null ? List.of() : list("outages", value)) {
            Map<?, ?> row = map("outages", element);
            outages.add(new Outage(
                    integer("outages.from_wall_ns", row.get("from_wall_ns")),
                    integer("outages.to_wall_ns", row.get("to_wall_ns")),
                    integer("outages.in_flight", row.get("in_flight")),
                    integer("outages.orphaned", row.get("orphaned")),
                    integer("outages.orphan_records", row.get("orphan_records"))));
        }
        return outages;
    }
}
