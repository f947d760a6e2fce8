package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments made by hand: what is behind the last whole entry is counted as torn or as skipped, to the byte, and nothing else is. */
class SegmentDamageTest {
    private static final int TORN_MAX = 32 << 20;

    private final ByteBuffer file = ByteBuffer.allocate(1 << 20);
    private final List<String> seen = new ArrayList<>();
    private final JournalReader reader = new JournalReader();
    private int open;
    private byte first = Entries.RUN;

    private static ByteBuffer longs(long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * values.length);
        Arrays.stream(values).forEach(bytes::putLong);
        return bytes.flip();
    }

    private static void entry(ByteBuffer to, long sequence, byte kind, ByteBuffer rest) {
        int length = 1 + rest.remaining();
        int checksum = Entries.checksum(new CRC32C(), length, sequence, kind, rest.duplicate());
        to.putInt(length).putInt(checksum).putLong(sequence).put(kind).put(rest);
    }

    private void entry(long sequence, byte kind, ByteBuffer rest) {
        entry(file, sequence, kind, rest);
    }

    @Test
    void a_checksum_is_that_of_the_length_the_number_and_the_payload_as_they_are_in_the_file() {
        ByteBuffer bytes = ByteBuffer.allocate(15).putInt(0x01020304).putLong(0x05060708090a0b0cL);
        CRC32C crc = new CRC32C();
        crc.update(bytes.put(Entries.FRAME).put((byte) 1).put((byte) 2).flip());
        assertThat(Entries.checksum(
                        new CRC32C(), 0x01020304, 0x05060708090a0b0cL, Entries.FRAME, ByteBuffer.wrap(new byte[] {1, 2
                        })))
                .isEqualTo((int) crc.getValue());
    }

    private void run(byte kind) {
        entry(0, kind, StandardCharsets.UTF_8.encode("run_id=cafe\nrun_id=later\n=nameless\nno value\n"));
    }

    /** A channel that gives nothing at every other call, and then a few bytes. */
    private ReadableByteChannel slow(byte[] bytes) {
        ReadableByteChannel all = Channels.newChannel(new java.io.ByteArrayInputStream(bytes));
        open++;
        return new ReadableByteChannel() {
            private boolean gives;

            @Override
            public int read(ByteBuffer to) throws IOException {
                gives = !gives;
                int limit = to.limit();
                to.limit(Math.min(limit, to.position() + (gives ? Math.max(1, to.remaining() / 2) : 0)));
                int count = gives ? all.read(to) : 0;
                to.limit(limit);
                return count;
            }

            @Override
            public boolean isOpen() {
                return all.isOpen();
            }

            @Override
            public void close() throws IOException {
                if (all.isOpen()) {
                    open--;
                }
                all.close();
            }
        };
    }

    /** A run of segments, the last of which says that it has so many bytes more than are there. */
    private RunFiles files(int more, byte[]... segments) {
        return new RunFiles() {
            @Override
            public String name() {
                return "made";
            }

            @Override
            public List<Segment> segments() {
                return IntStream.range(0, segments.length)
                        .mapToObj(i -> (Segment) new Segment() {
                            @Override
                            public String name() {
                                return Segments.name(i + 1);
                            }

                            @Override
                            public Content open() {
                                int added = i == segments.length - 1 ? more : 0;
                                return new Content(slow(segments[i]), segments[i].length + added);
                            }
                        })
                        .toList();
            }

            @Override
            public @Nullable String text(String name) {
                return null;
            }
        };
    }

    private final JournalReader.Visitor visitor = new JournalReader.Visitor() {
        @Override
        public void burst(long nanos) {
            seen.add("burst " + nanos);
        }

        @Override
        public void frame(ByteBuffer buffer, int start, int length) {
            seen.add("frame of " + length);
        }

        @Override
        public void outage(long fromWallNanos, long toWallNanos) {
            seen.add("outage " + fromWallNanos + " " + toWallNanos);
        }
    };

    private byte[] bytes() {
        return Arrays.copyOf(file.array(), file.position());
    }

    private void read() throws IOException {
        reader.read(files(0, bytes()), visitor);
        assertThat(open).as("open segments").isZero();
    }

    /** Reads a segment with these bytes behind its first entry. */
    private void assertCounted(ByteBuffer behind, long skipped, long torn) throws IOException {
        file.clear();
        run(first);
        int whole = file.position();
        JournalReader own = new JournalReader();
        byte[] segment = Arrays.copyOf(file.array(), whole + behind.remaining());
        behind.get(segment, whole, behind.remaining());
        own.read(files(0, segment), visitor);
        assertThat(own.skippedBytes()).as("skipped").isEqualTo(skipped);
        assertThat(own.tornBytes()).as("torn").isEqualTo(torn);
        assertThat(seen).isEmpty();
    }

    private static ByteBuffer head(int length, int checksum, long sequence, int more) {
        return ByteBuffer.allocate(Entries.HEAD_BYTES + more)
                .putInt(0, length)
                .putInt(4, checksum)
                .putLong(8, sequence);
    }

    @Test
    void every_kind_of_entry_is_read_also_an_empty_frame_at_the_very_end_and_later_kinds_are_stepped_over()
            throws IOException {
        run(Entries.RUN);
        entry(1, Entries.CLOCK, longs(50, 5_000));
        entry(2, Entries.BURST, longs(70));
        entry(3, Entries.FRAME, ByteBuffer.allocate(3));
        entry(4, (byte) 'z', ByteBuffer.allocate(9));
        entry(5, Entries.MISSED, longs(7));
        entry(6, Entries.OUTAGE, longs(100, 200));
        entry(7, Entries.FRAME, ByteBuffer.allocate(0));
        read();
        assertThat(seen).containsExactly("burst 70", "frame of 3", "outage 100 200", "frame of 0");
        assertThat(reader.run()).isEqualTo(Map.of("run_id", "cafe"));
        assertThat(reader.missedFrames()).isEqualTo(7);
        assertThat(reader.frames()).isEqualTo(2);
        assertThat(reader.clock().endNanos()).isEqualTo(70);
        assertThat(reader.lastReceivedWallNanos(0))
                .as("a frame came after the outage")
                .isEqualTo(5_020);
        assertThat(reader.skippedBytes() + reader.tornBytes() + reader.missingEntries())
                .isZero();
    }

    @Test
    void each_step_reads_one_entry_packed_or_not_and_gaps_in_the_sequence_are_counted() throws IOException {
        run(Entries.PACKED_RUN);
        entry(3, Entries.CLOCK, longs(50, 5_000));
        FramePacker packer = new FramePacker();
        packer.burst(7);
        packer.frame(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        ByteBuffer payload = ByteBuffer.allocate(packer.finishedMaxBytes());
        packer.finish(payload, false);
        entry(8, Entries.PACKED, payload.flip());
        reader.open(files(0, bytes()));
        for (long next : new long[] {1, 4, 9, 10}) {
            assertThat(reader.next(visitor)).isTrue();
            assertThat(reader.nextSequence()).isEqualTo(next);
        }
        assertThat(reader.next(visitor)).isFalse();
        assertThat(seen).containsExactly("burst 7", "frame of 3");
        assertThat(reader.missingEntries()).isEqualTo(2 + 4);
        assertThat(open).as("open segments").isZero();
    }

    @Test
    void a_packed_entry_of_nothing_is_damage() throws IOException {
        run(Entries.PACKED_RUN);
        int whole = file.position();
        ByteBuffer payload = ByteBuffer.allocate(100);
        new FramePacker().finish(payload, false);
        entry(1, Entries.PACKED, payload.flip());
        read();
        assertThat(reader.skippedBytes()).isEqualTo(file.position() - whole);
    }

    @ParameterizedTest
    @ValueSource(bytes = {Entries.BURST, Entries.MISSED, Entries.CLOCK, Entries.OUTAGE, Entries.RUN})
    void an_entry_that_is_too_long_too_short_or_out_of_place_is_damage_although_its_checksum_is_right(byte kind)
            throws IOException {
        int right = kind == Entries.RUN ? -1 : kind == Entries.BURST || kind == Entries.MISSED ? 8 : 16;
        for (int length = 0; length < 20; length++) {
            ByteBuffer behind = ByteBuffer.allocate(200);
            entry(behind, 1, kind, ByteBuffer.allocate(length));
            entry(behind, 2, Entries.FRAME, ByteBuffer.allocate(5));
            if (length != right) {
                assertCounted(behind.flip(), behind.limit(), 0);
            }
        }
    }

    @Test
    void zeros_up_to_a_page_are_the_padding_of_a_killed_process_and_more_are_damage() throws IOException {
        for (int zeros : new int[] {0, 1, 16, 17, 500, BlockWriter.PAGE - 1}) {
            assertCounted(ByteBuffer.allocate(zeros), 0, 0);
        }
        assertCounted(ByteBuffer.allocate(BlockWriter.PAGE), BlockWriter.PAGE, 0);
        assertCounted(ByteBuffer.allocate(500).put(499, (byte) 1), 500, 0);
        assertCounted(ByteBuffer.allocate(500).put(16, (byte) 1), 500, 0);
        assertCounted(ByteBuffer.allocate(16).put(15, (byte) 1), 0, 16);
        assertCounted(ByteBuffer.allocate(16).put(0, (byte) 1), 0, 16);
        assertCounted(head(0, 1, 0, 30), 46, 0);
        assertCounted(head(0, 0, 1, 30), 46, 0);
    }

    @Test
    void an_impossible_length_or_sequence_is_damage_and_the_start_of_the_next_entry_is_torn() throws IOException {
        assertCounted(head(-1, 1, 1, 30), 46, 0);
        assertCounted(head(Entries.PAYLOAD_MAX_BYTES + 1, 1, 1, 30), 46, 0);
        assertCounted(head(Entries.PAYLOAD_MAX_BYTES, 1, 1, 30), 0, 46);
        assertCounted(head(31, 1, 1, 30), 0, 46);
        assertCounted(head(31, 1, 0, 30), 46, 0);
        assertCounted(head(31, 1, 2, 30), 46, 0);
        assertCounted(head(30, 1, 1, 30), 46, 0);
        ByteBuffer within = head(1000, 1, 1, 100);
        entry(within.position(40), 2, Entries.FRAME, ByteBuffer.allocate(3));
        assertCounted(within.rewind(), within.limit(), 0);
        // In the 24 bytes behind the head there are 12 entries at most if they are packed, and one if they are not.
        ByteBuffer later = head(1000, 1, 1, 100);
        entry(later.position(40), 14, Entries.FRAME, ByteBuffer.allocate(3));
        assertCounted(later.rewind(), 0, later.limit());
        first = Entries.PACKED_RUN;
        assertCounted(later.rewind(), later.limit(), 0);
    }

    @Test
    void a_first_entry_that_is_not_whole_is_torn_and_one_that_is_no_description_is_damage() throws IOException {
        run(Entries.RUN);
        byte[] cut = Arrays.copyOf(bytes(), file.position() - 1);
        reader.read(files(0, cut), visitor);
        assertThat(reader.tornBytes()).isEqualTo(cut.length);
        file.clear();
        entry(0, Entries.FRAME, ByteBuffer.allocate(5));
        read();
        assertThat(reader.skippedBytes()).isEqualTo(file.position());
        assertThat(seen).isEmpty();
    }

    @Test
    void no_more_than_32_MiB_are_searched_before_the_start_of_an_entry_passes_as_torn() throws IOException {
        assertCounted(head(TORN_MAX + 1, 1, 1, TORN_MAX), 0, TORN_MAX + Entries.HEAD_BYTES);
        assertCounted(head(TORN_MAX + 2, 1, 1, TORN_MAX + 1), TORN_MAX + 1 + Entries.HEAD_BYTES, 0);
    }

    @Test
    void an_entry_is_found_at_every_place_with_every_number_that_is_possible_there() {
        CRC32C crc = new CRC32C();
        int least = Entries.HEAD_BYTES + 1;
        for (int place = 0; place < 60; place++) {
            for (int ahead = 0; ahead < 8; ahead++) {
                ByteBuffer buffer = ByteBuffer.allocate(place + least + 2);
                entry(buffer.position(place), 100 + ahead, Entries.FRAME, ByteBuffer.allocate(2));
                boolean isPossible = ahead >= 1 && ahead <= 1 + place / least;
                assertThat(Entries.isAnyWithin(crc, buffer, buffer.limit(), 100, least))
                        .isEqualTo(isPossible);
                assertThat(Entries.isAnyWithin(crc, buffer, buffer.limit() - 1, 100, least))
                        .as("cut short")
                        .isFalse();
                buffer.put(buffer.limit() - 1, (byte) 1);
                assertThat(Entries.isAnyWithin(crc, buffer, buffer.limit(), 100, least))
                        .as("with a wrong checksum")
                        .isFalse();
            }
        }
        ByteBuffer shortest = ByteBuffer.allocate(least);
        entry(shortest, 101, Entries.FRAME, ByteBuffer.allocate(0));
        assertThat(Entries.isAnyWithin(crc, shortest, least, 100, least)).isTrue();
    }

    @Test
    void a_segment_that_becomes_shorter_while_it_is_read_is_an_error_and_is_closed() {
        run(Entries.RUN);
        assertThatThrownBy(() -> reader.read(files(40, bytes()), visitor))
                .isInstanceOf(EOFException.class)
                .hasMessage("the segment became shorter while it was read");
        assertThat(open).isZero();
    }

    @Test
    void the_description_is_that_of_the_first_segment_that_can_be_read_without_its_secret() throws IOException {
        entry(5, Entries.RUN, StandardCharsets.UTF_8.encode("run_id=cafe\nid_secret=0123\n"));
        RunFiles run = files(0, new byte[0], new byte[20], bytes());
        assertThat(JournalReader.describe(run)).isEqualTo(Map.of("run_id", "cafe"));
        assertThat(JournalReader.describeAll(run)).containsEntry("id_secret", "0123");
        assertThat(JournalReader.describe(files(0, new byte[0]))).isEmpty();
        assertThat(open).isZero();
    }
}
