package io.metricsaggregator.imports.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FollowedInputTest {
    @TempDir
    Path directory;

    private final List<String> notes = new ArrayList<>();

    /** What the tool does each time that nothing is left to read; it has ended when nothing is left to do. */
    private static final class Tool implements FollowedInput.Watch {
        private final Deque<Step> steps;

        interface Step {
            void run() throws IOException;
        }

        Tool(Step... steps) {
            this.steps = new ArrayDeque<>(Arrays.asList(steps));
        }

        @Override
        public void idle() throws IOException {
            Step next = steps.poll();
            if (next != null) {
                next.run();
            }
        }

        @Override
        public boolean hasEnded() {
            return steps.isEmpty();
        }
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private String follow(Path file, Tool tool) throws IOException {
        try (GrowingFile input = new GrowingFile(file, tool, 0, notes::add)) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aFileThatDoesNotExistYetIsAwaitedAndPartsOfLinesAreJoined() throws IOException {
        Path file = directory.resolve("records");
        String read = follow(
                file,
                new Tool(() -> {}, () -> append(file, "one\ntw"), () -> append(file, "o"), () -> append(file, "\n")));
        assertThat(read).isEqualTo("one\ntwo\n");
        assertThat(notes).isEmpty();
    }

    @Test
    void whatIsWrittenBeforeTheToolEndsIsRead() throws IOException {
        Path file = directory.resolve("records");
        assertThat(follow(file, new Tool(() -> append(file, "the last line without an end"))))
                .isEqualTo("the last line without an end");
    }

    @Test
    void aTruncatedFileIsReadAgainFromItsStartAndSaid() throws IOException {
        Path file = directory.resolve("records");
        String read = follow(
                file,
                new Tool(
                        () -> append(file, "first run\npart of a li"),
                        () -> Files.writeString(file, "second\n", StandardOpenOption.TRUNCATE_EXISTING)));
        assertThat(read).isEqualTo("first run\npart of a li\nsecond\n");
        assertThat(notes).singleElement().asString().contains("was truncated from 22 to 7 bytes");
    }

    @Test
    void aReplacedFileIsReadToItsEndBeforeTheNewOne() throws IOException {
        Path file = directory.resolve("records");
        String read = follow(
                file,
                new Tool(
                        () -> append(file, "a\n"),
                        () -> {
                            append(file, "b\n");
                            Files.move(file, directory.resolve("records.1"));
                            append(file, "c, longer than both\n");
                        },
                        () -> append(file, "d\n")));
        assertThat(read).isEqualTo("a\nb\nc, longer than both\nd\n");
        assertThat(notes).singleElement().asString().contains("was replaced");
    }

    @Test
    void aFileThatIsMovedAwayIsNoEnd() throws IOException {
        Path file = directory.resolve("records");
        String read = follow(
                file,
                new Tool(
                        () -> append(file, "a\n"),
                        () -> Files.move(file, directory.resolve("records.1")),
                        () -> append(directory.resolve("records.1"), "b\n"),
                        () -> append(file, "c\n")));
        assertThat(read).isEqualTo("a\nb\nc\n");
    }

    @Test
    void aFileThatDoesNotGrowEndsAfterTheIdleTime() throws IOException {
        Path file = directory.resolve("records");
        append(file, "a\n");
        FollowedInput.Watch endless = new FollowedInput.Watch() {
            @Override
            public void idle() {}

            @Override
            public boolean hasEnded() {
                return false;
            }
        };
        try (GrowingFile input = new GrowingFile(file, endless, 50_000_000, notes::add)) {
            assertThat(input.readAllBytes()).isEqualTo("a\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void stopEndsTheStreamAfterWhatIsThere() throws IOException {
        Path file = directory.resolve("records");
        append(file, "a\n");
        FollowedInput[] followed = new FollowedInput[1];
        FollowedInput.Watch stopping = new FollowedInput.Watch() {
            @Override
            public void idle() throws IOException {
                if (Files.size(file) == 2) {
                    append(file, "b\n");
                }
                followed[0].stop();
            }

            @Override
            public boolean hasEnded() {
                return false;
            }
        };
        try (GrowingFile input = new GrowingFile(file, stopping, 0, notes::add)) {
            followed[0] = input;
            assertThat(input.readAllBytes()).isEqualTo("a\nb\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aPipeEndsWithItsWriter() throws IOException {
        byte[] content = "x".repeat(3 << 20).getBytes(StandardCharsets.UTF_8);
        FollowedInput.Watch endless = new FollowedInput.Watch() {
            @Override
            public void idle() {}

            @Override
            public boolean hasEnded() {
                return false;
            }
        };
        try (PipedInput input = new PipedInput(() -> new ByteArrayInputStream(content), endless, 0)) {
            assertThat(input.readAllBytes()).isEqualTo(content);
        }
        try (PipedInput input = new PipedInput(
                () -> {
                    throw new IOException("no such pipe");
                },
                endless,
                0)) {
            assertThatThrownBy(input::readAllBytes).hasMessage("no such pipe");
        }
    }
}
