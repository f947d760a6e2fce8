package io.metricsaggregator.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Log lines about connected publishers over time. */
class PublisherWatchTest {
    private static final long SECOND = 1_000_000_000L;

    private int peers;
    private List<Endpoint> endpoints = List.of(Endpoint.parse("ipc:///tmp/events", false));
    private final List<String> said = new ArrayList<>();
    private final PublisherWatch watch = new PublisherWatch(
            new FrameSource() {
                @Override
                public List<Endpoint> endpoints() {
                    return endpoints;
                }

                @Override
                public boolean ready() {
                    return peers > 0;
                }

                @Override
                public int peers() {
                    return peers;
                }
            },
            0,
            line -> said.add("INFO " + line),
            line -> said.add("WARN " + line));

    private void until(int fromSeconds, int toSeconds) {
        for (long now = fromSeconds * SECOND; now < toSeconds * SECOND; now += SECOND / 50) {
            watch.check(now);
        }
    }

    @Test
    void aMissingPublisherIsReportedAfterFiveSecondsAndThenEveryThirty() {
        until(0, 5);
        assertThat(said).isEmpty();
        until(5, 34);
        assertThat(said).hasSize(1);
        assertThat(said.get(0))
                .startsWith("WARN no publisher connected for_s=5 inputs=[connect:ipc:///tmp/events]:")
                .contains("start the producer");
        until(34, 66);
        assertThat(said).hasSize(3).last().asString().contains("for_s=65");
    }

    @Test
    void connectsAndDisconnectsAreReported() {
        until(0, 6);
        peers = 2;
        until(6, 100);
        assertThat(said).hasSize(2).last().isEqualTo("INFO publisher connected publishers=2");
        peers = 0;
        until(100, 104);
        assertThat(said).as("it may be connecting again").hasSize(2);
        until(104, 107);
        assertThat(said)
                .hasSize(3)
                .last()
                .asString()
                .startsWith("WARN no publisher connected any more for_s=5")
                .contains("SIGTERM");
    }

    @Test
    void aDaemonWithoutInputsReportsNoMissingPublisher() {
        endpoints = List.of();
        until(0, 100);
        assertThat(said).isEmpty();
    }
}
