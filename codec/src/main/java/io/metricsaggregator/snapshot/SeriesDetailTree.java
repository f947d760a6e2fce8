package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.SnapshotTree.flag;
import static io.metricsaggregator.snapshot.SnapshotTree.integer;
import static io.metricsaggregator.snapshot.SnapshotTree.real;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A series' detail as a map, the same in both forms of a snapshot but for the histogram's bytes, which JSON has as base64. */
final class SeriesDetailTree {
    private SeriesDetailTree() {}

    static Map<String, @Nullable Object> of(SeriesDetail detail) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("exact", detail.exact());
        map.put("clamped", detail.clamped());
        map.put("negative", detail.negative());
        map.put("std_dev", detail.stdDev());
        map.put("hdr", detail.hdr());
        return map;
    }

    static SeriesDetail read(Map<?, ?> map) throws MalformedMessageException {
        Object stdDev = map.get("std_dev");
        return new SeriesDetail(
                flag("exact", map.get("exact")),
                integer("clamped", map.get("clamped")),
                integer("negative", map.get("negative")),
                stdDev == null ? null : real("std_dev", stdDev),
                bytes(map.get("hdr")));
    }

    private static byte @Nullable [] bytes(@Nullable Object value) throws MalformedMessageException {
        if (value == null) {
            return null;
        }
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        try {
            return Base64.getDecoder().decode(SnapshotTree.text("hdr", value));
        } catch (IllegalArgumentException e) {
            throw new MalformedMessageException("hdr is not base64");
        }
    }
}
