package io.metricsaggregator.report.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.ThroughputWindow;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Snapshots of the reference implementation give the same result_summary.json as the reference. */
class ResultSummaryTest {
    private static final Path ENDPOINTS =
            Path.of(System.getProperty("golden.dir", "../../quality/golden"), "endpoints");

    @TestFactory
    Stream<DynamicTest> everyGoldenSnapshotSumsUpAsTheReferenceHasIt() throws IOException {
        List<Path> cases;
        try (Stream<Path> folders = Files.list(ENDPOINTS)) {
            cases = folders.filter(folder -> Files.exists(folder.resolve("expected_result_summary.json")))
                    .sorted()
                    .toList();
        }
        assertThat(cases).hasSizeGreaterThan(15);
        return cases.stream()
                .flatMap(folder -> Stream.of(
                        DynamicTest.dynamicTest(
                                folder.getFileName() + ", LoadGen window",
                                () -> check(folder, "expected_result_summary.json", true)),
                        DynamicTest.dynamicTest(
                                folder.getFileName() + ", native window",
                                () -> check(folder, "expected_result_summary_native.json", false))));
    }

    private static void check(Path folder, String expectedFile, boolean loadgenWindow) throws IOException {
        Map<String, @Nullable Object> snapshotTree =
                JsonTree.read(Files.readAllBytes(folder.resolve("expected_final_snapshot.json")));
        snapshotTree.put("counter", 1L);
        snapshotTree.put("timestamp_ns", 1L);
        MetricsSnapshot snapshot = new JsonSnapshotCodec().decode(ByteBuffer.wrap(JsonTree.write(snapshotTree)));
        String rendered = ReportFormat.SUMMARY.render(
                Report.of(snapshot, loadgenWindow ? ThroughputWindow.LOADGEN : ThroughputWindow.TRACKED), true);
        Map<String, @Nullable Object> actual = JsonTree.read(rendered.getBytes(StandardCharsets.UTF_8));
        assertThat(actual.keySet()).startsWith("version", "git_sha", "test_started_at");
        actual.remove("version");
        actual.remove("git_sha");
        Map<String, @Nullable Object> expected = JsonTree.read(Files.readAllBytes(folder.resolve(expectedFile)));
        assertThat(List.copyOf(actual.keySet())).isEqualTo(List.copyOf(expected.keySet()));
        boolean cancelled = folder.getFileName().toString().startsWith("10b");
        compare("", actual, expected, cancelled);
    }

    private static void compare(
            String path, @Nullable Object actual, @Nullable Object expected, boolean deviationCancelled) {
        if (expected instanceof Map<?, ?> map) {
            Map<?, ?> other = (Map<?, ?>) actual;
            assertThat(List.<Object>copyOf(other.keySet())).as(path).isEqualTo(List.<Object>copyOf(map.keySet()));
            map.forEach((key, value) -> compare(path + "/" + key, other.get(key), value, deviationCancelled));
        } else if (expected instanceof List<?> list) {
            List<?> other = (List<?>) actual;
            assertThat(other).as(path).hasSameSizeAs(list);
            for (int i = 0; i < list.size(); i++) {
                compare(path + "/" + i, other.get(i), list.get(i), deviationCancelled);
            }
        } else if (path.endsWith("/std_dev")) {
            // In 10b the reference's 0 results from cancellation; its rounded sums allow no better figure.
            double want = (Double) expected;
            double tolerance = deviationCancelled ? 1e18 : 1e-9 * want + 1e-12;
            assertThat((Double) actual).as(path).isCloseTo(want, within(tolerance));
        } else if (expected instanceof Double want && want != 0) {
            assertThat(Math.abs(((Double) actual - want) / want)).as(path).isLessThan(1e-12);
        } else {
            assertThat(kind(actual)).as(path).isEqualTo(kind(expected));
        }
    }

    private static @Nullable Object kind(@Nullable Object value) {
        return value instanceof Long number ? (Object) BigInteger.valueOf(number) : value;
    }
}
