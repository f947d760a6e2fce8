package io.metricsaggregator.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Relays the requests of a connection. Every head is checked before any byte of it is passed on; a request that is refused ends the connection. Runs
 * on the thread of the requests.
 */
final class RequestRelay implements Framing.Handler {
    /** Time for the first byte of a connection. */
    private static final long SILENT_NANOS = 60_000_000_000L;

    private static final int BUFFER_BYTES = 8 << 10;
    /** Bytes of a request that are read for its prompt. */
    private static final int PROMPT_MAX_BYTES = 16 << 20;

    private final Connection connection;
    private final Services services;
    private final Pipe client;
    private final Framing framing = new Framing(this, RequestHead.LINE_MAX_BYTES);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
    private final Deadlines.Deadline deadline;
    private Upstream.@Nullable ConnectFailedException notConnected;
    private @Nullable RequestHead request;
    private @Nullable Exchange current;
    private @Nullable Exchange upgrading;
    private @Nullable HeldBody body;
    private @Nullable Sample unissued;
    private byte @Nullable [] head;
    private boolean isOwn;
    private boolean ownRead;
    private boolean headBegun;
    private boolean discarding;
    private long nowNanos;

    RequestRelay(Connection connection) {
        this.connection = connection;
        this.services = connection.services();
        this.client = connection.client();
        this.deadline = services.deadlines().add(connection::close);
    }

    void run() {
        boolean connected = false;
        try {
            deadline.in(SILENT_NANOS);
            connected = connect();
            if (connected && client.hasInput()) {
                services.counts().connectLate.increment();
            }
            relay();
        } catch (IOException e) {
            // A reset of the client, or its head came too slowly.
            if (deadline.hasPassed() && headBegun) {
                services.counts().refused.increment();
            }
            connection.clientGone();
        } catch (MalformedHttpException e) {
            refuse(e.status(), e.reason());
        } catch (OutOfMemoryError e) {
            // Mostly a limit of threads: this connection ends, the others go on.
            refuse(503, "the proxy has no room for another connection");
        } finally {
            deadline.forget();
            if (body != null) {
                body.take();
            }
        }
    }

    /** Connects before the first request, so that no request waits for it. */
    private boolean connect() {
        try {
            connection.connected(services.upstream().connect(services.deadlines()));
            return true;
        } catch (Upstream.ConnectFailedException e) {
            notConnected = e;
            return false;
        }
    }

    private void relay() throws IOException, MalformedHttpException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int count = client.read(buffer); count >= 0; count = client.read(buffer)) {
            nowNanos = System.nanoTime();
            if (!discarding) {
                try {
                    read(buffer, count);
                } finally {
                    flush();
                }
                issue();
                setDeadline();
            }
        }
        deadline.clear();
        connection.clientEnded(framing.isWithinMessage());
    }

    private void setDeadline() {
        boolean begun = framing.isInHead() && framing.isWithinMessage();
        if (begun && !headBegun) {
            deadline.in(services.settings().headTimeout().toNanos());
        } else if (!begun) {
            deadline.clear();
        }
        headBegun = begun;
    }

    private void read(byte[] buffer, int count) throws IOException, MalformedHttpException {
        int at = 0;
        while (at < count) {
            awaitUpgrade();
            if (connection.isRaw()) {
                out.write(buffer, at, count - at);
                return;
            }
            boolean inHead = framing.isInHead();
            boolean own = isOwn;
            int next = framing.feed(buffer, at, count);
            if (inHead) {
                takeHead();
            } else if (!own) {
                out.write(buffer, at, next - at);
            }
            if (ownRead) {
                answerOwn();
            }
            at = next;
        }
    }

    private void takeHead() throws MalformedHttpException {
        byte[] bytes = head;
        head = null;
        if (bytes == null) {
            return;
        }
        if (connection.upstream() == null && !connectNow()) {
            Upstream.ConnectFailedException failure = notConnected;
            services.counts().upstreamFailed.increment();
            int status = failure == null ? 502 : failure.status();
            String reason = String.valueOf(failure == null ? null : failure.getMessage());
            current = null;
            Connection.forEachSample(
                    connection.exchanges().close(), each -> each.failed(nowNanos, "HTTP " + status, reason));
            throw new MalformedHttpException(status, reason);
        }
        out.writeBytes(bytes);
    }

    /** Tries once more what failed before the first request: the upstream may listen by now. After a time-out it does not. */
    private boolean connectNow() {
        Upstream.ConnectFailedException failure = notConnected;
        return (failure == null || failure.status() != 504) && connect();
    }

    /** What follows a request that asks for another protocol is known when its answer has begun. */
    private void awaitUpgrade() throws IOException {
        Exchange exchange = upgrading;
        if (exchange != null) {
            flush();
            connection.exchanges().awaitUpgrade(exchange);
            if (!exchange.isUpgradeDecided()) {
                connection.becomeRaw();
            }
            upgrading = null;
        }
    }

    @Override
    public Framing.Body head(MessageHead bytes) throws MalformedHttpException {
        RequestHead read = new RequestHead(bytes);
        request = read;
        current = null;
        isOwn = read.path().startsWith(OwnAnswers.PREFIX);
        if (isOwn) {
            return read.body();
        }
        Sample sample = null;
        if (MeasuredPath.matches(read.method(), read.path())) {
            sample = services.samples().begin(read.value("x-request-id"), read.value("traceparent"), nowNanos);
        } else {
            services.counts().other.increment();
        }
        boolean addId = sample != null && services.settings().addRequestIds() && read.value("x-request-id") == null;
        head = read.forwarded(services.upstream().authority(), addId && sample != null ? sample.id() : null);
        Exchange exchange = new Exchange(read.method(), sample, read.isUpgrade());
        current = exchange;
        body = sample != null && services.settings().keepTexts()
                ? new HeldBody(services.bodies(), PROMPT_MAX_BYTES)
                : null;
        if (!connection.exchanges().add(exchange)) {
            services.counts().unread.increment();
            if (sample != null) {
                sample.failed(
                        nowNanos, AnswerRelay.UNREAD, "an answer before it on this connection could not be followed");
            }
        }
        return read.body();
    }

    @Override
    public long length() {
        return request == null ? 0 : request.length();
    }

    @Override
    public void content(byte[] bytes, int from, int count) {
        if (body != null) {
            body.add(bytes, from, count);
        }
    }

    @Override
    public void end() {
        if (isOwn) {
            ownRead = true;
            return;
        }
        Exchange exchange = current;
        current = null;
        if (exchange == null) {
            return;
        }
        upgrading = exchange.isUpgrade() ? exchange : null;
        Sample sample = exchange.sample();
        if (sample != null) {
            if (unissued != null) {
                flush();
                issue();
            }
            sample.body(body == null ? null : body.take());
            body = null;
            unissued = sample;
        }
    }

    /** Publishes what was read, after it was passed on: the server does not wait for that. */
    private void issue() {
        if (unissued != null) {
            unissued.issued(nowNanos);
            unissued = null;
        }
    }

    private void answerOwn() throws IOException {
        ownRead = false;
        isOwn = false;
        flush();
        connection.exchanges().awaitAnswered(null);
        RequestHead read = request;
        if (connection.exchanges().isLost()) {
            throw new IOException("where an answer may begin is unknown");
        }
        if (read != null) {
            byte[] answer = OwnAnswers.answer(read, connection.isLocal(), services);
            client.write(answer, 0, answer.length);
        }
    }

    private void flush() {
        Pipe upstream = connection.upstream();
        if (out.size() > 0 && upstream != null && !discarding) {
            byte[] bytes = out.toByteArray();
            if (unissued != null) {
                unissued.sent(System.nanoTime());
            }
            try {
                upstream.write(bytes, 0, bytes.length);
            } catch (IOException e) {
                // The upstream may have answered before it stopped reading: the thread of the answers tells.
                discarding = true;
            }
        }
        out.reset();
    }

    /** Answers instead of the upstream, once all earlier answers are complete, and ends the connection. */
    private void refuse(int status, String reason) {
        services.counts().refused.increment();
        Exchange exchange = current;
        if (exchange != null && exchange.sample() != null) {
            exchange.sample().failed(System.nanoTime(), "HTTP " + status, reason);
        }
        deadline.clear();
        Exchanges exchanges = connection.exchanges();
        exchanges.awaitAnswered(exchange);
        connection.refuse();
        Pipe upstream = connection.upstream();
        if (upstream != null) {
            upstream.close();
        }
        try {
            if (!exchanges.isLost() && !connection.isRaw() && (exchange == null || !exchange.hasAnswerBegun())) {
                byte[] answer = OwnAnswers.refusal(status, reason);
                client.write(answer, 0, answer.length);
            }
            client.endOutput();
            connection.linger();
            byte[] rest = new byte[1024];
            while (client.read(rest) >= 0) {
                // Closing with unread bytes would reset the connection before the client has read the answer.
            }
        } catch (IOException e) {
            // The client is gone, or did not end its side in time.
        }
        exchanges.close();
        connection.close();
    }
}
