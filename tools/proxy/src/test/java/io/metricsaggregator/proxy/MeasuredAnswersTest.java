package io.metricsaggregator.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The records of the requests that pass a proxy. */
class MeasuredAnswersTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String STREAM =
            OK + "Content-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n";
    private static final String FIRST = event("{\"choices\":[{\"delta\":{\"reasoning_content\":\"h\"}}]}");
    private static final String SECOND = event("{\"choices\":[{\"delta\":{\"content\":\"i\"}}]}");
    private static final String LAST = event(
                    "{\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}],\"usage\":"
                            + "{\"prompt_tokens\":7,\"completion_tokens\":2,\"completion_tokens_details\":{\"reasoning_tokens\":1}}}")
            + "data: [DONE]\n\n";

    private final TestSink sink = new TestSink();

    private static String event(String json) {
        return "data: " + json + "\n\n";
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    private static String post(String path, String headers, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\n" + headers + "Content-Length: " + body.length() + "\r\n\r\n"
                + body;
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out, true)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
            gzip.flush();
        }
        return out.toByteArray();
    }

    /** Runs one request with an answer, and returns what the client read. */
    private String exchange(String request, TestUpstream.Behaviour answer, boolean texts) throws IOException {
        try (TestUpstream upstream = new TestUpstream(line -> {
                    line.body(line.head());
                    answer.serve(line);
                });
                Proxy proxy = Proxy.start(
                        ProxySettings.of(upstream.uri()).withWarmUp(false).withRequestIdsAndTexts(false, texts), sink);
                TestClient client = new TestClient(proxy.address())) {
            String read = client.send(request).readAll();
            sink.awaitCompletions(1);
            return read;
        }
    }

    private EventRecord only(EventType type) {
        assertThat(sink.of(type)).hasSize(1);
        return sink.of(type).get(0);
    }

    @Test
    void aStreamHasItsChunksWithTheirPartsAndTheUsage() throws IOException {
        exchange(
                post("/v1/chat/completions", "X-Request-Id: r-1\r\n", "{}"),
                line -> line.send(STREAM + "\r\n" + chunk(FIRST) + chunk(SECOND + SECOND) + chunk(LAST) + "0\r\n\r\n"),
                false);
        assertThat(sink.story())
                .containsExactly(
                        "sample.issued",
                        "sample.recv_first",
                        "sample.recv_non_first",
                        "sample.recv_non_first",
                        "sample.complete");
        assertThat(sink.records.stream().map(EventRecord::type).toList())
                .startsWith(EventType.SESSION_STARTED, EventType.SESSION_START_PERFORMANCE_TRACKING)
                .endsWith(
                        EventType.SESSION_STOP_LOADGEN,
                        EventType.SESSION_STOP_PERFORMANCE_TRACKING,
                        EventType.SESSION_ENDED);
        assertThat(sink.records.stream().map(EventRecord::timestampNanos).toList())
                .isSorted();
        assertThat(sink.records.stream().map(EventRecord::sequence).toList())
                .isEqualTo(java.util.stream.LongStream.range(0, sink.records.size())
                        .boxed()
                        .toList());
        assertThat(sink.of(EventType.SAMPLE_ISSUED).get(0).sampleUuid()).isEqualTo("r-1");
        assertThat(only(EventType.SAMPLE_ISSUED).optional().labels()).isEqualTo(Map.of("measured_at", "proxy"));
        assertThat(only(EventType.SAMPLE_RECV_FIRST).optional().part()).isEqualTo(ChunkPart.REASONING);
        EventRecord end = only(EventType.SAMPLE_COMPLETE);
        assertThat(end.finishReason()).isEqualTo("length");
        assertThat(end.data()).isNull();
        assertThat(end.optional().usage()).isEqualTo(Usage.of(7, 2).with(UsageKey.REASONING_TOKENS, 1));
        assertThat(sink.telemetry).anyMatch(each -> "proxy_measured".equals(each.get("name")));
    }

    @ParameterizedTest
    @CsvSource({
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more, ",
        "none, "
    })
    void aRecordNamesTheTraceOfItsRequestAndTheIdOfItsAnswer(String header, String recorded) throws IOException {
        String first = event("{\"id\":\"chatcmpl-1\",\"choices\":[{\"delta\":{\"content\":\"i\"}}]}");
        exchange(
                post("/v1/chat/completions", "Traceparent: " + header + "\r\n", "{}"),
                line -> line.send(STREAM + "\r\n" + chunk(first) + chunk(LAST) + "0\r\n\r\n"),
                false);
        assertThat(only(EventType.SAMPLE_ISSUED).optional().traceparent()).isEqualTo(recorded);
        assertThat(only(EventType.SAMPLE_COMPLETE).optional().responseId()).isEqualTo("chatcmpl-1");
    }

    @Test
    void anIdThatIsTooLongIsNotRecorded() throws IOException {
        String long257 = event("{\"id\":\"" + "x".repeat(257) + "\",\"choices\":[]}");
        exchange(
                post("/v1/chat/completions", "", "{}"),
                line -> line.send(STREAM + "\r\n" + chunk(long257) + chunk(LAST) + "0\r\n\r\n"),
                false);
        assertThat(only(EventType.SAMPLE_COMPLETE).optional().responseId()).isNull();
    }

    @Test
    void textsAreKeptOnlyWhenAsked() throws IOException {
        exchange(
                post("/v1/chat/completions", "", "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}"),
                line -> line.send(STREAM + "\r\n" + chunk(FIRST + SECOND + SECOND + LAST) + "0\r\n\r\n"),
                true);
        assertThat(only(EventType.SAMPLE_ISSUED).data())
                .isEqualTo(new PromptData(
                        null, null, List.of(Map.of("role", "user", "content", "q")), null, null, null, null));
        assertThat(only(EventType.SAMPLE_COMPLETE).data())
                .isEqualTo(
                        new TextModelOutput(new ModelText.Chunks(List.of("i", "i")), new ModelText.Whole("h"), null));
    }

    @ParameterizedTest
    @CsvSource({"43", "44"})
    void speculativeDecodingIsPartOfTheUsageWithAHistogramThatFits(int steps) throws IOException {
        String json = "{\"metrics\":{\"speculative_decoding\":{\"acceptance_histogram\":[39,1,0,3],\"num_spec_steps\":"
                + steps + ",\"num_accepted_draft_tokens\":10}},\"choices\":[{\"message\":{\"content\":\"a\"}}]}";
        exchange(
                post("/v1/chat/completions", "", "{}"),
                line -> line.send(
                        OK + "Content-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n" + json),
                false);
        Usage counts = new Usage(Map.of(UsageKey.SPEC_DRAFTS, (long) steps, UsageKey.SPEC_ACCEPTED_TOKENS, 10L), false);
        assertThat(only(EventType.SAMPLE_COMPLETE).optional().usage())
                .isEqualTo(steps == 43 ? counts.withSpecHistogram(List.of(39L, 1L, 0L, 3L)) : counts);
    }

    @Test
    void aWholeAnswerHasUsageAndNoChunks() throws IOException {
        String json =
                "{\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,"
                        + "\"completion_tokens\":1}}";
        exchange(
                post("/v1/chat/completions", "", "{}"),
                line -> line.send(
                        OK + "Content-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n" + json),
                false);
        assertThat(sink.story()).containsExactly("sample.issued", "sample.complete");
        assertThat(only(EventType.SAMPLE_COMPLETE).optional().usage()).isEqualTo(Usage.of(3, 1));
        assertThat(only(EventType.SAMPLE_COMPLETE).finishReason()).isEqualTo("stop");
    }

    @Test
    void aCompressedStreamIsReadFromTheCopy() throws IOException {
        byte[] packed = gzip(FIRST + SECOND + LAST);
        exchange(
                post("/v1/chat/completions", "Accept-Encoding: gzip\r\n", "{}"),
                line -> {
                    line.send(STREAM + "Content-Encoding: gzip\r\n\r\n" + Integer.toHexString(packed.length) + "\r\n");
                    for (byte each : packed) {
                        line.send(new byte[] {each});
                    }
                    line.send("\r\n0\r\n\r\n");
                },
                false);
        assertThat(sink.story())
                .containsExactly("sample.issued", "sample.recv_first", "sample.recv_non_first", "sample.complete");
    }

    @Test
    void aCodingThatTheProxyDoesNotReadHasNoTimesOfChunksInsteadOfWrongOnes() throws IOException {
        exchange(
                post("/v1/chat/completions", "", "{}"),
                line -> line.send(STREAM + "Content-Encoding: br\r\n\r\n" + chunk("....") + "0\r\n\r\n"),
                false);
        assertThat(sink.story()).containsExactly("sample.issued", "sample.complete");
        assertThat(sink.telemetry)
                .anyMatch(each -> "proxy_chunks_unknown".equals(each.get("name"))
                        && Long.valueOf(1).equals(each.get("value")));
    }

    @Test
    void anErrorStatusIsAnErrorWithTheServersWords() throws IOException {
        String json = "{\"error\":{\"message\":\"too many\",\"type\":\"rate\"}}";
        exchange(
                post("/v1/chat/completions", "", "{}"),
                line -> line.send("HTTP/1.1 429 Too Many\r\nContent-Type: application/json\r\nContent-Length: "
                        + json.length() + "\r\n\r\n" + json),
                false);
        assertThat(sink.story()).containsExactly("sample.issued", "error.generic HTTP 429", "sample.complete");
        assertThat(only(EventType.ERROR_GENERIC).data()).isEqualTo(new ErrorData("HTTP 429", "too many"));
    }

    @Test
    void anErrorWithinAStreamIsAnError() throws IOException {
        exchange(
                post("/v1/chat/completions", "", "{}"),
                line -> line.send(STREAM + "\r\n"
                        + chunk(SECOND + event("{\"error\":{\"type\":\"Oops\",\"message\":\"m\"}}")) + "0\r\n\r\n"),
                false);
        assertThat(sink.story())
                .containsExactly("sample.issued", "sample.recv_first", "error.generic Oops", "sample.complete");
    }

    @Test
    void aStreamThatTheServerCutsIsAnError() throws IOException {
        exchange(post("/v1/chat/completions", "", "{}"), line -> line.send(STREAM + "\r\n" + chunk(SECOND)), false);
        assertThat(sink.story())
                .containsExactly(
                        "sample.issued", "sample.recv_first", "error.generic ConnectionClosed", "sample.complete");
    }

    @Test
    void aStreamUntilTheEndOfTheConnectionIsComplete() throws IOException {
        exchange(
                post("/v1/chat/completions", "", "{}"),
                line -> line.send(OK + "Content-Type: text/event-stream\r\n\r\n" + SECOND + SECOND),
                false);
        assertThat(sink.story())
                .containsExactly("sample.issued", "sample.recv_first", "sample.recv_non_first", "sample.complete");
    }

    @Test
    void aResetOfTheServerIsAnErrorAndTheClientDoesNotTakeItForTheEnd() throws IOException {
        CountDownLatch read = new CountDownLatch(1);
        try (TestUpstream upstream = new TestUpstream(line -> {
                    line.body(line.head());
                    line.send(OK + "Content-Type: text/event-stream\r\n\r\n" + SECOND);
                    await(read);
                    line.reset();
                });
                Proxy proxy = Proxy.start(ProxySettings.of(upstream.uri()).withWarmUp(false), sink);
                TestClient client = new TestClient(proxy.address())) {
            client.send(post("/v1/chat/completions", "", "{}")).readUntil("\n\n");
            read.countDown();
            assertThat(client.readAll()).endsWith("<RST>");
            sink.awaitCompletions(1);
        }
        assertThat(sink.story()).contains("error.generic ConnectionReset");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void aClientThatGoesAwayAfterTheLastEventHasItsAnswer(boolean reset) throws IOException {
        int clients = 50;
        try (TestUpstream upstream = new TestUpstream(line -> {
                    line.body(line.head());
                    line.send(STREAM + "\r\n" + chunk(SECOND) + chunk("data: [DONE]\n\n"));
                    line.head();
                });
                Proxy proxy = Proxy.start(ProxySettings.of(upstream.uri()).withWarmUp(false), sink)) {
            for (int i = 0; i < clients; i++) {
                TestClient client = new TestClient(proxy.address());
                client.send(post("/v1/chat/completions", "", "{}")).readUntil(text -> text.contains("[DONE]"));
                if (reset) {
                    client.reset();
                } else {
                    client.close();
                }
            }
            sink.awaitCompletions(clients);
            assertThat(proxy.status().cancelled()).isZero();
            assertThat(proxy.status().succeeded()).isEqualTo(clients);
        }
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void aClientThatGoesAwayCancelsItsSampleAndTheUpstreamSeesItSoon(boolean reset) throws IOException {
        try (TestUpstream upstream = new TestUpstream(line -> {
                    line.body(line.head());
                    line.send(STREAM + "\r\n");
                    while (true) {
                        line.send(chunk(SECOND));
                        java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
                    }
                });
                Proxy proxy = Proxy.start(ProxySettings.of(upstream.uri()).withWarmUp(false), sink)) {
            TestClient client = new TestClient(proxy.address());
            client.send(post("/v1/chat/completions", "", "{}")).readUntil(text -> text.contains("data"));
            if (reset) {
                client.reset();
            } else {
                client.close();
            }
            long gone = System.nanoTime();
            Await.until(() -> upstream.ended.get() == 1, () -> "the upstream's connection to end");
            assertThat(Duration.ofNanos(System.nanoTime() - gone)).isLessThan(Duration.ofSeconds(2));
            sink.awaitCompletions(1);
            Await.until(
                    () -> proxy.status().open() == 0,
                    () -> "open " + proxy.status().open());
            assertThat(proxy.status().cancelled()).isEqualTo(1);
        }
        assertThat(sink.story()).endsWith("error.client Cancelled", "sample.complete");
    }

    @Test
    void anAnswerThatCannotBeFollowedIsMarked() throws IOException {
        String read = exchange(
                post("/v1/chat/completions", "", "{}"),
                line -> line.send(STREAM + "\r\n" + chunk(SECOND) + "nonsense\r\n"),
                false);
        assertThat(read).endsWith("nonsense\r\n<EOF>");
        assertThat(sink.story())
                .containsExactly("sample.issued", "sample.recv_first", "error.generic UnreadAnswer", "sample.complete");
    }

    @Test
    void aRepeatedRequestIdDoesNotMergeTwoSamples() throws IOException {
        String request = post("/v1/completions", "X-Request-Id: same\r\n", "{}");
        exchange(
                request + request,
                line -> {
                    line.body(line.head());
                    line.send((OK + "Content-Length: 0\r\n\r\n").repeat(2));
                },
                false);
        assertThat(sink.of(EventType.SAMPLE_ISSUED).stream()
                        .map(EventRecord::sampleUuid)
                        .distinct())
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "POST,/v1/chat/completions,true",
        "POST,/openai/deployments/m/chat/completions,true",
        "POST,/v1/completions,true",
        "POST,/v1/responses,true",
        "POST,/v1/messages,true",
        "POST,/generate,true",
        "POST,/v1/embeddings,true",
        "GET,/v1/responses,false",
        "POST,/v1/messages/count_tokens,false",
        "POST,/tokenize,false",
        "GET,/metrics,false"
    })
    void pathsAreMeasuredByTheirEnds(String method, String path, boolean measured) {
        assertThat(MeasuredPath.matches(method, path)).isEqualTo(measured);
    }

    @Test
    void timesOfTheHeaderAndTheBodyAreThoseOfTheServer() throws IOException {
        String timed = LAST.replace("\"usage\"", "\"metrics\":{\"queue_time_ms\":12.3},\"usage\"");
        exchange(
                post("/v1/chat/completions", "", "{}"),
                line -> line.send(STREAM + "Server-Timing: queue;dur=1, ttft;dur=85.2\r\n\r\n" + chunk(FIRST)
                        + chunk(timed) + "0\r\n\r\n"),
                false);
        assertThat(only(EventType.SAMPLE_COMPLETE).optional().server())
                .isEqualTo(ServerTimes.from(ServerTimes.Source.BODY)
                        .with(ServerKey.QUEUE_NS, 12_300_000)
                        .with(ServerKey.TTFT_NS, 85_200_000));
    }
}
