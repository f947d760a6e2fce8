package io.metricsaggregator.cli.options;

import io.metricsaggregator.options.OptionGroup;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The subscribers a command waits for before it publishes: a record published before they subscribe is lost. */
@OptionGroup.In(OptionGroup.ENDPOINTS)
public final class WaitForSubscribers {

    @Option(
            names = "--wait-subscribers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of subscribers to wait for before the first event. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(
            names = "--wait-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "Maximum time to wait for subscribers. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ofSeconds(30);

    /** Waits for a number of subscribers; false if the timeout elapsed first. */
    public interface Waiting {
        boolean await(int count, Duration timeout) throws IOException;
    }

    /** Waits for the subscribers; false if the timeout elapsed first. */
    public boolean await(Waiting publisher) throws IOException {
        return count <= 0 || publisher.await(count, timeout);
    }

    /** Reports the missing subscribers on standard error; returns the exit status. */
    public int reportMissing() {
        System.err.printf(
                "metrics-aggregator: nothing published: fewer than %d subscribers connected within %.0f s%n",
                count, timeout.toMillis() / 1000.0);
        return Follow.NONE_IN_TIME;
    }
}
