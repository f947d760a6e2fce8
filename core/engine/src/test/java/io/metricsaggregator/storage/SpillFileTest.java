package io.metricsaggregator.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillFileTest {
    @TempDir
    private Path directory;

    @Test
    void a_write_that_fails_breaks_the_file() throws IOException {
        SpillFile file = new SpillFile(directory);
        file.close();
        assertThat(file.append(ByteBuffer.allocate(8))).isEqualTo(-1);
        assertThat(file.isBroken()).isTrue();
    }

    @Test
    void a_write_that_the_end_of_the_storage_interrupts_is_no_failure_of_the_disk() throws IOException {
        SpillFile file = new SpillFile(directory);
        assertThat(file.append(ByteBuffer.allocate(8))).isZero();
        file.abandon();
        Thread.currentThread().interrupt();
        assertThat(file.append(ByteBuffer.allocate(8))).isEqualTo(-1);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(file.isBroken()).isFalse();
        file.close();
    }
}
