package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.run.GoldenCase;
import java.io.IOException;
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
        List<String> bursts = calls.subList(2, calls.lastIndexOf("write") + 2);
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

    @Test
    void syncNeverFsyncsOnlyAtTheEnd() throws IOException {
        List<String> calls = calls("never");
        assertThat(calls).filteredOn("fdatasync"::equals).hasSize(1);
        assertThat(calls.lastIndexOf("fdatasync")).isGreaterThan(calls.lastIndexOf("write"));
    }
}
