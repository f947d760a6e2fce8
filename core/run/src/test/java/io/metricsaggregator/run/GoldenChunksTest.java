package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.frame.ChunkFrameEncoder;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.series.Streaming;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.msgpack.core.MessagePack;

/** Streams of MLCommons endpoints whose later chunks are sent in frames, as one of our clients sends them, have the figures of the reference. */
class GoldenChunksTest {
    private static final String SOURCE = "golden";
    private static final long LIFE = 7;
    private static final int CHUNKS_MAX = 100;

    private final MsgpackTree tree = new MsgpackTree();
    private final EventEncoder encoder = new EventEncoder();
    private final ChunkFrameEncoder chunks = new ChunkFrameEncoder(SOURCE, LIFE);
    private final Map<Object, Integer> handles = new HashMap<>();
    private final Set<Object> waiting = new HashSet<>();
    private final List<byte[]> batch = new ArrayList<>();
    private final List<byte[]> frames = new ArrayList<>();
    private long sequence;
    private long sent;

    /** Sends the records before the chunks: none is of a sample whose chunks wait. */
    private void flush() {
        if (!batch.isEmpty()) {
            frames.add(Topic.frame(Topic.BATCH, encoder.encodeBatch(batch)));
            batch.clear();
        }
        if (chunks.count() > 0) {
            sent += chunks.count();
            frames.add(Topic.frame(Topic.CHUNKS, chunks.take(sequence - chunks.count())));
        }
        waiting.clear();
    }

    private void record(byte[] record) throws MalformedMessageException {
        Map<Object, @Nullable Object> fields =
                new LinkedHashMap<>((Map<?, ?>) Objects.requireNonNull(tree.read(ByteBuffer.wrap(record))));
        Object sample = Objects.requireNonNull(fields.get("sample_uuid"));
        String type = String.valueOf(fields.get("event_type"));
        Integer handle = handles.get(sample);
        if (type.equals("sample.recv_non_first") && handle != null) {
            long nanos = ((Number) fields.get("timestamp_ns")).longValue();
            if (chunks.count() == CHUNKS_MAX || !chunks.add(handle, nanos, null, null)) {
                flush();
                assertThat(chunks.add(handle, nanos, null, null)).isTrue();
            }
            sequence++;
            waiting.add(sample);
            return;
        }
        if (type.startsWith("session.") || waiting.contains(sample)) {
            flush();
        }
        if (type.equals("sample.recv_first")) {
            // Its number comes before those of chunks that follow.
            flush();
            fields.put("source_id", SOURCE);
            fields.put("seq", sequence++);
            fields.put("life", LIFE);
            fields.put("handle", handles.computeIfAbsent(sample, any -> handles.size()));
            batch.add(MsgpackTree.encode(fields, MessagePack.newDefaultBufferPacker()));
        } else {
            batch.add(record);
        }
    }

    private void frame(byte[] frame) throws MalformedMessageException {
        byte[] payload = Arrays.copyOfRange(frame, Topic.LENGTH, frame.length);
        if (!Topic.isBatch(ByteBuffer.wrap(frame), 0)) {
            flush();
            frames.add(frame);
            return;
        }
        for (Object each : (List<?>) Objects.requireNonNull(tree.read(ByteBuffer.wrap(payload)))) {
            record((byte[]) each);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"02_streaming_chunks", "03_windows_in_flight"})
    void chunksInFramesHaveTheFiguresOfTheReference(String name) throws Exception {
        GoldenCase golden = new GoldenCase(name);
        for (ByteBuffer each : golden.frames()) {
            byte[] frame = new byte[each.capacity()];
            each.duplicate().clear().get(frame);
            frame(frame);
        }
        flush();
        assertThat(sent).isGreaterThan(100);
        RunConfig config = RunConfig.builder()
                .version("test")
                .streaming(golden.streaming() ? Streaming.ON : Streaming.OFF)
                .earlyStopping(golden.earlyStopping())
                .build();
        try (StreamedRun run =
                StreamedRun.start("00c0ffee00c0ffee", 1, config, RunResources.ofReplay(null, 1L << 30))) {
            frames.forEach(each -> run.frame(each, 1, 2));
            var result = run.complete();
            golden.assertMatches(result, "expected_final_snapshot.json", Set.of());
            assertThat(result.counterValue("chunks_received")).isEqualTo(sent);
            assertThat(result.counterValue("chunk_handles_unknown")).isZero();
        }
    }
}
