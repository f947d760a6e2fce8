package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.FoldOptions;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.Streaming;
import io.metricsaggregator.fold.TimeCut;
import io.metricsaggregator.fold.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.RawBudget;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.SteadyState;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The steady state is judged by the batches after the last stall. */
class ClosedBatchesTest {
    private static final long SECOND = 1_000_000_000L;

    private final LoadgenFold fold = new LoadgenFold(
            new Registry(3, 30, new RawBudget(0)),
            new RecordLedger(),
            new FoldOptions(Streaming.AUTO, 1000, 1 << 20, 1, null, TimeCut.NONE, true, TokenSource.TOKENIZER)
                    .withTargets(5 * SECOND, Map.of()));

    /** Ten samples a second of 100 ms each, received when they happen. */
    private void load(int fromSecond, int toSecond) {
        for (int i = fromSecond * 10; i < toSecond * 10; i++) {
            event(i * SECOND / 10, EventType.SAMPLE_ISSUED, "s" + i);
            event(i * SECOND / 10 + SECOND / 20, EventType.SAMPLE_COMPLETE, "s" + i);
        }
    }

    private void event(long nanos, EventType type, String id) {
        byte[] bytes = new EventEncoder().encode(EventRecord.sample(type, nanos, id));
        DecodedEvent event = new DecodedEvent();
        assertThat(new EventDecoder().decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                .isNull();
        fold.apply(new DecodedEvent[] {event}, 1, nanos);
    }

    private SteadyState state() {
        ClosedBatches closed =
                ClosedBatches.of(fold.batches(), Long.MAX_VALUE, fold.waits().stalledUntilNanos(), fold.slices());
        return new SteadyJudge(600).judge(closed);
    }

    @Test
    void aLevelDoesNotSpanAStall() {
        load(0, 20);
        assertThat(state().state()).isEqualTo("steady");
        assertThat(state().steadySeconds()).isGreaterThan(15);
        event(20 * SECOND, EventType.SAMPLE_ISSUED, "hangs");
        fold.waits().tick(26 * SECOND);
        assertThat(state().state()).as("during the stall").isEqualTo("warming_up");
        event(30 * SECOND, EventType.SAMPLE_COMPLETE, "hangs");
        load(31, 34);
        assertThat(state().state()).as("three seconds after it").isEqualTo("warming_up");
        load(34, 41);
        assertThat(state().state()).isEqualTo("steady");
        assertThat(state().sinceNanos()).isGreaterThanOrEqualTo(31 * SECOND);
        assertThat(state().steadySeconds()).isLessThanOrEqualTo(10);
    }
}
