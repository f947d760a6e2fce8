package io.metricsaggregator.http;

import io.netty.handler.codec.http.HttpResponse;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the connections of a listener share. The counts of what is open belong to its thread, the others may be read by any. */
final class ListenerState {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    final HttpConfig config;
    final Guard guard;
    final AtomicLong refused = new AtomicLong();
    final AtomicLong failures = new AtomicLong();
    private final HttpHandler handler;
    private int connections;
    private long bodyBytes;

    ListenerState(HttpConfig config, @Nullable InetAddress address, HttpHandler handler) {
        this.config = config;
        this.guard = new Guard(config, address);
        this.handler = handler;
    }

    HttpLimits limits() {
        return config.limits();
    }

    HttpHandler handler() {
        return handler;
    }

    /** Counts a new connection; false if there are too many. */
    boolean opened() {
        connections++;
        if (connections <= limits().connections()) {
            return true;
        }
        refused.incrementAndGet();
        return false;
    }

    void closed() {
        connections--;
    }

    /** Takes memory for bytes of a body; false if the bodies that arrive now have too many. */
    boolean reserve(int bytes) {
        if (bodyBytes + bytes > (long) HttpLimits.BODIES * limits().bodyBytes()) {
            return false;
        }
        bodyBytes += bytes;
        return true;
    }

    void release(int bytes) {
        bodyBytes -= bytes;
    }

    void addHeaders(HttpResponse answer) {
        config.headers().forEach((name, value) -> answer.headers().set(name, value));
    }

    void failed(Throwable cause) {
        if (failures.getAndIncrement() == 0) {
            LOG.warn("request failed listener={}. Further failures are only counted", config.name(), cause);
        }
    }
}
