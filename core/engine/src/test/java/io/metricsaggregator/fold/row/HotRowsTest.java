package io.metricsaggregator.fold.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.frame.ChunkFrameEncoder;
import io.metricsaggregator.event.frame.ChunkFrames;
import io.metricsaggregator.fold.Events;
import io.metricsaggregator.registry.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class HotRowsTest {
    private static final int SAMPLES = 12;
    private static final int HANDLES = 8;
    private static final long BASE = 1000;

    private final Random random = new Random(Seed.next(HotRowsTest.class));
    private final ChunkFrames frames = new ChunkFrames();
    private final InFlightTable table = new InFlightTable(100, Long.MAX_VALUE, 1);
    /** Has every chunk noted in its row at once. */
    private final InFlightTable plain = new InFlightTable(100, Long.MAX_VALUE, 1);

    private final List<InFlightTable> both = List.of(table, plain);
    private final Map<String, String> samples = new HashMap<>();

    private static DecodedEvent first(String sample, String source, int handle) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(
                    Map.of(
                            "event_type",
                            "sample.recv_first",
                            "timestamp_ns",
                            BASE,
                            "sample_uuid",
                            sample,
                            "source_id",
                            source,
                            "life",
                            1L,
                            "handle",
                            (long) handle),
                    packer);
            return Events.decoded(packer.toByteArray());
        }
    }

    private void bind(String sample, String source, int handle) throws IOException {
        DecodedEvent event = first(sample, source, handle);
        assertThat(frames.bind(event)).isTrue();
        table.settle(frames.producer(event), handle);
        samples.put(source + handle, sample);
    }

    private void open(ChunkFrameEncoder encoder) {
        byte[] payload = encoder.take(1);
        assertThat(frames.open(ByteBuffer.wrap(payload), 0, payload.length)).isTrue();
    }

    private static int find(InFlightTable in, String sample) throws IOException {
        return in.find(first(sample, "a", 0));
    }

    private void insert(String sample) throws IOException {
        DecodedEvent event = first(sample, "a", 0);
        for (InFlightTable each : both) {
            each.insert(event, each.hash(event));
        }
    }

    /** Notes a chunk in a row as records of their own do; returns the gap before it, if its sample is tracked. */
    private static void note(InFlightTable in, int row, long now, List<Long> gaps) {
        if (in.isTracked(row) && in.hasLastReceived(row)) {
            gaps.add(now - in.lastReceived(row));
        }
        in.lastReceived(row, now);
    }

    private void receive(String source, int[] handles, long[] times, long from, long to) throws IOException {
        ChunkFrameEncoder encoder = new ChunkFrameEncoder(source, 1);
        encoder.from(BASE);
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < handles.length; i++) {
            encoder.add(handles[i], times[i], null, null);
            String sample = samples.get(source + handles[i]);
            int row = sample == null ? InFlightTable.NONE : find(plain, sample);
            if (row != InFlightTable.NONE) {
                note(plain, row, times[i], expected);
            }
        }
        open(encoder);
        List<Long> found = new ArrayList<>();
        int at = 0;
        while (frames.hasNext()) {
            int taken = take(from, to, times, at, found);
            DecodedEvent event = new DecodedEvent();
            frames.read(event);
            int row = table.find(event);
            if (taken == 0
                    && row != InFlightTable.NONE
                    && table.makeHot(row, frames.producer(), frames.handleAhead(0))) {
                taken = take(from, to, times, at, found);
            }
            if (taken == 0) {
                if (row != InFlightTable.NONE) {
                    note(table, row, times[at], found);
                }
                taken = 1;
            }
            frames.skip(taken);
            at += taken;
        }
        assertThat(found).isEqualTo(expected);
    }

    private int take(long from, long to, long[] times, int at, List<Long> found) {
        HotRows hot = table.hot();
        long[] gaps = new long[ChunkFrames.AHEAD_MAX];
        int taken = hot.take(frames, from, to, gaps);
        for (int i = 0; i < hot.gaps(); i++) {
            found.add(gaps[i]);
        }
        long latest = Long.MIN_VALUE;
        boolean alike = true;
        for (int i = 0; i < taken; i++) {
            int row = hot.row(frames.producer(), frames.handleAhead(i));
            alike &= table.isTracked(row)
                    && table.worker(row) == table.worker(hot.row(frames.producer(), frames.handleAhead(0)));
            latest = Math.max(latest, times[at + i]);
            assertThat(times[at + i]).isBetween(from, to - 1);
        }
        if (taken > 0) {
            assertThat(hot.areAlike() && !alike).isFalse();
            assertThat(hot.latest()).isEqualTo(latest);
        }
        return taken;
    }

    private void change(String sample) throws IOException {
        int row = find(plain, sample);
        assertThat(find(table, sample)).isEqualTo(row);
        if (row == InFlightTable.NONE) {
            insert(sample);
            return;
        }
        int worker = random.nextInt(2);
        int what = random.nextInt(8);
        for (InFlightTable each : both) {
            switch (what) {
                case 0 -> each.removeOldest();
                case 1 -> {
                    DecodedEvent event = first(sample, "a", 0);
                    each.remove(row, each.hash(event));
                }
                case 2 -> each.forgetReceived(row);
                case 3 -> each.track(row, 1, worker);
                case 4 -> each.firstReceived(row, BASE);
                case 5 -> each.lastReceived(row, BASE + worker);
                case 6 -> each.fail(row);
                default -> assertThat(each.chunks(row)).isEqualTo(plain.chunks(row));
            }
        }
    }

    @Test
    void rows_are_those_that_noting_each_chunk_at_once_leaves() throws IOException {
        for (int step = 0; step < 20_000; step++) {
            String source = "s" + random.nextInt(3);
            int kind = random.nextInt(4);
            if (kind == 0) {
                change("sample" + random.nextInt(SAMPLES));
            } else if (kind == 1) {
                bind("sample" + random.nextInt(SAMPLES), source, random.nextInt(HANDLES));
            } else {
                int size = 1 + random.nextInt(random.nextInt(20) == 0 ? 600 : 30);
                int[] handles = random.ints(size, 0, HANDLES + 1).toArray();
                long[] times = random.longs(size, BASE, BASE + 100).toArray();
                receive(source, handles, times, BASE + random.nextInt(10), BASE + 100 - random.nextInt(10));
            }
            if (step % 50 == 0) {
                requireEqual();
            }
        }
        requireEqual();
    }

    /** Tracks two samples as issued by the given workers, receives a chunk of each, and returns whether these are alike. */
    private boolean areAlike(boolean secondTracked, int... workers) throws IOException {
        for (int i = 0; i < workers.length; i++) {
            String sample = "sample" + i;
            bind(sample, "a", i);
            insert(sample);
            if (i == 0 || secondTracked) {
                for (InFlightTable each : both) {
                    each.track(find(each, sample), 1, workers[i]);
                }
            }
            for (InFlightTable each : both) {
                each.firstReceived(find(each, sample), BASE);
            }
        }
        receive("a", new int[] {0, 1}, new long[] {BASE + 1, BASE + 2}, BASE, BASE + 10);
        receive("a", new int[] {0, 1}, new long[] {BASE + 3, BASE + 4}, BASE, BASE + 10);
        return table.hot().areAlike();
    }

    @Test
    void chunks_of_tracked_samples_of_one_worker_are_alike() throws IOException {
        assertThat(areAlike(true, 1, 1)).isTrue();
    }

    @Test
    void chunks_of_two_workers_are_not_alike() throws IOException {
        assertThat(areAlike(true, 1, 0)).isFalse();
    }

    @Test
    void chunks_of_samples_that_are_not_tracked_are_not_alike() throws IOException {
        assertThat(areAlike(false, 0, 0)).isFalse();
    }

    @Test
    void chunks_are_alike_again_once_the_samples_that_were_not_are_gone() throws IOException {
        assertThat(areAlike(true, 1, 0)).isFalse();
        for (InFlightTable each : both) {
            each.removeOldest();
            each.removeOldest();
        }
        assertThat(areAlike(true, 0, 0)).isTrue();
    }

    private void requireEqual() throws IOException {
        for (int i = 0; i < SAMPLES; i++) {
            int row = find(plain, "sample" + i);
            assertThat(find(table, "sample" + i)).isEqualTo(row);
            if (row != InFlightTable.NONE) {
                assertThat(state(table, row)).isEqualTo(state(plain, row));
            }
        }
    }

    private static List<Object> state(InFlightTable of, int row) {
        return List.of(
                of.hasLastReceived(row) ? of.lastReceived(row) : -1L,
                of.chunks(row),
                of.hasFirstReceived(row) ? of.firstReceived(row) : -1L,
                of.isTracked(row),
                of.hasFailed(row));
    }

    @Test
    void chunks_beyond_those_that_a_row_counts_are_not_counted() throws IOException {
        bind("s1", "a", 3);
        insert("s1");
        int row = find(table, "s1");
        for (InFlightTable each : both) {
            each.track(row, 0, 1);
            each.lastReceived(row, BASE);
        }
        for (int frame = 0; frame < 120; frame++) {
            int[] handles = new int[600];
            Arrays.fill(handles, 3);
            receive("a", handles, random.longs(600, BASE, 2 * BASE).toArray(), 1, 2 * BASE);
        }
        assertThat(table.chunks(row)).isEqualTo(plain.chunks(row)).isEqualTo(InFlightTable.CHUNKS_MAX);
        assertThat(table.window(row)).isZero();
        assertThat(table.worker(row)).isEqualTo(1);
    }

    @Test
    void a_sample_without_a_chunk_at_a_positive_time_is_not_taken() throws IOException {
        insert("s1");
        int row = find(table, "s1");
        assertThat(table.makeHot(row, 0, 3)).as("without a chunk").isFalse();
        table.lastReceived(row, 0);
        assertThat(table.makeHot(row, 0, 3)).as("at 0").isFalse();
        table.lastReceived(row, 1);
        assertThat(table.makeHot(row, ChunkFrames.NO_PRODUCER, 3)).isFalse();
        assertThat(table.makeHot(row, 0, DecodedEvent.HANDLE_MAX + 1)).isFalse();
        assertThat(table.makeHot(row, 0, DecodedEvent.HANDLE_MAX)).isTrue();
        assertThat(table.hot().row(0, DecodedEvent.HANDLE_MAX)).isEqualTo(row);
        assertThat(table.chunks(row)).isEqualTo(2);
        assertThat(table.hot().row(0, DecodedEvent.HANDLE_MAX)).as("settled").isEqualTo(InFlightTable.NONE);
    }

    @Test
    void handles_beyond_the_room_are_refused_and_those_before_stay() {
        HotRows small = new HotRows(200);
        assertThat(small.insert(1, 0, 3, BASE, true, 0)).isTrue();
        assertThat(small.insert(2, 0, 100, BASE, true, 0)).isTrue();
        assertThat(small.insert(3, 0, 200, BASE, true, 0)).as("256 handles").isFalse();
        assertThat(small.insert(4, 5, 1, BASE, true, 0)).as("64 more handles").isTrue();
        assertThat(small.insert(5, 6, 1, BASE, true, 0)).as("no room for 64").isFalse();
        assertThat(small.insert(6, 5, 63, BASE, true, 0)).isTrue();
        assertThat(List.of(small.row(0, 3), small.row(0, 100), small.row(0, 127), small.row(0, 200)))
                .containsExactly(1, 2, InFlightTable.NONE, InFlightTable.NONE);
        assertThat(List.of(small.row(5, 1), small.row(5, 63), small.row(6, 1), small.row(1, 1), small.row(-1, 1)))
                .containsExactly(4, 6, InFlightTable.NONE, InFlightTable.NONE, InFlightTable.NONE);
        assertThat(small.place(3)).isZero();
        small.remove(2, small.place(2));
        assertThat(small.row(0, 100)).isEqualTo(InFlightTable.NONE);
        assertThat(small.place(2)).isZero();
        assertThat(small.lastNanos(small.place(1))).isEqualTo(BASE);
    }
}
