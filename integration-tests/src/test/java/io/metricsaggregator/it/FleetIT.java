package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fleet over ten daemons, all of them real processes: one is killed, one is killed and resumes its run. Another daemon receives the events of all. */
class FleetIT {
    private static final int NODES = 10;
    private static final int KILLED = 3;
    private static final int RESUMED = 4;
    private static final long MILLI = 1_000_000L;

    @TempDir
    Path directory;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final List<RunningProcess> nodes = new ArrayList<>();
    private final List<EventPublisher> publishers = new ArrayList<>();
    private final List<AutoCloseable> others = new ArrayList<>();
    private long nowNanos = System.nanoTime();
    private long samples;

    @AfterEach
    void closeAll() throws Exception {
        for (EventPublisher each : publishers) {
            each.close();
        }
        for (RunningProcess each : nodes) {
            each.close();
        }
        for (AutoCloseable each : others) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T open(T resource) {
        others.add(resource);
        return resource;
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private RunningProcess startFleet() throws IOException {
        Path output = directory.resolve("fleet");
        String[] arguments = {
            "fleet",
            "--in",
            "bind:ipc://" + path("fleet-in"),
            "--out",
            "ipc://" + path("fleet-out"),
            "--output-dir",
            output.toString(),
            "--interval",
            "100ms",
            "--stale",
            "1500ms",
            "--lost",
            "5s",
            "--expect",
            Integer.toString(NODES)
        };
        return Cli.awaitReady(new RunningProcess(Cli.builder(List.of(), List.of(), arguments)), output);
    }

    private RunningProcess startNode(int number) throws IOException {
        String name = "gpu-" + number;
        Files.deleteIfExists(directory.resolve(name).resolve(".ready"));
        return new RunningProcess(Cli.builder(
                List.of(),
                List.of(),
                Cli.run(
                        directory.resolve(name),
                        "--node",
                        name,
                        "--in",
                        "bind:ipc://" + path(name + "-in"),
                        "--out",
                        "connect:ipc://" + path("fleet-in"),
                        "--journal",
                        path(name + "-journal"),
                        "--publish-interval",
                        "100ms",
                        "--streaming",
                        "--track",
                        "all")));
    }

    private EventPublisher publisher(int number) throws IOException {
        EventPublisher publisher = new EventPublisher(
                List.of(
                        Endpoint.parse("connect:ipc://" + path("gpu-" + number + "-in"), true),
                        Endpoint.parse("connect:ipc://" + path("union-in"), true)),
                TransportOptions.defaults());
        assertThat(publisher.awaitSubscribers(2, Await.PATIENCE)).isTrue();
        return publisher;
    }

    /** Sends samples of random durations; returns their number. */
    private long send(EventPublisher publisher, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            String id = "sample-" + samples++;
            long first = nowNanos + (1 + random.nextInt(300)) * MILLI + random.nextInt(1000);
            publisher.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, nowNanos, id));
            publisher.publish(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, first, id));
            publisher.publish(
                    EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, first + random.nextInt(40_000_000), id));
            publisher.publish(
                    EventRecord.sample(EventType.SAMPLE_COMPLETE, first + (50 + random.nextInt(500)) * MILLI, id));
            nowNanos += MILLI / 4;
        }
        assertThat(publisher.flush(Await.PATIENCE)).isTrue();
        return count;
    }

    private static void session(EventPublisher publisher, EventType type) throws IOException {
        publisher.publish(EventRecord.session(type, System.nanoTime()));
        assertThat(publisher.flush(Await.PATIENCE)).isTrue();
    }

    private static boolean completed(MetricsSnapshot snapshot, long count) {
        return snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED) == count;
    }

    private static boolean is(MetricsSnapshot snapshot, int node, NodeState state) {
        List<NodeRow> rows = FleetRun.rows(snapshot, "gpu-" + node);
        return rows.size() == 1 && rows.get(0).state() == state;
    }

    private static String output(int status, String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isEqualTo(status);
            return process.out();
        }
    }

    @Test
    void ten_daemons_of_which_one_is_lost_and_one_resumes_have_the_figures_of_one_daemon()
            throws IOException, DataFormatException {
        System.out.println("seed " + seed);
        RunningProcess fleet = open(startFleet());
        RunningProcess whole = open(Cli.daemon(
                directory.resolve("union"),
                "--in",
                "bind:ipc://" + path("union-in"),
                "--out",
                "ipc://" + path("union-out"),
                "--publish-interval",
                "100ms",
                "--streaming",
                "--track",
                "all"));
        SnapshotWatch sum = open(new SnapshotWatch("ipc://" + path("fleet-out")));
        SnapshotWatch union = open(new SnapshotWatch("ipc://" + path("union-out")));
        for (int i = 0; i < NODES; i++) {
            nodes.add(startNode(i));
        }
        long sent = 0;
        for (int i = 0; i < NODES; i++) {
            publishers.add(publisher(i));
            session(publishers.get(i), EventType.SESSION_STARTED);
            sent += send(publishers.get(i), 100 + random.nextInt(200));
        }
        long first = sent;
        MetricsSnapshot all =
                sum.await(each -> completed(each, first) && FleetRun.nodes(each).count(NodeState.LIVE) == NODES);
        SameFigures.assertSame(all, union.await(each -> completed(each, first)));

        String run = FleetRun.row(all, "gpu-" + RESUMED).runId();
        nodes.get(KILLED).signal("KILL");
        nodes.get(RESUMED).signal("KILL");
        MetricsSnapshot stale =
                sum.await(each -> is(each, KILLED, NodeState.STALE) && is(each, RESUMED, NodeState.STALE));
        assertThat(completed(stale, first)).isTrue();
        nodes.get(RESUMED).close();
        nodes.set(RESUMED, startNode(RESUMED));
        sum.await(each -> is(each, RESUMED, NodeState.LIVE));
        for (int i = 0; i < NODES; i++) {
            if (i != KILLED) {
                assertThat(publishers.get(i).awaitSubscribers(2, Await.PATIENCE))
                        .isTrue();
                sent += send(publishers.get(i), 100 + random.nextInt(200));
            }
        }
        long second = sent;
        MetricsSnapshot resumed = sum.await(each -> completed(each, second) && is(each, KILLED, NodeState.LOST));
        assertThat(FleetRun.row(resumed, "gpu-" + RESUMED).runId()).isEqualTo(run);
        MetricsSnapshot ofOne = union.await(each -> completed(each, second));
        SameFigures.assertSame(resumed, ofOne);
        watchShowsTheNodes();

        // The end of the sessions is for the nodes alone: the first would end the daemon that receives all events.
        whole.signal("KILL");
        theEnd(fleet, ofOne);
        assertThat(sum.falls()).isEmpty();
    }

    private void theEnd(RunningProcess fleet, MetricsSnapshot ofOne) throws IOException, DataFormatException {
        for (int i = 0; i < NODES; i++) {
            if (i != KILLED) {
                session(publishers.get(i), EventType.SESSION_ENDED);
            }
        }
        assertThat(fleet.awaitExit()).as("%s", fleet).isZero();
        MetricsSnapshot last = FinalSnapshotFile.read(directory.resolve("fleet"));
        assertThat(last.state()).isEqualTo(SessionState.INTERRUPTED);
        assertThat(FleetRun.nodes(last).count(NodeState.ENDED)).isEqualTo(NODES - 1);
        assertThat(FleetRun.row(last, "gpu-" + KILLED).state()).isEqualTo(NodeState.LOST);
        SameFigures.assertSame(last, ofOne);

        List<String> merge = new ArrayList<>(List.of("merge", "--output-dir", path("merged")));
        output(0, "replay", path("gpu-" + KILLED + "-journal"), "--output-dir", path("replayed"));
        for (int i = 0; i < NODES; i++) {
            if (i != KILLED) {
                assertThat(nodes.get(i).awaitExit()).as("%s", nodes.get(i)).isZero();
            }
            merge.add(i == KILLED ? path("replayed") : path("gpu-" + i));
        }
        output(0, merge.toArray(String[]::new));
        assertSameSums(last, FinalSnapshotFile.read(directory.resolve("merged")));
        readersOfTheFinalFile();
    }

    private static void assertSameSums(MetricsSnapshot fleet, MetricsSnapshot merged) {
        for (CounterName each : SameFigures.SAMPLES) {
            assertThat(fleet.counter(each)).as(each.wire()).isEqualTo(merged.counter(each));
        }
        for (SeriesMetric each : merged.series()) {
            SeriesMetric own = fleet.series(each.name());
            assertThat(own.count()).as(each.name()).isEqualTo(each.count());
            assertThat(own.total()).as(each.name()).isEqualTo(each.total());
        }
    }

    private void readersOfTheFinalFile() throws IOException {
        String fleet = path("fleet");
        assertThat(output(0, "report", fleet, "--full"))
                .contains(
                        "Verdict  INVALID",
                        "lost nodes: gpu-" + KILLED + " (",
                        "10 nodes (10 expected): 1 lost, 9 ended")
                .containsPattern("gpu-" + KILLED + " +[×x] lost ");
        assertThat(output(0, "report", fleet, "--format", "md")).contains("### Fleet nodes");
        assertThat(output(0, "report", fleet, "--format", "html")).contains("<h2>Fleet nodes</h2>");
        output(8, "report", fleet, "--strict-verdict");
        assertThat(output(0, "compare", fleet, fleet)).contains(" 0.0%");
        // The samples of a node are in the fleet's sums already.
        output(2, "merge", fleet, path("gpu-0"), "--output-dir", path("twice"));
        assertThat(output(10, "tail", "ipc:///nobody", "--final", fleet)).contains("INTERRUPTED", "1 lost, 9 ended");
        output(10, "wait", "ipc:///nobody", "--final", fleet);
    }

    /** The page of nodes of the live screen, on a real terminal. */
    private void watchShowsTheNodes() throws IOException {
        if (!Tmux.isInstalled()) {
            System.out.println("not on a terminal: no tmux (install tmux)");
            return;
        }
        try (Tmux terminal = new Tmux(directory)) {
            terminal.start(80, 24, Cli.builder(List.of(), List.of(), "watch", "ipc://" + path("fleet-out")));
            terminal.awaitPane("nodes 10 of 10: 1 lost, 9 live");
            terminal.keys("9");
            terminal.awaitPane("9 nodes");
            List<String> lines = terminal.pane().lines().toList();
            for (int i = 0; i < NODES; i++) {
                String row = "^ gpu-" + i + " +" + (i == KILLED ? "× lost" : "● live") + " +[0-9.:]+.*";
                assertThat(lines).anyMatch(line -> line.matches(row));
            }
            terminal.keys("q");
            terminal.awaitPane("STATUS 0");
        }
    }
}
