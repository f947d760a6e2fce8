package io.metricsaggregator.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.SampleIds;
import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.ChunkFrames;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.Transports;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A subscriber that reads frames as the daemon does. */
final class ReadingPeer implements FrameHandler {
    /** What a record says, whether it came alone or in a frame of chunks. */
    record Told(
            EventType type,
            String id,
            long nanos,
            long worker,
            long sequence,
            @Nullable ChunkPart part,
            long tokens) {}

    private final Transport transport = open();
    final boolean readsChunks;
    private final FrameSource source;
    private final ChunkFrames chunks = new ChunkFrames();
    private final DecodedEvent event = new DecodedEvent();
    final List<Told> told = new ArrayList<>();
    final List<String> topics = new ArrayList<>();
    final List<Integer> handles = new ArrayList<>();
    int framed;
    int largestFrame;

    /** Begins to connect to a publisher. */
    ReadingPeer(Endpoint publisher, boolean readsChunks) throws IOException {
        this.readsChunks = readsChunks;
        this.source = transport.openSource(List.of(Endpoint.parse(publisher.uri(), false)), this);
    }

    boolean isReady() {
        return source.ready();
    }

    void poll() throws IOException {
        transport.poll(1_000_000L);
    }

    private static Transport open() {
        try {
            return Transports.open(TransportOptions.defaults());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public List<String> announced() {
        return readsChunks ? List.of(Topic.CHUNKS) : List.of();
    }

    @Override
    public void onFrame(ByteBuffer buffer, int start, int length) {
        topics.add(String.valueOf(Topic.read(buffer, start)));
        int from = start + Topic.LENGTH;
        int bytes = length - Topic.LENGTH;
        if (Topic.isChunks(buffer, start)) {
            assertThat(chunks.open(buffer, from, bytes)).isTrue();
            largestFrame = Math.max(largestFrame, chunks.count());
            while (chunks.next(event)) {
                framed++;
                tell();
            }
        } else if (Topic.isBatch(buffer, start)) {
            BatchReader batch = new BatchReader();
            assertThat(batch.open(buffer, from, bytes)).isPositive();
            while (batch.next()) {
                single(buffer, batch.start(), batch.length());
            }
        } else {
            single(buffer, from, bytes);
        }
    }

    private void single(ByteBuffer buffer, int start, int length) {
        assertThat(new EventDecoder().decode(buffer, start, length, event)).isNull();
        assertThat(chunks.bind(event)).isTrue();
        if (event.handle() != DecodedEvent.NO_HANDLE) {
            handles.add(event.handle());
        }
        tell();
    }

    private void tell() {
        told.add(new Told(
                event.type(),
                SampleIds.text(event),
                event.timestampNanos(),
                event.workerId(),
                event.sequence(),
                event.part(),
                event.hasChunkTokens() ? event.chunkTokens() : -1));
    }

    /** What records say of each sample, in their order and without their numbers. */
    static Map<String, List<Told>> bySample(List<Told> told) {
        return told.stream()
                .filter(each -> !each.id().isEmpty())
                .map(each ->
                        new Told(each.type(), each.id(), each.nanos(), each.worker(), 0, each.part(), each.tokens()))
                .collect(Collectors.groupingBy(Told::id));
    }

    void leave() {
        transport.close();
    }
}
