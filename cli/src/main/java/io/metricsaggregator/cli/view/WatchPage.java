package io.metricsaggregator.cli.view;

import io.metricsaggregator.cli.console.StandardOutput;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.options.Follow;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import io.metricsaggregator.web.WebServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The live page of {@code watch --web}: feeds it the snapshots that a subscriber receives. Belongs to the thread of the command. */
final class WatchPage {
    private final SnapshotSubscriber subscriber;
    private final Follow follow;
    private final List<String> endpoints;

    WatchPage(SnapshotSubscriber subscriber, Follow follow, List<String> endpoints) {
        this.subscriber = subscriber;
        this.follow = follow;
        this.endpoints = endpoints;
    }

    /**
     * Serves the page and prints its address; when the run ends, prints a line and serves the final state.
     *
     * @param untilEnd whether to return when the run ends; otherwise it serves until the timeout or a signal
     * @return the exit status
     * @throws IOException if the address cannot be bound, or the final file cannot be read
     */
    int serve(InetSocketAddress address, boolean untilEnd) throws IOException {
        AtomicReference<@Nullable MetricsSnapshot> latest = new AtomicReference<>();
        try (WebServer page = open(address, latest)) {
            Terminal.print(page.url() + "\n");
            StandardOutput.check();
            boolean ended = false;
            while (!follow.isOver() && !(ended && untilEnd)) {
                MetricsSnapshot next = subscriber.next(Follow.CHECK_INTERVAL);
                follow.notePublishers(subscriber, endpoints);
                if (next == null && latest.get() == null) {
                    next = follow.onDisk();
                }
                if (next != null) {
                    latest.set(next);
                    if (!ended && Follow.hasEnded(next)) {
                        Terminal.print(SummaryLine.of(next) + "\n");
                    }
                    ended = Follow.hasEnded(next);
                }
            }
        }
        return follow.status(latest.get(), subscriber.connected());
    }

    private static WebServer open(InetSocketAddress address, AtomicReference<@Nullable MetricsSnapshot> latest)
            throws IOException {
        try {
            return new WebServer(address, latest::get);
        } catch (IOException e) {
            throw new IOException(
                    "--web " + address.getHostString() + ":" + address.getPort() + ": " + e.getMessage(), e);
        }
    }
}
