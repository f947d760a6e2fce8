package io.metricsaggregator.transport.zmtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportException;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    void a_missing_directory_may_still_be_created() {
        Path missing = directory.resolve("no");
        assertThat(IpcObstacle.of(missing.resolve("events")))
                .isEqualTo(new IpcObstacle("the directory " + missing + " does not exist", false));
    }

    @Test
    void a_file_of_another_kind_never_becomes_a_socket() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        IpcObstacle kind = new IpcObstacle("it is a file of another kind, not a socket", true);
        assertThat(IpcObstacle.of(file)).isEqualTo(kind);
        assertThat(IpcObstacle.of(directory)).isEqualTo(kind);
        assertThat(IpcObstacle.of(file.resolve("a/b")))
                .isEqualTo(new IpcObstacle(file + " is a file, not a directory", true));
    }

    @Test
    void a_link_is_what_it_leads_to() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("events"));
        assertThat(IpcObstacle.of(link)).as("not bound yet").isNull();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(directory.resolve("events")));
            assertThat(IpcObstacle.of(link)).isNull();
        }
    }

    @Test
    void a_socket_that_this_user_may_not_write_to_names_its_owner_and_mode() {
        assertThat(IpcObstacle.of(new IpcObstacle.Facts(0140600, 1234, false)))
                .isEqualTo(new IpcObstacle(
                        "permission denied: the socket belongs to uid 1234 (mode 600). Connect as that user, or start the"
                                + " process that binds it with --socket-mode and --allow-uid",
                        true));
        assertThat(IpcObstacle.of(new IpcObstacle.Facts(0140666, 1234, true))).isNull();
    }

    @Test
    void a_connection_that_can_never_succeed_is_refused_when_it_is_opened() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        try (ZmtpTransport transport =
                new ZmtpTransport(TransportOptions.builder().build())) {
            assertThatThrownBy(() -> transport.openSource(
                            List.of(Endpoint.parse("ipc://" + file, false)), (buffer, start, length) -> {}))
                    .isInstanceOf(TransportException.class)
                    .hasMessage("cannot connect to ipc://" + file + ": it is a file of another kind, not a socket");
            transport.openSource(
                    List.of(Endpoint.parse("ipc://" + directory.resolve("later"), false)),
                    (buffer, start, length) -> {});
        }
    }
}
