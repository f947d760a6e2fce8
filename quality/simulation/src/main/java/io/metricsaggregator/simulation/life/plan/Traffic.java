package io.metricsaggregator.simulation.life.plan;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/**
 * Draws what the producers of a life send: one session with some samples, from one to three workers, singly or in batches. Two lives of three
 * also have records and frames that the daemon must set aside.
 */
public final class Traffic {
    private static final long MILLI = 1_000_000L;

    /** A byte that MessagePack never uses. */
    private static final byte RESERVED = (byte) 0xc1;

    private static final int BIG_MIN = 20_000;
    private static final int BIG_MAX = 200_000;
    /** Largest number of workers. */
    public static final int WORKERS_MAX = 3;

    private static final List<EventType> SAMPLE_STEPS =
            List.of(EventType.SAMPLE_ISSUED, EventType.SAMPLE_RECV_FIRST, EventType.SAMPLE_COMPLETE);

    private final SplittableRandom chance;
    private final long startNanos;
    private final boolean odd;
    /** Whether malformed records are so large that the journal writes them with direct I/O, in several blocks. */
    private final boolean big;

    private final EventEncoder encoder = new EventEncoder();
    private final List<Arrival.Sent> sent = new ArrayList<>();

    private final boolean texts;

    private Traffic(SplittableRandom chance, long startNanos, boolean texts, boolean heavy) {
        this.chance = chance;
        this.startNanos = startNanos;
        this.texts = texts;
        this.odd = chance.nextInt(3) > 0 || heavy;
        this.big = (odd && chance.nextInt(16) == 0) || heavy;
    }

    /**
     * Draws the frames of one session, in the order in which they arrive.
     *
     * @param startNanos virtual time at which the life begins
     * @param samples number of samples
     * @param texts whether the samples have prompts and outputs
     * @param heavy whether large records are among them in any case
     */
    public static List<Arrival> draw(
            SplittableRandom chance, long startNanos, int samples, boolean texts, boolean heavy) {
        Traffic traffic = new Traffic(chance, startNanos, texts, heavy);
        traffic.drawRecords(samples);
        return traffic.frames();
    }

    private void drawRecords(int samples) {
        long time = startNanos + chance.nextLong(50 * MILLI, 600 * MILLI);
        sent.add(new Arrival.Sent(EventType.SESSION_STARTED, time, -1));
        time += chance.nextLong(1, 50 * MILLI);
        sent.add(new Arrival.Sent(EventType.SESSION_START_PERFORMANCE_TRACKING, time, -1));
        long gap = chance.nextLong(MILLI, 40 * MILLI);
        long end = time;
        for (int sample = 0; sample < samples; sample++) {
            time += chance.nextLong(1, 2 * gap);
            long first = time + chance.nextLong(1, 300 * MILLI);
            long complete = first + chance.nextLong(1, 900 * MILLI);
            sent.add(new Arrival.Sent(EventType.SAMPLE_ISSUED, time, sample));
            sent.add(new Arrival.Sent(EventType.SAMPLE_RECV_FIRST, first, sample));
            sent.add(new Arrival.Sent(EventType.SAMPLE_COMPLETE, complete, sample));
            sendAgain(sample, time, first, complete);
            end = Math.max(end, complete + MILLI);
        }
        for (int i = odd ? chance.nextInt(0, samples) : 0; i > 0; i--) {
            sendOdd(chance.nextLong(startNanos, end));
        }
        for (int i = big ? chance.nextInt(1, 4) : 0; i > 0; i--) {
            sendMuch(chance.nextLong(startNanos, end));
        }
        sent.sort(Comparator.comparingLong(Arrival.Sent::timestampNanos));
        end += chance.nextLong(1, 100 * MILLI);
        sent.add(new Arrival.Sent(EventType.SESSION_ENDED, end, -1));
        // Late records, some of them within the time in which the daemon still receives them.
        for (int i = odd ? chance.nextInt(0, 8) : 0; i > 0; i--) {
            end += chance.nextLong(1, 8 * MILLI);
            if (chance.nextInt(3) == 0) {
                sendOdd(end);
            } else {
                sent.add(new Arrival.Sent(EventType.SAMPLE_COMPLETE, end, chance.nextInt(samples)));
            }
        }
    }

    /** Sends a step of a sample twice, or one of a sample that is not in flight. */
    private void sendAgain(int sample, long issued, long first, long complete) {
        if (chance.nextInt(20) == 0) {
            sent.add(new Arrival.Sent(EventType.SAMPLE_COMPLETE, complete + chance.nextLong(MILLI), sample));
        }
        if (odd && chance.nextInt(20) == 0) {
            sent.add(new Arrival.Sent(EventType.SAMPLE_RECV_FIRST, chance.nextLong(first, complete), sample));
        }
        if (odd && chance.nextInt(20) == 0) {
            sent.add(new Arrival.Sent(EventType.SAMPLE_COMPLETE, chance.nextLong(startNanos, issued), sample));
        }
    }

    /** Sends large records as fast as a network takes them. */
    private void sendMuch(long atNanos) {
        long time = atNanos;
        for (int i = chance.nextInt(5, 40); i > 0; i--) {
            time += chance.nextLong(1_000, 50_000);
            sent.add(new Arrival.Sent(EventType.SESSION_STARTED, time, -1, Arrival.Oddity.MALFORMED));
        }
    }

    private void sendOdd(long atNanos) {
        Arrival.Oddity oddity = Arrival.Oddity.values()[chance.nextInt(1, Arrival.Oddity.values().length)];
        EventType type = oddity == Arrival.Oddity.ANONYMOUS
                ? SAMPLE_STEPS.get(chance.nextInt(SAMPLE_STEPS.size()))
                : EventType.SESSION_STARTED;
        sent.add(new Arrival.Sent(type, atNanos, -1, oddity));
    }

    private List<Arrival> frames() {
        int workers = chance.nextInt(1, WORKERS_MAX + 1);
        long[] numbers = new long[workers];
        List<Arrival> frames = new ArrayList<>();
        int next = 0;
        while (next < sent.size()) {
            boolean batch = chance.nextInt(3) == 0;
            int count = batch ? Math.min(sent.size() - next, chance.nextInt(1, 20)) : 1;
            List<Arrival.Sent> records = new ArrayList<>();
            List<byte[]> payloads = new ArrayList<>();
            for (Arrival.Sent each : sent.subList(next, next + count)) {
                int worker = chance.nextInt(workers);
                records.add(each.from(worker, numbers[worker]++));
                payloads.add(encode(records.get(records.size() - 1)));
            }
            boolean single = count == 1;
            byte[] frame = single
                    ? Topic.frame(records.get(0).type().wireName(), payloads.get(0))
                    : Topic.frame(Topic.BATCH, encoder.encodeBatch(payloads));
            long sentNanos = records.get(count - 1).timestampNanos();
            long at = sentNanos + chance.nextLong(20_000, 3 * MILLI);
            frames.add(new Arrival(at, frame, single ? Arrival.Kind.RECORD : Arrival.Kind.BATCH, List.copyOf(records)));
            if (odd && chance.nextInt(30) == 0) {
                frames.add(brokenFrame(at));
            }
            next += count;
        }
        // Nearly in order: a frame can overtake one that was sent up to 3 ms before.
        frames.sort(Comparator.comparingLong(Arrival::atNanos));
        return frames;
    }

    /** A frame without a record, or whose records cannot be found. */
    private Arrival brokenFrame(long at) {
        return chance.nextBoolean()
                ? new Arrival(at, Topic.frame(Topic.BATCH, new byte[0]), Arrival.Kind.EMPTY, List.of())
                : new Arrival(
                        at, Topic.frame(Topic.BATCH, new byte[] {RESERVED}), Arrival.Kind.MALFORMED_BATCH, List.of());
    }

    private byte[] encode(Arrival.Sent sent) {
        byte[] record =
                encoder.encode(record(sent).from(sent.worker(), sent.number()).inLife(1));
        return switch (sent.oddity()) {
            case NONE, ANONYMOUS -> record;
            case MALFORMED -> malformed(record, sent.number());
            case UNKNOWN -> renamed(record, sent.type().wireName());
        };
    }

    private byte[] malformed(byte[] record, long number) {
        if (big) {
            byte[] bytes = new byte[chance.nextInt(BIG_MIN, BIG_MAX)];
            Arrays.fill(bytes, (byte) number);
            bytes[0] = RESERVED;
            return bytes;
        }
        return chance.nextBoolean() ? new byte[] {RESERVED} : Arrays.copyOf(record, chance.nextInt(1, record.length));
    }

    /** A record with the last letter of its type changed. */
    private static byte[] renamed(byte[] record, String type) {
        String text = new String(record, StandardCharsets.ISO_8859_1);
        String other = type.substring(0, type.length() - 1) + "x";
        return text.replaceFirst(Pattern.quote(type), other).getBytes(StandardCharsets.ISO_8859_1);
    }

    private EventRecord record(Arrival.Sent sent) {
        if (sent.oddity() == Arrival.Oddity.ANONYMOUS) {
            return EventRecord.sample(sent.type(), sent.timestampNanos(), "");
        }
        if (sent.sample() < 0) {
            return EventRecord.session(sent.type(), sent.timestampNanos());
        }
        EventRecord record =
                EventRecord.sample(sent.type(), sent.timestampNanos(), "sample-with-a-long-name-" + sent.sample());
        if (texts && sent.type() == EventType.SAMPLE_ISSUED) {
            return record.withData(Words.prompt(sent.sample()));
        }
        return texts && sent.type() == EventType.SAMPLE_COMPLETE
                ? record.withData(Words.output(sent.sample()))
                : record;
    }
}
