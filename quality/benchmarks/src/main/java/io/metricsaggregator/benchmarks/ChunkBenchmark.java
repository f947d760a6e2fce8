package io.metricsaggregator.benchmarks;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.ChunkFrameEncoder;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Later chunks of samples in flight, in frames of 500 and as single records in batches of 500, from the frame to the applied event, per chunk. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx4g", "-XX:MaxDirectMemorySize=4g"})
public class ChunkBenchmark {
    private static final int CHUNKS = 60_000;
    private static final int FRAME_CHUNKS = 500;
    /** Mean time between the chunks of a sample; its standard deviation is 6 ms. */
    private static final long GAP_NANOS = 20_000_000;

    private static final long JITTER_NANOS = 15_000_000;
    private static final long FIRST_NANOS = 1_000_000_000_000_000L;
    /** Numbers of this size take nine bytes, as times do, so that each pass can go on counting. */
    private static final long FIRST_NUMBER = 1L << 40;

    private static final String SOURCE = "node-1:4711:00c0ffee";
    /** Header and value of {@code base_ns} or {@code timestamp_ns}: an unsigned integer of 64 bits. */
    private static final byte LONG = (byte) 0xcf;

    @Param({"1000", "30000"})
    public int inFlight;

    private final EventEncoder encoder = new EventEncoder();
    private final List<ByteBuffer> frames = new ArrayList<>();
    /** The same chunks, each with the part of the answer that it belongs to. */
    private final List<ByteBuffer> partFrames = new ArrayList<>();

    private final List<ByteBuffer> batches = new ArrayList<>();
    private final long[] offsets = new long[CHUNKS];
    private final List<Integer> bases = new ArrayList<>();
    private final List<Integer> firstNumbers = new ArrayList<>();
    private final List<int[]> times = new ArrayList<>();
    private final List<int[]> numbers = new ArrayList<>();
    private RecordLedger ledger = new RecordLedger();
    private Ingest ingest = newIngest();
    private long passes;

    private Ingest newIngest() {
        ledger = new RecordLedger();
        Registry registry = ValueMemory.newRegistry();
        LoadgenFold fold = new LoadgenFold(registry, ledger, new FoldOptions(true, 2_000_000, 1 << 20, 1));
        return new Ingest(new FrameApplier(ledger, fold), System::nanoTime);
    }

    /** Encodes the chunks both ways, each sample in turn. */
    @Setup
    public void encode() {
        SplittableRandom random = new SplittableRandom(1);
        Arrays.setAll(offsets, i -> i * GAP_NANOS / inFlight + random.nextLong(JITTER_NANOS));
        ChunkFrameEncoder chunks = new ChunkFrameEncoder(SOURCE, 7);
        ChunkFrameEncoder parts = new ChunkFrameEncoder(SOURCE, 7);
        List<byte[]> singles = new ArrayList<>();
        for (int i = 0; i < CHUNKS; i++) {
            long at = FIRST_NANOS + offsets[i];
            if (i % FRAME_CHUNKS == 0) {
                chunks.from(FIRST_NANOS + i * GAP_NANOS / inFlight);
                parts.from(FIRST_NANOS + i * GAP_NANOS / inFlight);
            }
            chunks.add(i % inFlight, at, null, null);
            parts.add(i % inFlight, at, null, ChunkPart.OUTPUT);
            singles.add(pack(record("sample.recv_non_first", at, i % inFlight, FIRST_NUMBER + i)));
            if (singles.size() == FRAME_CHUNKS) {
                int first = i + 1 - FRAME_CHUNKS;
                byte[] frame = Topic.frame(Topic.CHUNKS, chunks.take(FIRST_NUMBER + first));
                frames.add(direct(frame));
                partFrames.add(direct(Topic.frame(Topic.CHUNKS, parts.take(FIRST_NUMBER + first))));
                bases.add(place(ByteBuffer.wrap(frame), 0, FIRST_NANOS + first * GAP_NANOS / inFlight));
                firstNumbers.add(place(ByteBuffer.wrap(frame), 0, FIRST_NUMBER + first));
                byte[] batch = Topic.frame(Topic.BATCH, encoder.encodeBatch(singles));
                batches.add(direct(batch));
                times.add(places(batch, k -> FIRST_NANOS + offsets[first + k]));
                numbers.add(places(batch, k -> FIRST_NUMBER + first + k));
                singles.clear();
            }
        }
    }

    /** Finds a number in each record of a batch. */
    private static int[] places(byte[] batch, IntToLongFunction wanted) {
        int[] places = new int[FRAME_CHUNKS];
        ByteBuffer bytes = ByteBuffer.wrap(batch);
        int at = 0;
        for (int i = 0; i < FRAME_CHUNKS; i++) {
            at = place(bytes, at, wanted.applyAsLong(i));
            places[i] = at;
        }
        return places;
    }

    private static int place(ByteBuffer bytes, int from, long value) {
        int at = from;
        while (bytes.get(at) != LONG || bytes.getLong(at + 1) != value) {
            at++;
        }
        return at + 1;
    }

    private static Map<String, Object> record(String type, long at, int sample, long number) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("event_type", type);
        record.put("timestamp_ns", at);
        record.put("sample_uuid", String.format("%032x", sample * 0x9e3779b97f4a7c15L));
        record.put("source_id", SOURCE);
        record.put("seq", number);
        record.put("life", 7L);
        return record;
    }

    private static byte[] pack(Map<String, Object> record) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).clear();
    }

    private void receive(byte[] record) {
        byte[] frame = Topic.frame("event", record);
        ingest.onFrame(direct(frame), 0, frame.length);
        ingest.onBurstEnd();
    }

    /** Begins a run with all samples in flight, so that values do not accumulate without limit. */
    @Setup(Level.Iteration)
    public void renew() {
        ingest = newIngest();
        passes = 0;
        for (EventType type : List.of(EventType.SESSION_STARTED, EventType.SESSION_START_PERFORMANCE_TRACKING)) {
            receive(encoder.encode(EventRecord.session(type, FIRST_NANOS - 2)));
        }
        for (int i = 0; i < inFlight; i++) {
            receive(pack(record("sample.issued", FIRST_NANOS - 1, i, 2L * i)));
            Map<String, Object> first = record("sample.recv_first", FIRST_NANOS, i, 2L * i + 1);
            first.put("handle", (long) i);
            receive(pack(first));
        }
    }

    /** Chunks in frames. */
    @Benchmark
    @OperationsPerInvocation(CHUNKS)
    public void frames() {
        receive(frames);
    }

    /** Chunks in frames, each with its part. */
    @Benchmark
    @OperationsPerInvocation(CHUNKS)
    public void parts() {
        receive(partFrames);
    }

    private void receive(List<ByteBuffer> all) {
        for (int i = 0; i < all.size(); i++) {
            // The headers of both kinds of frames are as long.
            ByteBuffer frame = all.get(i);
            long chunk = passes * CHUNKS + (long) i * FRAME_CHUNKS;
            frame.putLong(bases.get(i), FIRST_NANOS + chunk * GAP_NANOS / inFlight);
            frame.putLong(firstNumbers.get(i), FIRST_NUMBER + chunk);
            ingest.onFrame(frame, 0, frame.capacity());
            ingest.onBurstEnd();
        }
        passes++;
        requireApplied();
    }

    /** The same chunks as single records. */
    @Benchmark
    @OperationsPerInvocation(CHUNKS)
    public void singles() {
        long begun = FIRST_NANOS + passes * CHUNKS * GAP_NANOS / inFlight;
        for (int i = 0; i < batches.size(); i++) {
            ByteBuffer batch = batches.get(i);
            int[] timesAt = times.get(i);
            int[] numbersAt = numbers.get(i);
            long chunk = passes * CHUNKS + (long) i * FRAME_CHUNKS;
            for (int k = 0; k < FRAME_CHUNKS; k++) {
                batch.putLong(timesAt[k], begun + offsets[i * FRAME_CHUNKS + k]);
                batch.putLong(numbersAt[k], FIRST_NUMBER + chunk + k);
            }
            ingest.onFrame(batch, 0, batch.capacity());
            ingest.onBurstEnd();
        }
        passes++;
        requireApplied();
    }

    private void requireApplied() {
        long received = ledger.recordsReceived.value();
        if (ledger.recordsApplied.value() != received) {
            throw new IllegalStateException(ledger.recordsApplied.value() + " of " + received + " records applied");
        }
    }
}
