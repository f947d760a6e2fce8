package io.metricsaggregator.producer;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.ChunkFrameEncoder;
import io.metricsaggregator.event.frame.Topic;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A worker of a publisher: numbers its records from 0 and sends later chunks of all its samples in frames while every subscriber reads these, else as
 * single records. Chunks wait like other records for at most {@link EventPublisher#MAX_DELAY}, and never behind a later record of their sample.
 * Thread-safe; calls block while the publisher's queue is full.
 */
public final class Worker {
    /** Fewer chunks of a sample go into the batch before its next record, instead of ending the batch. */
    private static final int SINGLES = 5;

    private final EventPublisher publisher;
    private final long number;
    private final long life;

    // Guarded by the publisher's lock.
    private final ChunkFrameEncoder encoder;
    private final Map<String, Sample> open = new HashMap<>();
    private final List<Sample> waiting = new ArrayList<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private int handles;
    private long sequence;

    Worker(EventPublisher publisher, long number, long life) {
        if (number < 0 || life < 0) {
            throw new IllegalArgumentException("number " + number + " or life " + life + " of a worker is negative");
        }
        this.publisher = publisher;
        this.number = number;
        this.life = life;
        this.encoder = new ChunkFrameEncoder(number, life);
    }

    /**
     * Returns a sample whose chunks are to be published with {@link Sample#token}; its other records go through {@link #publish}, the last of them
     * {@link EventType#SAMPLE_COMPLETE}. Publishes nothing.
     *
     * @param id not empty
     */
    public Sample sample(String id) {
        return new Sample(this, id);
    }

    /**
     * Publishes a record of the session or of a sample, with the worker, its life and the next number in place of its own.
     *
     * @throws IOException if the sockets failed or the publisher is closed
     */
    public void publish(EventRecord event) throws IOException {
        publisher.lock().lock();
        try {
            add(event, null);
            publisher.sendSealed();
        } finally {
            publisher.lock().unlock();
        }
    }

    /** Leaves out the numbers of records that were lost before they came here, so that subscribers count the loss. Not below 0. */
    public void skip(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("count " + count + " of lost records is negative");
        }
        publisher.lock().lock();
        try {
            sequence += count;
        } finally {
            publisher.lock().unlock();
        }
    }

    void token(Sample sample, long nanos, @Nullable ChunkPart part, @Nullable Integer tokens) throws IOException {
        publisher.lock().lock();
        try {
            if (sample.handle != DecodedEvent.NO_HANDLE && Sample.isTime(nanos)) {
                append(sample, nanos, part, tokens);
            } else {
                add(sample.record(nanos, part, tokens), sample);
            }
            publisher.sendSealed();
        } finally {
            publisher.lock().unlock();
        }
    }

    private void add(EventRecord event, @Nullable Sample caller) {
        Sample sample = open.get(event.sampleUuid());
        if (sample == null && event.type() == EventType.SAMPLE_RECV_FIRST && publisher.takesChunks()) {
            sample = open(caller == null ? sample(event.sampleUuid()) : caller, event);
        }
        if (event.type().isSession()) {
            // They get their numbers before this record.
            publisher.sealChunks();
        }
        if (sample == null) {
            publisher.add(numbered(event), DecodedEvent.NO_HANDLE);
            return;
        }
        if (sample.holds(event)) {
            append(
                    sample,
                    event.timestampNanos(),
                    event.optional().part(),
                    event.optional().tokens());
            return;
        }
        if (sample.count() >= SINGLES) {
            publisher.sealChunks();
        } else {
            publisher.chunksTaken(singles(sample));
        }
        boolean first = event.type() == EventType.SAMPLE_RECV_FIRST;
        publisher.add(numbered(event), first ? sample.handle : DecodedEvent.NO_HANDLE);
        if (event.type() == EventType.SAMPLE_COMPLETE) {
            open.remove(event.sampleUuid());
            free.push(sample.handle);
            sample.handle = DecodedEvent.NO_HANDLE;
        }
    }

    /** Gives a sample a handle; null if its chunks are to be single records. */
    private @Nullable Sample open(Sample sample, EventRecord first) {
        if (!sample.mayHaveHandle() || (free.isEmpty() && handles > DecodedEvent.HANDLE_MAX)) {
            return null;
        }
        sample.open(free.isEmpty() ? handles++ : free.pop(), first);
        open.put(sample.id(), sample);
        return sample;
    }

    private void append(Sample sample, long nanos, @Nullable ChunkPart part, @Nullable Integer tokens) {
        boolean first = waiting.isEmpty();
        if (sample.count() == 0) {
            waiting.add(sample);
        }
        sample.append(nanos, part, tokens);
        publisher.chunkWaits(this, first);
    }

    /** Numbers a record at the time it gets its place among the others. */
    private EventRecord numbered(EventRecord event) {
        return event.from(number, sequence++).inLife(life);
    }

    /** Makes single records of a sample's chunks that wait; returns how many. */
    private int singles(Sample sample) {
        int count = sample.count();
        for (int i = 0; i < count; i++) {
            publisher.addSingle(
                    numbered(sample.record(sample.nanos(i), sample.part(i), sample.tokens(i))), DecodedEvent.NO_HANDLE);
        }
        sample.clear();
        return count;
    }

    /** Moves the chunks that wait into frames, or single records into the batch. */
    void takeChunks(boolean framed, Collection<byte[]> into) {
        if (framed) {
            frames(into);
        } else {
            waiting.forEach(this::singles);
        }
        waiting.clear();
    }

    private void frames(Collection<byte[]> into) {
        encoder.from(waiting.stream().mapToLong(Sample::earliest).min().orElse(0));
        for (Sample sample : waiting) {
            for (int i = 0; i < sample.count(); i++) {
                // Times further apart than a frame can have them begin another.
                while (!encoder.add(sample.handle, sample.nanos(i), sample.tokens(i), sample.part(i))) {
                    into.add(frame());
                }
            }
            sample.clear();
        }
        if (encoder.count() > 0) {
            into.add(frame());
        }
    }

    private byte[] frame() {
        long first = sequence;
        sequence += encoder.count();
        return Topic.frame(Topic.CHUNKS, encoder.take(first));
    }
}
