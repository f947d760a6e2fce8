package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.RecordedFrames;
import io.metricsaggregator.run.GoldenCase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fsyncs of a journal, observed from outside the process. */
@Tag("strace")
class JournalSyncIT {
    private static final Pattern CALL =
            Pattern.compile("(write|fdatasync|fsync)\\(\\d+<[^>]*/(segment-\\d+\\.journal|run-[^/>]*)>");

    @TempDir
    Path directory;

    /** Returns the system calls on the segment and on its folder, in order. */
    private List<String> calls(String sync) throws IOException {
        Strace.require();
        Path trace = directory.resolve("trace-" + sync);
        Path output = directory.resolve("out-" + sync);
        String events = "ipc://" + directory.resolve("in-" + sync);
        List<String> strace =
                List.of("strace", "-f", "-qq", "-y", "-o", trace.toString(), "-e", "trace=write,fdatasync,fsync");
        String journal = directory.resolve("journal-" + sync).toString();
        String[] run =
                Cli.run(output, "--in", "bind:" + events, "--streaming", "--journal", journal, "--journal-sync", sync);
        try (RunningProcess daemon = new RunningProcess(Cli.builder(strace, List.of(), run))) {
            Cli.awaitReady(daemon, output);
            String frames = new GoldenCase("02_streaming_chunks").framesFile().toString();
            try (RunningProcess replay = Cli.start("replay", frames, "--out", "connect:" + events)) {
                assertThat(replay.awaitExit()).as("%s", replay).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        List<String> calls = new ArrayList<>();
        for (String line : Files.readAllLines(trace)) {
            Matcher matcher = CALL.matcher(line);
            if (matcher.find()) {
                calls.add(matcher.group(1) + (matcher.group(2).startsWith("run-") ? " folder" : ""));
            }
        }
        assertThat(calls).as("its header is written, then its folder fsynced").startsWith("write", "fsync folder");
        assertThat(calls).filteredOn("write"::equals).hasSizeGreaterThan(1);
        return calls;
    }

    @Test
    void syncAlwaysFsyncsBeforeTheNextWrite() throws IOException {
        List<String> calls = calls("always");
        // The first burst follows the clock, which is not packed, and is synced with it.
        assertThat(calls.get(2)).isEqualTo("write");
        List<String> bursts = calls.subList(3, calls.lastIndexOf("write") + 2);
        assertThat(bursts.size() % 2).isZero();
        for (int i = 0; i < bursts.size(); i += 2) {
            assertThat(bursts.subList(i, i + 2)).containsExactly("write", "fdatasync");
        }
    }

    @Test
    void aSyncIntervalFsyncsOnAThreadAndAtTheEnd() throws IOException {
        List<String> calls = calls("1ms");
        // One fsync at the end, when the segment is closed, and at least one before.
        assertThat(calls).filteredOn("fdatasync"::equals).hasSizeGreaterThan(1);
        assertThat(calls.lastIndexOf("fdatasync")).isGreaterThan(calls.lastIndexOf("write"));
    }

    private static List<String> traced(Path trace, String call) throws IOException {
        return Files.readAllLines(trace).stream()
                .filter(line -> line.contains(call + "("))
                .toList();
    }

    private static List<String> strace(Path trace, String... more) {
        List<String> all = new ArrayList<>(List.of("strace", "-f", "-qq", "-y", "-o", trace.toString()));
        all.addAll(List.of(more));
        return all;
    }

    @Test
    void directoriesThatTheDaemonCreatesAreDurableInTheirParents() throws IOException {
        Strace.require();
        Path trace = directory.resolve("trace");
        Path output = directory.resolve("new/deep/out");
        String[] run = Cli.run(
                output,
                "--in",
                "bind:ipc://" + directory.resolve("in"),
                "--journal",
                directory.resolve("other/journal").toString());
        try (RunningProcess daemon =
                new RunningProcess(Cli.builder(strace(trace, "-e", "trace=fsync"), List.of(), run))) {
            Cli.awaitReady(daemon, output);
            assertThat(traced(trace, "fsync"))
                    .anyMatch(line -> line.contains("<" + directory + ">"))
                    .anyMatch(line -> line.contains("<" + directory.resolve("new") + ">"))
                    .anyMatch(line -> line.contains("<" + directory.resolve("new/deep") + ">"))
                    .anyMatch(line -> line.contains("<" + directory.resolve("other") + ">"));
        }
    }

    @Test
    void aResumedRunFsyncsTheSegmentsOfTheKilledProcess() throws IOException {
        Strace.require();
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("in");
        String[] run = Cli.run(
                output,
                "--in",
                "bind:" + events,
                "--streaming",
                "--journal",
                directory.resolve("journal").toString());
        try (RunningProcess killed =
                Cli.awaitReady(new RunningProcess(Cli.builder(List.of(), List.of(), run)), output)) {
            killed.signal("KILL");
            killed.awaitExit();
        }
        Files.deleteIfExists(output.resolve(".ready"));
        Path trace = directory.resolve("trace");
        try (RunningProcess resumed =
                new RunningProcess(Cli.builder(strace(trace, "-e", "trace=fsync"), List.of(), run))) {
            Cli.awaitReady(resumed, output);
            assertThat(traced(trace, "fsync")).anyMatch(line -> line.contains("segment-00000001.journal"));
        }
    }

    /** Publishes samples that are issued and never end. */
    private void publish(String endpoint, int from, int count) throws IOException {
        EventEncoder encoder = new EventEncoder();
        Path file = Files.createTempFile(directory, "frames", ".bin");
        try (RecordedFrames.Writer writer = new RecordedFrames.Writer(file)) {
            for (int i = from; i < from + count; i++) {
                EventRecord event = i == 0
                        ? EventRecord.session(EventType.SESSION_STARTED, 1)
                        : EventRecord.sample(EventType.SAMPLE_ISSUED, 1 + i, "a-sample-" + i);
                writer.write(Topic.frame(event.type().wireName(), encoder.encode(event)));
            }
        }
        try (RunningProcess replay = Cli.start("replay", file.toString(), "--out", "connect:" + endpoint)) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
    }

    @Test
    void afterAFailedWriteTheBurstsBeforeItAreFsynced() throws IOException {
        Strace.require();
        Path trace = directory.resolve("trace");
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("in");
        try (SmallDisk disk = SmallDisk.mount(directory.resolve("disk"), "128k")) {
            String[] run = Cli.run(
                    output,
                    "--in",
                    "bind:" + events,
                    "--journal",
                    disk.path().resolve("journal").toString(),
                    "--journal-sync",
                    "3s");
            try (RunningProcess daemon =
                    new RunningProcess(Cli.builder(strace(trace, "-e", "trace=write,fdatasync"), List.of(), run))) {
                Cli.awaitReady(daemon, output);
                publish(events, 0, 10);
                Await.until(() -> written(trace) > 1, daemon::toString);
                disk.fill();
                publish(events, 10, 5_000);
                Await.until(() -> daemon.err().contains("journal write failed"), daemon::toString);
                Await.until(() -> syncedAfterFailure(trace), () -> read(trace));
            }
        }
    }

    private static String read(Path trace) {
        try {
            return Files.readString(trace);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Number of writes to the first segment. */
    private static long written(Path trace) {
        return read(trace)
                .lines()
                .filter(line -> line.contains(" write(") && line.contains("segment-00000001.journal"))
                .count();
    }

    private static boolean syncedAfterFailure(Path trace) {
        List<String> calls = read(trace)
                .lines()
                .filter(line -> line.contains("segment-00000001.journal"))
                .toList();
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).contains("ENOSPC")) {
                return calls.subList(i, calls.size()).stream().anyMatch(line -> line.contains("fdatasync("));
            }
        }
        return false;
    }

    @Test
    void syncNeverFsyncsOnlyAtTheEnd() throws IOException {
        List<String> calls = calls("never");
        assertThat(calls).filteredOn("fdatasync"::equals).hasSize(1);
        assertThat(calls.lastIndexOf("fdatasync")).isGreaterThan(calls.lastIndexOf("write"));
    }
}
