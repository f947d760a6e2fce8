package io.metricsaggregator.conformance;

import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.Transports;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;

/**
 * Judges a running producer without a script. Records before the subscription are unknown, so a rule that needs them is not judged. One thread
 * receives and judges.
 */
public final class WatchCheck {
    private static final long TURN = 50_000_000L;
    private static final long AFTER_END = 500_000_000L;

    private final TransportOptions options;
    private final boolean sameHost;

    /**
     * Creates a check.
     *
     * @param sameHost whether the producer runs on this host, so that its monotonic clock can be compared
     */
    public WatchCheck(TransportOptions options, boolean sameHost) {
        this.options = options;
        this.sameHost = sameHost;
    }

    /**
     * What was observed.
     *
     * @param records number of records received
     * @param rules the observed rules
     * @param unobserved the names of the rules for which there was no occasion
     */
    public record Observed(long records, CaseResult rules, List<String> unobserved) {}

    /**
     * Watches for a time, or until the session ends.
     *
     * @throws IOException if an endpoint is not available
     */
    public Observed run(List<Endpoint> endpoints, Duration time, Level level) throws IOException {
        ProducerJudge judge = new ProducerJudge(null);
        long deadline = System.nanoTime() + time.toNanos();
        try (Transport transport = Transports.open(options)) {
            transport.openSource(
                    endpoints,
                    FrameHandler.announcing(
                            List.of(Topic.CHUNKS),
                            (buffer, start, length) -> judge.frame(buffer, start, length, System.nanoTime())));
            boolean ending = false;
            while (System.nanoTime() - deadline < 0) {
                transport.poll(Math.max(0, Math.min(TURN, deadline - System.nanoTime())));
                if (judge.hasEnded() && !ending) {
                    // Records after session.ended break a rule, so they are awaited for a moment.
                    ending = true;
                    deadline = Math.min(deadline, System.nanoTime() + AFTER_END);
                }
            }
        }
        Tally tally = judge.finish(sameHost, new HashSet<>());
        List<String> unobserved = java.util.Arrays.stream(Rule.values())
                .filter(rule -> rule.level().number() <= level.number())
                .filter(rule -> tally.state(rule) == Tally.State.NOT_OBSERVED)
                .map(Rule::id)
                .toList();
        return new Observed(judge.records(), CaseResult.of("watched", tally, level), unobserved);
    }
}
