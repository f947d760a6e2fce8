package io.metricsaggregator.run;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.frame.ChunkFrameEncoder;
import io.metricsaggregator.event.frame.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * Random traffic of several producers, made twice: every chunk as a record of its own, and later chunks in frames. Has lost, repeated and unknown records, ids
 * of every kind, labels, parts, tokens, errors, handles that are given again, and samples of one producer that another completes.
 */
final class ChunkTraffic {
    /** Frames that are received together. */
    record Burst(long nanos, List<byte[]> singles, List<byte[]> frames) {}

    private static final long SECOND = 1_000_000_000L;
    private static final String[] PARTS = {"reasoning", "output", "tool_calls"};

    private final Random random;
    private final EventEncoder encoder = new EventEncoder();
    private final List<Producer> producers = new ArrayList<>();
    private final List<Burst> bursts = new ArrayList<>();
    private List<byte[]> singles = new ArrayList<>();
    private List<byte[]> plain = new ArrayList<>();
    private List<byte[]> frames = new ArrayList<>();
    private long now = 1000 * SECOND;
    private int issued;

    private static final class Producer {
        final @Nullable String source;
        final long worker;
        long life;
        long seq;
        ChunkFrameEncoder encoder;
        final Map<Integer, String> open = new TreeMap<>();
        final boolean wide;

        Producer(@Nullable String source, long worker, long life, boolean wide) {
            this.source = source;
            this.worker = worker;
            this.wide = wide;
            this.life = life;
            this.encoder = encoder();
        }

        private ChunkFrameEncoder encoder() {
            return source == null ? new ChunkFrameEncoder(worker, life) : new ChunkFrameEncoder(source, life);
        }

        void restart(long newLife) {
            life = newLife;
            seq = 0;
            open.clear();
            encoder = encoder();
        }

        int handle(int number) {
            return wide ? 70_000 + number : number;
        }
    }

    private ChunkTraffic(long seed) {
        random = new Random(seed);
        producers.add(new Producer("node-a:7", 0, 100, false));
        producers.add(new Producer("node-b", 0, 100, true));
        producers.add(new Producer(null, 3, 9, false));
        producers.add(new Producer("node-a:7", 0, 101, false));
    }

    /** Makes the traffic of a run that begins and ends. */
    static List<Burst> of(long seed, int steps) {
        ChunkTraffic traffic = new ChunkTraffic(seed);
        traffic.run(steps);
        return traffic.bursts;
    }

    private void run(int steps) {
        session("session.started");
        session("session.start_performance_tracking");
        endBurst();
        for (int i = 0; i < steps; i++) {
            step(producers.get(random.nextInt(producers.size())));
            if (random.nextInt(4) == 0) {
                endBurst();
            }
        }
        now += SECOND;
        session("session.ended");
        endBurst();
        chunks(producers.get(0));
        endBurst();
    }

    private void step(Producer producer) {
        now += random.nextInt(20_000_000);
        switch (random.nextInt(9)) {
            case 0, 1 -> issue(producer);
            case 2 -> end(producer);
            case 3 -> {
                if (random.nextInt(4) == 0) {
                    producer.seq += 1 + random.nextInt(3);
                }
                if (random.nextInt(60) == 0) {
                    now += 15 * SECOND;
                }
                if (random.nextInt(80) == 0) {
                    producer.restart(producer.life + 1000);
                }
            }
            default -> chunks(producer);
        }
    }

    private void issue(Producer producer) {
        int number = issued++;
        String id = switch (random.nextInt(4)) {
            case 0 -> "s" + number;
            case 1 -> String.format("%032x", number * 7919L);
            case 2 -> "00000000-0000-4000-8000-" + String.format("%012x", number);
            default -> "a long id that is not packed, ü " + number;
        };
        Map<String, Object> issue = record("sample.issued", id, producer);
        if (random.nextBoolean()) {
            issue.put("labels", Map.of("endpoint", random.nextBoolean() ? "a" : "b"));
        }
        send(issue);
        if (random.nextInt(10) == 0) {
            return;
        }
        now += random.nextInt(300_000_000);
        Map<String, Object> first = record("sample.recv_first", id, producer);
        if (random.nextInt(3) == 0) {
            first.put("part", PARTS[random.nextInt(3)]);
        }
        int handle = random.nextInt(12);
        byte[] single = pack(first);
        first.put("handle", producer.handle(handle));
        add(single, pack(first));
        producer.open.put(handle, id);
    }

    private void end(Producer producer) {
        List<String> ids = new ArrayList<>(producer.open.values());
        if (ids.isEmpty()) {
            return;
        }
        String id = ids.get(random.nextInt(ids.size()));
        Producer sender = random.nextInt(5) == 0 ? producers.get(random.nextInt(producers.size())) : producer;
        if (random.nextInt(5) == 0) {
            Map<String, Object> error = record("error.client", id, sender);
            error.put("data", List.of("ErrorData", "E", "broken"));
            send(error);
        }
        send(record("sample.complete", id, sender));
        // The handle stays: a chunk of the sample may follow its end.
    }

    /** Chunks of samples of one producer, in the order of a frame. */
    private void chunks(Producer producer) {
        endBatch();
        boolean tokens = random.nextBoolean();
        boolean parts = random.nextInt(3) == 0;
        long base = now;
        long sequence = producer.seq;
        for (int chunks = 1 + random.nextInt(150); chunks > 0; chunks--) {
            now = base + random.nextInt(30_000_000);
            int handle = random.nextInt(14);
            // Handles 12 and 13 were given to no sample.
            Integer count = tokens && random.nextInt(4) > 0 ? tokens(random.nextInt(40)) : null;
            ChunkPart part = parts && random.nextInt(4) > 0 ? ChunkPart.values()[random.nextInt(3)] : null;
            if (producer.encoder.count() == 0) {
                now = base;
            }
            producer.encoder.add(producer.handle(handle), now, count, part);
            Map<String, Object> single =
                    record("sample.recv_non_first", producer.open.getOrDefault(handle, ""), producer);
            if (count != null) {
                single.put("tokens", count);
            }
            if (part != null) {
                single.put("part", part.wireName());
            }
            singles.add(pack(single));
        }
        now = base + 30_000_000;
        frames.add(Topic.frame(Topic.CHUNKS, producer.encoder.take(sequence)));
    }

    private static int tokens(int random) {
        // One beyond the range of the key.
        return random == 0 ? 5000 : random % 5;
    }

    private void session(String type) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("event_type", type);
        record.put("timestamp_ns", now);
        send(record);
    }

    private Map<String, Object> record(String type, String id, Producer producer) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("event_type", type);
        record.put("timestamp_ns", now);
        record.put("sample_uuid", id);
        if (producer.source == null) {
            record.put("worker_id", producer.worker);
        } else {
            record.put("source_id", producer.source);
        }
        record.put("seq", producer.seq++);
        record.put("life", producer.life);
        return record;
    }

    private void send(Map<String, Object> record) {
        byte[] bytes = pack(record);
        add(bytes, bytes);
    }

    private void add(byte[] single, byte[] withHandle) {
        singles.add(single);
        plain.add(withHandle);
    }

    private void endBatch() {
        if (!plain.isEmpty()) {
            frames.add(Topic.frame(Topic.BATCH, encoder.encodeBatch(plain)));
            plain = new ArrayList<>();
        }
    }

    private void endBurst() {
        endBatch();
        if (!singles.isEmpty()) {
            bursts.add(new Burst(now, List.of(Topic.frame(Topic.BATCH, encoder.encodeBatch(singles))), frames));
        }
        singles = new ArrayList<>();
        frames = new ArrayList<>();
    }

    private static byte[] pack(Map<String, Object> record) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
