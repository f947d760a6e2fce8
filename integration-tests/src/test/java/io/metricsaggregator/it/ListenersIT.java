package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTTP listeners of the commands: what they load, and whom they answer. */
class ListenersIT {
    @TempDir
    Path directory;

    /** Classes of the HTTP library that a daemon with these options has loaded when it ends. */
    private long classesOfNetty(String name, String... more) throws IOException {
        Path loaded = directory.resolve(name + ".classes");
        Path output = directory.resolve(name);
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.addAll(List.of("--in", "bind:ipc://" + directory.resolve(name + ".in")));
        List<String> jvm = List.of("-Xlog:class+load:file=" + loaded);
        try (RunningProcess daemon =
                new RunningProcess(Cli.builder(List.of(), jvm, Cli.run(output, arguments.toArray(new String[0]))))) {
            Cli.awaitReady(daemon, output);
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err())
                    .doesNotContain("WARN")
                    .doesNotContain("sun.misc.Unsafe")
                    .doesNotContain("native");
        }
        List<String> lines = Files.readAllLines(loaded);
        assertThat(lines).anyMatch(line -> line.contains("io.metricsaggregator.run."));
        return lines.stream()
                .filter(line -> line.contains(" io.netty.") || line.contains(" io.metricsaggregator.http."))
                .count();
    }

    @Test
    void a_daemon_without_a_listener_loads_no_class_of_the_http_library_and_one_with_listeners_prints_no_warning()
            throws IOException {
        assertThat(classesOfNetty("plain")).isZero();
        assertThat(classesOfNetty("listening", "--prometheus", "0", "--web", "0"))
                .isGreaterThan(100);
    }

    private static String answer(URI server, String path, String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
            socket.setSoTimeout(20_000);
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exporter --port 0", "serve-synthetic --listen 127.0.0.1:0"})
    void servers_to_try_things_with_answer_loopback_names_only(String command) throws IOException {
        try (RunningProcess server = Cli.start(command.split(" "))) {
            server.awaitOut("http://127.0.0.1:");
            URI url = URI.create(server.outLines().get(0));
            assertThat(answer(url, "/metrics", "localhost"))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("vllm:");
            assertThat(answer(url, "/metrics", "rebound.example")).startsWith("HTTP/1.1 403 ");
            assertThat(answer(url, "/nowhere", "localhost")).startsWith("HTTP/1.1 404 ");
        }
    }
}
