package io.metricsaggregator.imports.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.snapshot.figures.Imported;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times that a tool never set, in the file of every tool with issue times: ten good requests and one more. */
class UnsetTimesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long START = 1_700_000_000L * SECOND;
    /** 1970, 0, a second of 2080, and a year before 1970. */
    private static final long[] UNSET = {0, 12, 3_495_398_400L * SECOND, -86_400_000_000_000_000L};

    @TempDir
    private Path folder;

    private record Read(Imported imported, long first, long last, List<Long> issues) {}

    private Read read(String format, String text) throws IOException {
        ImportFormat named = Objects.requireNonNull(Formats.named(format));
        try (Importer importer = new Importer(named, ImportOptions.DEFAULT, folder, () -> {})) {
            importer.read(ImportSource.of("f", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
            ImportedPart part = importer.finish().get(0);
            List<Long> times = new ArrayList<>();
            List<Long> issues = new ArrayList<>();
            part.events().forEach((nanos, issue, warmup, record) -> {
                times.add(nanos);
                if (issue) {
                    issues.add(nanos);
                }
            });
            return new Read(importer.describe(part), times.get(0), times.get(times.size() - 1), issues);
        }
    }

    private static String seconds(long nanos) {
        return String.format("%s%d.%09d", nanos < 0 ? "-" : "", Math.abs(nanos) / SECOND, Math.abs(nanos) % SECOND);
    }

    /** A request of a format; {@code end} is null for a null in the file. */
    private static String request(String format, int number, long start, long end, boolean failed) {
        long first = start + SECOND / 5;
        return switch (format) {
            case "aiperf" ->
                "{\"metadata\":{\"x_request_id\":\"r" + number + "\",\"request_start_ns\":" + start
                        + ",\"request_end_ns\":" + end + "},\"metrics\":"
                        + (failed
                                ? "{},\"error\":{\"code\":null,\"type\":\"ConnectError\",\"message\":\"refused\"}}\n"
                                : "{\"request_latency\":{\"value\":310.0,\"unit\":\"ms\"}}}\n");
            case "aiperf-raw" ->
                "{\"metadata\":{\"request_start_ns\":" + start + ",\"request_end_ns\":" + end
                        + "},\"start_perf_ns\":" + (failed ? 0 : 1)
                        + (failed
                                ? ",\"error\":{\"code\":null,\"type\":\"ConnectError\",\"message\":\"refused\"}}\n"
                                : ",\"responses\":[{\"perf_ns\":310000001,\"text\":\"{\\\"choices\\\":[{\\\"text\\\":\\\"a\\\"}]}\"}]}\n");
            case "inference-perf" ->
                (number == 0 ? "[" : ",") + "{\"start_time\":" + seconds(start) + ",\"end_time\":" + seconds(end)
                        + ",\"info\":{},\"error\":"
                        + (failed ? "{\"error_type\":\"ConnectError\",\"error_msg\":\"refused\"}" : "null") + "}";
            case "guidellm" ->
                (number == 0 ? "" : ",") + "{\"info\":{\"error\":" + (failed ? "\"refused\"" : "null")
                        + ",\"timings\":{\"request_start\":" + seconds(start) + ",\"request_end\":" + seconds(end)
                        + ",\"resolve_start\":" + seconds(start) + ",\"resolve_end\":" + seconds(end) + "}}}";
            case "perf-analyzer" ->
                (number == 0 ? "" : ",") + "{\"timestamp\":" + start + ",\"response_timestamps\":[" + end
                        + "],\"response_outputs\":[{\"response\":\""
                        + (failed ? "event: error" : "data: {\\\"text_output\\\":\\\"a\\\"}") + "\\n\\n\"}]}";
            case "vegeta" ->
                start + "," + (failed ? "0" : "200") + "," + (end - start) + ",1,1,"
                        + (failed ? "dial: connection refused" : "") + ",,a," + number + "\n";
            case "k6" -> k6(end, end - start, failed);
            default -> throw new IllegalArgumentException(format + first);
        };
    }

    private static String k6(long end, long nanos, boolean failed) {
        StringBuilder lines = new StringBuilder();
        String time = java.time.Instant.ofEpochSecond(Math.floorDiv(end, SECOND), Math.floorMod(end, SECOND))
                .toString();
        Map<String, String> values = new java.util.LinkedHashMap<>();
        values.put("http_reqs", "1");
        values.put("http_req_duration", seconds(nanos * 1000));
        values.put("http_req_waiting", "0");
        values.put("http_req_failed", failed ? "1" : "0");
        values.forEach((metric, value) ->
                lines.append("{\"metric\":\"" + metric + "\",\"type\":\"Point\",\"data\":{\"time\":\"" + time
                        + "\",\"value\":" + value + ",\"tags\":{\"status\":\"" + (failed ? 0 : 200) + "\"}}}\n"));
        return lines.toString();
    }

    private static String file(String format, String good, String bad) {
        return switch (format) {
            case "inference-perf" -> good + bad + "]";
            case "guidellm" ->
                "{\"metadata\":{\"guidellm_version\":\"0.8.1\"},\"benchmarks\":[{\"config\":{},\"scheduler_metrics\":"
                        + "{\"measure_start_time\":" + seconds(START - SECOND) + ",\"measure_end_time\":"
                        + seconds(START + 20 * SECOND) + "},\"requests\":{\"successful\":[" + good
                        + "],\"incomplete\":[],\"errored\":[" + bad.replaceFirst("^,", "") + "]}}]}";
            case "perf-analyzer" -> "{\"experiments\":[{\"requests\":[" + good + bad + "]}]}";
            default -> good + bad;
        };
    }

    private static String good(String format, long from) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            long start = from + i * SECOND;
            text.append(request(format, i, start, start + 310_000_000, false));
        }
        return text.toString();
    }

    static List<Object[]> failures() {
        List<Object[]> cases = new ArrayList<>();
        for (String format :
                List.of("aiperf", "aiperf-raw", "inference-perf", "guidellm", "perf-analyzer", "vegeta", "k6")) {
            for (long unset : UNSET) {
                cases.add(new Object[] {format, unset});
            }
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("failures")
    void a_failure_whose_times_were_never_set_is_counted_and_moves_no_edge_of_the_run(String format, long unset)
            throws IOException {
        Read read = read(format, file(format, good(format, START), request(format, 10, unset, unset, true)));

        assertThat(read.imported().skipped()).isEmpty();
        assertThat(read.imported().requests()).isEqualTo(11);
        assertThat(read.imported().startUnknown()).isEqualTo(1);
        assertThat(read.imported().endUnknown()).isEqualTo(1);
        assertThat(read.first()).isEqualTo(START);
        assertThat(read.last()).isEqualTo(START + 9 * SECOND + 310_000_000);
        assertThat(read.issues()).hasSize(11).startsWith(START, START);
    }

    @ParameterizedTest
    @ValueSource(strings = {"aiperf", "aiperf-raw", "inference-perf", "guidellm", "perf-analyzer", "vegeta", "k6"})
    void a_failure_whose_end_is_its_start_has_no_end(String format) throws IOException {
        long start = START + 3 * SECOND;
        Read read = read(format, file(format, good(format, START), request(format, 10, start, start, true)));

        assertThat(read.imported().skipped()).isEmpty();
        assertThat(read.imported().requests()).isEqualTo(11);
        assertThat(read.imported().startUnknown()).isZero();
        assertThat(read.imported().endUnknown()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"aiperf", "aiperf-raw", "inference-perf", "perf-analyzer", "vegeta", "k6"})
    void a_success_whose_start_was_never_set_is_in_no_figure(String format) throws IOException {
        Read read = read(format, file(format, good(format, START), request(format, 10, 0, 310_000_000, false)));

        assertThat(read.imported().skipped()).containsExactly(Map.entry("start_unknown", 1L));
        assertThat(read.first()).isEqualTo(START);
        assertThat(read.last()).isEqualTo(START + 9 * SECOND + 310_000_000);
    }

    @ParameterizedTest
    @CsvSource({"5000, 0", "100, 0", "5, 0"})
    void a_time_of_0_is_unset_on_a_monotonic_clock_too(long seconds, long unset) throws IOException {
        String good = good("inference-perf", seconds * SECOND);
        String text = file("inference-perf", good, request("inference-perf", 10, unset, unset, true));
        assertThat(read("inference-perf", text).first()).isEqualTo(seconds * SECOND);

        String vllm = "{\"num_prompts\":3,\"ttfts\":[0.2,0.2,0.0],\"latencies\":[0.31,0.31,0.0],\"start_times\":["
                + seconds + ".0," + (seconds + 1) + ".0,0.0],\"errors\":[\"\",\"\",\"refused\"]}";
        Read read = read("vllm", vllm);
        assertThat(read.first()).isEqualTo(seconds * SECOND);
        assertThat(read.imported().requests()).isEqualTo(3);
        assertThat(read.imported().startUnknown()).isEqualTo(1);
    }
}
