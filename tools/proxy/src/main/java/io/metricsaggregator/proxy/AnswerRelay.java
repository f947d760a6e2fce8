package io.metricsaggregator.proxy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Relays the answers of a connection: passes the bytes on first, then follows them. Bytes that it cannot follow pass all the same. Runs on the thread
 * of the answers.
 */
final class AnswerRelay implements Framing.Handler {
    /** Type of the error of a sample whose answer could not be followed. */
    static final String UNREAD = "UnreadAnswer";

    private static final Logger LOG = LoggerFactory.getLogger(AnswerRelay.class);
    private static final int BUFFER_BYTES = 8 << 10;
    private static final AtomicBoolean REDIRECT_LOGGED = new AtomicBoolean();
    private static final AtomicBoolean UNREAD_LOGGED = new AtomicBoolean();
    private static final int STATUS_AT = 9;
    private static final int STATUS_END = 12;

    private final Connection connection;
    private final Services services;
    private final Exchanges exchanges;
    private final Pipe upstream;
    private final Pipe client;
    private final Framing framing = new Framing(this, Framing.HEAD_MAX_BYTES);
    private @Nullable AnswerFollower follower;
    private boolean interim;
    private boolean lost;
    private long length;
    private long nowNanos;

    AnswerRelay(Connection connection, Pipe upstream) {
        this.connection = connection;
        this.services = connection.services();
        this.exchanges = connection.exchanges();
        this.upstream = upstream;
        this.client = connection.client();
    }

    void run() {
        try {
            boolean reset = relay();
            ended(reset);
        } finally {
            if (follower != null) {
                follower.close();
            }
            connection.linger();
        }
    }

    /** Relays until a side ends; returns whether the upstream ended with a reset. */
    private boolean relay() {
        byte[] buffer = new byte[BUFFER_BYTES];
        while (!connection.isDone()) {
            int count;
            try {
                count = upstream.read(buffer);
            } catch (IOException e) {
                return true;
            }
            if (count < 0 || connection.isRefusing()) {
                return false;
            }
            nowNanos = System.nanoTime();
            Exchange next = exchanges.first();
            if (next != null) {
                next.beginAnswer();
            }
            boolean sent;
            synchronized (connection.answering()) {
                sent = send(buffer, count);
                follow(buffer, count);
            }
            if (!sent) {
                connection.clientGone();
                return false;
            }
        }
        connection.close();
        return false;
    }

    private boolean send(byte[] buffer, int count) {
        try {
            client.write(buffer, 0, count);
        } catch (IOException e) {
            return false;
        }
        services.counts().forward.add(System.nanoTime() - nowNanos);
        return true;
    }

    private void follow(byte[] buffer, int count) {
        if (lost || connection.isRaw()) {
            return;
        }
        try {
            for (int at = 0; at < count; ) {
                at = framing.feed(buffer, at, count);
            }
        } catch (MalformedHttpException e) {
            lose(e.reason());
        } catch (RuntimeException e) {
            // A defect of what follows the answers must not stop what relays them.
            lose(String.valueOf(e));
        }
    }

    private void lose(String reason) {
        lost = true;
        List<Exchange> open = exchanges.lose();
        services.counts().unread.add(Math.max(1, open.size()));
        Connection.forEachSample(
                open, each -> each.failed(nowNanos, UNREAD, "the proxy cannot follow the answer: " + reason));
        if (UNREAD_LOGGED.compareAndSet(false, true)) {
            LOG.warn("an answer passes unread; further ones are counted reason=\"{}\"", reason);
        }
    }

    @Override
    public Framing.Body head(MessageHead head) throws MalformedHttpException {
        Exchange exchange = exchanges.first();
        if (exchange == null) {
            throw new MalformedHttpException(0, "an answer without a request");
        }
        int status = status(head.startLine());
        length = 0;
        interim = status < 200;
        if (status == 101) {
            return upgraded(exchange);
        }
        if (interim) {
            return Framing.Body.LENGTH;
        }
        exchange.decideUpgrade();
        exchanges.changed();
        noteRedirect(status, head);
        Sample sample = exchange.sample();
        follower = sample == null ? null : new AnswerFollower(sample, services, status, head);
        if (exchange.isHead() || status == 204 || status == 304) {
            return Framing.Body.LENGTH;
        }
        if (head.count("transfer-encoding") > 0) {
            return head.hasWord("transfer-encoding", "chunked") ? Framing.Body.CHUNKED : Framing.Body.UNTIL_CLOSE;
        }
        length = head.contentLength();
        return length < 0 ? Framing.Body.UNTIL_CLOSE : Framing.Body.LENGTH;
    }

    private Framing.Body upgraded(Exchange exchange) {
        connection.becomeRaw();
        exchange.decideUpgrade();
        exchanges.changed();
        Sample sample = exchange.sample();
        if (sample != null) {
            services.counts().unread.increment();
            sample.failed(nowNanos, UNREAD, "the connection changed to another protocol");
        }
        return Framing.Body.RAW;
    }

    private static int status(String line) throws MalformedHttpException {
        boolean shaped = line.length() >= STATUS_END
                && line.startsWith("HTTP/1.")
                && line.charAt(STATUS_AT - 1) == ' '
                && line.substring(STATUS_AT, STATUS_END).chars().allMatch(c -> c >= '0' && c <= '9')
                && (line.length() == STATUS_END || line.charAt(STATUS_END) == ' ');
        int status = shaped ? Integer.parseInt(line.substring(STATUS_AT, STATUS_END)) : 0;
        if (status < 100) {
            throw new MalformedHttpException(0, "not a status line");
        }
        return status;
    }

    private void noteRedirect(int status, MessageHead head) {
        String location = status / 100 == 3 ? head.value("location") : null;
        if (location != null && services.upstream().isAt(location)) {
            services.counts().redirects.increment();
            if (REDIRECT_LOGGED.compareAndSet(false, true)) {
                LOG.warn(
                        "a redirect leads past the proxy: what follows it is not measured; further ones are counted location={}",
                        location);
            }
        }
    }

    @Override
    public long length() {
        return Math.max(0, length);
    }

    @Override
    public void content(byte[] bytes, int from, int count) {
        if (follower != null) {
            follower.content(bytes, from, count, nowNanos);
        }
    }

    @Override
    public void end() {
        if (interim && !connection.isRaw()) {
            return;
        }
        if (follower != null) {
            follower.end(nowNanos);
            follower = null;
        }
        exchanges.removeFirst();
    }

    private void ended(boolean reset) {
        long now = System.nanoTime();
        boolean untilClose = framing.isUntilClose();
        if (!reset && !lost && !connection.isClosed()) {
            nowNanos = now;
            framing.end();
        }
        boolean cancelled = connection.hasClientEnded();
        Connection.forEachSample(exchanges.close(), each -> {
            if (cancelled) {
                each.cancelled(now);
            } else {
                each.failed(
                        now,
                        reset ? "ConnectionReset" : "ConnectionClosed",
                        "the upstream ended the connection before the answer was complete");
            }
        });
        if (connection.isRefusing() || connection.isClosed()) {
            return;
        }
        if (reset && untilClose) {
            // A regular end would make a cut answer look complete.
            client.reset();
            connection.close();
            return;
        }
        try {
            client.endOutput();
        } catch (IOException e) {
            connection.close();
        }
    }
}
