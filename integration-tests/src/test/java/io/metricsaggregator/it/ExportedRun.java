package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.producer.RecordedFrames;
import java.io.IOException;
import java.nio.file.Path;

/** A run whose exported values are known, sent without its end first. */
final class ExportedRun {
    static final int SAMPLES = 40;
    /** Trace and span of one of the ten samples that the run keeps as its slowest. */
    static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    static final String SPAN = "b7ad6b7169203331";

    private ExportedRun() {}

    /** Writes the frames of a run whose samples take 100 ms to the first token and 250 ms in total, or those of its end. */
    static Path frames(Path directory, boolean end) throws IOException {
        Path file = directory.resolve("frames" + end + ".bin");
        try (var writer = new RecordedFrames.Writer(file)) {
            EventFrames out = new EventFrames(writer);
            if (end) {
                out.session("session.ended", 10_000);
            } else {
                out.session("session.started", 0);
                out.session("session.start_performance_tracking", 0);
                for (int i = 0; i < SAMPLES; i++) {
                    if (i == 3) {
                        out.traced(10L * i, i, "00-" + TRACE + "-" + SPAN + "-01");
                    } else {
                        out.sample("sample.issued", 10L * i, i);
                    }
                    out.sample("sample.recv_first", 10L * i + 100, i);
                    out.sample("sample.complete", 10L * i + 250, i);
                }
            }
        }
        return file;
    }

    /** Sends frames to a daemon. */
    static void publish(String events, Path file) throws IOException {
        try (RunningProcess replay = Cli.start("replay", file.toString(), "--out", "connect:" + events)) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
    }
}
