package io.metricsaggregator.synthetic;

import io.metricsaggregator.answer.EventStream;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A server on a free port and a client of it. */
final class TestClient implements AutoCloseable {
    static final String CHAT = "/v1/chat/completions";
    static final String COMPLETIONS = "/v1/completions";

    final SyntheticServer server;
    /** What the server noted of each request. */
    final BlockingQueue<Map<String, Object>> log = new LinkedBlockingQueue<>();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    TestClient(ServerBehaviour behaviour) throws IOException {
        this.server =
                new SyntheticServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), behaviour, log::add);
    }

    /** One event of a stream: its JSON, null for {@code [DONE]}, and when it arrived, in nanoseconds after the request. */
    record Event(@Nullable Map<String, @Nullable Object> json, long nanos) {
        Map<?, ?> choice() {
            List<?> choices = (List<?>) json.get("choices");
            return choices.isEmpty() ? Map.of() : (Map<?, ?>) choices.get(0);
        }

        @Nullable
        String content() {
            return choice().get("delta") instanceof Map<?, ?> delta ? (String) delta.get("content") : null;
        }

        boolean hasText() {
            String content = content();
            return content != null && !content.isEmpty();
        }
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(to(path).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return client.send(request(path, body), BodyHandlers.ofString());
    }

    HttpRequest request(String path, String body) {
        return to(path).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    HttpClient http() {
        return client;
    }

    /** Posts a request and reads the stream to its end. */
    List<Event> stream(String path, String body) throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<String> messages = new ArrayList<>();
        List<Long> arrivals = new ArrayList<>();
        EventStream stream = new EventStream((event, feed) -> {
            messages.add(String.valueOf(event.data()));
            arrivals.add(System.nanoTime() - start);
        });
        HttpResponse<InputStream> response = client.send(request(path, body), BodyHandlers.ofInputStream());
        byte[] bytes = new byte[1 << 12];
        try (InputStream in = response.body()) {
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                stream.feed(bytes, 0, count);
            }
        }
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            String message = messages.get(i);
            events.add(new Event(message.equals("[DONE]") ? null : json(message), arrivals.get(i)));
        }
        return events;
    }

    static Map<String, @Nullable Object> json(String text) throws MalformedMessageException {
        return JsonTree.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        server.close();
    }
}
