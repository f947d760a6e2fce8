package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal on a file system that refuses direct I/O, and the folders that are fsynced so that a power failure leaves their entries. */
class JournalFilesTest {
    @TempDir
    private Path directory;

    private final ScriptedFiles files = new ScriptedFiles();
    private Path here;

    @BeforeEach
    void wrap() throws IOException {
        Files.createFile(directory.resolve("neighbour"));
        here = files.here(directory);
    }

    @Test
    void the_folder_of_each_new_entry_is_fsynced_before_the_entry_counts() throws IOException {
        JournalDirectory journals = JournalDirectory.open(here.resolve("a/b"));
        assertThat(files.synced).containsExactly(directory.getFileName().toString(), "a");
        files.synced.clear();
        Path run = journals.create("cafe", 5);
        assertThat(files.synced).containsExactly("b");
        files.synced.clear();
        new JournalWriter(run, Map.of(), 1, 0, 1 << 20, -1).close();
        String name = run.getFileName().toString();
        assertThat(files.synced).as("with a segment").containsExactly(name);
        assertThat(journals.unfinished()).isPresent();
        JournalDirectory.finish(run);
        assertThat(files.synced).as("with the mark").containsExactly(name, name);
        assertThat(journals.unfinished()).isEmpty();
        assertThat(files.synced).as("with a mark that is found").containsExactly(name, name, name);
    }

    @Test
    void a_fast_packed_stream_goes_through_the_page_cache_where_direct_io_is_refused_and_asks_once()
            throws IOException {
        SegmentFiles segments = new SegmentFiles(-1);
        for (int number = 1; number <= 2; number++) {
            Path path = here.resolve(Segments.name(number));
            SegmentFile segment = segments.create(path, true, true);
            segment.append(0, Entries.PACKED_RUN, ByteBuffer.allocate(0));
            segment.finish();
            assertThat(Files.size(directory.resolve(Segments.name(number)))).isEqualTo(segment.bytes());
            segment.channel().close();
            assertThatThrownBy(() -> segments.create(path, true, true)).isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(files.refused).isEqualTo(1);
        Path unpacked = here.resolve(Segments.name(3));
        assertThatThrownBy(() -> segments.create(unpacked, true, false)).isInstanceOf(FileSystemException.class);
        assertThat(directory.resolve(Segments.name(3))).doesNotExist();
        segments.end();
    }

    @Test
    void a_fast_stream_that_is_not_packed_is_written_slowly_where_direct_io_is_refused() throws IOException {
        try (JournalWriter writer = new JournalWriter(here, Map.of(), 1, 0, 1, -1)) {
            writer.speed.ended(1L << 30, (1L << 30) - 1);
            writer.speed.buffered(1L << 40, 1);
            writer.speed.isWorthDirect(-(1L << 40), System.nanoTime() + 1_000_000_000L);
            writer.speed.isWorthDirect(0, System.nanoTime() + 2_000_000_000L);
            writer.frame(ByteBuffer.allocate(9), 0, 9, 5);
            writer.endBurst(5);
            assertThat(files.refused).isEqualTo(1);
            assertThat(Objects.requireNonNull(writer.segment)).isInstanceOf(BufferedSegment.class);
            assertThat(writer.speed.isDirect()).isFalse();
            assertThat(writer.errors() + writer.missed()).isZero();
        }
    }
}
