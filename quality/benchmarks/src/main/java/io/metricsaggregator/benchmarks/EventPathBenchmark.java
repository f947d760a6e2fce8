package io.metricsaggregator.benchmarks;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Decoding and folding, per record, over a megabyte of records, which stays in a near cache like data that was just read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx4g", "-XX:MaxDirectMemorySize=4g"})
public class EventPathBenchmark {
    private static final int SAMPLES = 1_000;
    private static final int RECORDS = SAMPLES * Workload.RECORDS_PER_SAMPLE;
    private static final int FOLDED_SAMPLES = 2_000;
    private static final int FOLDED = FOLDED_SAMPLES * Workload.RECORDS_PER_SAMPLE;
    private static final int IN_FLIGHT = 500;
    /** From one pass over the records to the next: time goes on as in a run. */
    private static final long PASS_NANOS = (SAMPLES + IN_FLIGHT) * Workload.STEP_NANOS;

    private final Frames batches = new Frames(new Workload(SAMPLES, IN_FLIGHT), 1000);
    private final Frames ownBatches =
            new Frames(new Workload(SAMPLES, IN_FLIGHT, Traits.NONE, Workload.Writer.PYTHON), 1000);
    private final Frames javaBatches =
            new Frames(new Workload(SAMPLES, IN_FLIGHT, Traits.NONE, Workload.Writer.JAVA), 1000);
    private final Frames singles = new Frames(new Workload(SAMPLES, IN_FLIGHT), 1);
    private final EventDecoder decoder = new EventDecoder();
    private final BatchReader batch = new BatchReader();
    private final DecodedEvent event = new DecodedEvent();
    private final List<DecodedEvent[]> blocks = blocks();
    private RecordLedger ledger = new RecordLedger();
    private LoadgenFold fold = newFold(ledger);
    private long passes;
    private Ingest ingest = new Ingest(new FrameApplier(ledger, fold), System::nanoTime);

    /** Creates a new run, so that values do not accumulate without limit. */
    @Setup(Level.Iteration)
    public void renew() {
        passes = 0;
        ledger = new RecordLedger();
        fold = newFold(ledger);
        ingest = new Ingest(new FrameApplier(ledger, fold), System::nanoTime);
        EventEncoder encoder = new EventEncoder();
        for (EventType type : List.of(EventType.SESSION_STARTED, EventType.SESSION_START_PERFORMANCE_TRACKING)) {
            byte[] frame =
                    Topic.frame(type.wireName(), encoder.encode(EventRecord.session(type, 1_000_000_000_000_000L)));
            ingest.onFrame(direct(frame), 0, frame.length);
            ingest.onBurstEnd();
        }
    }

    private static LoadgenFold newFold(RecordLedger ledger) {
        Registry registry = ValueMemory.newRegistry();
        return new LoadgenFold(registry, ledger, new FoldOptions(true, 2_000_000, 1 << 20, 1));
    }

    /** Copies to direct memory, as a socket delivers it: code that has seen two kinds of buffers is slower with both. */
    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).clear();
    }

    /** Decodes the blocks once, as input of the fold. */
    private static List<DecodedEvent[]> blocks() {
        List<DecodedEvent> events = new ArrayList<>();
        EventDecoder decoder = new EventDecoder();
        new Workload(FOLDED_SAMPLES, IN_FLIGHT).forEach((topic, record) -> {
            DecodedEvent decoded = new DecodedEvent();
            decoder.decode(direct(record), 0, record.length, decoded);
            events.add(decoded);
        });
        List<DecodedEvent[]> blocks = new ArrayList<>();
        for (int i = 0; i < events.size(); i += 64) {
            blocks.add(events.subList(i, Math.min(events.size(), i + 64)).toArray(new DecodedEvent[0]));
        }
        return blocks;
    }

    /** Splits batches into records and decodes them. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long decode() {
        return decode(batches);
    }

    /** The same of records as the Python client writes them. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long decodeOwn() {
        return decode(ownBatches);
    }

    /** The same of records as the Java client writes them. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long decodeJava() {
        return decode(javaBatches);
    }

    private long decode(Frames frames) {
        long[] sum = new long[1];
        frames.forEach((buffer, start, length) -> {
            batch.open(buffer, start + Topic.LENGTH, length - Topic.LENGTH);
            while (batch.next()) {
                if (decoder.decode(buffer, batch.start(), batch.length(), event) == null) {
                    sum[0] += event.timestampNanos();
                }
            }
        });
        return sum[0];
    }

    /** Applies decoded records with 500 samples in flight. */
    @Benchmark
    @OperationsPerInvocation(FOLDED)
    public void fold() {
        for (int i = 0; i < blocks.size(); i++) {
            fold.apply(blocks.get(i), blocks.get(i).length);
        }
    }

    /** From frames of 1000 records to applied events. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void ingestBatches() {
        batches.later(passes++ * PASS_NANOS);
        batches.feed(ingest);
    }

    /** The same of records as the Python client writes them. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void ingestOwnBatches() {
        ownBatches.later(passes++ * PASS_NANOS);
        ownBatches.feed(ingest);
    }

    /** The same of records as the Java client writes them. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void ingestJavaBatches() {
        javaBatches.later(passes++ * PASS_NANOS);
        javaBatches.feed(ingest);
    }

    /** From frames of one record to applied events. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void ingestSingles() {
        singles.later(passes++ * PASS_NANOS);
        singles.feed(ingest);
    }
}
