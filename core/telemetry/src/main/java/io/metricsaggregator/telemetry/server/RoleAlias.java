package io.metricsaggregator.telemetry.server;

import java.util.List;

/**
 * One way in which servers expose a role. Of several, a server's first with a series is taken, so that two names of one thing are never added up.
 *
 * @param engine the server's kind, such as {@code vllm}
 * @param sources metrics whose series are added up; of a quotient, dividend and divisor
 * @param quotient whether the role is the first source divided by the second
 */
record RoleAlias(String engine, List<SeriesSource> sources, boolean quotient) {
    static final String FRONTEND = "dynamo";

    /** Whether requests pass this server on their way to engines that may be scraped too. */
    boolean isFrontend() {
        return engine.equals(FRONTEND);
    }
}
