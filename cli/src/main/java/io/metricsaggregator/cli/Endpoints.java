package io.metricsaggregator.cli;

import io.metricsaggregator.transport.Endpoint;
import java.util.List;

/** Endpoints of a command line. */
final class Endpoints {
    private Endpoints() {}

    static List<Endpoint> parse(List<String> texts, boolean bindByDefault) {
        return texts.stream().map(text -> Endpoint.parse(text, bindByDefault)).toList();
    }
}
