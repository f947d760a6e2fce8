package io.metricsaggregator.cli;

import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of commands that publish: what is published before somebody subscribes is gone. */
final class WaitForSubscribers {

    @Option(
            names = "--wait-subscribers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Subscribers to wait for before the first event. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(
            names = "--wait-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long to wait for them at most. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ofSeconds(30);

    /** Waits until so many are there. */
    interface Waiting {
        boolean await(int count, Duration timeout) throws IOException;
    }

    boolean await(Waiting publisher) throws IOException {
        return count <= 0 || publisher.await(count, timeout);
    }

    /** Says that they did not come; answers the exit status. */
    int complain() {
        System.err.printf(
                "metrics-aggregator: %d subscribers did not come within %.0f s; nothing was published%n",
                count, timeout.toMillis() / 1000.0);
        return Follow.NONE_IN_TIME;
    }
}
