package io.metricsaggregator.simulation.life;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/** Draws what the producers of a life send: one session with some samples, from one to three workers, singly or in batches. */
final class Traffic {
    private static final long MILLI = 1_000_000L;

    private final SplittableRandom chance;
    private final long startNanos;
    private final List<Arrival.Sent> sent = new ArrayList<>();

    private Traffic(SplittableRandom chance, long startNanos) {
        this.chance = chance;
        this.startNanos = startNanos;
    }

    /**
     * Draws the frames of one session, in the order in which they arrive.
     *
     * @param startNanos virtual time at which the life begins
     * @param samples number of samples
     */
    static List<Arrival> draw(SplittableRandom chance, long startNanos, int samples) {
        Traffic traffic = new Traffic(chance, startNanos);
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
            if (chance.nextInt(20) == 0) {
                sent.add(new Arrival.Sent(EventType.SAMPLE_COMPLETE, complete + chance.nextLong(MILLI), sample));
            }
            end = Math.max(end, complete + MILLI);
        }
        sent.sort(Comparator.comparingLong(Arrival.Sent::timestampNanos));
        end += chance.nextLong(1, 100 * MILLI);
        sent.add(new Arrival.Sent(EventType.SESSION_ENDED, end, -1));
    }

    private List<Arrival> frames() {
        EventEncoder encoder = new EventEncoder();
        int workers = chance.nextInt(1, 4);
        long[] numbers = new long[workers];
        List<Arrival> frames = new ArrayList<>();
        int next = 0;
        while (next < sent.size()) {
            boolean batch = chance.nextInt(3) == 0;
            int count = batch ? Math.min(sent.size() - next, chance.nextInt(1, 20)) : 1;
            List<Arrival.Sent> records = List.copyOf(sent.subList(next, next + count));
            List<byte[]> payloads = new ArrayList<>();
            for (Arrival.Sent each : records) {
                int worker = chance.nextInt(workers);
                payloads.add(encoder.encode(record(each).from(worker, numbers[worker]++)));
            }
            byte[] frame = count == 1
                    ? Topic.frame(records.get(0).type().wireName(), payloads.get(0))
                    : Topic.frame(Topic.BATCH, encoder.encodeBatch(payloads));
            long sentNanos = records.get(count - 1).timestampNanos();
            frames.add(new Arrival(sentNanos + chance.nextLong(20_000, 3 * MILLI), frame, records));
            next += count;
        }
        // Nearly in order: a frame can overtake one that was sent up to 3 ms before.
        frames.sort(Comparator.comparingLong(Arrival::atNanos));
        return frames;
    }

    private static EventRecord record(Arrival.Sent sent) {
        return sent.sample() < 0
                ? EventRecord.session(sent.type(), sent.timestampNanos())
                : EventRecord.sample(sent.type(), sent.timestampNanos(), "sample-with-a-long-name-" + sent.sample());
    }
}
