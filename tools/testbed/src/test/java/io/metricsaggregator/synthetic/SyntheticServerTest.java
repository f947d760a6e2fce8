package io.metricsaggregator.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SyntheticServerTest {
    private static final String ASK = "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    private final BehaviourBuilder behaviour = new BehaviourBuilder();

    @Test
    void a_whole_chat_answer_has_text_finish_reason_and_usage() throws Exception {
        behaviour.reasoningTokens = 2;
        try (TestClient client = new TestClient(behaviour.build())) {
            long start = System.nanoTime();
            HttpResponse<String> response = client.post(TestClient.CHAT, ASK);
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000 + 4 * 2_000_000);
            assertThat(response.statusCode()).isEqualTo(200);
            Map<String, ?> answer = TestClient.json(response.body());
            assertThat(answer.get("object")).isEqualTo("chat.completion");
            assertThat(answer.get("model")).isEqualTo("test-model");
            Map<?, ?> choice = (Map<?, ?>) ((List<?>) answer.get("choices")).get(0);
            Map<?, ?> message = (Map<?, ?>) choice.get("message");
            assertThat((String) message.get("content")).matches("( [a-z]+){3}");
            assertThat((String) message.get("reasoning_content")).matches("( [a-z]+){2}");
            assertThat(choice.get("finish_reason")).isEqualTo("stop");
            assertThat(answer.get("usage")).asString().contains("prompt_tokens=5", "completion_tokens=5");
        }
    }

    @Test
    void a_whole_text_completion_respects_max_tokens() throws Exception {
        try (TestClient client = new TestClient(behaviour.build())) {
            HttpResponse<String> response =
                    client.post(TestClient.COMPLETIONS, "{\"prompt\":[\"once upon\"],\"max_tokens\":2}");
            Map<?, ?> choice =
                    (Map<?, ?>) ((List<?>) TestClient.json(response.body()).get("choices")).get(0);
            assertThat((String) choice.get("text")).matches("( [a-z]+){2}");
            assertThat(choice.get("finish_reason")).isEqualTo("length");
        }
    }

    @Test
    void the_id_of_the_answer_carries_the_id_of_the_request() throws Exception {
        try (TestClient client = new TestClient(behaviour.build())) {
            HttpRequest request = HttpRequest.newBuilder(client.request(TestClient.CHAT, ASK), (n, v) -> true)
                    .header("X-Request-Id", "run-1/7")
                    .build();
            assertThat(client.http().send(request, BodyHandlers.ofString()).body())
                    .contains("\"id\":\"chatcmpl-run-1/7\"");
        }
    }

    @Test
    void chosen_requests_fail_with_status_500_and_an_error_body() throws Exception {
        behaviour.errorShare = 1;
        try (TestClient client = new TestClient(behaviour.build())) {
            HttpResponse<String> response = client.post(TestClient.CHAT, ASK);
            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(TestClient.json(response.body()).get("error"))
                    .asString()
                    .contains("synthetic error", "InternalServerError", "code=500");
            // The server counts after it has answered.
            long deadline = System.nanoTime() + 20_000_000_000L;
            while (client.server.failed() == 0 && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(client.server.failed()).isEqualTo(1);
        }
    }

    @Test
    void the_log_says_what_the_server_did_for_each_request() throws Exception {
        behaviour.abortShare = 0;
        try (TestClient client = new TestClient(behaviour.build())) {
            long before = System.nanoTime();
            client.post(TestClient.CHAT, ASK);
            Map<String, Object> whole = client.log.poll(30, TimeUnit.SECONDS);
            assertThat(whole)
                    .containsEntry("id", "chatcmpl-0")
                    .containsEntry("tokens", 5)
                    .containsEntry("end", "stop");
            assertThat((long) whole.get("arrived_ns")).isBetween(before, System.nanoTime());
            assertThat((long) whole.get("ttft_ns")).isBetween(20_000_000L, (long) whole.get("latency_ns"));
            assertThat((long) whole.get("latency_ns")).isGreaterThanOrEqualTo(20_000_000 + 4 * 2_000_000);
            client.post(TestClient.COMPLETIONS, "{\"prompt\":[\"once upon\"],\"max_tokens\":2}");
            assertThat(client.log.poll(30, TimeUnit.SECONDS))
                    .containsEntry("id", "cmpl-1")
                    .containsEntry("tokens", 2)
                    .containsEntry("end", "length");
        }
        behaviour.errorShare = 1;
        try (TestClient client = new TestClient(behaviour.build())) {
            client.post(TestClient.CHAT, ASK);
            assertThat(client.log.poll(30, TimeUnit.SECONDS))
                    .containsEntry("ttft_ns", 0L)
                    .containsEntry("tokens", 0)
                    .containsEntry("end", "error");
        }
    }

    @Test
    void an_aborted_whole_answer_closes_the_connection_without_one() throws Exception {
        behaviour.abortShare = 1;
        try (TestClient client = new TestClient(behaviour.build())) {
            assertThatThrownBy(() -> client.post(TestClient.CHAT, ASK)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void requests_that_cannot_be_answered_are_refused_with_the_reason() throws Exception {
        Map<String, String> reasons = Map.of(
                "{",
                "not a JSON object",
                "[]",
                "not a JSON object",
                "{}",
                "messages: a list of at least one message is required",
                "{\"messages\":[]}",
                "at least one message",
                "{\"messages\":[1]}",
                "an element is not an object",
                ASK.replace("]}", "],\"n\":2}"),
                "n: 2",
                ASK.replace("]}", "],\"max_tokens\":-1}"),
                "max_tokens: -1",
                ASK.replace("]}", "],\"max_tokens\":\"9\"}"),
                "max_tokens: 9",
                ASK.replace("]}", "],\"max_tokens\":131073}"),
                "max_tokens: 131073",
                ASK.replace("]}", "],\"min_tokens\":9,\"max_tokens\":8}"),
                "min_tokens: 9");
        try (TestClient client = new TestClient(behaviour.build())) {
            for (Map.Entry<String, String> each : reasons.entrySet()) {
                HttpResponse<String> response = client.post(TestClient.CHAT, each.getKey());
                assertThat(response.statusCode()).as(each.getKey()).isEqualTo(400);
                assertThat(TestClient.json(response.body()).get("error"))
                        .asString()
                        .contains(each.getValue());
            }
            for (String prompt : List.of("null", "1", "[]", "[\"a\",\"b\"]", "[[1],[2]]", "[1.5]")) {
                assertThat(client.post(TestClient.COMPLETIONS, "{\"prompt\":" + prompt + "}")
                                .statusCode())
                        .as(prompt)
                        .isEqualTo(400);
            }
            assertThat(client.server.failed()).isEqualTo(reasons.size() + 6);
        }
    }

    @Test
    void a_body_above_the_limit_is_refused_without_being_kept() throws Exception {
        String large = "{\"prompt\":\"" + "x".repeat(SyntheticServer.BODY_MAX_BYTES) + "\"}";
        try (TestClient client = new TestClient(behaviour.build())) {
            assertThat(client.post(TestClient.COMPLETIONS, large).statusCode()).isEqualTo(413);
        }
    }

    @Test
    void other_paths_and_methods_are_refused() throws Exception {
        try (TestClient client = new TestClient(behaviour.build())) {
            assertThat(client.get("/").statusCode()).isEqualTo(404);
            assertThat(client.get(TestClient.CHAT).statusCode()).isEqualTo(405);
            assertThat(client.post("/metrics", "").statusCode()).isEqualTo(405);
        }
    }

    @Test
    void head_has_the_status_of_get_and_no_body() throws Exception {
        try (TestClient client = new TestClient(behaviour.build())) {
            for (Map.Entry<String, Integer> each :
                    Map.of("/health", 200, "/v1/models", 200, "/", 404).entrySet()) {
                HttpRequest head = HttpRequest.newBuilder(client.request(each.getKey(), ""), (n, v) -> true)
                        .method("HEAD", HttpRequest.BodyPublishers.noBody())
                        .build();
                HttpResponse<String> response = client.http().send(head, BodyHandlers.ofString());
                assertThat(response.statusCode()).as(each.getKey()).isEqualTo(each.getValue());
                assertThat(response.body()).isEmpty();
            }
        }
    }

    @Test
    void health_version_and_models_answer() throws Exception {
        try (TestClient client = new TestClient(behaviour.build())) {
            assertThat(client.get("/health").statusCode()).isEqualTo(200);
            assertThat(client.get("/version").body()).isEqualTo("{\"version\":\"synthetic\"}");
            assertThat(client.get("/v1/models").body()).contains("\"id\":\"test-model\"", "\"max_model_len\":131072");
        }
    }

    @Test
    void metrics_count_the_requests_tokens_and_times() throws Exception {
        try (TestClient client = new TestClient(behaviour.build())) {
            client.post(TestClient.CHAT, ASK);
            client.stream(TestClient.CHAT, ASK.replace("]}", "],\"stream\":true,\"max_tokens\":3}"));
            assertThat(sample(client, "vllm:request_success_total", "stop")).isEqualTo(1);
            assertThat(sample(client, "vllm:request_success_total", "length")).isEqualTo(1);
            assertThat(sample(client, "vllm:prompt_tokens_total", "")).isEqualTo(10);
            assertThat(sample(client, "vllm:generation_tokens_total", "")).isEqualTo(8);
            assertThat(sample(client, "vllm:num_requests_running", "")).isZero();
            assertThat(sample(client, "vllm:kv_cache_usage_perc", "")).isZero();
            assertThat(sample(client, "vllm:time_to_first_token_seconds_count", ""))
                    .isEqualTo(2);
            assertThat(sample(client, "vllm:time_to_first_token_seconds_bucket", "\"0.01\""))
                    .isZero();
            assertThat(sample(client, "vllm:time_to_first_token_seconds_sum", ""))
                    .isGreaterThanOrEqualTo(0.04);
            assertThat(sample(client, "vllm:inter_token_latency_seconds_count", ""))
                    .isEqualTo(6);
            assertThat(sample(client, "vllm:e2e_request_latency_seconds_bucket", "+Inf"))
                    .isEqualTo(2);
        }
    }

    @Test
    void requests_beyond_the_maximum_wait_and_metrics_still_answer() throws Exception {
        behaviour.requestsMax = 1;
        behaviour.firstTokenNanos = 3_600_000_000_000L;
        try (TestClient client = new TestClient(behaviour.build())) {
            List<CompletableFuture<HttpResponse<String>>> pending = List.of(
                    client.http().sendAsync(client.request(TestClient.CHAT, ASK), BodyHandlers.ofString()),
                    client.http().sendAsync(client.request(TestClient.CHAT, ASK), BodyHandlers.ofString()));
            while (sample(client, "vllm:num_requests_waiting", "") < 1) {
                Thread.onSpinWait();
            }
            assertThat(sample(client, "vllm:num_requests_running", "")).isEqualTo(1);
            assertThat(pending).noneMatch(CompletableFuture::isDone);
        }
    }

    private static double sample(TestClient client, String name, String label) throws Exception {
        String line = Pattern.compile("(?m)^" + name + "\\{.*$")
                .matcher(client.get("/metrics").body())
                .results()
                .map(match -> match.group())
                .filter(each -> each.contains(label))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " with " + label));
        return Double.parseDouble(line.substring(line.lastIndexOf(' ')));
    }
}
