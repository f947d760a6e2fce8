package io.metricsaggregator.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
    private static final long MILLI = 1_000_000L;

    @TempDir
    Path directory;

    @Test
    void pausesAreTimestampDifferencesDividedByTheSpeed() throws IOException {
        Path file = directory.resolve("frames.bin");
        EventEncoder encoder = new EventEncoder();
        try (RecordedFrames.Writer writer = new RecordedFrames.Writer(file)) {
            writer.write(new byte[3]);
            writer.write(Topic.frame("session.started", encoder.encode(at(0))));
            writer.write(
                    Topic.frame(Topic.BATCH, encoder.encodeBatch(List.of(new byte[0], encoder.encode(at(50_000))))));
            writer.write(Topic.frame("session.started", encoder.encode(at(100_000))));
            // A jump of the clock by hours causes no pause.
            writer.write(Topic.frame("session.started", encoder.encode(at(40_000_000))));
        }
        long full = replay(file, 0);
        assertThat(full).isLessThan(30_000);
        long fast = replay(file, 500);
        assertThat(fast).isBetween(200L, 30_000L);
    }

    private static EventRecord at(long millis) {
        return EventRecord.session(EventType.SESSION_STARTED, millis * MILLI);
    }

    private long replay(Path file, double speed) throws IOException {
        try (FramePublisher publisher = new FramePublisher(
                        List.of(Endpoint.parse("bind:ipc://" + directory.resolve("out"), true)),
                        TransportOptions.defaults(),
                        1 << 20);
                RecordedFrames frames = new RecordedFrames(file)) {
            long start = System.nanoTime();
            Replay.Published published = new Replay().run(frames, publisher, speed);
            assertThat(published.frames()).isEqualTo(5);
            return (System.nanoTime() - start) / MILLI;
        }
    }
}
