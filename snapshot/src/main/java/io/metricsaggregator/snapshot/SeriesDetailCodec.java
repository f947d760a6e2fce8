package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.SnapshotCodec.flag;
import static io.metricsaggregator.snapshot.SnapshotCodec.integer;
import static io.metricsaggregator.snapshot.SnapshotCodec.map;
import static io.metricsaggregator.snapshot.SnapshotCodec.real;
import static io.metricsaggregator.snapshot.SnapshotCodec.text;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a {@link SeriesDetail} to and from a map. Only the histogram differs between the forms: bytes in msgpack, base64 in JSON. */
final class SeriesDetailCodec {
    private SeriesDetailCodec() {}

    static Map<String, @Nullable Object> of(SeriesDetail detail) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("exact", detail.exact());
        map.put("clamped", detail.clamped());
        map.put("negative", detail.negative());
        map.put("std_dev", detail.stdDev());
        if (!detail.certification().isEmpty()) {
            map.put("certification", certification(detail.certification()));
        }
        if (!detail.interpolated().isEmpty()) {
            map.put("interpolated", new LinkedHashMap<>(detail.interpolated()));
        }
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
                readCertification(map.get("certification")),
                readInterpolated(map.get("interpolated")),
                bytes(map.get("hdr")));
    }

    private static Map<String, @Nullable Object> certification(Map<String, Certificate> certification) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        certification.forEach((percentile, certificate) -> {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("certified", certificate.certified());
            row.put("upper_bound", certificate.upperBound());
            row.put("values_missing", certificate.valuesMissing());
            tree.put(percentile, row);
        });
        return tree;
    }

    private static Map<String, Certificate> readCertification(@Nullable Object value) throws MalformedMessageException {
        Map<String, Certificate> certification = new LinkedHashMap<>();
        if (value != null) {
            for (Map.Entry<?, ?> entry : map("certification", value).entrySet()) {
                Map<?, ?> row = map("certification", entry.getValue());
                Object bound = row.get("upper_bound");
                certification.put(
                        text("certification", entry.getKey()),
                        new Certificate(
                                bound == null ? null : real("upper_bound", bound),
                                integer("values_missing", row.get("values_missing"))));
            }
        }
        return certification;
    }

    private static Map<String, Double> readInterpolated(@Nullable Object value) throws MalformedMessageException {
        Map<String, Double> interpolated = new LinkedHashMap<>();
        if (value != null) {
            for (Map.Entry<?, ?> entry : map("interpolated", value).entrySet()) {
                interpolated.put(text("interpolated", entry.getKey()), real("interpolated", entry.getValue()));
            }
        }
        return interpolated;
    }

    private static byte @Nullable [] bytes(@Nullable Object value) throws MalformedMessageException {
        if (value == null) {
            return null;
        }
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        try {
            return Base64.getDecoder().decode(text("hdr", value));
        } catch (IllegalArgumentException e) {
            throw new MalformedMessageException("hdr is not base64");
        }
    }
}
