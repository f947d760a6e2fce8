package io.metricsaggregator.transport.zmtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another user is told is in {@code OtherUserIT}: root may use every socket. */
class IpcObstacleTest {
    @TempDir
    Path directory;

    @Test
    void a_socket_that_nobody_has_bound_yet_is_no_obstacle() throws IOException {
        assertThat(IpcObstacle.of(directory.resolve("events"))).isNull();
        Path bound = directory.resolve("bound");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(bound));
            assertThat(IpcObstacle.of(bound)).isNull();
        }
        assertThat(IpcObstacle.of(bound)).as("left behind by a dead process").isNull();
    }

    @Test
    void a_missing_directory_and_a_file_of_another_kind_are_named() throws IOException {
        Path missing = directory.resolve("no");
        assertThat(IpcObstacle.of(missing.resolve("events"))).isEqualTo("the directory " + missing + " does not exist");
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(IpcObstacle.of(file)).isEqualTo("it is a file of another kind, not a socket");
    }
}
