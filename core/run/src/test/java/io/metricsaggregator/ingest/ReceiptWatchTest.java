package io.metricsaggregator.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A daemon that fell behind blames no endpoint for what it receives late. */
class ReceiptWatchTest {
    private static final long SECOND = 1_000_000_000L;

    private long now;
    private final RecordLedger ledger = new RecordLedger();
    private final LoadgenFold fold = new LoadgenFold(
            new Registry(3, 30, new RawBudget(0)),
            ledger,
            new FoldOptions(Streaming.AUTO, 1000, 1 << 20, 1, null, TimeCut.NONE, true, TokenSource.TOKENIZER)
                    .withTargets(5 * SECOND, Map.of()));
    private final Ingest ingest = new Ingest(new FrameApplier(ledger, fold), () -> now);

    private void receive(EventType type) {
        byte[] frame = Topic.frame(type.wireName(), new EventEncoder().encode(EventRecord.sample(type, 1, "a")));
        ingest.onFrame(ByteBuffer.wrap(frame), 0, frame.length);
        ingest.onBurstEnd();
    }

    private Progress progress() {
        fold.waits().tick(now);
        return fold.optional().progress();
    }

    @Test
    void anAnswerThatTheStoppedDaemonReadsLateEndsNoStall() {
        ingest.waits(now, SECOND / 4);
        receive(EventType.SAMPLE_ISSUED);
        ingest.waits(now, SECOND / 4);
        now = 60 * SECOND;
        receive(EventType.SAMPLE_RECV_FIRST);
        assertThat(progress().state()).isEqualTo(ProgressState.BLIND);
        assertThat(progress().endpointStalls()).isZero();
        ingest.waits(now, SECOND / 4);
        now += 2 * SECOND - 1;
        assertThat(progress().state()).isEqualTo(ProgressState.OK);
    }

    @Test
    void aDaemonThatWaitsAsLongAsItAnnouncedIsNotBehind() {
        ingest.waits(now, 10 * SECOND);
        receive(EventType.SAMPLE_ISSUED);
        ingest.waits(now, 10 * SECOND);
        now = 10 * SECOND;
        ingest.waits(now, 10 * SECOND);
        assertThat(progress().state()).isEqualTo(ProgressState.STALLED);
        receive(EventType.SAMPLE_RECV_FIRST);
        assertThat(progress().endpointStalls()).isEqualTo(1);
    }
}
