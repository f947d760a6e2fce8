package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.flink.journal.JournalEntry;
import io.metricsaggregator.flink.journal.JournalFormat;
import io.metricsaggregator.flink.journal.RunEnumerator;
import io.metricsaggregator.journal.JournalReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalFormatTest {
    @TempDir
    Path folder;

    private final JournalFormat format = new JournalFormat();

    private static List<RecordAndPosition<JournalEntry>> all(BulkFormat.Reader<JournalEntry> reader)
            throws IOException {
        List<RecordAndPosition<JournalEntry>> entries = new ArrayList<>();
        try (reader) {
            for (var batch = reader.readBatch(); batch != null; batch = reader.readBatch()) {
                for (var each = batch.next(); each != null; each = batch.next()) {
                    entries.add(each);
                }
            }
        }
        return entries;
    }

    private static String text(JournalEntry entry) {
        return entry.kind() + " " + entry.position() + " " + entry.nanos() + " "
                + java.util.Arrays.hashCode(entry.bytes());
    }

    private List<JournalEntry> read(FileSourceSplit split) throws IOException {
        return all(format.createReader(new Configuration(), split)).stream()
                .map(RecordAndPosition::getRecord)
                .toList();
    }

    private FileSourceSplit onlySplit() throws IOException {
        Collection<FileSourceSplit> splits = new RunEnumerator()
                .enumerateSplits(
                        new org.apache.flink.core.fs.Path[] {new org.apache.flink.core.fs.Path(folder.toUri())}, 1);
        assertThat(splits).hasSize(1);
        return splits.iterator().next();
    }

    private List<Path> segments(Path run) throws IOException {
        try (Stream<Path> files = Files.list(run)) {
            return files.filter(each -> each.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void a_run_is_its_description_its_frames_in_order_over_several_segments_and_an_end_without_damage()
            throws IOException {
        var shape = Journals.shape(1, 20, false);
        Path run = Journals.synthetic("a", shape, folder, true);
        assertThat(segments(run)).hasSizeGreaterThan(1);

        List<JournalEntry> entries = read(onlySplit());

        List<ByteBuffer> frames = Journals.frames(shape);
        assertThat(entries).hasSize(frames.size() + 2);
        assertThat(entries.get(0).description()).containsEntry("run_id", "a").containsKey("id_secret");
        assertThat(entries.subList(1, entries.size() - 1))
                .extracting(each -> ByteBuffer.wrap(each.bytes()))
                .isEqualTo(frames);
        assertThat(entries).extracting(JournalEntry::position).isSorted().doesNotHaveDuplicates();
        assertThat(entries.get(entries.size() - 1).damage()).isEqualTo(new JournalEntry.Damage(0, 0, 0, 0, 0));
    }

    @Test
    void a_reader_restored_at_any_position_hands_on_exactly_the_rest() throws IOException {
        Journals.synthetic("a", Journals.shape(2, 12, true), folder, false);
        FileSourceSplit split = onlySplit();
        List<RecordAndPosition<JournalEntry>> entries = all(format.createReader(new Configuration(), split));
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20; i++) {
            int read = random.nextInt(entries.size());
            RecordAndPosition<JournalEntry> last = entries.get(read);
            FileSourceSplit restored = split.updateWithCheckpointedPosition(
                    new CheckpointedPosition(last.getOffset(), last.getRecordSkipCount()));
            assertThat(all(format.restoreReader(new Configuration(), restored)))
                    .as("seed %d, %d entries read", seed, read + 1)
                    .extracting(each -> text(each.getRecord()))
                    .isEqualTo(entries.subList(read + 1, entries.size()).stream()
                            .map(each -> text(each.getRecord()))
                            .toList());
        }
    }

    @Test
    void torn_and_missing_segments_are_counted_as_by_the_reader_of_a_replay() throws IOException {
        Path run = Journals.synthetic("a", Journals.shape(3, 40, false), folder, false);
        List<Path> segments = segments(run);
        assertThat(segments).hasSizeGreaterThan(3);
        Files.delete(segments.get(1));
        try (RandomAccessFile torn = new RandomAccessFile(segments.get(2).toFile(), "rw")) {
            torn.seek(torn.length() / 2);
            torn.writeLong(-1);
        }
        JournalReader replay = new JournalReader();
        replay.read(run, new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {
                // Only counts are compared.
            }

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                // Only counts are compared.
            }
        });

        List<JournalEntry> entries = read(onlySplit());

        JournalEntry.Damage damage = entries.get(entries.size() - 1).damage();
        assertThat(damage.skippedBytes()).isPositive().isEqualTo(replay.skippedBytes());
        assertThat(damage.missingEntries()).isPositive().isEqualTo(replay.missingEntries());
        assertThat(entries).hasSize((int) replay.frames() + 2);
    }

    @Test
    void a_frame_that_killed_the_daemon_is_left_out_and_counted() throws IOException {
        Path run = Journals.synthetic("a", Journals.shape(4, 2, false), folder, false);
        List<JournalEntry> before = read(onlySplit());
        long killer = before.get(5).position();
        Files.writeString(run.resolve("skipped-frames"), killer + "\n");

        List<JournalEntry> after = read(onlySplit());

        assertThat(after)
                .hasSize(before.size() - 1)
                .extracting(JournalEntry::position)
                .doesNotContain(killer);
        assertThat(after.get(after.size() - 1).damage().skippedFrames()).isEqualTo(1);
    }
}
