package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code produce --from FORMAT FILE --follow} on files that grow while it reads. */
class FollowIT {
    private static final Path REAL =
            Path.of(System.getProperty("project.root", ".."), "tools/imports/src/test/resources/real");

    @TempDir
    Path directory;

    private String events() {
        return "ipc://" + directory.resolve("events");
    }

    private RunningProcess daemon() throws IOException {
        return Cli.daemon(directory.resolve("out"), "--in", "connect:" + events(), "--publish-interval", "100ms");
    }

    private RunningProcess produce(String format, Path file, String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("produce", "--from", format, file.toString(), "--out", "bind:" + events()));
        Collections.addAll(arguments, more);
        return Cli.start(arguments.toArray(new String[0]));
    }

    private static byte[] aiperf() throws IOException {
        try (InputStream in =
                new GZIPInputStream(Files.newInputStream(REAL.resolve("aiperf/clean/profile_export.jsonl.gz")))) {
            return in.readAllBytes();
        }
    }

    private MetricsSnapshot imported(Path file) throws IOException {
        Path output = directory.resolve("imported");
        try (RunningProcess imports =
                Cli.start("import", "aiperf", file.toString(), "--output-dir", output.toString())) {
            assertThat(imports.awaitExit()).as("%s", imports).isZero();
        }
        return FinalSnapshotFile.read(output);
    }

    @Test
    void aFileWrittenInPiecesGivesTheFiguresOfItsImport() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        byte[] content = aiperf();
        Path file = directory.resolve("profile_export.jsonl");
        try (RunningProcess producer = produce("aiperf", file, "--follow", "--until-idle", "3s");
                RunningProcess daemon = daemon()) {
            for (int at = 0; at < content.length; ) {
                int next = Math.min(content.length, at + 1 + random.nextInt(9000));
                Files.write(
                        file,
                        Arrays.copyOfRange(content, at, next),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
                at = next;
            }
            assertThat(producer.awaitExit()).as("%s", producer).isZero();
            assertThat(producer.err())
                    .contains("published 22 requests of " + file)
                    .doesNotContain("skipped");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot live = FinalSnapshotFile.read(directory.resolve("out"));
        MetricsSnapshot whole = imported(file);
        for (String counter : List.of(
                "tracked_samples_issued", "tracked_samples_completed", "tracked_duration_ns", "total_samples_issued")) {
            assertThat(live.counterValue(counter)).as(counter).isEqualTo(whole.counterValue(counter));
        }
        for (String series : List.of("ttft_ns", "sample_latency_ns", "chunk_delta_ns")) {
            SeriesMetric one = Objects.requireNonNull(live.series(series));
            SeriesMetric other = Objects.requireNonNull(whole.series(series));
            assertThat(one.total()).as(series).isEqualTo(other.total());
            assertThat(one.percentiles()).as(series).isEqualTo(other.percentiles());
            assertThat(one.histogram()).as(series).isEqualTo(other.histogram());
        }
    }

    @Test
    void theRunMovesWhileTheToolWritesAndEndsWithASignal() throws Exception {
        List<String> lines =
                new String(aiperf(), StandardCharsets.UTF_8).lines().toList();
        Path file = directory.resolve("profile_export.jsonl");
        Path metrics = directory.resolve("metrics");
        try (RunningProcess producer = produce("auto", file, "--follow");
                RunningProcess daemon = Cli.daemon(
                        directory.resolve("out"),
                        "--in",
                        "connect:" + events(),
                        "--out",
                        "bind:ipc://" + metrics,
                        "--publish-interval",
                        "100ms")) {
            Files.writeString(
                    file,
                    String.join("\n", lines.subList(0, 12)) + "\n"
                            + lines.get(12).substring(0, 50));
            try (SnapshotWatch watch = new SnapshotWatch("ipc://" + metrics)) {
                watch.await(now -> now.counterValue("total_samples_completed") == 12);
            }
            producer.signal("TERM");
            assertThat(producer.awaitExit()).as("%s", producer).isZero();
            assertThat(producer.err()).contains("published 12 requests", "skipped 1 truncated");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }

    @Test
    void aNamedPipeIsReadUntilItsWriterClosesIt() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        try (RunningProcess producer = produce("vegeta", pipe);
                RunningProcess daemon = daemon()) {
            try (OutputStream out = Files.newOutputStream(pipe, StandardOpenOption.WRITE)) {
                for (int i = 0; i < 500; i++) {
                    out.write(("{\"attack\":\"\",\"seq\":" + i + ",\"code\":200,\"timestamp\":\"2026-11-01T10:00:0"
                                    + i % 10
                                    + ".25Z\",\"latency\":" + (1_000_000 + i) + ",\"bytes_out\":1,\"bytes_in\":1,"
                                    + "\"error\":\"\",\"body\":null,\"method\":\"GET\",\"url\":\"http://h/\",\"headers\":null}\n")
                            .getBytes(StandardCharsets.UTF_8));
                }
            }
            assertThat(producer.awaitExit()).as("%s", producer).isZero();
            assertThat(producer.err()).contains("published 500 requests of " + pipe);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertThat(FinalSnapshotFile.read(directory.resolve("out")).counterValue("tracked_samples_completed"))
                .isEqualTo(500);
    }

    @Test
    void aFormatThatIsWrittenAtTheEndOfARunIsRefused() throws Exception {
        try (RunningProcess producer = produce("guidellm", directory.resolve("benchmarks.json"), "--follow")) {
            assertThat(producer.awaitExit()).isEqualTo(2);
            assertThat(producer.err())
                    .contains("--from guidellm cannot be published while it is written", "use import");
        }
    }
}
