package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick starts of docs/scale.md, as they stand there but for folders, ports and a shorter load. */
class ScaleDocumentationIT {
    private static final Path PAGE = Path.of("..", "docs", "scale.md");

    @TempDir
    Path directory;

    private int port;

    @BeforeEach
    void freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
    }

    /** The arguments of the command lines between two headings of the page. */
    private List<List<String>> commands(String heading) throws IOException {
        String page = Files.readString(PAGE);
        String section = page.substring(page.indexOf("### " + heading + "\n"));
        section = section.substring(0, section.indexOf("\n### ", 4));
        List<List<String>> commands = new ArrayList<>();
        section.lines()
                .map(line -> line.strip().replaceFirst("^\\./", ""))
                .filter(line -> line.startsWith("metrics-aggregator "))
                .map(line -> line.replaceFirst(" +(#.*|&)$", "")
                        .replace("PUBLIC KEY OF fleet-host", "KEY")
                        .replace("'", ""))
                .forEach(line -> commands.add(Arrays.stream(line.split(" +"))
                        .skip(1)
                        .map(word -> word.replace("/tmp/bench", directory.toString())
                                .replace("tcp://fleet-host:5600", "tcp://127.0.0.1:" + port)
                                .replace(":5600", ":" + port)
                                .replace("20s", "4s"))
                        .toList()));
        return commands;
    }

    private static List<String> only(List<List<String>> commands, String name) {
        List<List<String>> found =
                commands.stream().filter(each -> each.get(0).equals(name)).toList();
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }

    private static RunningProcess start(List<String> arguments) throws IOException {
        return Cli.start(arguments.toArray(new String[0]));
    }

    @Test
    void the_example_on_one_machine_shows_both_nodes_and_reports_their_sum() throws IOException {
        List<List<String>> commands = commands("Try it on one machine");
        List<RunningProcess> started = new ArrayList<>();
        try {
            for (List<String> each : commands) {
                if (List.of("fleet", "run", "produce").contains(each.get(0))) {
                    started.add(start(each));
                }
            }
            assertThat(started).hasSize(5);
            for (RunningProcess each : started) {
                assertThat(each.awaitExit()).as("%s", each).isZero();
            }
            List<String> full = new ArrayList<>(only(commands, "report"));
            full.add("--full");
            try (RunningProcess report = start(full)) {
                assertThat(report.awaitExit()).as("%s", report).isZero();
                assertThat(report.out()).contains("COMPLETE").contains("gpu-1").contains("gpu-2");
            }
            assertThat(only(commands, "watch").get(1))
                    .isEqualTo(only(commands, "fleet").get(4));
        } finally {
            started.forEach(RunningProcess::close);
        }
    }

    @Test
    void the_steps_for_three_machines_give_an_encrypted_fleet_of_two_nodes() throws IOException {
        List<List<String>> commands = commands("Three machines");
        List<String> keys = new ArrayList<>();
        for (String host : List.of("fleet-host", "gpu-1", "gpu-2")) {
            Files.createDirectory(directory.resolve(host));
            try (RunningProcess key = start(in(host, only(commands, "curve-key")))) {
                assertThat(key.awaitExit()).as("%s", key).isZero();
                keys.add(key.out().strip());
            }
        }
        Files.write(directory.resolve("fleet-host").resolve("nodes.txt"), keys.subList(1, 3));
        List<RunningProcess> started = new ArrayList<>();
        try {
            started.add(start(in("fleet-host", only(commands, "fleet"))));
            for (String node : List.of("gpu-1", "gpu-2")) {
                started.add(start(in(node, only(commands, "run")).stream()
                        .map(word -> word.equals("gpu-1") ? node : word)
                        .map(word -> word.replace("KEY", keys.get(0)).replace("/events", "/events-" + node))
                        .toList()));
                started.add(Cli.start(
                        "produce", "--out", "ipc://" + directory.resolve("events-" + node), "--duration", "3s"));
            }
            for (RunningProcess each : started) {
                assertThat(each.awaitExit()).as("%s", each).isZero();
            }
        } finally {
            started.forEach(RunningProcess::close);
        }
        MetricsSnapshot all =
                FinalSnapshotFile.read(directory.resolve("fleet-host").resolve("all"));
        assertThat(all.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(all.extensions().optional().nodes().rows())
                .extracting(NodeRow::node)
                .containsExactlyInAnyOrder("gpu-1", "gpu-2");
    }

    /** The command with its relative files in the folder of a host. */
    private List<String> in(String host, List<String> command) {
        return command.stream()
                .map(word -> List.of("curve.key", "nodes.txt", "all", "out").contains(word)
                        ? directory.resolve(host).resolve(word).toString()
                        : word)
                .toList();
    }
}
