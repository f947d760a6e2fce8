package io.metricsaggregator.proxy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection and its own connection to the upstream. The thread {@code proxy-request-N} relays requests, {@code proxy-answer-N} answers; the
 * connection is over when both have ended. Thread-safe.
 */
final class Connection implements Runnable {
    /** Time for a client to read the end of an answer before its connection is closed. */
    private static final long LINGER_NANOS = 2_000_000_000L;
    /** Time for an answer after the client has ended its side without saying how many it waits for. */
    private static final long HALF_CLOSED_NANOS = 600_000_000_000L;

    /** Enough for JSON that is nested as deep as is read. */
    private static final long STACK_BYTES = 512 << 10;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Services services;
    private final Pipe client;
    private final boolean local;
    private final Consumer<Connection> over;
    private final Object answering = new Object();
    private final Exchanges exchanges = new Exchanges();
    private final AtomicInteger threads = new AtomicInteger(1);
    private final int number = NUMBER.incrementAndGet();
    private final Deadlines.Deadline end;
    private volatile @Nullable Pipe upstream;
    private volatile boolean clientEnded;
    private volatile boolean refusing;
    private volatile boolean raw;
    private volatile boolean closed;

    /**
     * Takes an accepted connection.
     *
     * @param local whether the client is on this machine
     * @param over called once, when both threads have ended
     */
    Connection(Services services, Pipe client, boolean local, Consumer<Connection> over) {
        this.services = services;
        this.client = client;
        this.local = local;
        this.over = over;
        this.end = services.deadlines().add(this::close);
    }

    /** Starts the thread of the requests. */
    void start() {
        Thread thread = new Thread(null, this, "proxy-request-" + number, STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try {
            new RequestRelay(this).run();
        } finally {
            threadEnded();
        }
    }

    /** Takes the connection to the upstream and starts the thread of the answers. */
    void connected(Pipe pipe) {
        upstream = pipe;
        AnswerRelay answers = new AnswerRelay(this, pipe);
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        answers.run();
                    } finally {
                        threadEnded();
                    }
                },
                "proxy-answer-" + number,
                STACK_BYTES);
        thread.setDaemon(true);
        threads.incrementAndGet();
        boolean started = false;
        try {
            thread.start();
            started = true;
        } finally {
            if (!started) {
                threads.decrementAndGet();
                pipe.close();
            }
        }
        if (closed) {
            pipe.close();
        }
    }

    private void threadEnded() {
        if (threads.decrementAndGet() == 0) {
            close();
            end.forget();
            over.accept(this);
        }
    }

    Services services() {
        return services;
    }

    Pipe client() {
        return client;
    }

    /** The connection to the upstream; null before it is there. */
    @Nullable
    Pipe upstream() {
        return upstream;
    }

    Exchanges exchanges() {
        return exchanges;
    }

    /** Held from sending bytes to the client until they are followed: a client may leave as soon as it has the last ones. */
    Object answering() {
        return answering;
    }

    /** Whether the client is on this machine. */
    boolean isLocal() {
        return local;
    }

    /** Whether the client has ended its side. */
    boolean hasClientEnded() {
        return clientEnded;
    }

    /** Whether the proxy itself answers now, so that the upstream must not. */
    boolean isRefusing() {
        return refusing;
    }

    void refuse() {
        refusing = true;
    }

    /** Whether the connection has changed its protocol. */
    boolean isRaw() {
        return raw;
    }

    void becomeRaw() {
        raw = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** The client has ended its side: it is gone, or waits for the answers to what it sent. */
    void clientEnded(boolean withinRequest) {
        clientEnded = true;
        Pipe pipe = upstream;
        if (pipe == null || (isDone() && !withinRequest)) {
            close();
            return;
        }
        end.in(HALF_CLOSED_NANOS);
        try {
            pipe.endOutput();
        } catch (IOException e) {
            // The thread of the answers sees what became of the upstream.
        }
    }

    /** Whether nothing more can come from the upstream that the client waits for, after the client has ended its side. */
    boolean isDone() {
        return clientEnded && !raw && !exchanges.isLost() && exchanges.isEmpty();
    }

    /** The client does not take or send bytes any more: its open samples are cancelled. */
    void clientGone() {
        long now = System.nanoTime();
        synchronized (answering) {
            forEachSample(exchanges.close(), each -> each.cancelled(now));
        }
        close();
    }

    /** The proxy ends: open samples fail. */
    void abort() {
        long now = System.nanoTime();
        forEachSample(
                exchanges.close(),
                each -> each.failed(now, "ProxyClosed", "the proxy ended before the answer was complete"));
        close();
    }

    static void forEachSample(List<Exchange> open, Consumer<Sample> action) {
        for (Exchange each : open) {
            Sample sample = each.sample();
            if (sample != null) {
                action.accept(sample);
            }
        }
    }

    /** Nothing more is sent to the client: closes the connection when the client has, or soon. */
    void linger() {
        if (clientEnded) {
            close();
        } else {
            end.in(LINGER_NANOS);
        }
    }

    /** Closes both sides at once. */
    void close() {
        closed = true;
        client.close();
        Pipe pipe = upstream;
        if (pipe != null) {
            pipe.close();
        }
    }
}
