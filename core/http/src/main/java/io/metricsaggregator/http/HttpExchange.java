package io.metricsaggregator.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A request whose body is complete, and its one answer. The answer may be sent by any thread; headers are set before. */
public final class HttpExchange {
    private final Connection connection;
    private final HttpRequest request;
    private final byte[] body;
    private final long arrivedNanos;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final AtomicBoolean answered = new AtomicBoolean();

    HttpExchange(Connection connection, HttpRequest request, byte[] body, long arrivedNanos) {
        this.connection = connection;
        this.request = request;
        this.body = body;
        this.arrivedNanos = arrivedNanos;
    }

    /** The method, such as {@code GET}. */
    public String method() {
        return request.method().name();
    }

    /** Whether the method is HEAD; answers then send no body. */
    public boolean isHead() {
        return method().equals("HEAD");
    }

    /** The target without its query, as it was sent: not decoded, not normalised. Starts with a slash. */
    public String path() {
        int query = request.uri().indexOf('?');
        return query < 0 ? request.uri() : request.uri().substring(0, query);
    }

    /** What follows the first question mark of the target, as it was sent; empty without one. */
    public String query() {
        int query = request.uri().indexOf('?');
        return query < 0 ? "" : request.uri().substring(query + 1);
    }

    /** The first header of a name, in any case; null without one. */
    public @Nullable String header(String name) {
        return request.headers().get(name);
    }

    /** The body as it was sent, without the encoding of the transfer: a compressed one is compressed. Empty without one. */
    public byte[] body() {
        return body;
    }

    /** When the last byte of the request was read, on the clock of {@link System#nanoTime}; the handler may begin later. */
    public long arrivedNanos() {
        return arrivedNanos;
    }

    /** Whether a browser says that a page of another site, or of another port of this host, sent the request. */
    public boolean isForeign() {
        String site = header("Sec-Fetch-Site");
        if (site != null) {
            return site.equalsIgnoreCase("cross-site") || site.equalsIgnoreCase("same-site");
        }
        String origin = header("Origin");
        return origin != null
                && !origin.toLowerCase(Locale.ROOT)
                        .replaceFirst("^https?://", "")
                        .equals(authority());
    }

    private String authority() {
        String host = header("Host");
        return host == null ? "" : host.toLowerCase(Locale.ROOT);
    }

    /** Sets a header of the answer; {@code Connection: close} ends the connection after it. */
    public void set(String name, String value) {
        headers.put(name, value);
    }

    /**
     * Sends a whole answer; for HEAD its headers only.
     *
     * @throws IllegalStateException if the request has an answer already
     */
    public void send(int status, String type, byte[] content) {
        HttpResponse answer = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(status),
                isHead() ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(content));
        answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, content.length);
        begin(answer, type, HttpUtil.isKeepAlive(request));
        connection.onLoop(() -> connection.answer(answer));
    }

    /** Sends a line of ASCII text as an answer. */
    public void text(int status, String line) {
        send(status, "text/plain; charset=us-ascii", (line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Starts an answer of unknown length with status 200. With {@code keepAlive} each piece is a chunk, and the connection can serve further
     * requests if the peer wants that. Without, the end of the connection is the end of the answer, what arrives meanwhile is discarded,
     * and a peer that closes its side ends the stream at once.
     *
     * @throws IllegalStateException if the request has an answer already
     */
    public ResponseStream stream(String type, boolean keepAlive) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        boolean chunked = keepAlive && request.protocolVersion().minorVersion() > 0;
        if (chunked) {
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        begin(head, type, chunked && HttpUtil.isKeepAlive(request));
        ResponseStream stream = new ResponseStream(connection);
        connection.onLoop(() -> connection.stream(head, stream, keepAlive));
        return stream;
    }

    private void begin(HttpResponse answer, String type, boolean keepAlive) {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("the request has an answer already");
        }
        answer.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
        headers.forEach((name, value) -> answer.headers().set(name, value));
        boolean isClosed = "close".equalsIgnoreCase(headers.get("Connection"));
        HttpUtil.setKeepAlive(answer.headers(), request.protocolVersion(), keepAlive && !isClosed);
    }

    /** Runs a handler and deals with its failure. */
    @SuppressWarnings("CatchAndPrintStackTrace") // the listener logs it
    void run(HttpHandler handler) {
        try {
            handler.answer(this);
        } catch (IOException e) {
            connection.onLoop(connection::abort);
        } catch (RuntimeException | Error e) {
            connection.failed(e);
            if (answered.get()) {
                connection.onLoop(connection::abort);
            } else {
                text(500, "the server failed; its log says why");
            }
        }
    }
}
