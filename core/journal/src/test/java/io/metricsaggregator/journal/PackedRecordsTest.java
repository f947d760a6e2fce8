package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frames that need all of a packer's memory, and records in which everything changes, are read back byte for byte. */
class PackedRecordsTest {
    private static byte[] finish(FramePacker packer, boolean deflates) {
        ByteBuffer out = ByteBuffer.allocate(packer.finishedMaxBytes());
        packer.finish(out, deflates);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** The frames of an entry, one behind the other. */
    private static byte[] read(FrameUnpacker unpacker, byte[] packed) {
        assertThat(unpacker.unpack(packed, 0, packed.length)).isPositive();
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        while (unpacker.hasNext()) {
            unpacker.next(new JournalClock(), new JournalReader.Visitor() {
                @Override
                public void burst(long nanos) {}

                @Override
                public void frame(ByteBuffer buffer, int start, int length) {
                    frames.write(buffer.array(), start, length);
                }
            });
        }
        return frames.toByteArray();
    }

    /** Packs and reads frames as an entry of a segment of their own. */
    private static void assertReadBack(boolean deflates, byte[]... frames) {
        FramePacker packer = new FramePacker();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            packer.frame(ByteBuffer.wrap(frame));
            all.writeBytes(frame);
        }
        assertThat(Arrays.equals(read(new FrameUnpacker(), finish(packer, deflates)), all.toByteArray()))
                .as("%d frames, the last of %d bytes", frames.length, frames[frames.length - 1].length)
                .isTrue();
    }

    /** A record with two ids, a value and the most numbers that a shape can have, all random. */
    private static byte[] numbers(Random random) {
        ByteBuffer record = ByteBuffer.allocate(500).put(new byte[] {(byte) 0xde, 0, 32});
        for (int i = 0; i < 32; i++) {
            record.put((byte) 0xa1).put((byte) 'x');
            switch (i) {
                case 0, 9 -> record.put((byte) 0xd9).put((byte) 32).put(id(random));
                case 1 -> record.put((byte) 0xcd).putShort((short) random.nextInt());
                case 2 -> record.put((byte) 0xce).putInt(random.nextInt());
                case 3 -> record.put((byte) 0xcc).put((byte) random.nextInt());
                case 4 -> record.put((byte) 0x92).put(new byte[] {(byte) 0xa0, (byte) random.nextInt(9)});
                default -> record.put((byte) 0xcf).putLong(random.nextLong());
            }
        }
        return Arrays.copyOf(record.array(), record.position());
    }

    private static byte[] id(Random random) {
        return "%016x%016x".formatted(random.nextLong(), random.nextLong()).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] wide(List<byte[]> records) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[PackFormat.TOPIC_BYTES]);
        if (records.size() < 16) {
            out.write(0x90 | records.size());
        } else {
            out.write(0xdc);
            out.write(records.size() >>> 8);
            out.write(records.size());
        }
        for (byte[] record : records) {
            out.write(0xc5);
            out.write(record.length >>> 8);
            out.write(record.length);
            out.writeBytes(record);
        }
        return out.toByteArray();
    }

    @Test
    void records_whose_every_field_changes_are_read_back_however_many_are_in_an_entry() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int entry = 0; entry < 12; entry++) {
            List<byte[]> records = new ArrayList<>();
            for (int i = random.nextInt(1500); i >= 0; i--) {
                records.add(numbers(random));
                if (random.nextInt(4) == 0) {
                    records.add(MadeFrames.ofClient(random.nextInt(1000)));
                }
            }
            assertReadBack(random.nextBoolean(), wide(records));
        }
    }

    @Test
    void the_name_of_a_source_is_stored_unless_it_is_that_of_the_record_before() {
        String longest = "n".repeat(RecordShape.KEPT_MAX_BYTES - 2);
        String longer = longest + "n";
        assertStored(List.of("one", "two", "one", "two"), "one", "one", "two", "two", "one", "two", "two");
        assertStored(List.of("two", "four", "two"), "two", "four", "four", "two");
        // A longer one is stored each time, and the one before it is still known.
        assertStored(List.of("one", longest, longer, longer), "one", longest, longest, longer, longer, longest);
        assertStored(List.of(longer, longer, "one"), longer, longer, "one", "one");
    }

    /** Packs records of sources as one frame each, which are read back, and of which some have the name of their source. */
    private static void assertStored(List<String> stored, String... sources) {
        FramePacker packer = new FramePacker();
        FrameUnpacker unpacker = new FrameUnpacker();
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < sources.length; i++) {
            byte[] frame = MadeFrames.single(MadeFrames.ofClient(i, sources[i]));
            packer.frame(ByteBuffer.wrap(frame));
            byte[] packed = finish(packer, false);
            assertThat(read(unpacker, packed)).isEqualTo(frame);
            if (new String(packed, StandardCharsets.ISO_8859_1).contains(sources[i])) {
                seen.add(sources[i]);
            }
        }
        assertThat(seen).isEqualTo(stored);
        assertThat(packer.shapeCount).isEqualTo(1);
    }

    @Test
    void an_id_with_any_character_that_is_no_lower_case_digit_is_kept_as_it_is() {
        List<byte[]> frames = new ArrayList<>(List.of(MadeFrames.single(MadeFrames.chunk("0".repeat(32), 1))));
        for (int at = 0; at < 32; at++) {
            for (char other : new char[] {'A', 'g', '/', ':', '`', 0x7f}) {
                StringBuilder id = new StringBuilder("0123456789abcdef".repeat(2));
                id.setCharAt(at, other);
                frames.add(MadeFrames.single(MadeFrames.chunk(id.toString(), at)));
            }
        }
        assertReadBack(false, frames.toArray(new byte[0][]));
    }

    @Test
    void frames_that_just_fill_the_memory_of_a_packer_are_read_back() {
        byte[] chunk = MadeFrames.chunk("0123456789abcdef".repeat(2), 7);
        for (int length = 16_370; length < 16_400; length++) {
            assertReadBack(false, new byte[length]);
        }
        // The last records end within what begins as a known shape, and right before the end of the memory.
        for (int bytes : new int[] {0, 1, 5, 8, 20, 31, 32, 33, chunk.length - 1}) {
            List<byte[]> records = new ArrayList<>(List.of(chunk, new byte[40_000], Arrays.copyOf(chunk, bytes)));
            assertReadBack(false, wide(records));
        }
        byte[][] shortest = new byte[10_000][3];
        assertReadBack(false, shortest);
        for (int length = 48; length < 400; length++) {
            byte[] noise = new byte[length];
            new Random(length).nextBytes(noise);
            assertReadBack(true, noise);
        }
        FramePacker bursts = new FramePacker();
        for (int i = 0; i < 5000; i++) {
            bursts.burst((i & 1) == 0 ? Long.MAX_VALUE / 3 : -i);
        }
        byte[] packed = finish(bursts, false);
        assertThat(new FrameUnpacker().unpack(packed, 0, packed.length)).isEqualTo(5000);
    }

    @Test
    void offsets_of_chunks_that_differ_the_most_are_read_back_however_many_there_are() {
        for (int count : new int[] {3260, 3265, 3270, 3272, 3275, 3277, 3280, 3282, 3285, 20_000}) {
            ByteBuffer frame = ByteBuffer.allocate(60 + 4 * count).position(PackFormat.TOPIC_BYTES);
            frame.put(new byte[] {PackFormat.CHUNKS_ARRAY, 1, 2, 3, 4, 5, 6, (byte) 0xc6});
            frame.putInt(4 * count);
            for (int i = 0; i < count; i++) {
                frame.putInt((i & 1) == 0 ? Integer.MAX_VALUE : 0x80);
            }
            assertReadBack(false, Arrays.copyOf(frame.array(), frame.position()));
        }
    }

    @Test
    void a_record_of_three_bytes_is_told_from_its_topic_which_is_stored_once() {
        byte[] frame = new byte[PackFormat.TOPIC_BYTES + 3];
        frame[PackFormat.TOPIC_BYTES] = (byte) 0x81;
        FramePacker packer = new FramePacker();
        packer.frame(ByteBuffer.wrap(frame));
        finish(packer, false);
        packer.frame(ByteBuffer.wrap(frame));
        packer.frame(ByteBuffer.wrap(frame));
        // Of each, behind the head of six: topic, no shape, length and bytes.
        assertThat(finish(packer, false)).hasSize(6 + 2 * 6);
    }

    @Test
    void an_unpacker_that_is_reset_reads_a_segment_as_a_new_one_does() {
        FrameUnpacker used = new FrameUnpacker();
        long low = 0x0123_4567_89ab_cdefL;
        byte[] chunk = MadeFrames.single(MadeFrames.chunk("0".repeat(16) + "0123456789abcdef", 7));
        FramePacker first = new FramePacker();
        for (String topic : new String[] {"a", "b"}) {
            byte[] other = chunk.clone();
            other[0] = (byte) topic.charAt(0);
            first.frame(ByteBuffer.wrap(other));
            first.frame(ByteBuffer.wrap(other));
        }
        first.burst(99);
        read(used, finish(first, true));
        // The end of a stream of texts, behind which an inflater reads nothing.
        byte[] text = PackFormatTest.deflatedText();
        int length = text.length;
        used.reset();
        ByteBuffer last = ByteBuffer.allocate(100);
        last.put(new byte[] {PackFormat.DEFLATED, 1, 3, 2, 3, (byte) length, PackFormat.PLAIN_FRAME, 3});
        assertThat(used.unpack(last.put(text, 0, length).array(), 0, last.position()))
                .isEqualTo(1);
        used.reset();
        assertThat(used.hasNext()).isFalse();
        assertThat((Object[]) used.topics).containsOnlyNulls();
        assertThat(used.shapes).containsOnlyNulls();
        // Says the place of an id that its own segment does not have.
        FramePacker second = new FramePacker();
        second.keep(PackFormat.place(0, low), 0, low);
        second.frame(ByteBuffer.wrap(chunk));
        second.frame(ByteBuffer.wrap(chunk));
        byte[] packed = finish(second, true);
        byte[] seen = read(used, packed);
        assertThat(seen).isEqualTo(read(new FrameUnpacker(), packed));
        assertThat(new String(seen, StandardCharsets.US_ASCII)).contains("0".repeat(32));
    }
}
