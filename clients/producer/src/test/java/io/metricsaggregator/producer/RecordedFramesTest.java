package io.metricsaggregator.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedFramesTest {
    @TempDir
    Path directory;

    @Test
    void framesAreReadBackUnchanged() throws IOException {
        Path file = directory.resolve("frames.bin");
        List<byte[]> frames = List.of(new byte[0], new byte[] {1}, new byte[70_000]);
        try (RecordedFrames.Writer writer = new RecordedFrames.Writer(file)) {
            for (byte[] frame : frames) {
                writer.write(frame);
            }
        }
        List<byte[]> read = new ArrayList<>();
        try (RecordedFrames recorded = new RecordedFrames(file)) {
            for (byte[] frame = recorded.next(); frame != null; frame = recorded.next()) {
                read.add(frame);
            }
        }
        assertThat(read).usingElementComparator(java.util.Arrays::compare).containsExactlyElementsOf(frames);
    }

    @Test
    void aFileTruncatedWithinAFrameNamesTheFrame() throws IOException {
        Path file = directory.resolve("cut.bin");
        byte[] bytes =
                ByteBuffer.allocate(10).putInt(2).put(new byte[2]).putInt(5).array();
        for (int length = 7; length <= 10; length++) {
            Files.write(file, java.util.Arrays.copyOf(bytes, length));
            try (RecordedFrames recorded = new RecordedFrames(file)) {
                recorded.next();
                assertThatThrownBy(recorded::next).hasMessageContaining("ends within frame 2");
            }
        }
    }

    @Test
    void aFileInAnotherFormatIsRejectedWithoutReadingIt() throws IOException {
        Path file = Files.writeString(directory.resolve("text"), "This is not a file of frames.");
        try (RecordedFrames recorded = new RecordedFrames(file)) {
            assertThatThrownBy(recorded::next).hasMessageContaining("is this a file of recorded frames?");
        }
    }
}
