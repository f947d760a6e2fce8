package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedSegmentTest {
    private static final Map<String, String> RUN = Map.of("run_id", "cafe");
    private static final long HOUR = 3_600_000_000_000L;

    @TempDir
    private Path run;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final MadeFrames made = new MadeFrames(random);
    private final List<byte[]> frames = new ArrayList<>();
    private long sequence;

    @BeforeEach
    void seed() {
        System.out.println("seed " + seed);
    }

    private JournalReader assertHoldsAllFrames() throws IOException {
        List<byte[]> seen = new ArrayList<>();
        JournalReader reader = new JournalReader();
        List<Long> numbers = new ArrayList<>();
        reader.read(run, new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {}

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                byte[] frame = new byte[length];
                buffer.get(start, frame);
                seen.add(frame);
                numbers.add(reader.nextSequence());
            }
        });
        assertThat(numbers).doesNotHaveDuplicates();
        assertThat(seen).hasSameSizeAs(frames);
        assertThat(reader.frames()).isEqualTo(frames.size());
        for (int i = 0; i < seen.size(); i++) {
            assertThat(seen.get(i)).as("frame %d", i).isEqualTo(frames.get(i));
        }
        assertThat(reader.skippedBytes() + reader.missingEntries()).isZero();
        return reader;
    }

    private FileChannel file(int number) throws IOException {
        return FileChannel.open(
                run.resolve(Segments.name(number)), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    private void fill(SegmentFile segment) throws IOException {
        segment.append(
                sequence++,
                Entries.PACKED_RUN,
                ByteBuffer.wrap("run_id=cafe\n".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        for (int burst = 0; burst < 60; burst++) {
            segment.append(sequence++, Entries.BURST, ByteBuffer.allocate(8).putLong(0, burst));
            for (int i = random.nextInt(20); i >= 0; i--) {
                byte[] frame = made.next();
                if (random.nextInt(200) == 0) {
                    frame = new byte[FramePacker.FRAME_MAX_BYTES + random.nextInt(3) - 1];
                    random.nextBytes(frame);
                }
                frames.add(frame);
                segment.append(sequence++, Entries.FRAME, ByteBuffer.wrap(frame));
            }
            segment.endBurst();
            if (random.nextInt(8) == 0) {
                segment.settle();
                segment.append(sequence++, Entries.OUTAGE, ByteBuffer.allocate(16));
                segment.settle();
                assertThat(segment.isSettled()).isTrue();
                assertHoldsAllFrames();
            }
        }
        // Those of a burst without an end are written by the end of the segment.
        byte[] last = made.next();
        frames.add(last);
        segment.append(sequence++, Entries.FRAME, ByteBuffer.wrap(last));
        segment.finish();
        segment.channel().close();
        assertHoldsAllFrames();
    }

    @Test
    void a_segment_packed_by_the_receiving_thread_holds_every_frame_once_a_burst_has_ended() throws IOException {
        PackedSegment segment = new PackedSegment(file(1));
        fill(segment);
        assertThat(Files.size(run.resolve(Segments.name(1))))
                .isEqualTo(segment.bytes())
                .isLessThan(segment.rawBytes());
    }

    @Test
    void segments_packed_by_the_writing_thread_hold_every_frame_whose_entry_begins_in_one_block_and_ends_in_another()
            throws IOException {
        BlockWriter blocks = new BlockWriter(new BlockPool(BlockWriter.PAGE, 2), -1);
        try {
            for (int number = 1; number <= 4; number++) {
                // In whole pages, too, but through the page cache: the file system of a test may take no direct I/O.
                DirectSegment segment = new DirectSegment(file(number), blocks, true, number % 2 == 0);
                fill(segment);
                assertThat(Files.size(run.resolve(Segments.name(number))))
                        .isEqualTo(segment.bytes())
                        .isLessThan(segment.rawBytes());
            }
        } finally {
            blocks.end();
        }
    }

    @Test
    void a_journal_of_the_version_before_is_read_and_a_resumed_run_goes_on_packed() throws IOException {
        try (InputStream plain = PackedSegmentTest.class.getResourceAsStream("/plain.journal")) {
            Files.copy(Objects.requireNonNull(plain), run.resolve(Segments.name(1)));
        }
        Random content = new Random(11);
        for (int i = 0; i < 12; i++) {
            byte[] frame = new byte[20 + i];
            content.nextBytes(frame);
            frames.add(frame);
        }
        JournalReader reader = assertHoldsAllFrames();
        assertThat(reader.run()).isEqualTo(RUN);
        try (JournalWriter writer =
                new JournalWriter(run, RUN, reader.nextSegment(), reader.nextSequence(), 1 << 20, -1)) {
            byte[] frame = made.next();
            frames.add(frame);
            writer.frame(ByteBuffer.wrap(frame), 0, frame.length, 99);
            writer.endBurst(99);
        }
        assertHoldsAllFrames();
        byte[] packed = Files.readAllBytes(run.resolve(Segments.name(2)));
        assertThat(packed[Entries.HEAD_BYTES]).isEqualTo(Entries.PACKED_RUN);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_segment_of_an_earlier_format_is_read_and_one_of_this_build_after_it(int format) throws IOException {
        try (InputStream earlier = PackedSegmentTest.class.getResourceAsStream("/packed-" + format + ".journal")) {
            Files.copy(Objects.requireNonNull(earlier), run.resolve(Segments.name(1)));
        }
        for (int i = 0; i < 12; i++) {
            frames.add(MadeFrames.single(MadeFrames.ofClient(i, format == 1 ? null : "worker-" + i / 4)));
        }
        JournalReader reader = assertHoldsAllFrames();
        assertThat(reader.run()).isEqualTo(RUN);
        sequence = reader.nextSequence();
        fill(new PackedSegment(file(2)));
    }

    @Test
    void a_packed_entry_that_no_writer_packed_is_damage_even_if_its_checksum_is_right() throws IOException {
        for (byte first : new byte[] {Entries.RUN, Entries.PACKED_RUN}) {
            FramePacker packer = new FramePacker();
            packer.frame(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            ByteBuffer payload = ByteBuffer.allocate(packer.finishedMaxBytes());
            packer.finish(payload, false);
            if (first == Entries.PACKED_RUN) {
                // More bursts and frames than there are bytes for.
                payload.put(1, (byte) 99);
            }
            ByteBuffer file = ByteBuffer.allocate(1000);
            entry(file, 0, first, ByteBuffer.allocate(0));
            int good = file.position();
            entry(file, 1, Entries.PACKED, payload.flip());
            Path segment = run.resolve(Segments.name(1));
            Files.write(segment, Arrays.copyOf(file.array(), file.position()));
            JournalReader reader = new JournalReader();
            reader.read(run, new JournalReader.Visitor() {
                @Override
                public void burst(long nanos) {
                    throw new IllegalStateException("no burst is there");
                }

                @Override
                public void frame(ByteBuffer buffer, int start, int length) {
                    throw new IllegalStateException("no frame is there");
                }
            });
            assertThat(reader.skippedBytes()).isEqualTo(file.position() - good);
        }
    }

    private static void entry(ByteBuffer to, long sequence, byte kind, ByteBuffer rest) {
        int length = 1 + rest.remaining();
        int checksum = Entries.checksum(new CRC32C(), length, sequence, kind, rest.duplicate());
        to.putInt(length).putInt(checksum).putLong(sequence).put(kind).put(rest);
    }

    @Test
    void a_stream_that_packs_badly_is_not_packed_for_some_segments() {
        SegmentSpeed speed = new SegmentSpeed();
        assertThat(speed.isPacked()).isTrue();
        speed.ended(SegmentSpeed.JUDGED_BYTES, SegmentSpeed.JUDGED_BYTES / 2);
        assertThat(speed.isPacked()).as("after a segment that packed well").isTrue();
        speed.ended(SegmentSpeed.JUDGED_BYTES / 16 - 1, SegmentSpeed.JUDGED_BYTES / 16 - 2);
        assertThat(speed.isPacked()).as("after a short segment").isTrue();
        speed.ended(20L << 20, 17L << 20);
        assertThat(speed.isPacked()).as("after one of 85 %").isTrue();
        SegmentSpeed shortest = new SegmentSpeed();
        shortest.ended(SegmentSpeed.JUDGED_BYTES / 16, SegmentSpeed.JUDGED_BYTES / 16 - 1);
        assertThat(shortest.isPacked()).as("after the shortest that counts").isFalse();
        // 83 MB a second since it was judged last, although 160 MB/s if that began with the segment.
        shortest.isWorthDirect(SegmentSpeed.JUDGED_BYTES, 10_000_000_000L);
        assertThat(shortest.isWorthDirect(2 * SegmentSpeed.JUDGED_BYTES, 10_400_000_000L))
                .isFalse();
        speed.ended(SegmentSpeed.JUDGED_BYTES, SegmentSpeed.JUDGED_BYTES - 1);
        for (int i = 0; i < SegmentSpeed.KEPT; i++) {
            assertThat(speed.isPacked()).isFalse();
            speed.ended(SegmentSpeed.JUDGED_BYTES, SegmentSpeed.JUDGED_BYTES);
        }
        assertThat(speed.isPacked()).as("some segments later").isTrue();
    }

    @Test
    void a_stream_that_waits_for_the_packing_thread_is_not_packed_for_some_segments() {
        SegmentSpeed speed = new SegmentSpeed();
        long second = 1_000_000_000;
        speed.direct(SegmentSpeed.FAST_BYTES, second, second / 10, true);
        speed.ended(SegmentSpeed.FAST_BYTES, SegmentSpeed.FAST_BYTES / 10);
        assertThat(speed.isPacked()).as("after a short wait").isTrue();
        speed.direct(SegmentSpeed.FAST_BYTES, second, second / 5, true);
        speed.ended(SegmentSpeed.FAST_BYTES, SegmentSpeed.FAST_BYTES / 10);
        for (int i = 0; i < SegmentSpeed.KEPT; i++) {
            assertThat(speed.isPacked()).isFalse();
            speed.direct(SegmentSpeed.FAST_BYTES, second, second / 5, false);
            speed.ended(SegmentSpeed.FAST_BYTES, SegmentSpeed.FAST_BYTES);
        }
        assertThat(speed.isPacked()).as("some segments later").isTrue();
        speed.opened(0);
        assertThat(speed.isTooSlowToPack(SegmentSpeed.JUDGED_BYTES, second, second / 10 + 1))
                .isTrue();
        assertThat(speed.isTooSlowToPack(2 * SegmentSpeed.JUDGED_BYTES, 2 * second, second / 5 + 1))
                .as("a tenth of the time since")
                .isFalse();
        speed.opened(2 * second);
        assertThat(speed.isTooSlowToPack(SegmentSpeed.JUDGED_BYTES, 3 * second, second / 10 + 1))
                .as("of the next file")
                .isTrue();
    }

    @Test
    void a_stream_held_up_by_the_packing_thread_ends_its_segment_early_and_is_written_as_it_is() throws IOException {
        try (JournalWriter writer = new JournalWriter(run, RUN, 1, 0, 1 << 30, -1)) {
            // As many bytes as are judged, within no time.
            writer.speed.isWorthDirect(-SegmentSpeed.JUDGED_BYTES, System.nanoTime() + HOUR);
            burst(writer);
            assertThat(writer.segment).isInstanceOf(DirectSegment.class);
            writer.speed.isTooSlowToPack(-SegmentSpeed.JUDGED_BYTES, System.nanoTime() - HOUR, 0);
            burst(writer);
            assertThat(Segments.list(run)).as("without a wait").hasSize(2);
            writer.speed.isTooSlowToPack(-SegmentSpeed.JUDGED_BYTES, System.nanoTime(), -HOUR);
            burst(writer);
            assertThat(Segments.list(run)).as("after an hour of waiting").hasSize(3);
            assertThat(writer.segment).isInstanceOf(BufferedSegment.class);
            writer.speed.isWorthDirect(-SegmentSpeed.JUDGED_BYTES, System.nanoTime() + HOUR);
            burst(writer);
            assertThat(writer.segment).isInstanceOf(DirectSegment.class);
            writer.speed.isTooSlowToPack(-SegmentSpeed.JUDGED_BYTES, System.nanoTime(), -HOUR);
            burst(writer);
            assertThat(Segments.list(run)).as("what is not packed").hasSize(4);
        }
        assertHoldsAllFrames();
    }

    private void burst(JournalWriter writer) {
        byte[] frame = new byte[50];
        random.nextBytes(frame);
        frames.add(frame);
        writer.frame(ByteBuffer.wrap(frame), 0, frame.length, 0);
        writer.endBurst(0);
    }

    @Test
    void a_burst_of_several_mebibytes_is_packed_in_entries_that_a_reader_takes() throws IOException {
        PackedSegment segment = new PackedSegment(file(1));
        segment.append(sequence++, Entries.PACKED_RUN, ByteBuffer.wrap(new byte[0]));
        for (int i = 0; i < 4; i++) {
            byte[] frame = new byte[900_000];
            random.nextBytes(frame);
            frames.add(frame);
            segment.append(sequence++, Entries.FRAME, ByteBuffer.wrap(frame));
        }
        segment.endBurst();
        assertHoldsAllFrames();
        segment.channel().close();
        assertThat(PackedEntries.packs(Entries.FRAME, 1 + FramePacker.FRAME_MAX_BYTES))
                .isTrue();
        assertThat(PackedEntries.packs(Entries.FRAME, 2 + FramePacker.FRAME_MAX_BYTES))
                .isFalse();
    }

    @Test
    void texts_are_deflated_at_first_and_then_within_their_share_of_the_time_unless_the_stream_is_in_a_hurry()
            throws IOException {
        for (int share : new int[] {1, Integer.MAX_VALUE}) {
            ScriptedChannel channel = new ScriptedChannel();
            PackedEntries entries = new PackedEntries(channel, null, share);
            boolean[] deflated = new boolean[3];
            for (int i = 0; i < 3; i++) {
                entries.hurry(i == 2);
                long before = entries.bytes();
                entries.append(100_001, 0, i, Entries.FRAME, ByteBuffer.allocate(100_000));
                entries.flush();
                deflated[i] = entries.bytes() - before < 50_000;
            }
            assertThat(deflated).as("one part of %d", share).containsExactly(true, share == 1, false);
        }
    }

    @Test
    void pages_are_written_again_with_what_follows_even_behind_most_of_the_memory() throws IOException {
        byte[] content = new byte[3 * PagedFile.BYTES];
        random.nextBytes(content);
        try (FileChannel file = file(1)) {
            PagedFile pages = new PagedFile(file, PagedFile.pages());
            int at = 0;
            for (int count : new int[] {700_001, 5, PagedFile.BYTES - 1, 0, 4096, 1}) {
                pages.put(ByteBuffer.wrap(content, at, count));
                at += count;
                pages.flush();
                byte[] written = Files.readAllBytes(run.resolve(Segments.name(1)));
                assertThat(written.length).isEqualTo((at + 4095) / 4096 * 4096);
                assertThat(Arrays.equals(written, 0, at, content, 0, at)).isTrue();
            }
        }
    }

    @Test
    void a_plain_segment_is_written_when_its_memory_is_full_and_counts_what_is_not_written_yet() throws IOException {
        ScriptedChannel channel = new ScriptedChannel();
        BufferedSegment segment = new BufferedSegment(channel, ByteBuffer.allocate(40));
        long appended = 0;
        // What fits to the byte waits, as a head and as content.
        for (int i = 0; i < 3; i++) {
            int length = new int[] {6, 0, 23}[i];
            segment.append(i, Entries.FRAME, ByteBuffer.allocate(length));
            appended += 17 + length;
            assertThat(segment.bytes()).isEqualTo(appended);
            assertThat(channel.written.size()).isEqualTo(i == 2 ? 40 : 0);
        }
        segment.append(3, Entries.FRAME, ByteBuffer.allocate(40));
        assertThat(channel.written.size()).as("its head, and all before").isEqualTo(97);
        segment.append(4, Entries.FRAME, ByteBuffer.allocate(0));
        segment.finish();
        assertThat(channel.written.size()).isEqualTo(97 + 40 + 17);
        assertThat(segment.bytes()).isEqualTo(97 + 40 + 17);
    }

    @Test
    void short_writes_are_continued_packed_or_not() throws IOException {
        byte[] large = new byte[FramePacker.FRAME_MAX_BYTES + 1];
        random.nextBytes(large);
        byte[][] written = new byte[2][];
        for (boolean packed : new boolean[] {true, false}) {
            for (int most : new int[] {Integer.MAX_VALUE, 4099}) {
                ScriptedChannel channel = new ScriptedChannel();
                channel.writeMax = most;
                SegmentFile segment =
                        packed ? new PackedSegment(channel) : new BufferedSegment(channel, ByteBuffer.allocate(1000));
                segment.append(0, packed ? Entries.PACKED_RUN : Entries.RUN, ByteBuffer.allocate(9));
                segment.append(1, Entries.FRAME, ByteBuffer.wrap(large));
                segment.append(2, Entries.FRAME, ByteBuffer.allocate(300));
                assertThat(segment.isSettled()).isFalse();
                segment.settle();
                assertThat(segment.isSettled()).isTrue();
                assertThat(segment.bytes()).isEqualTo(channel.written.size());
                assertThat(segment.rawBytes()).isEqualTo(3 * 17 + 9 + large.length + 300);
                assertThat(segment.channel()).isSameAs(channel);
                segment.finish();
                written[most == 4099 ? 1 : 0] = channel.written.toByteArray();
            }
            assertThat(written[1]).isEqualTo(written[0]);
        }
    }
}
