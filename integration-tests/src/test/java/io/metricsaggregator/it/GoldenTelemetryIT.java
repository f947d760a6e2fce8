package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;

/** The golden cases of telemetry: from a real libzmq PUB into the final file, and out of the journal again. */
class GoldenTelemetryIT {
    private static final int TOPIC_BYTES = 40;
    private static final Path GOLDEN = Path.of(System.getProperty("golden.dir", "../quality/golden"));

    @TempDir
    Path directory;

    private static List<Path> cases(String system) throws IOException {
        try (Stream<Path> folders = Files.list(GOLDEN.resolve(system))) {
            return folders.sorted().toList();
        }
    }

    private interface Check {
        void of(Path folder) throws IOException;
    }

    private static Stream<DynamicTest> each(String system, Check check) throws IOException {
        Python.require();
        return cases(system).stream()
                .map(folder -> DynamicTest.dynamicTest(folder.getFileName().toString(), () -> check.of(folder)));
    }

    private static Map<String, ?> json(Path file) throws IOException {
        return JsonTree.read(Files.readAllBytes(file));
    }

    /** Publishes a case's frames to a daemon with a journal; returns the state of a kind in the final file and in the replayed journal. */
    private List<Map<?, ?>> known(Path folder, String kind, String title, String... options) throws IOException {
        return known(folder, folder.resolve("frames.bin"), kind, title, options);
    }

    private List<Map<?, ?>> known(Path folder, Path frames, String kind, String title, String... options)
            throws IOException {
        String name = folder.getFileName().toString();
        Path output = directory.resolve(name);
        Path journal = directory.resolve(name + "-journal");
        String events = "ipc://" + directory.resolve(name + "-in");
        List<String> arguments = new ArrayList<>(List.of("--in", "bind:" + events, "--journal", journal.toString()));
        arguments.addAll(List.of(options));
        try (RunningProcess daemon = Cli.daemon(output, arguments.toArray(new String[0]))) {
            try (RunningProcess publisher = Python.start("publish_frames.py", events, "connect", frames.toString())) {
                assertThat(publisher.awaitExit()).as("%s", publisher).isZero();
            }
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.counterValue("records_malformed")).isZero();
        assertThat(last.counterValue("records_unknown")).isZero();
        Path replayed = directory.resolve(name + "-replayed");
        try (RunningProcess replay = Cli.start("replay", journal.toString(), "--output-dir", replayed.toString())) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
            assertThat(replay.out()).contains(title);
        }
        try (RunningProcess report =
                Cli.start("report", output.resolve("final_snapshot.json").toString(), "--format", "html")) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            assertThat(report.out()).contains("<h2>" + title + "</h2>").doesNotContain("NaN");
        }
        List<Map<?, ?>> both = new ArrayList<>();
        for (MetricsSnapshot each : List.of(last, FinalSnapshotFile.read(replayed))) {
            both.add((Map<?, ?>) each.extensions().telemetry().tree().get(kind));
        }
        return both;
    }

    /** Checks that all expected values are present, numbers within 1e-9. */
    private static void assertHolds(String place, Object expected, Object actual) {
        if (expected instanceof Map<?, ?> map) {
            assertThat(actual).as(place).isInstanceOf(Map.class);
            map.forEach((key, value) -> assertHolds(place + "." + key, value, ((Map<?, ?>) actual).get(key)));
        } else if (expected instanceof List<?> list) {
            assertThat(actual).as(place).isInstanceOf(List.class);
            assertThat((List<?>) actual).as(place).hasSize(list.size());
            for (int i = 0; i < list.size(); i++) {
                assertHolds(place + "[" + i + "]", list.get(i), ((List<?>) actual).get(i));
            }
        } else if (expected instanceof Number number) {
            assertThat(actual).as(place).isInstanceOf(Number.class);
            double want = number.doubleValue();
            assertThat(Math.abs(((Number) actual).doubleValue() - want))
                    .as("%s: %s for %s", place, actual, expected)
                    .isLessThanOrEqualTo(1e-9 * Math.max(1, Math.abs(want)));
        } else {
            assertThat(actual).as(place).isEqualTo(expected);
        }
    }

    @TestFactory
    Stream<DynamicTest> transfersComeThrough() throws IOException {
        return each("nixl", folder -> {
            Map<?, ?> expected =
                    (Map<?, ?>) json(folder.resolve("expected.json")).get("cumulative");
            for (Map<?, ?> known : known(folder, "transfer", "KV-cache transfers")) {
                Map<?, ?> cumulative = (Map<?, ?>) known.get("cumulative");
                for (String version : List.of("compat_seed", "compat_current")) {
                    assertHolds(version, expected.get(version), cumulative.get(version));
                }
                Map<Object, Object> ours = new LinkedHashMap<>((Map<?, ?>) expected.get("ours"));
                // The value depends on when the daemon sampled, which no case defines.
                for (String part : List.of("throughput_mib_s", "time_s")) {
                    Map<Object, Object> copy = new LinkedHashMap<>((Map<?, ?>) ours.get(part));
                    copy.remove("interval");
                    ours.put(part, copy);
                }
                assertHolds("ours", ours, cumulative.get("ours"));
            }
        });
    }

    /** Encodes a frame of one record, preceded by its length, as in the files of the golden cases. */
    private static byte[] framed(String topic, Map<String, ?> values) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(Arrays.copyOf(topic.getBytes(StandardCharsets.UTF_8), TOPIC_BYTES));
        try (MessagePacker packer = MessagePack.newDefaultPacker(frame)) {
            MsgpackTree.write(values, packer);
        }
        return ByteBuffer.allocate(Integer.BYTES + frame.size())
                .putInt(frame.size())
                .put(frame.toByteArray())
                .array();
    }

    /** Returns the samples of a case, with the information before and after them that only the collector has. */
    private Path collected(Path folder, Map<?, ?> params) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(framed(
                "resource.job",
                Map.of(
                        "event_type",
                        "resource.job",
                        "timestamp_ns",
                        0L,
                        "expected_nodes",
                        params.get("expected_nodes"),
                        "max_length",
                        params.get("max_length"))));
        all.write(Files.readAllBytes(folder.resolve("frames.bin")));
        all.write(framed(
                "resource.job",
                Map.of(
                        "event_type",
                        "resource.job",
                        "timestamp_ns",
                        Math.round(((Number) params.get("report_time_s")).doubleValue() * 1e9),
                        "cpu_count",
                        params.get("cpu_count"),
                        "ended",
                        true)));
        return Files.write(directory.resolve(folder.getFileName() + ".bin"), all.toByteArray());
    }

    @TestFactory
    Stream<DynamicTest> resourcesOfNodesComeThrough() throws IOException {
        return each("perf", folder -> {
            Map<?, ?> params = (Map<?, ?>) json(folder.resolve("input.json")).get("params");
            Map<?, ?> expected = json(folder.resolve("expected.json"));
            for (Map<?, ?> known : known(folder, collected(folder, params), "resource", "Nodes")) {
                assertHolds("ours", expected.get("ours"), known);
                assertHolds("compat", expected.get("compat"), known.get("compat"));
                assertHolds("compat_error", expected.get("compat_error"), known.get("compat_error"));
            }
        });
    }

    @Test
    void anExpectedNodeWithoutSamplesIsNamed() throws IOException {
        Path folder = cases("perf").get(0);
        List<Map<?, ?>> both = known(folder, "resource", "Nodes", "--expect-node", "silent");
        assertThat(both)
                .allSatisfy(known -> assertThat(known.get("nodes_missing")).isEqualTo(List.of("silent")));
    }

    @TestFactory
    Stream<DynamicTest> keyedOperationsComeThrough() throws IOException {
        return each("proxystore", folder -> {
            Map<String, ?> expected = json(folder.resolve("expected.json"));
            for (Map<?, ?> known : known(folder, "operation", "Operations")) {
                assertHolds("ours", expected.get("ours"), known);
                assertHolds("compat", expected.get("compat"), known.get("compat"));
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> scrapedSamplesComeThrough() throws IOException {
        return each("triton", folder -> {
            Map<String, ?> expected = json(folder.resolve("expected.json"));
            Map<?, ?> params = (Map<?, ?>) json(folder.resolve("input.json")).get("params");
            List<String> options = new ArrayList<>(List.of(
                    "--promql",
                    "2",
                    "--scrape-window",
                    params.get("step_s") + "s",
                    "--scrape-from",
                    String.valueOf(params.get("start_s")),
                    "--scrape-to",
                    String.valueOf(params.get("end_s"))));
            ((Map<?, ?>) params.get("selectors")).forEach((prefix, labels) -> {
                List<String> matchers = new ArrayList<>();
                ((Map<?, ?>) labels).forEach((label, value) -> matchers.add(label + "=" + value));
                options.add("--scrape-select");
                options.add(prefix + "{" + String.join(",", matchers) + "}");
            });
            for (Map<?, ?> known : known(folder, "scrape", "Servers and GPUs", options.toArray(new String[0]))) {
                Map<?, ?> ours = (Map<?, ?>) expected.get("ours");
                assertHolds("windows", ours.get("windows"), known.get("windows"));
                assertHolds("totals", ours.get("requests_total_by_model"), known.get("requests_total_by_model"));
                Map<?, ?> compat = (Map<?, ?>) known.get("compat");
                assertHolds("notebook", expected.get("notebook"), compat.get("notebook"));
                Map<?, ?> queries = (Map<?, ?>) expected.get("promql");
                assertThat(queries).isNotEmpty();
                queries.forEach((query, answer) ->
                        assertHolds((String) query, byLabels((Map<?, ?>) answer), byLabels((Map<?, ?>)
                                ((Map<?, ?>) compat.get("promql")).get(query))));
            }
        });
    }

    /** Returns the answer of a query by labels, because its series have no order; both answers have the same number of series. */
    private static Map<String, Object> byLabels(Map<?, ?> answer) {
        Map<String, Object> series = new LinkedHashMap<>();
        for (Object each : (List<?>) answer.get("result")) {
            Map<?, ?> one = (Map<?, ?>) each;
            series.put(new TreeMap<>((Map<?, ?>) one.get("labels")).toString(), one.get("values"));
        }
        series.put("series", series.size());
        series.put("query", answer.get("query"));
        return series;
    }
}
