package io.metricsaggregator.conformance;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory of one case, readable by this user only, with an endpoint in it. Closing deletes it. */
final class CaseDirectory implements Closeable {
    private static final int PROBE_MILLIS = 200;

    private final Path folder;
    private final boolean tcp;
    private final int port;

    /** Creates the directory; with {@code tcp} the endpoint is a free port of the loopback interface. */
    CaseDirectory(boolean tcp) throws IOException {
        folder = Files.createTempDirectory("ma-check-");
        this.tcp = tcp;
        if (tcp) {
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
        } else {
            port = 0;
        }
    }

    Path folder() {
        return folder;
    }

    /** The endpoint as ZeroMQ writes it. */
    String endpoint() {
        return tcp ? "tcp://127.0.0.1:" + port : "ipc://" + folder.resolve("s");
    }

    /** Whether a socket is bound to the endpoint. */
    boolean isBound() {
        if (!tcp) {
            return Files.exists(folder.resolve("s"));
        }
        try (Socket probe = new Socket()) {
            probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
