package io.metricsaggregator.http;

import java.time.Duration;

/**
 * Limits of a listener. Each time is absolute: a peer that sends or takes a byte now and then does not extend it, but for {@code stall}.
 *
 * @param connections open connections; further ones are closed
 * @param headBytes bytes of a request line (else status 414) and of all headers together (else 431)
 * @param bodyBytes bytes of a request's body (else 413); bodies that arrive at the same time hold {@value #BODIES} times as much at most
 *     (else 503)
 * @param pendingBytes bytes that wait for a peer before its stream counts as not writable
 * @param request time for the head of a request, and once more for its body
 * @param idle time between two requests of a connection
 * @param answer time in which the peer must take a whole answer
 * @param stall time after which a peer that takes nothing of a stream is disconnected
 */
public record HttpLimits(
        int connections,
        int headBytes,
        int bodyBytes,
        int pendingBytes,
        Duration request,
        Duration idle,
        Duration answer,
        Duration stall) {
    static final int BODIES = 16;

    /** Limits for a page or a few scrapers: 32 connections, heads of 8 KiB, no bodies, 5 s for a request and 10 s for an answer. */
    public static final HttpLimits SMALL = new HttpLimits(
            32,
            8192,
            0,
            64 << 10,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30));

    /** Checks the limits. */
    public HttpLimits {
        if (connections < 1 || headBytes < 1 || bodyBytes < 0 || pendingBytes < 1) {
            throw new IllegalArgumentException("limits of " + connections + " connections, heads of " + headBytes
                    + " bytes, bodies of " + bodyBytes + " and " + pendingBytes + " pending ones");
        }
    }

    /** The same with another number of connections. */
    public HttpLimits withConnections(int number) {
        return new HttpLimits(number, headBytes, bodyBytes, pendingBytes, request, idle, answer, stall);
    }

    /** The same with bodies of other sizes. */
    public HttpLimits withBodyBytes(int bytes) {
        return new HttpLimits(connections, headBytes, bytes, pendingBytes, request, idle, answer, stall);
    }

    /** The same with another number of bytes that may wait for a peer; 1 for none. */
    public HttpLimits withPendingBytes(int bytes) {
        return new HttpLimits(connections, headBytes, bodyBytes, bytes, request, idle, answer, stall);
    }

    /** The same with other times for a request, between requests, and for an answer. */
    public HttpLimits withTimes(Duration forRequest, Duration betweenRequests, Duration forAnswer) {
        return new HttpLimits(
                connections, headBytes, bodyBytes, pendingBytes, forRequest, betweenRequests, forAnswer, stall);
    }

    /** The same with another time after which a peer that takes nothing of a stream is disconnected. */
    public HttpLimits withStall(Duration time) {
        return new HttpLimits(connections, headBytes, bodyBytes, pendingBytes, request, idle, answer, time);
    }
}
