package io.metricsaggregator.http;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Answers requests. */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Answers a request, during the call or later and on any thread. If it fails before the answer has begun, the listener answers with
     * status 500; afterwards it closes the connection, so that the peer sees a cut answer.
     *
     * @throws IOException if the peer has gone; the connection is closed
     */
    void answer(HttpExchange exchange) throws IOException;

    /** A handler that runs another one on an executor, and answers with status 503 if the executor takes no more. */
    static HttpHandler on(Executor executor, HttpHandler handler) {
        return exchange -> {
            try {
                executor.execute(() -> exchange.run(handler));
            } catch (RejectedExecutionException e) {
                exchange.text(503, "too many requests");
            }
        };
    }
}
