package io.metricsaggregator.benchmarks;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Decoding and folding of one sample whose records carry every optional key: labels, parts and tokens of chunks, usage. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OptionalKeysBenchmark {
    private static final int RECORDS = 6;
    private static final long FIRST_NANOS = 1_000_000_000_000_000L;
    private static final String ID = "0123456789abcdef0123456789abcdef";
    private static final String LAST = "fedcba9876543210fedcba9876543210";

    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent[] events = new DecodedEvent[RECORDS];
    private final ByteBuffer[] records = new ByteBuffer[RECORDS];
    private LoadgenFold fold = newFold();

    private static LoadgenFold newFold() {
        // Without memory for raw values, so that only what the fold itself allocates is measured.
        return new LoadgenFold(
                new Registry(3, 30, new RawBudget(0)), new RecordLedger(), new FoldOptions(true, 1000, 1 << 20, 1));
    }

    /** Encodes the records and begins a session. */
    @Setup
    public void encode() {
        EventEncoder encoder = new EventEncoder();
        List<EventRecord> sample = List.of(
                EventRecord.sample(EventType.SAMPLE_ISSUED, FIRST_NANOS + 10, ID)
                        .withLabels(Map.of("endpoint", "http://node-1:8000", "tenant", "a"))
                        .inConversation("a conversation with a long id", 1L),
                EventRecord.sample(EventType.SAMPLE_RECV_FIRST, FIRST_NANOS + 20, ID)
                        .withPart(ChunkPart.REASONING)
                        .withTokens(1),
                EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, FIRST_NANOS + 30, ID)
                        .withPart(ChunkPart.OUTPUT)
                        .withTokens(4),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, FIRST_NANOS + 40, ID)
                        .withUsage(Usage.of(2000, 5).with(UsageKey.CACHED_TOKENS, 1536)),
                // A conversation that begins and ends each time.
                EventRecord.sample(EventType.SAMPLE_ISSUED, FIRST_NANOS + 50, LAST)
                        .inConversation("another", 1L)
                        .withLastTurn(),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, FIRST_NANOS + 60, LAST));
        for (int i = 0; i < RECORDS; i++) {
            byte[] record = encoder.encodePresent(sample.get(i), null, null);
            records[i] = ByteBuffer.allocateDirect(record.length).put(record).clear();
            events[i] = new DecodedEvent();
        }
        fold = newFold();
        DecodedEvent event = new DecodedEvent();
        for (EventType type : List.of(EventType.SESSION_STARTED, EventType.SESSION_START_PERFORMANCE_TRACKING)) {
            ByteBuffer record = ByteBuffer.wrap(encoder.encode(EventRecord.session(type, FIRST_NANOS)));
            decoder.decode(record, 0, record.limit(), event);
            fold.apply(new DecodedEvent[] {event}, 1);
        }
    }

    /** Decodes and applies the records of a sample with all optional keys, and of one that is a conversation of its own. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public boolean optionalKeys() {
        for (int i = 0; i < RECORDS; i++) {
            decoder.decode(records[i], 0, records[i].limit(), events[i]);
        }
        fold.apply(events, RECORDS);
        return fold.isEnded();
    }
}
