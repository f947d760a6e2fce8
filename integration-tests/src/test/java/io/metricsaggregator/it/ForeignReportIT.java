package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run with failures through the daemon: its reports in the formats of vLLM's benchmark and AIPerf equal the formulas of those tools. */
class ForeignReportIT {
    private static final long MILLI = 1_000_000L;
    private static final long START = 1_000_000L * MILLI;

    private record Sample(String id, long issued, long first, long completed, boolean failed) {}

    @TempDir
    Path directory;

    private final List<Sample> samples = new ArrayList<>();
    private MetricsSnapshot snapshot;

    @BeforeEach
    void run() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            long issued = START + i * 10 * MILLI;
            long first = issued + 20 * MILLI + random.nextInt(200_000_000);
            // Failures take longest, and there are others at the start and at the end.
            boolean failed = i % 9 == 0 || i == 499;
            long completed = first + (failed ? 2_000_000_000L : 0) + random.nextInt(1_500_000_000);
            samples.add(new Sample("s" + i, issued, first, completed, failed));
        }
        String in = "ipc://" + directory.resolve("in");
        try (RunningProcess daemon = Cli.daemon(directory.resolve("out"), "--in", "bind:" + in, "--streaming");
                EventPublisher publisher = new EventPublisher(
                        List.of(Endpoint.parse("connect:" + in, true)), TransportOptions.defaults())) {
            assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            for (EventRecord event : events()) {
                publisher.publish(event);
            }
            publisher.flush(Await.PATIENCE);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        snapshot = FinalSnapshotFile.read(directory.resolve("out"));
    }

    private List<EventRecord> events() {
        List<EventRecord> events = new ArrayList<>();
        for (Sample each : samples) {
            events.add(EventRecord.sample(EventType.SAMPLE_ISSUED, each.issued(), each.id()));
            events.add(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, each.first(), each.id()));
            if (each.failed()) {
                // A sample with two errors counts as one failure.
                EventRecord error = EventRecord.sample(EventType.ERROR_CLIENT, each.completed(), each.id())
                        .withData(new ErrorData("Timeout", "late"));
                events.add(error);
                events.add(error);
            }
            events.add(EventRecord.sample(EventType.SAMPLE_COMPLETE, each.completed(), each.id()));
        }
        events.sort(Comparator.comparingLong(EventRecord::timestampNanos));
        events.add(0, EventRecord.session(EventType.SESSION_STARTED, START - MILLI));
        events.add(1, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, START - MILLI));
        events.add(EventRecord.session(EventType.SESSION_ENDED, START + 100_000 * MILLI));
        return events;
    }

    private String report(String format) throws IOException {
        try (RunningProcess report =
                Cli.start("report", directory.resolve("out").toString(), "--format", format)) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            return report.out();
        }
    }

    private double[] sorted(boolean latency) {
        return samples.stream()
                .filter(each -> !each.failed())
                .mapToDouble(each -> (double) ((latency ? each.completed() : each.first()) - each.issued()) / MILLI)
                .sorted()
                .toArray();
    }

    private static double numpyPercentile(double[] sorted, double percentile) {
        double place = percentile / 100 * (sorted.length - 1);
        int low = (int) place;
        int high = Math.min(low + 1, sorted.length - 1);
        return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
    }

    private static double numpyStd(double[] values) {
        double mean = java.util.Arrays.stream(values).average().orElseThrow();
        return Math.sqrt(java.util.Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .average()
                .orElseThrow());
    }

    private static void same(Object actual, double expected, String what) {
        assertThat((Double) Objects.requireNonNull(actual, what)).as(what).isCloseTo(expected, within(1e-9 * expected));
    }

    @Test
    void theVllmFileEqualsVllmsFormulas() throws IOException {
        Map<String, ?> vllm = JsonTree.read(report("vllm").getBytes(StandardCharsets.UTF_8));
        long failed = samples.stream().filter(Sample::failed).count();
        double duration = (samples.stream().mapToLong(Sample::completed).max().orElseThrow() - START + MILLI) / 1e9;
        assertThat(vllm.get("completed")).isEqualTo(500 - failed);
        assertThat(vllm.get("failed")).isEqualTo(failed);
        same(vllm.get("duration"), duration, "duration");
        same(vllm.get("request_throughput"), (500 - failed) / duration, "throughput");
        for (boolean latency : new boolean[] {true, false}) {
            double[] values = sorted(latency);
            String name = latency ? "e2el" : "ttft";
            same(
                    vllm.get("mean_" + name + "_ms"),
                    java.util.Arrays.stream(values).average().orElseThrow(),
                    "mean");
            same(vllm.get("median_" + name + "_ms"), numpyPercentile(values, 50), "median");
            same(vllm.get("std_" + name + "_ms"), numpyStd(values), "std");
            same(vllm.get("p99_" + name + "_ms"), numpyPercentile(values, 99), "p99");
            same(vllm.get("p99.9_" + name + "_ms"), numpyPercentile(values, 99.9), "p99.9");
        }
    }

    @Test
    void theAiperfFileEqualsAiperfsFormulas() throws IOException {
        Map<String, ?> aiperf = JsonTree.read(report("aiperf").getBytes(StandardCharsets.UTF_8));
        List<Sample> good = samples.stream().filter(each -> !each.failed()).toList();
        double duration = (good.stream().mapToLong(Sample::completed).max().orElseThrow()
                        - good.stream().mapToLong(Sample::issued).min().orElseThrow())
                / 1e9;
        same(((Map<?, ?>) aiperf.get("benchmark_duration")).get("avg"), duration, "duration");
        same(((Map<?, ?>) aiperf.get("request_throughput")).get("avg"), good.size() / duration, "throughput");
        double[] values = sorted(true);
        Map<?, ?> latency = (Map<?, ?>) aiperf.get("request_latency");
        same(latency.get("min"), values[0], "min");
        same(latency.get("max"), values[values.length - 1], "max");
        same(latency.get("p25"), numpyPercentile(values, 25), "p25");
        same(latency.get("p99"), numpyPercentile(values, 99), "p99");
        same(latency.get("std"), numpyStd(values), "std");
    }

    @Test
    void theRowOfSuccessesIsExactAndPresentInEveryTable() throws IOException {
        double[] values = sorted(true);
        SeriesMetric successes = Objects.requireNonNull(snapshot.series("succeeded_sample_latency_ns"));
        SeriesMetric all = Objects.requireNonNull(snapshot.series("sample_latency_ns"));
        assertThat(successes.max().longValue()).isLessThan(all.max().longValue());
        same(successes.max().doubleValue() / MILLI, values[values.length - 1], "max");
        // MLCommons' rule: the value at index floor(p/100 * (n - 1)). People see the interpolated one.
        int below = (int) Math.floor(0.999 * (values.length - 1));
        double share = 0.999 * (values.length - 1) - below;
        same(Objects.requireNonNull(successes.percentiles().get("99.9")) / MILLI, values[below], "p99.9");
        same(
                Objects.requireNonNull(successes.percentile("99.9")) / MILLI,
                values[below] + share * (values[below + 1] - values[below]),
                "interpolated p99.9");
        for (String format : List.of("text", "md", "html")) {
            assertThat(report(format)).as(format).contains("latency of successes", "TTFT of successes");
        }
    }
}
