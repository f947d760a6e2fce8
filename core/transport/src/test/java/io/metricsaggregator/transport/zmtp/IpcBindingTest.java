package io.metricsaggregator.transport.zmtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportException;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ownership of socket paths, and what happens to a file that already exists there. */
class IpcBindingTest {
    @TempDir
    Path directory;

    private Path socket;

    @BeforeEach
    void name() {
        socket = directory.resolve("metrics");
    }

    private Transport bind() throws IOException {
        return bind(TransportOptions.defaults());
    }

    private Transport bind(TransportOptions options) throws IOException {
        Transport transport = new ZmtpTransport(options);
        try {
            transport.openSink(List.of(Endpoint.parse("bind:ipc://" + socket, true)), FrameSink.Kind.PUBLISH_LATEST);
            return transport;
        } catch (IOException e) {
            transport.close();
            throw e;
        }
    }

    private static void assertRefused(ThrowingCallable action, TransportException.Reason reason, String text) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(text);
    }

    @Test
    void theSocketIsAccessibleToItsOwnerOnlyAndRemovedOnClose() throws IOException {
        Transport transport = bind();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-------");
        transport.close();
        try (var left = Files.list(directory)) {
            assertThat(left).containsExactly(directory.resolve("metrics.lock"));
        }
    }

    @Test
    void aSecondBindNamesTheProcessThatHoldsThePath() throws IOException {
        try (Transport first = bind()) {
            assertRefused(
                    this::bind,
                    TransportException.Reason.UNAVAILABLE,
                    "in use by pid " + ProcessHandle.current().pid());
            assertThat(first.stats().peersAccepted).isZero();
            assertThat(socket).exists();
        }
        bind().close();
    }

    @Test
    void aSocketWithAnotherListenerIsNotReplaced() throws IOException {
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(socket));
            assertRefused(this::bind, TransportException.Reason.UNAVAILABLE, "another process listens on it");
            assertThat(socket).exists();
        }
    }

    @Test
    void theSocketOfAKilledProcessIsReplaced() throws IOException {
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(socket));
        }
        Files.writeString(directory.resolve("metrics.lock"), "pid 1 0000");
        assertThat(socket).exists();
        bind().close();
        assertThat(socket).doesNotExist();
    }

    @Test
    void aRegularFileAtThePathIsNotReplaced() throws IOException {
        Files.writeString(socket, "precious");
        assertRefused(this::bind, TransportException.Reason.UNAVAILABLE, "not a socket");
        assertThat(socket).hasContent("precious");
    }

    @Test
    void aSymbolicLinkAtThePathIsNotFollowed() throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        Files.createSymbolicLink(socket, victim);
        assertRefused(this::bind, TransportException.Reason.UNAVAILABLE, "not a socket");
        assertThat(victim).hasContent("precious");
        assertThat(Files.isSymbolicLink(socket)).isTrue();
    }

    @Test
    void aSymbolicLinkAtTheLockFileIsNotFollowed() throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        Files.createSymbolicLink(directory.resolve("metrics.lock"), victim);
        assertThatThrownBy(this::bind).isInstanceOf(TransportException.class);
        assertThat(victim).hasContent("precious");
    }

    @Test
    void aDirectoryWritableByOthersIsRejectedUnlessAllowed() throws IOException {
        for (String mode : List.of("rwxrwx---", "rwx----w-", "rwxrwxrwx")) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
            assertRefused(this::bind, TransportException.Reason.UNSAFE, "--insecure-socket-dir");
        }
        bind(TransportOptions.builder().insecureSocketDir(true).build()).close();
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void missingDirectoriesAreCreatedForTheirOwnerAlone() throws IOException {
        Path above = directory.resolve("absent");
        socket = above.resolve("too").resolve("metrics");
        bind().close();
        assertThat(mode(above)).isEqualTo("rwx------");
        assertThat(mode(above.resolve("too"))).isEqualTo("rwx------");
    }

    @Test
    void theSocketHasTheWantedModeAndUsersWhoMayConnectPassThroughACreatedDirectory() throws IOException {
        for (String[] modes : new String[][] {{"rw-rw----", "rwx--x---"}, {"rw-rw-rw-", "rwx--x--x"}}) {
            Path created = directory.resolve(modes[0]);
            socket = created.resolve("metrics");
            TransportOptions options = TransportOptions.builder()
                    .socketMode(PosixFilePermissions.fromString(modes[0]))
                    .build();
            try (Transport transport = bind(options)) {
                assertThat(transport.stats().peersAccepted).isZero();
                assertThat(mode(socket)).isEqualTo(modes[0]);
                assertThat(mode(created)).isEqualTo(modes[1]);
            }
        }
    }

    @Test
    void aFileInPlaceOfTheDirectoryIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "mine");
        socket = file.resolve("metrics");
        assertRefused(this::bind, TransportException.Reason.UNAVAILABLE, file + " is not a directory");
        socket = file.resolve("below").resolve("metrics");
        assertRefused(this::bind, TransportException.Reason.UNAVAILABLE, file.toString());
        assertThat(file).hasContent("mine");
    }

    @Test
    void aPathOfMaximumLengthBindsOrReportsTheLimit() throws IOException {
        int room = Endpoint.IPC_PATH_MAX_BYTES - directory.toString().length() - 1;
        socket = directory.resolve("n".repeat(room));
        bind().close();
        Path deep = Files.createDirectory(directory.resolve("d".repeat(room - 4)));
        socket = deep.resolve("abc");
        assertRefused(this::bind, TransportException.Reason.UNAVAILABLE, "106 are allowed");
        assertThat(Files.exists(socket, LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    @Test
    void aTcpSocketOnAllInterfacesIsRejectedUnlessAllowed() throws IOException {
        Endpoint everyone = Endpoint.parse("bind:tcp://*:0", true);
        try (Transport transport = new ZmtpTransport(TransportOptions.defaults())) {
            assertRefused(
                    () -> transport.openSink(List.of(everyone), FrameSink.Kind.PUBLISH_LATEST),
                    TransportException.Reason.UNSAFE,
                    "--insecure-bind");
        }
        try (Transport transport =
                new ZmtpTransport(TransportOptions.builder().insecureBind(true).build())) {
            FrameSink sink = transport.openSink(List.of(everyone), FrameSink.Kind.PUBLISH_LATEST);
            assertThat(sink.endpoints().get(0).port()).isPositive();
        }
    }

    @Test
    void aTcpPortInUseIsReported() throws IOException {
        try (Transport first = new ZmtpTransport(TransportOptions.defaults());
                Transport second = new ZmtpTransport(TransportOptions.defaults())) {
            FrameSink sink =
                    first.openSink(List.of(Endpoint.parse("tcp://127.0.0.1:0", true)), FrameSink.Kind.PUBLISH_LATEST);
            Endpoint taken = sink.endpoints().get(0);
            assertRefused(
                    () -> second.openSink(List.of(taken), FrameSink.Kind.PUBLISH_LATEST),
                    TransportException.Reason.UNAVAILABLE,
                    taken.uri());
        }
    }
}
