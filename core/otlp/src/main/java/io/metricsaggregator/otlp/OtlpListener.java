package io.metricsaggregator.otlp;

import io.metricsaggregator.http.HttpConfig;
import io.metricsaggregator.http.HttpExchange;
import io.metricsaggregator.http.HttpLimits;
import io.metricsaggregator.http.HttpListener;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The OTLP/HTTP endpoint: {@code POST /v1/traces} for exporters, {@code POST /-/session/start} and {@code /-/session/stop} for scripts. Reads
 * one body at a time, on its own thread.
 */
public final class OtlpListener implements Closeable {
    private static final int CONNECTIONS = 256;
    private static final Duration REQUEST = Duration.ofSeconds(10);
    /** Exporters keep a connection between batches, which are 5 s apart unless told otherwise. */
    private static final Duration IDLE = Duration.ofSeconds(60);

    private final SpanReceiver receiver;
    private final HttpListener listener;

    private OtlpListener(SpanReceiver receiver, HttpListener listener) {
        this.receiver = receiver;
        this.listener = listener;
    }

    /**
     * Binds an address and begins to serve.
     *
     * @param address to listen on; port 0 for any free one
     * @throws IOException if the address cannot be bound
     */
    public static OtlpListener open(InetSocketAddress address, SpanReceiver receiver) throws IOException {
        HttpLimits limits = HttpLimits.SMALL
                .withConnections(CONNECTIONS)
                .withBodyBytes(receiver.bodyMaxBytes())
                .withTimes(REQUEST, IDLE, REQUEST);
        HttpListener listener = HttpListener.bind(
                address, new HttpConfig("otlp", limits, List.of("POST")), exchange -> answer(exchange, receiver));
        listener.start();
        return new OtlpListener(receiver, listener);
    }

    private static void answer(HttpExchange exchange, SpanReceiver receiver) {
        if (exchange.isForeign()) {
            exchange.text(403, "not for web pages");
            return;
        }
        switch (exchange.path()) {
            case "/v1/traces" ->
                send(
                        exchange,
                        receiver.receive(
                                exchange.header("Content-Type"), exchange.header("Content-Encoding"), exchange.body()));
            case "/-/session/start" -> session(exchange, receiver, false);
            case "/-/session/stop" -> session(exchange, receiver, true);
            case "/v1/metrics", "/v1/logs" -> exchange.text(404, "only traces are received: /v1/traces");
            default -> exchange.text(404, "no such path: traces go to /v1/traces");
        }
    }

    private static void session(HttpExchange exchange, SpanReceiver receiver, boolean stop) {
        if (!receiver.ownsSession()) {
            exchange.text(409, "the session belongs to the producers of --in");
            return;
        }
        // The answer first: the end of the session closes the listener.
        exchange.text(202, stop ? "the session ends" : "the session starts");
        receiver.session(stop);
    }

    private static void send(HttpExchange exchange, Reply reply) {
        if (reply.retryAfterSeconds() > 0) {
            exchange.set("Retry-After", String.valueOf(reply.retryAfterSeconds()));
        }
        exchange.send(reply.status(), reply.contentType(), reply.body());
    }

    /** The address for exporters, such as {@code http://127.0.0.1:4318}: they add {@code /v1/traces}. */
    public String url() {
        String url = listener.url();
        return url.substring(0, url.length() - 1);
    }

    /** Requests that were refused, with those that were too large or malformed to be read. Any thread. */
    public long refused() {
        return receiver.refused() + listener.refused();
    }

    /** Stops receiving at once. */
    @Override
    public void close() {
        listener.close();
    }
}
