package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalClockTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Map<String, String> RUN = Map.of("run_id", "cafe");

    @TempDir
    private Path run;

    private long before;

    @BeforeEach
    void wallClockBeforeTheRun() {
        before = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    private JournalWriter writer(int segment, long sequence, long segmentMaxBytes) throws IOException {
        return new JournalWriter(run, RUN, segment, sequence, segmentMaxBytes, -1);
    }

    private static void burst(JournalWriter writer, long nanos) {
        writer.frame(ByteBuffer.allocate(100), 0, 100, nanos);
        writer.endBurst(nanos);
    }

    private JournalReader read() throws IOException {
        JournalReader reader = new JournalReader();
        reader.read(run, new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {
                // The test reads only the clock.
            }

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                // The test reads only the clock.
            }
        });
        assertThat(reader.missingEntries()).isZero();
        assertThat(reader.skippedBytes()).isZero();
        return reader;
    }

    @Test
    void aRunThatWasKilledEndsAtItsLastBurst() throws IOException {
        try (JournalWriter writer = writer(1, 0, 1 << 20)) {
            burst(writer, 70 * SECOND);
            burst(writer, 100 * SECOND);
        }
        JournalClock clock = read().clock();
        assertThat(clock.endNanos()).isEqualTo(100 * SECOND);
        assertThat(clock.endWallNanos(0)).isBetween(before + 30 * SECOND, before + 60 * SECOND);
    }

    @Test
    void aFinishedRunEndsWithItsLastSnapshot() throws IOException {
        try (JournalWriter writer = writer(1, 0, 1 << 20)) {
            burst(writer, 70 * SECOND);
            writer.end(75 * SECOND, 5_000 * SECOND);
        }
        JournalClock clock = read().clock();
        assertThat(clock.endNanos()).isEqualTo(75 * SECOND);
        assertThat(clock.endWallNanos(0)).isEqualTo(5_000 * SECOND);
    }

    @Test
    void eachSegmentAndEachRestartPairsTheClocksAgain() throws IOException {
        long sequence;
        try (JournalWriter writer = writer(1, 0, 1)) {
            burst(writer, 500 * SECOND);
            burst(writer, 501 * SECOND);
        }
        JournalReader first = read();
        sequence = first.nextSequence();
        // A reboot: the monotonic clock restarts near zero.
        try (JournalWriter writer = writer(first.nextSegment(), sequence, 1 << 20)) {
            burst(writer, 2 * SECOND);
        }
        JournalClock clock = read().clock();
        assertThat(clock.endNanos()).isEqualTo(2 * SECOND);
        assertThat(clock.endWallNanos(0)).isBetween(before, before + 60 * SECOND);
    }

    @Test
    void withoutPairedClocksTheEndIsTheStartPlusTheTimeOfTheBursts() {
        JournalClock clock = new JournalClock();
        assertThat(clock.endWallNanos(9 * SECOND)).isEqualTo(9 * SECOND);
        clock.burst(70 * SECOND);
        clock.burst(100 * SECOND);
        assertThat(clock.endWallNanos(9 * SECOND)).isEqualTo(39 * SECOND);
    }
}
