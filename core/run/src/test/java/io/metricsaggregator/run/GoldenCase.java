package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A golden case of the load-generator events, with its comparison rules. */
public final class GoldenCase {
    private static final Path ENDPOINTS = Path.of(System.getProperty("golden.dir", "../quality/golden"), "endpoints");

    private final Path folder;

    public GoldenCase(String name) {
        this.folder = ENDPOINTS.resolve(name);
    }

    /** Returns the names of the cases that the reference completes: all but the one whose records hang it. */
    public static List<String> completed() throws IOException {
        try (Stream<Path> folders = Files.list(ENDPOINTS)) {
            return folders.map(each -> each.getFileName().toString())
                    .filter(each -> each.matches("\\d.*") && !each.equals("08b_poison"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the file of recorded frames. */
    public Path framesFile() {
        return folder.resolve("frames.bin");
    }

    public boolean streaming() throws IOException {
        return Boolean.TRUE.equals(read("args.json").get("streaming"));
    }

    public boolean earlyStopping() throws IOException {
        return Boolean.TRUE.equals(read("args.json").get("early_stopping"));
    }

    /** Returns the folder of the case's tokenizer; null without one. */
    public @Nullable Path tokenizer() throws IOException {
        Object path = read("args.json").get("tokenizer");
        return path == null ? null : ENDPOINTS.resolve((String) path);
    }

    public List<ByteBuffer> frames() throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("frames.bin")));
        List<ByteBuffer> frames = new ArrayList<>();
        while (file.hasRemaining()) {
            int length = file.getInt();
            frames.add(file.slice(file.position(), length));
            file.position(file.position() + length);
        }
        return frames;
    }

    private Map<String, @Nullable Object> read(String file) throws IOException {
        return JsonTree.read(Files.readAllBytes(folder.resolve(file)));
    }

    /**
     * Compares the metrics of a snapshot with those expected: integers, percentiles and counts exactly, edges to 1e-12.
     *
     * @param except names of metrics that another test compares, or that need what this run lacks
     */
    public void assertMatches(MetricsSnapshot snapshot, String expectedFile, Set<String> except) throws IOException {
        Map<String, @Nullable Object> expected = read(expectedFile);
        Map<String, @Nullable Object> actual = JsonTree.read(new JsonSnapshotCodec().encode(snapshot));
        assertThat(actual.get("state")).isEqualTo(expected.get("state"));
        List<String> expectedNames = names(expected);
        assertThat(names(actual).stream().filter(expectedNames::contains).toList())
                .isEqualTo(expectedNames);
        Map<String, Map<?, ?>> byName = byName(actual);
        byName(expected).forEach((name, metric) -> {
            if (!except.contains(name)) {
                assertMetric(name, byName.get(name), metric);
            }
        });
    }

    private static List<String> names(Map<String, @Nullable Object> snapshot) {
        return List.copyOf(byName(snapshot).keySet());
    }

    private static Map<String, Map<?, ?>> byName(Map<String, @Nullable Object> snapshot) {
        Map<String, Map<?, ?>> byName = new LinkedHashMap<>();
        for (Object metric : (List<?>) snapshot.get("metrics")) {
            Map<?, ?> map = (Map<?, ?>) metric;
            byName.put((String) map.get("name"), map);
        }
        return byName;
    }

    private static void assertMetric(String name, Map<?, ?> actual, Map<?, ?> expected) {
        for (Map.Entry<?, ?> entry : expected.entrySet()) {
            String key = (String) entry.getKey();
            if (key.equals("histogram")) {
                assertHistogram(name, (List<?>) actual.get(key), (List<?>) entry.getValue());
            } else if (name.equals("tpot_ns") && Set.of("total", "sum_sq").contains(key)) {
                // Sums of reals depend on the order in which texts are counted.
                double want = (Double) entry.getValue();
                assertThat((Double) actual.get(key)).as(name + " " + key).isCloseTo(want, within(1e-12 * want));
            } else {
                assertThat(kind(actual.get(key))).as(name + " " + key).isEqualTo(kind(entry.getValue()));
            }
        }
    }

    /** Maps a number to its JSON type: 1 and 1.0 are different results, while a Long and a BigInteger are equal. */
    private static @Nullable Object kind(@Nullable Object value) {
        return value instanceof Long number ? (Object) BigInteger.valueOf(number) : value;
    }

    private static void assertHistogram(String name, List<?> actual, List<?> expected) {
        assertThat(actual).as(name).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            List<?> bucket = (List<?>) actual.get(i);
            List<?> wanted = (List<?>) expected.get(i);
            String place = name + " bucket " + i;
            assertThat(bucket.get(1)).as(place).isEqualTo(wanted.get(1));
            for (int edge = 0; edge < 2; edge++) {
                double have = ((Number) ((List<?>) bucket.get(0)).get(edge)).doubleValue();
                double want = ((Number) ((List<?>) wanted.get(0)).get(edge)).doubleValue();
                assertThat(Math.abs(have - want) / want).as(place).isLessThan(1e-12);
            }
        }
    }
}
