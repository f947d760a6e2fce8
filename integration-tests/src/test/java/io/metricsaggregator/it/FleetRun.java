package io.metricsaggregator.it;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.daemon.StopRequest;
import io.metricsaggregator.fleet.Fleet;
import io.metricsaggregator.fleet.FleetConfig;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A fleet on a thread of this process, over real sockets: it binds one input and one output, or connects its output to another fleet. */
final class FleetRun implements AutoCloseable {
    private static final long MILLI = 1_000_000L;

    private final String input;
    private final SnapshotWatch watch;
    private final StopRequest stop = new StopRequest();
    private final CompletableFuture<Fleet.End> end;

    private FleetRun(Path folder, String name, List<String> outputs, FleetConfig.NodeSettings nodes)
            throws IOException {
        this.input = "ipc://" + folder.resolve(name + "-in");
        String own = "ipc://" + folder.resolve(name + "-out");
        this.watch = new SnapshotWatch(own);
        FleetConfig config = new FleetConfig(
                "test",
                List.of(Endpoint.parse("bind:" + input, false)),
                Stream.concat(Stream.of("bind:" + own), outputs.stream())
                        .map(each -> Endpoint.parse(each, true))
                        .toList(),
                TransportOptions.defaults(),
                new DaemonConfig.Output(folder.resolve(name), null, DaemonConfig.Output.PRIVATE),
                DaemonConfig.Exports.NONE,
                nodes,
                50 * MILLI,
                false,
                null);
        this.end = CompletableFuture.supplyAsync(() -> Fleet.run(config, stop), task -> {
            Thread thread = new Thread(task, "fleet-" + name);
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Starts a fleet that waits for a number of nodes. */
    static FleetRun expecting(Path folder, String name, int nodes, String... outputs) throws IOException {
        return new FleetRun(
                folder,
                name,
                List.of(outputs),
                new FleetConfig.NodeSettings(nodes, List.of(), 0, 30_000 * MILLI, 0, 1024));
    }

    /** Starts a fleet that waits for a named node and soon takes silent ones for stale and lost. */
    static FleetRun impatient(Path folder, String name, String expected) throws IOException {
        return new FleetRun(
                folder,
                name,
                List.of(),
                new FleetConfig.NodeSettings(0, List.of(expected), 1_000 * MILLI, 3_000 * MILLI, 0, 1024));
    }

    /** The endpoint that nodes connect to. */
    String input() {
        return "connect:" + input;
    }

    /** Receives its snapshots. */
    SnapshotWatch watch() {
        return watch;
    }

    /** Waits for a snapshot that meets a condition. */
    MetricsSnapshot await(Predicate<MetricsSnapshot> condition) {
        return watch.await(condition);
    }

    /** Waits for the end and returns the terminal snapshot. */
    MetricsSnapshot awaitEnd() {
        MetricsSnapshot terminal = await(each -> each.state().isTerminal());
        try {
            Fleet.End how = end.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (how != Fleet.End.DELIVERED) {
                throw new AssertionError("the fleet ended as " + how);
            }
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
        return terminal;
    }

    /** The nodes of a snapshot. */
    static Nodes nodes(MetricsSnapshot snapshot) {
        Nodes nodes = snapshot.extensions().optional().nodes();
        if (nodes == null) {
            throw new AssertionError("the snapshot has no nodes");
        }
        return nodes;
    }

    /** The only row of a node. */
    static NodeRow row(MetricsSnapshot snapshot, String node) {
        List<NodeRow> rows = rows(snapshot, node);
        if (rows.size() != 1) {
            throw new AssertionError(
                    rows.size() + " rows of " + node + ": " + nodes(snapshot).rows());
        }
        return rows.get(0);
    }

    /** The rows of a node, one for each of its runs. */
    static List<NodeRow> rows(MetricsSnapshot snapshot, String node) {
        return nodes(snapshot).rows().stream()
                .filter(each -> each.node().equals(node))
                .toList();
    }

    @Override
    public void close() {
        stop.signal();
        end.join();
        watch.close();
    }
}
