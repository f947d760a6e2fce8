package io.metricsaggregator.http;

import java.util.List;
import java.util.Map;

/**
 * Configuration of a listener.
 *
 * @param name the name of its thread
 * @param methods the methods that its handler gets, in the order of the header Allow; others are answered with status 405
 * @param headers headers of every answer, refusals included
 */
public record HttpConfig(String name, HttpLimits limits, List<String> methods, Map<String, String> headers) {
    /** The methods of a listener that only shows something. */
    public static final List<String> GET_AND_HEAD = List.of("GET", "HEAD");

    /** Copies the collections. */
    public HttpConfig {
        methods = List.copyOf(methods);
        headers = Map.copyOf(headers);
    }

    /** A listener whose answers have no further headers. */
    public HttpConfig(String name, HttpLimits limits, List<String> methods) {
        this(name, limits, methods, Map.of());
    }
}
