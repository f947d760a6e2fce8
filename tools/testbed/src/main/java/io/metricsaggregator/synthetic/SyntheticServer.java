package io.metricsaggregator.synthetic;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.http.HttpConfig;
import io.metricsaggregator.http.HttpExchange;
import io.metricsaggregator.http.HttpHandler;
import io.metricsaggregator.http.HttpLimits;
import io.metricsaggregator.http.HttpListener;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAI-compatible HTTP server without a model: {@code POST /v1/chat/completions} and {@code /v1/completions}, {@code GET /v1/models},
 * {@code /health}, {@code /version} and {@code /metrics}. A request keeps one thread {@code answer-N} until its answer is sent. Requests
 * beyond {@link ServerBehaviour#requestsMax} wait in the order of arrival, and with {@value #WAITING_MAX} waiting ones further ones are
 * answered with status 503. There is no authentication: any {@code Authorization} is accepted and ignored. Thread-safe.
 */
public final class SyntheticServer implements Closeable {
    /** Largest body of a request, in bytes. */
    public static final int BODY_MAX_BYTES = 16 << 20;

    private static final int WAITING_MAX = 512;
    private static final int OTHER_THREADS = 32;
    private static final int ID_MAX_CHARS = 128;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final HttpLimits LIMITS =
            new HttpLimits(8192, 32 << 10, BODY_MAX_BYTES, 64 << 10, MINUTE, MINUTE, MINUTE, MINUTE.multipliedBy(5));

    private final ServerBehaviour behaviour;
    private final Consumer<Map<String, Object>> log;
    private final HttpListener listener;
    private final ThreadPoolExecutor executor;
    private final Semaphore places;
    private final ServerStatistics statistics = new ServerStatistics();
    private final AtomicLong requests = new AtomicLong();
    private final long startedSeconds = System.currentTimeMillis() / 1000;

    /**
     * Binds and starts serving.
     *
     * @param address to listen on; port 0 for any free one
     * @throws IOException if the address cannot be bound
     */
    public SyntheticServer(InetSocketAddress address, ServerBehaviour behaviour) throws IOException {
        this(address, behaviour, request -> {});
    }

    /**
     * Binds and starts serving.
     *
     * @param address to listen on; port 0 for any free one
     * @param log takes what the server did for each request for a completion, when its answer has ended: {@code id}, {@code arrived_ns} on the clock
     *     of {@link System#nanoTime}, {@code ttft_ns} (0 without a token) and {@code latency_ns} since then, {@code prompt_tokens}, {@code tokens} and
     *     {@code end} ({@code stop}, {@code length}, {@code abort}, {@code error}); on any thread
     * @throws IOException if the address cannot be bound
     */
    public SyntheticServer(InetSocketAddress address, ServerBehaviour behaviour, Consumer<Map<String, Object>> log)
            throws IOException {
        this.behaviour = behaviour;
        this.log = log;
        AtomicInteger number = new AtomicInteger();
        this.places = new Semaphore(behaviour.requestsMax(), true);
        this.executor = new ThreadPoolExecutor(
                0,
                behaviour.requestsMax() + WAITING_MAX + OTHER_THREADS,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "answer-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        HttpConfig config = new HttpConfig("synthetic-server", LIMITS, List.of("GET", "HEAD", "POST"));
        this.listener = HttpListener.bind(address, config, HttpHandler.on(executor, this::answer));
        warmUp();
        listener.start();
        ask(address.getAddress());
    }

    /** Loads the classes that the first answer needs, which would otherwise make it late by 200 ms. */
    private void warmUp() {
        byte[] body = "{\"stream\":true,\"max_tokens\":1,\"messages\":[{\"content\":\"a\"}]}"
                .getBytes(StandardCharsets.UTF_8);
        try {
            CompletionRequest request = CompletionRequest.read(body, true);
            OpenAiMessages messages = new OpenAiMessages(request, "", behaviour.model(), 0, behaviour.cachedShare());
            new PlannedAnswer(behaviour, request, 0).appendWords(new StringBuilder(), 1);
            JsonTree.writeLine(messages.text("", false, null));
            JsonTree.writeLine(messages.whole("", "", "stop", messages.usage(1, 0)));
        } catch (RequestRejected e) {
            throw new IllegalStateException("the request that the server wrote itself", e);
        }
    }

    /** Asks the server for its health, which loads what serves a request. */
    private void ask(InetAddress address) throws IOException {
        InetAddress self = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
        try (Socket socket = new Socket(self, port())) {
            String request = "GET /health HTTP/1.1\r\nHost: "
                    + URI.create(url()).getAuthority() + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        }
    }

    /** The bound port. */
    public int port() {
        return listener.port();
    }

    /** The address of the root. */
    public String url() {
        return listener.url();
    }

    /** Number of requests for completions that were answered completely. */
    public long answered() {
        return statistics.answered();
    }

    /** Number of requests that were answered with an error: those that {@code errorShare} chose and those the server could not read. */
    public long failed() {
        return statistics.requests(ServerStatistics.End.ERROR) + statistics.rejectedRequests() + listener.refused();
    }

    /** Number of requests whose answer was not complete: by {@code abortShare}, or because the client closed the connection. */
    public long aborted() {
        return statistics.requests(ServerStatistics.End.ABORT);
    }

    private void answer(HttpExchange exchange) throws IOException {
        long arrived = exchange.arrivedNanos();
        String path = exchange.path();
        String method = exchange.method();
        switch (path) {
            case "/v1/chat/completions", "/v1/completions" -> {
                if (method.equals("POST")) {
                    complete(exchange, path.equals("/v1/chat/completions"), arrived);
                } else {
                    refuse(exchange, 405, "only POST");
                }
            }
            case "/v1/models", "/health", "/version", "/metrics" -> {
                if (method.equals("GET") || method.equals("HEAD")) {
                    inform(exchange, path);
                } else {
                    refuse(exchange, 405, "only GET and HEAD");
                }
            }
            default -> refuse(exchange, 404, "no such path");
        }
    }

    private void inform(HttpExchange exchange, String path) {
        switch (path) {
            case "/v1/models" -> json(exchange, 200, OpenAiMessages.models(behaviour.model(), startedSeconds));
            case "/version" -> json(exchange, 200, Map.of("version", "synthetic"));
            case "/metrics" -> {
                String text = statistics.exposition(behaviour.model(), places.getQueueLength());
                exchange.send(200, "text/plain; version=0.0.4; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
            }
            default -> exchange.send(200, "text/plain; charset=utf-8", new byte[0]);
        }
    }

    /** Answers a request for a completion. An exception closes the connection, so that the client sees a broken answer. */
    private void complete(HttpExchange exchange, boolean chat, long arrived) throws IOException {
        CompletionRequest request;
        try {
            request = CompletionRequest.read(exchange.body(), chat);
            if (places.getQueueLength() >= WAITING_MAX) {
                throw new RequestRejected(503, WAITING_MAX + " requests are waiting already");
            }
        } catch (RequestRejected e) {
            statistics.rejected();
            json(exchange, e.status(), OpenAiMessages.error(e.status(), String.valueOf(e.getMessage())));
            return;
        }
        long number = requests.getAndIncrement();
        String id = (chat ? "chatcmpl-" : "cmpl-") + id(exchange.header("X-Request-Id"), number);
        OpenAiMessages messages = new OpenAiMessages(
                request,
                id,
                request.model() == null ? behaviour.model() : request.model(),
                System.currentTimeMillis() / 1000,
                behaviour.cachedShare());
        PlannedAnswer answer = new PlannedAnswer(behaviour, request, number);
        AnswerWriter writer = new AnswerWriter(exchange, behaviour, messages, answer, statistics, arrived);
        awaitPlace();
        try {
            writer.send();
        } finally {
            places.release();
            Map<String, Object> done = new LinkedHashMap<>();
            done.put("id", id);
            done.putAll(writer.done());
            log.accept(done);
        }
    }

    private void awaitPlace() throws IOException {
        try {
            places.acquire();
        } catch (InterruptedException e) {
            throw new IOException("the server is being closed", e);
        }
    }

    private static String id(@Nullable String fromClient, long number) {
        return fromClient != null && !fromClient.isBlank() && fromClient.length() <= ID_MAX_CHARS
                ? fromClient
                : Long.toString(number);
    }

    private void refuse(HttpExchange exchange, int status, String message) {
        statistics.rejected();
        json(exchange, status, OpenAiMessages.error(status, message));
    }

    /** Sends a JSON body. */
    static void json(HttpExchange exchange, int status, Map<String, ?> body) {
        exchange.send(status, "application/json", JsonTree.writeLine(body));
    }

    /** Stops at once: open connections are closed. */
    @Override
    public void close() {
        listener.close();
        executor.shutdownNow();
    }
}
