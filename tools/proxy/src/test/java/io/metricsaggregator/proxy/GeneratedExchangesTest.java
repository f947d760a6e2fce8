package io.metricsaggregator.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratedExchangesTest {
    private static final int CONNECTIONS = 200;
    private static final int EXCHANGES = 50;

    @ParameterizedTest
    @ValueSource(longs = {4207})
    void tenThousandGeneratedExchangesPassUnchanged(long seed) throws Exception {
        ConcurrentHashMap<Integer, String> answers = new ConcurrentHashMap<>();
        GeneratedMessages generated = new GeneratedMessages(seed);
        GeneratedMessages pieces = new GeneratedMessages(seed + 1);
        TestSink sink = new TestSink();
        try (TestUpstream upstream = new TestUpstream(line -> serve(line, answers));
                Proxy proxy = Proxy.start(ProxySettings.of(upstream.uri()).withWarmUp(false), sink)) {
            int number = 0;
            for (int i = 0; i < CONNECTIONS; i++) {
                List<String> requests = new ArrayList<>();
                for (int j = 0; j < EXCHANGES; j++) {
                    String request = generated.request(number);
                    requests.add(request);
                    answers.put(number++, generated.answer(request.startsWith("HEAD")));
                }
                connection(proxy, upstream, requests, answers, pieces, number - EXCHANGES, seed);
            }
            assertThat(proxy.status().unread()).as("seed %s", seed).isZero();
            assertThat(proxy.status().refused()).as("seed %s", seed).isZero();
            assertThat(proxy.status().other()).isEqualTo((long) CONNECTIONS * EXCHANGES);
            Await.until(
                    () -> proxy.status().open() == 0,
                    () -> "open connections " + proxy.status().open());
        }
    }

    private static void connection(
            Proxy proxy,
            TestUpstream upstream,
            List<String> requests,
            ConcurrentHashMap<Integer, String> answers,
            GeneratedMessages pieces,
            int first,
            long seed)
            throws IOException {
        StringBuilder expected = new StringBuilder();
        try (TestClient client = new TestClient(proxy.address())) {
            for (int j = 0; j < requests.size(); ) {
                // Some are pipelined, some come in pieces.
                StringBuilder group = new StringBuilder();
                do {
                    group.append(requests.get(j));
                    expected.append(answers.get(first + j++));
                } while (j < requests.size() && pieces.chance(2));
                String all = group.toString();
                for (int at = 0; at < all.length(); ) {
                    int count = pieces.piece(all.length() - at);
                    client.send(all.substring(at, at + count));
                    at += count;
                }
                int length = expected.length();
                client.readUntil(text -> text.length() >= length);
            }
            assertThat(client.text())
                    .as("answers, seed %s, from exchange %s", seed, first)
                    .isEqualTo(expected.toString());
        }
        String sent = String.join("", requests).replace("Host: x\r\n", "Host: 127.0.0.1:" + upstream.port() + "\r\n");
        assertThat(upstream.lines.get(first / EXCHANGES).received())
                .as("requests, seed %s, from exchange %s", seed, first)
                .isEqualTo(sent);
    }

    private static void serve(TestUpstream.Line line, ConcurrentHashMap<Integer, String> answers) throws IOException {
        GeneratedMessages pieces = new GeneratedMessages(line.socket.getPort());
        for (String head = line.head(); head != null; head = line.head()) {
            int at = head.indexOf("X-N: ") + 5;
            String answer = answers.get(Integer.parseInt(head.substring(at, head.indexOf("\r\n", at))));
            skipBody(line, head);
            for (int from = 0; from < answer.length(); ) {
                int count = pieces.piece(answer.length() - from);
                line.send(answer.substring(from, from + count));
                from += count;
            }
        }
    }

    /** Reads a body by a reader of its own: lengths, or chunks with trailers. */
    private static void skipBody(TestUpstream.Line line, String head) throws IOException {
        if (!head.contains("Chunked")) {
            line.body(head);
            return;
        }
        for (int size = size(line); size > 0; size = size(line)) {
            for (int i = 0; i < size + 2; i++) {
                line.read();
            }
        }
        while (!text(line).isEmpty()) {
            // A trailer.
        }
    }

    private static int size(TestUpstream.Line line) throws IOException {
        return Integer.parseInt(text(line).replaceFirst("[ ;].*", ""), 16);
    }

    private static String text(TestUpstream.Line line) throws IOException {
        StringBuilder text = new StringBuilder();
        while (!text.toString().endsWith("\r\n")) {
            text.append((char) line.read());
        }
        return text.substring(0, text.length() - 2);
    }
}
