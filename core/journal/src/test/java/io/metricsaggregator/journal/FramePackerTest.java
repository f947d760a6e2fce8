package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
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
        JournalClock clock = new JournalClock();
        while (unpacker.hasNext()) {
            unpacker.next(clock, new JournalReader.Visitor() {
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
        assertThat(clock.endNanos()).isEqualTo(bursts.isEmpty() ? 0 : bursts.get(bursts.size() - 1));
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
            packer.reset();
            packer.burst(i);
            for (int k = random.nextInt(6); k >= 0; k--) {
                packer.frame(ByteBuffer.wrap(made.next()));
            }
            byte[] whole = finish(random.nextBoolean());
            byte[] packed = Arrays.copyOf(whole, random.nextInt(10) == 0 ? random.nextInt(whole.length) : whole.length);
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

    private static byte[] frame(int... behindTopic) {
        byte[] frame = new byte[PackFormat.TOPIC_BYTES + behindTopic.length];
        for (int i = 0; i < behindTopic.length; i++) {
            frame[PackFormat.TOPIC_BYTES + i] = (byte) behindTopic[i];
        }
        return frame;
    }

    /** A frame of so many binaries of some length, with heads of one size and an array of the shorter or the longer form. */
    private byte[] binaries(int count, int length, int headBytes, boolean isLong) {
        ByteBuffer frame =
                ByteBuffer.allocate(50 + count * (headBytes + length)).position(PackFormat.TOPIC_BYTES);
        if (isLong) {
            frame.put((byte) 0xdc).putShort((short) count);
        } else {
            frame.put((byte) (0x90 | count));
        }
        for (int i = 0; i < count; i++) {
            byte[] record = new byte[length];
            random.nextBytes(record);
            if (headBytes == 2) {
                frame.put((byte) 0xc4).put((byte) length);
            } else {
                frame.put((byte) 0xc5).putShort((short) length);
            }
            frame.put(record);
        }
        return Arrays.copyOf(frame.array(), frame.position());
    }

    @Test
    void frames_at_the_edges_of_each_form_are_read_back_byte_for_byte() {
        for (int length = 0; length < 50; length++) {
            for (int head : new int[] {0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xdc, 0xde, 0xdf, 0x99}) {
                byte[] frame = new byte[length];
                if (length > PackFormat.TOPIC_BYTES) {
                    frame[PackFormat.TOPIC_BYTES] = (byte) head;
                }
                add(frame);
            }
        }
        for (int count : new int[] {0, 1, 2, 14, 15, 16, 17, 255, 256, 300}) {
            for (int length : new int[] {0, 1, 2, 7, 8, 255, 256, 257}) {
                for (int headBytes : new int[] {2, 3}) {
                    for (boolean isLong : new boolean[] {true, false}) {
                        if ((isLong || count < 16) && (headBytes == 3 || length < 256)) {
                            byte[] whole = binaries(count, length, headBytes, isLong);
                            add(whole);
                            add(Arrays.copyOf(whole, whole.length - 1));
                            add(Arrays.copyOf(whole, whole.length + 1));
                            if (packer.isFull()) {
                                assertUnpacks(finish(true));
                            }
                        }
                    }
                }
            }
        }
        add(binaries(2, 65_535, 3, false));
        // A head of each size in one frame is of neither form.
        add(frame(0x92, 0xc4, 1, 5, 0xc5, 0, 1, 5));
        add(frame(0x92, 0xc5, 0, 1, 5, 0xc5, 1, 0, 5));
        add(frame(0x92, 0xc6, 0, 0, 0, 1, 5, 0xc4, 1, 5));
        for (int topic = 0; topic < 70; topic++) {
            byte[] frame = frame(0x81, 0xa1, 'x', 5);
            frame[0] = (byte) topic;
            add(frame);
            add(frame.clone());
        }
        assertUnpacks(finish(true));
        assertThat(packer.topicCount).isEqualTo(PackFormat.TOPICS_MAX);
    }

    @Test
    void frames_that_are_almost_frames_of_chunks_are_read_back_byte_for_byte() {
        for (int bytes : new int[] {0, 1, 3, 4, 5, 8, 200, 255}) {
            for (int binary : new int[] {0xc3, 0xc4, 0xc5, 0xc6, 0xc7}) {
                ByteBuffer frame = ByteBuffer.allocate(400).position(PackFormat.TOPIC_BYTES);
                frame.put(new byte[] {PackFormat.CHUNKS_ARRAY, 1, 2, 3, 4, 5, 6, (byte) binary});
                if (binary == 0xc6) {
                    frame.putInt(bytes);
                } else if (binary == 0xc5) {
                    frame.putShort((short) bytes);
                } else if (binary != 0xc3) {
                    frame.put((byte) bytes);
                }
                byte[] content = new byte[bytes];
                random.nextBytes(content);
                frame.put(content);
                for (int less = -2; less <= 2; less++) {
                    add(Arrays.copyOf(frame.array(), frame.position() + less));
                }
            }
        }
        byte[] packed = finish(false);
        assertUnpacks(packed);
    }

    @Test
    void every_number_is_read_back_and_takes_a_byte_for_each_seven_bits() {
        for (int bits = 0; bits <= 64; bits++) {
            for (long value : new long[] {bits == 64 ? -1 : (1L << bits) - 1, bits == 64 ? 0 : 1L << bits}) {
                byte[] bytes = new byte[20];
                int end = PackFormat.varint(bytes, 3, value);
                assertThat(end - 3).isEqualTo(Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7));
                long read = 0;
                for (int i = 3; i < end; i++) {
                    read |= (bytes[i] & 0x7fL) << (7 * (i - 3));
                    assertThat(bytes[i] < 0).isEqualTo(i < end - 1);
                }
                assertThat(read).isEqualTo(value);
                assertThat(PackFormat.unzigzag(PackFormat.zigzag(value))).isEqualTo(value);
                assertThat(PackFormat.zigzag(bits)).isEqualTo(2L * bits);
                assertThat(PackFormat.zigzag(-1L - bits)).isEqualTo(2L * bits + 1);
                bursts.add(value);
                packer.burst(value);
            }
        }
        assertUnpacks(finish(false));
    }

    @Test
    void an_id_whose_place_would_mark_a_new_id_is_kept_at_another() {
        long low = 0;
        while (((low << 29 | low >>> 35) * 0x9e3779b97f4a7c15L) >>> 48 != PackFormat.NEW_ID) {
            low++;
        }
        assertThat(PackFormat.place(0, low)).isZero();
        for (int i = 0; i < 3; i++) {
            add(MadeFrames.single(MadeFrames.chunk("%032x".formatted(low), i)));
        }
        assertUnpacks(finish(false));
    }

    @Test
    void texts_of_48_bytes_are_deflated_if_there_is_time_and_an_entry_is_full_at_a_mebibyte() {
        for (int length : new int[] {47, 48}) {
            for (boolean deflates : new boolean[] {true, false}) {
                add(new byte[length]);
                byte[] packed = finish(deflates);
                assertThat(packed[0]).isEqualTo((byte) (deflates && length == 48 ? PackFormat.DEFLATED : 0));
                assertUnpacks(packed);
            }
        }
        add(new byte[(1 << 20) - 1]);
        // The length of the frame is among the numbers.
        assertThat(packer.isFull()).isTrue();
        assertUnpacks(finish(true));
        byte[] noise = new byte[FramePacker.FRAME_MAX_BYTES - 1000];
        random.nextBytes(noise);
        add(noise);
        assertThat(packer.isFull()).isFalse();
        add(MadeFrames.single(MadeFrames.chunk("x", 1)));
        add(new byte[1000]);
        assertThat(packer.isFull()).isTrue();
        assertThat(packer.entries()).isEqualTo(3);
        assertUnpacks(finish(true));
        assertThat(packer.entries()).isZero();
        packer.end();
        packer.end();
        new FramePacker().end();
    }

    @Test
    void an_entry_is_full_at_a_mebibyte_of_frames_or_of_what_is_stored_of_them_and_not_a_byte_earlier() {
        byte[] plain = new byte[(1 << 20) - 5];
        packer.frame(ByteBuffer.wrap(plain));
        // Form and length are stored, too: four bytes.
        assertThat(packer.isFull()).isFalse();
        finish(false);
        packer.frame(ByteBuffer.wrap(Arrays.copyOf(plain, plain.length + 1)));
        assertThat(packer.isFull()).isTrue();
        finish(false);
        ByteBuffer keys = ByteBuffer.allocate(3003).put(new byte[] {(byte) 0xde, 3, -24});
        while (keys.hasRemaining()) {
            keys.put(new byte[] {(byte) 0xa1, 'x', (byte) 0xc0});
        }
        byte[] same = MadeFrames.single(keys.array());
        int left = 1 << 20;
        for (; left > same.length; left -= same.length) {
            add(same);
        }
        add(new byte[left - 1]);
        assertThat(packer.isFull()).isFalse();
        add(new byte[1]);
        assertThat(packer.isFull()).isTrue();
        byte[] packed = finish(false);
        assertThat(packed.length).isLessThan(10_000);
        assertUnpacks(packed);
    }

    @Test
    void the_bytes_of_a_segment_are_those_of_earlier_builds() {
        MadeFrames made = new MadeFrames(new Random(11));
        CRC32C crc = new CRC32C();
        for (int entry = 0; entry < 300; entry++) {
            packer.burst(entry * 1_000_000L);
            for (int i = 0; i < 20; i++) {
                packer.frame(ByteBuffer.wrap(made.next()));
            }
            crc.update(finish(false));
        }
        assertThat(Long.toHexString(crc.getValue())).isEqualTo("101ad96f");
    }
}
