package io.metricsaggregator.proxy;

import java.util.List;

/** The requests that are measured: answers of language models, by the ends of their paths. */
final class MeasuredPath {
    private static final List<String> ENDS =
            List.of("/chat/completions", "/completions", "/responses", "/messages", "/generate", "/embeddings");

    private MeasuredPath() {}

    /** Whether a request is measured: a {@code POST} to a path that ends as one of the known APIs, whatever its prefix. */
    static boolean matches(String method, String path) {
        if (method.equals("POST")) {
            for (String end : ENDS) {
                if (path.endsWith(end)) {
                    return true;
                }
            }
        }
        return false;
    }
}
