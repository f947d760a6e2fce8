package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.ingest.JournalIngest;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.journal.RunFiles;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.storage.ValueStorage;
import io.metricsaggregator.telemetry.TelemetryFolds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal with a record whose application fails; a predicate stands in for a defect of the fold. */
class PoisonedJournalTest {
    private static final int POISON = 4;

    @TempDir
    Path run;

    private final RecordLedger ledger = new RecordLedger();
    private final LoadgenFold fold = new LoadgenFold(
            new Registry(3, 30, new ValueStorage(1 << 20, null)), ledger, new FoldOptions(false, 10, 1 << 20, 1));

    @BeforeEach
    void write() throws IOException {
        EventEncoder encoder = new EventEncoder();
        try (JournalWriter writer = new JournalWriter(run, Map.of("run_id", "a"), 1, 0, 1 << 20, -1)) {
            for (int i = 0; i < 8; i++) {
                byte[] frame = Topic.frame(
                        "sample.issued", encoder.encode(EventRecord.sample(EventType.SAMPLE_ISSUED, i, "sample-" + i)));
                writer.frame(ByteBuffer.wrap(frame), 0, frame.length, i);
                writer.endBurst(i);
            }
        }
    }

    private long replay(RecoveryMarker marker, Throwable poison) throws IOException {
        Predicate<DecodedEvent> defect = event -> {
            if (event.timestampNanos() == POISON) {
                if (poison instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) poison;
            }
            return true;
        };
        JournalIngest ingest =
                new JournalIngest(new FrameApplier(ledger, fold, new TelemetryFolds(), new EventDecoder(), defect));
        JournalRecovery recovery = new JournalRecovery();
        recovery.apply(RunFiles.local(run), marker, ingest, () -> {});
        return recovery.framesSkipped();
    }

    @Test
    void a_record_that_exhausts_the_heap_ends_one_start_and_is_skipped_by_the_next_and_by_replays() throws IOException {
        OutOfMemoryError full = new OutOfMemoryError("scripted failure");
        RecoveryMarker first = RecoveryMarker.open(run);
        assertThatThrownBy(() -> replay(first, full)).isSameAs(full);

        long before = ledger.recordsReceived.value();
        assertThat(replay(RecoveryMarker.open(run), full)).isEqualTo(1);
        assertThat(ledger.recordsReceived.value() - before).isEqualTo(7);
        assertThat(replay(RecoveryMarker.readOnly(RunFiles.local(run)), full)).isEqualTo(1);
    }

    @Test
    void a_record_that_causes_an_exception_is_skipped_at_once() throws IOException {
        for (Throwable poison : List.of(new IllegalStateException("scripted failure"), new StackOverflowError())) {
            long before = ledger.recordsReceived.value();
            RecoveryMarker marker = RecoveryMarker.open(run);
            assertThat(replay(marker, poison)).isEqualTo(1);
            marker.settled();
            assertThat(ledger.recordsReceived.value() - before).isEqualTo(7);
        }
    }
}
