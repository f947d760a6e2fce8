package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.tokens.ChatFormat;
import io.metricsaggregator.tokens.TokenCountQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that is resumed with a tokenizer that hangs at its first text, and memory for one batch of texts. */
class TextsOfAJournalTest {
    @TempDir
    Path directory;

    private final GoldenCase golden = new GoldenCase("05a_tokens_text");
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final RunConfig config = RunConfig.builder().version("test").build();

    private long hang(String text) {
        hanging.countDown();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return text.length();
    }

    @AfterEach
    void openTheGate() {
        gate.countDown();
    }

    private DaemonConfig.Journal journal() {
        return new DaemonConfig.Journal(directory, -1, 1 << 20);
    }

    private void writeARunWithTexts() throws IOException {
        try (RunJournal journal = RunJournal.open(journal(), config)) {
            LiveRun run = new RunAssembler(config, RunResources.ofReplay(null, 1 << 20), System::nanoTime)
                    .live(250_000_000L, journal);
            for (ByteBuffer frame : golden.frames()) {
                run.ingest().onFrame(frame, 0, frame.capacity());
                run.ingest().onBurstEnd();
            }
            journal.leave();
        }
    }

    @Test
    @Timeout(60)
    void a_process_that_has_to_end_while_it_reads_them_does_not_wait_for_the_tokenizer() throws Exception {
        writeARunWithTexts();
        ChatFormat chat = ChatFormat.beside(directory.resolve("tokenizer.json"));
        RunAssembler runs = new RunAssembler(
                config,
                RunResources.ofReplay(
                        new RunResources.Tokens(this::hang, chat, 1, TokenCountQueue.BLOCK_BYTES), 1 << 20),
                System::nanoTime);
        AtomicBoolean stopping = new AtomicBoolean();
        try (RunJournal journal = RunJournal.open(journal(), config, stopping::get)) {
            RunParts parts = runs.parts(journal.decoder(), FrameApplier.ALL);
            journal.register(parts.registry());
            Thread reading = new Thread(() -> {
                try {
                    journal.recover(parts);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            reading.start();
            hanging.await();
            while (reading.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            stopping.set(true);
            reading.join(10_000);
            assertThat(reading.isAlive()).isFalse();
            assertThat(journal.recovery().reader().frames())
                    .isEqualTo(golden.frames().size());
            assertThat(parts.texts().pending()).isGreaterThan(1);
        }
    }
}
