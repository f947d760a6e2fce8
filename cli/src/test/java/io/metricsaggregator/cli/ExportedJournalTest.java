package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.JournalWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that this program exported are a format of its imports. */
class ExportedJournalTest {
    @TempDir
    private Path folder;

    private static int run(Object... arguments) {
        String[] words = Stream.of(arguments).map(String::valueOf).toArray(String[]::new);
        return Main.commands(words[0]).execute(words);
    }

    @Test
    void an_exported_journal_comes_back_record_for_record() throws IOException {
        long seed = System.nanoTime();
        System.out.println("ExportedJournalTest seed " + seed);
        List<byte[]> records = records(new Random(seed));
        Path journal = folder.resolve("journal");
        write(journal, records);
        for (String format : List.of("jsonl", "sqlite")) {
            Path exported = folder.resolve("exported." + format);
            Path again = folder.resolve("again-" + format);
            assertThat(run("export", journal, "--format", format, "-o", exported))
                    .isZero();
            assertThat(run("import", "auto", exported, "--journal", again)).isZero();
            assertThat(read(again)).as("%s, seed %d", format, seed).containsExactlyElementsOf(records);
        }
    }

    private static List<byte[]> records(Random random) {
        EventEncoder encoder = new EventEncoder();
        List<byte[]> records = new ArrayList<>();
        records.add(encoder.encode(EventRecord.session(EventType.SESSION_STARTED, 1)));
        for (int i = 0; i < 3000; i++) {
            EventRecord event = EventRecord.sample(
                    EventType.values()[random.nextInt(EventType.values().length)],
                    random.nextLong() >> random.nextInt(64),
                    "s-" + random.nextInt(50) + (char) random.nextInt(0xd800));
            records.add(
                    random.nextInt(20) == 0
                            ? new byte[] {(byte) 0xc1, (byte) random.nextInt()}
                            : encoder.encode(random.nextBoolean() ? event : event.from(random.nextInt(9), i)));
        }
        return records;
    }

    private static void write(Path journal, List<byte[]> records) throws IOException {
        JournalDirectory directory = JournalDirectory.open(journal);
        Path run = directory.create("cafe", 1);
        EventEncoder encoder = new EventEncoder();
        try (JournalWriter writer = new JournalWriter(run, Map.of("version", "1"), 1, 0, 1 << 30, -1)) {
            for (int i = 0; i < records.size(); i += 100) {
                byte[] frame = Topic.frame(
                        Topic.BATCH, encoder.encodeBatch(records.subList(i, Math.min(records.size(), i + 100))));
                writer.frame(ByteBuffer.wrap(frame), 0, frame.length, i);
                writer.endBurst(i);
            }
        }
        JournalDirectory.finish(run);
    }

    private static List<byte[]> read(Path journal) throws IOException {
        List<byte[]> records = new ArrayList<>();
        new JournalReader().read(JournalDirectory.findRun(journal), new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {
                // Only the records are compared.
            }

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                BatchReader batch = new BatchReader();
                batch.open(buffer, start + Topic.LENGTH, length - Topic.LENGTH);
                while (batch.next()) {
                    byte[] record = new byte[batch.length()];
                    buffer.get(batch.start(), record);
                    records.add(record);
                }
            }
        });
        return records;
    }
}
