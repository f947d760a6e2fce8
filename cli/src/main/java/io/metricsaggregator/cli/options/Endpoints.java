package io.metricsaggregator.cli.options;

import io.metricsaggregator.transport.Endpoint;
import java.util.List;

/** Parses the endpoints of a command line. */
public final class Endpoints {
    private Endpoints() {}

    /**
     * Parses endpoints.
     *
     * @param argument the option or parameter with the endpoints, for messages
     * @param bindByDefault direction of an endpoint without {@code bind:} and {@code connect:}
     * @throws IllegalArgumentException if one is not an endpoint
     */
    public static List<Endpoint> parse(String argument, List<String> texts, boolean bindByDefault) {
        try {
            return texts.stream()
                    .map(text -> Endpoint.parse(text, bindByDefault))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(argument + ": " + e.getMessage(), e);
        }
    }
}
