package io.metricsaggregator.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CurveKeyCommandTest {
    @TempDir
    private Path directory;

    @Test
    void the_file_holds_both_keys_for_its_owner_and_is_never_overwritten() throws IOException {
        Path file = directory.resolve("curve.key");
        assertThat(Main.execute("curve-key", file.toString())).isZero();
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(2).allSatisfy(key -> assertThat(key).hasSize(40));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Main.execute("curve-key", file.toString())).isEqualTo(4);
        assertThat(Files.readAllLines(file)).isEqualTo(lines);
    }
}
