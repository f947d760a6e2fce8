package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FramePackerTest {
    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final FramePacker packer = new FramePacker();
    private final FrameUnpacker unpacker = new FrameUnpacker();
    private final List<byte[]> frames = new ArrayList<>();
    private final List<Long> bursts = new ArrayList<>();

    @BeforeEach
    void seed() {
        System.out.println("seed " + seed);
    }

    private void add(byte[] frame) {
        frames.add(frame);
        packer.frame(ByteBuffer.wrap(frame));
    }

    private byte[] finish(boolean deflates) {
        ByteBuffer out = ByteBuffer.allocate(packer.finishedMaxBytes());
        packer.finish(out, deflates);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Reads a packed entry, which must hold all frames and bursts that were added. */
    private void assertUnpacks(byte[] packed) {
        assertThat(unpacker.unpack(packed, 0, packed.length)).isEqualTo(frames.size() + bursts.size());
        List<Long> seen = new ArrayList<>();
        int[] frame = {0};
        while (unpacker.hasNext()) {
            unpacker.next(new JournalClock(), new JournalReader.Visitor() {
                @Override
                public void burst(long nanos) {
                    seen.add(nanos);
                }

                @Override
                public void frame(ByteBuffer buffer, int start, int length) {
                    assertThat(buffer.slice(start, length))
                            .as("frame %d", frame[0])
                            .isEqualTo(ByteBuffer.wrap(frames.get(frame[0]++)));
                }
            });
        }
        assertThat(frame[0]).isEqualTo(frames.size());
        assertThat(seen).isEqualTo(bursts);
        frames.clear();
        bursts.clear();
    }

    @Test
    void frames_of_any_kind_are_read_back_byte_for_byte() {
        MadeFrames made = new MadeFrames(random);
        for (int entry = 0; entry < 400; entry++) {
            int count = 1 + random.nextInt(40);
            for (int i = 0; i < count; i++) {
                if (random.nextInt(4) == 0) {
                    long nanos = random.nextBoolean() ? random.nextLong() : entry;
                    bursts.add(nanos);
                    packer.burst(nanos);
                }
                add(made.next());
            }
            assertUnpacks(finish(random.nextBoolean()));
        }
        assertThat(packer.shapeCount).as("shapes learned").isBetween(5, PackFormat.SHAPES_MAX);
        assertThat(unpacker.shapeCount).isEqualTo(packer.shapeCount);
        assertThat(unpacker.topicCount).isEqualTo(packer.topicCount).isGreaterThan(2);
    }

    @Test
    void a_later_chunk_takes_at_most_nine_bytes_once_its_id_is_known() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            ids.add("%016x%016x".formatted(random.nextLong(), random.nextLong()));
        }
        for (int warm = 0; warm < 2; warm++) {
            for (int frame = 0; frame < 20; frame++) {
                List<byte[]> records = new ArrayList<>();
                for (int i = 0; i < 1000; i++) {
                    // 25,000 records a second.
                    records.add(MadeFrames.chunk(
                            ids.get(random.nextInt(500)),
                            1_000_000_000L + 40_000L * (1000 * frame + i) + random.nextInt(40_000)));
                }
                add(MadeFrames.batch(records));
                if (packer.isFull()) {
                    assertUnpacks(finish(false));
                }
            }
            byte[] rest = finish(false);
            assertThat(rest.length).as("bytes of the rest").isLessThan(9 * 1000 * frames.size());
            assertUnpacks(rest);
        }
    }

    @Test
    void a_later_chunk_of_a_client_that_numbers_its_records_takes_no_more_for_the_life_of_its_process_than_a_byte() {
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            records.add(MadeFrames.ofClient(i));
        }
        for (List<byte[]> part : List.of(records.subList(0, 1000), records.subList(1000, 10_000))) {
            add(MadeFrames.batch(part));
            // Shape, three bytes of time, two of the id's place, number, life.
            int most = 8 * part.size() + 400;
            byte[] packed = finish(false);
            assertThat(packed.length).isLessThan(most);
            assertUnpacks(packed);
        }
    }

    @Test
    void a_chunk_in_a_frame_of_chunks_takes_less_than_six_bytes() {
        int chunks = 0;
        for (int frame = 0; frame < 20; frame++) {
            int count = 200 + random.nextInt(300);
            add(MadeFrames.chunks(random, count, false));
            chunks += count;
        }
        byte[] packed = finish(false);
        // Two of the handle and at most three of the time, beside the head of a frame.
        assertThat(packed.length).isLessThan(5 * chunks + 20 * 90);
        assertUnpacks(packed);
    }

    @Test
    void bytes_that_no_packer_wrote_are_refused_or_read_and_nothing_else_happens() {
        MadeFrames made = new MadeFrames(random);
        int refused = 0;
        for (int i = 0; i < 3000; i++) {
            FramePacker own = new FramePacker();
            own.burst(i);
            for (int k = random.nextInt(6); k >= 0; k--) {
                own.frame(ByteBuffer.wrap(made.next()));
            }
            ByteBuffer out = ByteBuffer.allocate(own.finishedMaxBytes());
            own.finish(out, random.nextBoolean());
            byte[] packed = Arrays.copyOf(
                    out.array(), random.nextInt(10) == 0 ? random.nextInt(out.position()) : out.position());
            for (int flips = random.nextInt(3); flips >= 0 && packed.length > 0; flips--) {
                packed[random.nextInt(packed.length)] = (byte) random.nextInt();
            }
            unpacker.reset();
            int count = unpacker.unpack(packed, 0, packed.length);
            refused += count < 0 ? 1 : 0;
            assertThat(unpacker.hasNext()).isEqualTo(count > 0);
        }
        assertThat(refused).isBetween(1000, 3000);
    }

    @Test
    void an_entry_cannot_claim_more_memory_than_the_largest_one_needs() {
        byte[] zeros = new byte[64 << 20];
        Deflater deflater = new Deflater(9, true);
        deflater.setInput(zeros);
        byte[] bomb = new byte[1 << 20];
        int length = deflater.deflate(bomb, 0, bomb.length, Deflater.SYNC_FLUSH);
        deflater.end();
        for (long claimed :
                new long[] {1000, PackFormat.ENTRY_MAX_BYTES, PackFormat.ENTRY_MAX_BYTES + 1, zeros.length, -1}) {
            ByteBuffer entry = ByteBuffer.allocate(100 + length);
            entry.put((byte) PackFormat.DEFLATED);
            for (long each : new long[] {1, claimed, 5, claimed, length}) {
                long left = each;
                while ((left & ~0x7fL) != 0) {
                    entry.put((byte) (left | 0x80));
                    left >>>= 7;
                }
                entry.put((byte) left);
            }
            entry.put((byte) PackFormat.PLAIN_FRAME).put(new byte[4]).put(bomb, 0, length);
            assertThat(new FrameUnpacker().unpack(entry.array(), 0, entry.position()))
                    .as("claims %d", claimed)
                    .isEqualTo(-1);
        }
    }
}
