package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.samples.JournalExport;
import io.metricsaggregator.samples.SampleColumn;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.tokens.ChatFormat;
import io.metricsaggregator.tokens.HuggingFaceTokenCounter;
import io.metricsaggregator.tokens.TextLengths;
import io.metricsaggregator.tokens.TokenizerFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of samples against the report that a replay of the same journal computes: those with {@code tracked} give its figures. */
class SampleRowsIT {
    private static final RunOrigin ORIGIN = new RunOrigin("cafe", "gpu-1", 1_000_000L, 5L);

    @TempDir
    Path directory;

    private final List<Map<String, @Nullable Object>> rows = new ArrayList<>();

    private Path journal(String name, RunConfig config, List<ByteBuffer> frames) throws IOException {
        Path run = Files.createDirectory(directory.resolve(name));
        Map<String, String> description = new LinkedHashMap<>(RunConfigCodec.encode(config));
        description.putAll(ORIGIN.entries(2_000_000L));
        try (JournalWriter writer = new JournalWriter(run, description, 1, 0, 1 << 20, -1)) {
            long now = 1_000;
            for (ByteBuffer frame : frames) {
                writer.frame(frame, frame.position(), frame.remaining(), now);
                writer.endBurst(now);
                now += 1_000;
            }
        }
        return run;
    }

    private void export(Path run, @Nullable TextLengths lengths) throws IOException {
        rows.clear();
        JournalExport.writeSamples(run, lengths, values -> {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            for (int i = 0; i < values.length; i++) {
                row.put(SampleColumn.ALL.get(i).name(), values[i]);
            }
            rows.add(row);
        });
    }

    private List<Map<String, @Nullable Object>> tracked() {
        return rows.stream().filter(row -> row.get("tracked").equals(true)).toList();
    }

    private long count(String flag, boolean value) {
        return tracked().stream()
                .filter(row -> Objects.equals(row.get(flag), value) && row.get("completed_ns") != null)
                .count();
    }

    /** Compares count, sum and all percentiles of a column of tracked, completed samples with a series. */
    private void assertSeries(MetricsSnapshot report, String series, String column, boolean completed) {
        List<Number> values = tracked().stream()
                .filter(row -> !completed || row.get("completed_ns") != null)
                .map(row -> (Number) row.get(column))
                .filter(Objects::nonNull)
                .toList();
        SeriesMetric metric = report.series(series);
        assertThat(values).as(series).hasSize(metric == null ? 0 : (int) metric.count());
        if (metric == null || values.isEmpty()) {
            return;
        }
        if (values.get(0) instanceof Long) {
            BigInteger sum = values.stream()
                    .map(value -> BigInteger.valueOf(value.longValue()))
                    .reduce(BigInteger.ZERO, BigInteger::add);
            assertThat(new BigInteger(metric.total().toString())).as(series).isEqualTo(sum);
        }
        double[] ascending =
                values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
        assertThat(metric.percentiles()).isNotEmpty();
        metric.percentiles().forEach((percentile, value) -> {
            int index = (int) Math.floor(Double.parseDouble(percentile) / 100 * (ascending.length - 1));
            assertThat(value).as("%s p%s", series, percentile).isEqualTo(ascending[index]);
        });
    }

    private void assertGoodput(MetricsSnapshot report) {
        Goodput goodput = report.extensions().goodput();
        assertThat(goodput).isNotNull();
        assertThat(count("good", true)).as("good").isEqualTo(goodput.good());
        assertThat(count("good", false)).as("judged").isEqualTo(goodput.judged() - goodput.good());
    }

    private void assertCounts(MetricsSnapshot report) {
        assertSeries(report, "sample_latency_ns", "latency_ns", true);
        assertThat(tracked().stream()
                        .filter(row -> row.get("completed_ns") != null)
                        .count())
                .isEqualTo(report.counterValue("tracked_samples_completed"));
        assertThat(tracked().stream()
                        .filter(row -> row.get("completed_ns") == null)
                        .count())
                .isEqualTo(report.extensions().inFlight().tracked());
        SeriesMetric failed = report.series("failed_sample_latency_ns");
        assertThat(count("failed", true)).isEqualTo(failed == null ? 0 : failed.count());
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.get("window") != null).isEqualTo(row.get("tracked").equals(true));
            assertThat(row.get("tracked").equals(true) || row.get("good") == null)
                    .isTrue();
            assertThat(row.get("run_id")).isEqualTo("cafe");
            assertThat(row.get("node")).isEqualTo("gpu-1");
            assertThat(row.get("wall_offset_ns")).isEqualTo(1_000_000L);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01_minimal",
                "02_streaming_chunks",
                "03_windows_in_flight",
                "05a_tokens_text",
                "05b_tokens_chat_template",
                "05d_no_tokenizer_token_ids",
                "06a_early_stopping_700",
                "07_odd_encodings",
                "08a_malformed",
                "09a_empty_run",
                "09b_never_started"
            })
    void tracked_rows_of_a_golden_journal_give_the_figures_of_its_report(String name) throws IOException {
        GoldenCase golden = new GoldenCase(name);
        Path tokenizer = golden.tokenizer();
        RunConfig.Tokenizer settings = null;
        RunResources.Tokens tokens = null;
        TextLengths lengths = null;
        if (tokenizer != null) {
            Path file = TokenizerFile.find(tokenizer.toString());
            ChatFormat chat = ChatFormat.beside(file);
            settings = new RunConfig.Tokenizer(
                    "golden", chat.source(), chat.version().toString());
            tokens = new RunResources.Tokens(HuggingFaceTokenCounter.open(file), chat, 1, 1L << 30);
            lengths = new TextLengths(HuggingFaceTokenCounter.open(file), chat);
        }
        RunConfig plain = RunConfig.builder()
                .version("test")
                .streaming(golden.streaming() ? Streaming.ON : Streaming.OFF)
                .tokenizer(settings)
                .build();
        RunResources resources = new RunResources(tokens, 1_000_000, 1L << 30, null);
        MetricsSnapshot first =
                JournalReplay.open(journal("plain", plain, golden.frames())).compute(plain, resources);
        RunConfig judged = plain.toBuilder()
                .objectives(new Slo(
                        golden.streaming() ? median(first, "ttft_ns") : Slo.NONE,
                        golden.streaming() && settings != null ? median(first, "tpot_ns") : Slo.NONE,
                        median(first, "sample_latency_ns"),
                        0.9))
                .build();
        Path run = journal("judged", judged, golden.frames());
        MetricsSnapshot report = JournalReplay.open(run).compute(judged, resources);
        export(run, lengths);
        assertCounts(report);
        assertGoodput(report);
        assertSeries(report, "isl", "isl", false);
        if (golden.streaming()) {
            assertSeries(report, "ttft_ns", "ttft_ns", false);
        }
        if (tokenizer != null) {
            assertSeries(report, "osl", "osl", true);
        }
        if (golden.streaming() && tokenizer != null) {
            assertSeries(report, "tpot_ns", "tpot_ns", true);
        }
    }

    private static long median(MetricsSnapshot report, String series) {
        SeriesMetric metric = report.series(series);
        Double median = metric == null ? null : metric.percentiles().get("50.0");
        return median == null ? 1 : Math.max(1, median.longValue());
    }

    @Test
    void tracked_rows_of_a_soup_of_events_give_the_figures_of_its_report() throws IOException {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("SampleRowsIT seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 24; i++) {
            RunConfig config = RunConfig.builder()
                    .version("test")
                    .trackAll(i % 3 == 2)
                    .objectives(new Slo(i % 2 == 0 ? 400 : Slo.NONE, Slo.NONE, 600, 0.5))
                    .build();
            Path run = journal("soup-" + i, config, soup(random));
            MetricsSnapshot report =
                    JournalReplay.open(run).compute(config, new RunResources(null, 1_000_000, 1L << 30, null));
            export(run, null);
            assertCounts(report);
            assertGoodput(report);
        }
    }

    /** Events in any order: retries in and outside windows, orphans, repetitions, records after the end, times that jump back. */
    private static List<ByteBuffer> soup(Random random) {
        EventType[] types = EventType.values();
        EventType[] steps = {
            EventType.SAMPLE_ISSUED,
            EventType.SAMPLE_RECV_FIRST,
            EventType.SAMPLE_RECV_NON_FIRST,
            EventType.SAMPLE_COMPLETE,
            EventType.ERROR_CLIENT
        };
        List<ByteBuffer> frames = new ArrayList<>();
        int end = 900 + random.nextInt(300);
        for (int i = 0; i < 1_000; i++) {
            long now = 10L * i + random.nextInt(10) - (random.nextInt(10) == 0 ? random.nextInt(500) : 0);
            boolean step = random.nextInt(12) > 0;
            EventType type = step ? steps[random.nextInt(steps.length)] : types[random.nextInt(types.length)];
            if (type == EventType.SESSION_ENDED) {
                continue;
            }
            String id =
                    random.nextInt(40) == 0 ? "" : "sample-" + "x".repeat(random.nextInt(3) * 30) + random.nextInt(9);
            boolean ofSample = type.isStepOfSample() || type == EventType.ERROR_CLIENT;
            EventRecord event = ofSample ? EventRecord.sample(type, now, id) : EventRecord.session(type, now);
            if (type == EventType.ERROR_CLIENT && random.nextBoolean()) {
                event = event.withData(new ErrorData("Timeout", "no answer"));
            }
            frames.add(frame(i == end ? EventRecord.session(EventType.SESSION_ENDED, now) : event));
        }
        return frames;
    }

    private static ByteBuffer frame(EventRecord event) {
        return ByteBuffer.wrap(Topic.frame("events", new EventEncoder().encode(event)));
    }
}
