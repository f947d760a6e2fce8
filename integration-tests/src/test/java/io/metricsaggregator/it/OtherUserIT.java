package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of another user: rejected on ipc unless allowed by user id, whatever the file modes are. */
@Tag("root")
class OtherUserIT {
    private static final int NOBODY = 65534;
    /** Connects, and reports whether the other side closes the connection. */
    private static final String CONNECT = """
            my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "cannot connect: $!";
            alarm 10;
            print(sysread($s, my $greeting, 64) ? "greeted\\n" : "refused\\n");
            """;

    @TempDir
    Path directory;

    private RunningProcess connection(Path socket, int group) throws IOException {
        List<String> command = asNobody(group);
        command.addAll(List.of(CONNECT, socket.toString()));
        return new RunningProcess(new ProcessBuilder(command));
    }

    private static List<String> asNobody(int group) {
        return new ArrayList<>(List.of(
                "setpriv",
                "--reuid=" + NOBODY,
                "--regid=" + group,
                "--clear-groups",
                "perl",
                "-MIO::Socket::UNIX",
                "-e"));
    }

    private static void requireRootAndSetpriv() throws IOException {
        boolean possible;
        try {
            List<String> command = asNobody(NOBODY);
            command.add("1");
            possible = new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            possible = false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (!possible) {
            String reason = "needs root, setpriv and perl to act as another user";
            System.out.println("SKIPPED: " + reason);
            Assumptions.assumeTrue(false, reason);
        }
    }

    @Test
    void aProcessOfAnotherUserIsRejectedUnlessItsUserIdIsAllowed() throws IOException {
        requireRootAndSetpriv();
        for (boolean allowed : new boolean[] {false, true}) {
            Path output = directory.resolve("out" + allowed);
            Path socket = directory.resolve("events");
            String[] more = allowed ? new String[] {"--allow-uid", Integer.toString(NOBODY)} : new String[0];
            List<String> arguments = new ArrayList<>(List.of("--in", "bind:ipc://" + socket));
            arguments.addAll(List.of(more));
            try (RunningProcess daemon = Cli.daemon(output, arguments.toArray(new String[0]))) {
                // The most permissive modes: every user may connect.
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
                Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
                try (RunningProcess connection = connection(socket, NOBODY)) {
                    assertThat(connection.awaitExit()).as("%s", connection).isZero();
                    assertThat(connection.out()).isEqualTo(allowed ? "greeted\n" : "refused\n");
                }
                daemon.signal("TERM");
                assertThat(daemon.awaitExit()).isZero();
            }
            MetricsSnapshot last = FinalSnapshotFile.read(output);
            assertThat(last.counterValue("peers_rejected")).isEqualTo(allowed ? 0 : 1);
        }
    }

    @Test
    void socketsOfMode660AdmitAnAllowedUserOfTheGroupAndNoOther() throws IOException {
        requireRootAndSetpriv();
        int ownGroup = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:gid");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path socket = directory.resolve("created").resolve("events");
        Path output = directory.resolve("out");
        try (RunningProcess daemon = Cli.daemon(
                output,
                "--in",
                "bind:ipc://" + socket,
                "--allow-uid",
                Integer.toString(NOBODY),
                "--socket-mode",
                "660")) {
            try (RunningProcess member = connection(socket, ownGroup)) {
                assertThat(member.awaitExit()).as("%s", member).isZero();
                assertThat(member.out()).isEqualTo("greeted\n");
            }
            try (RunningProcess stranger = connection(socket, NOBODY)) {
                assertThat(stranger.awaitExit()).as("%s", stranger).isNotZero();
                assertThat(stranger.err()).contains("Permission denied");
            }
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).isZero();
        }
    }
}
