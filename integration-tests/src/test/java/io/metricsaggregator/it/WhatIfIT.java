package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.RecordedFrames;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs recomputed from their journal, with the same and with different settings. */
class WhatIfIT {
    @TempDir
    Path directory;

    private Path journal() {
        return directory.resolve("journal");
    }

    private MetricsSnapshot run(Path frames, String... more) throws IOException {
        Path output = directory.resolve("out");
        String in = "ipc://" + directory.resolve("events");
        List<String> options = new ArrayList<>(
                List.of("--in", "bind:" + in, "--journal", journal().toString()));
        options.addAll(List.of(more));
        try (RunningProcess daemon = Cli.daemon(output, options.toArray(new String[0]))) {
            try (RunningProcess replay = Cli.start("replay", frames.toString(), "--out", "connect:" + in)) {
                assertThat(replay.awaitExit()).as("%s", replay).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        return FinalSnapshotFile.read(output);
    }

    private MetricsSnapshot replay(String name, String... more) throws IOException {
        Path output = directory.resolve(name);
        List<String> arguments =
                new ArrayList<>(List.of("replay", journal().toString(), "--output-dir", output.toString()));
        arguments.addAll(List.of(more));
        try (RunningProcess replay = Cli.start(arguments.toArray(new String[0]))) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
        return FinalSnapshotFile.read(output);
    }

    @Test
    void tokensAndGoodputAreRecomputedWithTheSameAndWithOtherObjectives() throws IOException {
        GoldenCase golden = new GoldenCase("05a_tokens_text");
        MetricsSnapshot was = run(
                golden.framesFile(),
                "--streaming",
                "--tokenizer",
                golden.tokenizer().toString(),
                "--slo",
                "ttft=1h,tpot=1h,latency=1h");
        assertThat(was.extensions().goodput().judged()).isEqualTo(was.counterValue("tracked_samples_completed"));
        assertThat(was.extensions().goodput().good()).isPositive();

        MetricsSnapshot again = replay("again");
        golden.assertMatches(again, "expected_final_snapshot.json", Set.of());
        assertThat(again.extensions().goodput()).isEqualTo(was.extensions().goodput());
        assertThat(again.extensions().run().recomputed()).isEmpty();

        long median = was.series("sample_latency_ns").percentile("50.0").longValue();
        MetricsSnapshot stricter = replay("stricter", "--slo", "latency=" + median + "ns,share=50%");
        Goodput goodput = stricter.extensions().goodput();
        assertThat(goodput.constraints())
                .singleElement()
                .satisfies(each -> assertThat(each.limitNanos()).isEqualTo(median));
        assertThat(goodput.good()).isPositive().isLessThan(goodput.judged());
        assertThat(stricter.extensions().run().recomputed()).containsExactly("judged by other objectives");

        MetricsSnapshot uncounted = replay("uncounted", "--tokenizer", "none", "--percentiles", "99.99,12.5");
        assertThat(uncounted.series("osl").count()).isZero();
        assertThat(uncounted.series("sample_latency_ns").percentiles()).containsKeys("99.99", "12.5", "99.9");

        Path database = directory.resolve("run.db");
        try (RunningProcess export = Cli.start(
                "export",
                journal().toString(),
                "--format",
                "sqlite",
                "-o",
                database.toString(),
                "--tokenizer",
                golden.tokenizer().toString())) {
            assertThat(export.awaitExit()).as("%s", export).isZero();
        }
        try (RunningProcess python = Python.start("read_database.py", database.toString())) {
            assertThat(python.awaitExit()).as("%s", python).isZero();
            assertThat(python.out().lines())
                    .containsExactly(
                            Long.toString(was.counterValue("records_received")),
                            Long.toString(was.counterValue("total_samples_completed")),
                            was.series("sample_latency_ns").total().toString(),
                            was.series("isl").total().toString(),
                            was.series("osl").total().toString(),
                            "true");
        }
    }

    @Test
    void aTimeWindowAndARunWithoutAWorkerAreRecomputedFromAllRecords() throws IOException {
        Path frames = directory.resolve("frames.bin");
        TwoWorkers.write(frames);
        MetricsSnapshot was = run(frames, "--streaming");
        assertThat(was.counterValue("tracked_samples_completed")).isEqualTo(TwoWorkers.SAMPLES);

        MetricsSnapshot without = replay("without", "--exclude-worker", "1");
        assertThat(without.counterValue("tracked_samples_completed")).isEqualTo(TwoWorkers.SAMPLES / 2);
        assertThat(without.series("sample_latency_ns").max()).isEqualTo(TwoWorkers.FAST_NANOS);
        assertThat(without.counterValue("events_orphan")).isZero();
        assertThat(without.extensions().workers()).noneMatch(row -> row.worker().equals("1"));
        assertThat(without.extensions().run().recomputed())
                .containsExactly("without worker 1", TwoWorkers.SAMPLES * 3 / 2 + " records left out with the workers");

        MetricsSnapshot part = replay("part", "--window", "10s..20s");
        assertThat(part.counterValue("tracked_samples_issued")).isEqualTo(10);
        assertThat(part.counterValue("total_samples_issued")).isEqualTo(TwoWorkers.SAMPLES);
        assertThat(part.counterValue("tracked_duration_ns") / 1e9).isCloseTo(9.0, within(0.5));

        MetricsSnapshot outside = replay("outside", "--window", "300s..600s");
        assertThat(outside.extensions().run().recomputed())
                .containsExactly("only samples issued in 5m..10m since the start of the session");
        assertThat(Verdict.of(outside).findings())
                .filteredOn(each -> each.what().equals("samples"))
                .singleElement()
                .satisfies(each -> assertThat(each.evidence())
                        .startsWith("the window 5m..10m lies outside the run, which lasted "));

        MetricsSnapshot warm = replay("warm", "--warmup-cut", "15s");
        assertThat(warm.counterValue("tracked_samples_issued")).isEqualTo(TwoWorkers.SAMPLES - 15);
        try (RunningProcess wrong = Cli.start("replay", journal().toString(), "--window", "20s..10s")) {
            assertThat(wrong.awaitExit()).isEqualTo(2);
            assertThat(wrong.err()).contains("--window '20s..10s' ends before it starts");
        }
    }

    /** A sample per second, alternating between two workers that only the completions name; worker 1 is slow. */
    private static final class TwoWorkers {
        static final int SAMPLES = 40;
        static final long FAST_NANOS = 100_000_000L;

        private final RecordedFrames.Writer writer;
        private final EventEncoder encoder = new EventEncoder();

        private TwoWorkers(RecordedFrames.Writer writer) {
            this.writer = writer;
        }

        static void write(Path file) throws IOException {
            try (RecordedFrames.Writer writer = new RecordedFrames.Writer(file)) {
                new TwoWorkers(writer).write();
            }
        }

        private void write() throws IOException {
            write(EventRecord.session(EventType.SESSION_STARTED, 0));
            write(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
            for (int i = 0; i < SAMPLES; i++) {
                long issued = i * 1_000_000_000L;
                long latency = i % 2 == 0 ? FAST_NANOS : 3 * FAST_NANOS;
                write(EventRecord.sample(EventType.SAMPLE_ISSUED, issued, "s" + i));
                write(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, issued + latency / 2, "s" + i));
                write(EventRecord.sample(EventType.SAMPLE_COMPLETE, issued + latency, "s" + i)
                        .from(i % 2, i / 2));
            }
            write(EventRecord.session(EventType.SESSION_ENDED, SAMPLES * 1_000_000_000L));
        }

        private void write(EventRecord event) throws IOException {
            writer.write(Topic.frame(event.type().wireName(), encoder.encode(event)));
        }
    }
}
