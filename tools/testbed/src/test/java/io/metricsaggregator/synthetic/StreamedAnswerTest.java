package io.metricsaggregator.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.synthetic.TestClient.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StreamedAnswerTest {
    private static final String MESSAGES = "\"messages\":[{\"role\":\"user\",\"content\":\"Why is the sky blue?\"}]";
    private static final String STREAM = "{\"model\":\"any\",\"stream\":true," + MESSAGES;
    private static final String WITH_USAGE = STREAM + ",\"stream_options\":{\"include_usage\":true}";

    private final BehaviourBuilder behaviour = new BehaviourBuilder();

    @Test
    void a_chat_stream_has_role_then_tokens_then_finish_reason_then_usage_then_done() throws Exception {
        try (TestClient client = new TestClient(behaviour.build())) {
            List<Event> events = client.stream(TestClient.CHAT, WITH_USAGE + "}");
            assertThat(events).hasSize(1 + 5 + 1 + 1 + 1);
            assertThat(events.get(0).choice().get("delta")).isEqualTo(Map.of("role", "assistant", "content", ""));
            assertThat(events.subList(1, 6)).allMatch(Event::hasText);
            assertThat(events.subList(0, 6)).allSatisfy(event -> {
                assertThat(event.choice().get("finish_reason")).isNull();
                assertThat(event.json()).doesNotContainKey("usage");
            });
            assertThat(events.get(6).content()).isEmpty();
            assertThat(events.get(6).choice().get("finish_reason")).isEqualTo("stop");
            // "Why is the sky blue" is five words, the question mark one more, and the message's template four.
            assertThat(events.get(7).json()).containsEntry("choices", List.of());
            assertThat((Map<?, ?>) events.get(7).json().get("usage"))
                    .hasToString(
                            "{prompt_tokens=10, total_tokens=15, completion_tokens=5, prompt_tokens_details=null}");
            assertThat(events.get(8).json()).isNull();
            assertThat(events.subList(0, 8))
                    .allSatisfy(event -> assertThat(event.json())
                            .containsEntry("object", "chat.completion.chunk")
                            .containsEntry("model", "any")
                            .containsEntry("id", "chatcmpl-0"));
        }
    }

    @Test
    void a_chat_that_offers_a_tool_has_it_called_and_the_result_answered_with_text() throws Exception {
        String tools = ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"search\"}}]";
        try (TestClient client = new TestClient(behaviour.build())) {
            List<Event> events = client.stream(TestClient.CHAT, STREAM + tools + "}");
            StringBuilder arguments = new StringBuilder();
            for (Event event : events.subList(1, 6)) {
                Map<?, ?> delta =
                        (Map<?, ?>) Objects.requireNonNull(event.choice().get("delta"));
                Map<?, ?> call = (Map<?, ?>) ((List<?>) Objects.requireNonNull(delta.get("tool_calls"))).get(0);
                Map<?, ?> function = (Map<?, ?>) Objects.requireNonNull(call.get("function"));
                assertThat(call.get("id") != null).isEqualTo(arguments.isEmpty());
                assertThat(function.get("name")).isEqualTo(arguments.isEmpty() ? "search" : null);
                arguments.append(function.get("arguments"));
            }
            assertThat(JsonTree.read(arguments.toString().getBytes(StandardCharsets.UTF_8)))
                    .containsOnlyKeys("query");
            assertThat(events.get(6).choice().get("finish_reason")).isEqualTo("tool_calls");

            String result = STREAM.replace("}]", "},{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"blue\"}]");
            assertThat(client.stream(TestClient.CHAT, result + tools + "}")
                            .get(6)
                            .choice()
                            .get("finish_reason"))
                    .isEqualTo("stop");
            assertThat(client.stream(TestClient.CHAT, STREAM + tools + ",\"tool_choice\":\"none\"}")
                            .get(6)
                            .choice()
                            .get("finish_reason"))
                    .isEqualTo("stop");
        }
    }

    @Test
    void no_chunk_arrives_before_its_planned_time() throws Exception {
        try (TestClient client = new TestClient(behaviour.build())) {
            List<Event> events = client.stream(TestClient.CHAT, STREAM + "}");
            assertThat(events.get(0).nanos()).isGreaterThanOrEqualTo(20_000_000);
            for (int token = 0; token < 5; token++) {
                assertThat(events.get(1 + token).nanos())
                        .as("token %d", token)
                        .isGreaterThanOrEqualTo(20_000_000L + token * 2_000_000L);
            }
        }
    }

    @Test
    void a_stream_without_include_usage_has_no_usage() throws Exception {
        try (TestClient client = new TestClient(behaviour.build())) {
            List<Event> events = client.stream(TestClient.CHAT, STREAM + "}");
            assertThat(events)
                    .filteredOn(event -> event.json() != null)
                    .noneMatch(event -> event.json().containsKey("usage"));
        }
    }

    @Test
    void continuous_usage_counts_the_tokens_so_far() throws Exception {
        String options = ",\"stream_options\":{\"include_usage\":true,\"continuous_usage_stats\":true}}";
        try (TestClient client = new TestClient(behaviour.build())) {
            List<Event> events = client.stream(TestClient.CHAT, STREAM + options);
            assertThat(events.subList(0, 8))
                    .<Object>extracting(event -> ((Map<?, ?>) event.json().get("usage")).get("completion_tokens"))
                    .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 5L, 5L);
        }
    }

    @Test
    void a_limit_cuts_the_answer_and_its_last_token_carries_the_finish_reason_length() throws Exception {
        for (String key : List.of("max_tokens", "max_completion_tokens")) {
            try (TestClient client = new TestClient(behaviour.build())) {
                List<Event> events = client.stream(TestClient.CHAT, STREAM + ",\"" + key + "\":3}");
                assertThat(events).as(key).hasSize(1 + 3 + 1);
                assertThat(events.get(3).hasText()).isTrue();
                assertThat(events.get(3).choice().get("finish_reason")).isEqualTo("length");
            }
        }
    }

    @Test
    void ignore_eos_answers_with_as_many_tokens_as_the_limit_allows() throws Exception {
        try (TestClient client = new TestClient(behaviour.build())) {
            List<Event> events = client.stream(TestClient.CHAT, STREAM + ",\"max_tokens\":9,\"ignore_eos\":true}");
            assertThat(events)
                    .filteredOn(event -> event.json() != null && event.hasText())
                    .hasSize(9);
        }
    }

    @Test
    void several_tokens_share_a_chunk() throws Exception {
        behaviour.tokensPerChunk = 2;
        try (TestClient client = new TestClient(behaviour.build())) {
            List<Event> events = client.stream(TestClient.CHAT, WITH_USAGE + "}");
            assertThat(events.subList(1, 4))
                    .extracting(event ->
                            Objects.requireNonNull(event.content()).strip().split(" ").length)
                    .containsExactly(2, 2, 1);
            assertThat(events.get(5).json().get("usage")).asString().contains("completion_tokens=5");
        }
    }

    @Test
    void reasoning_comes_first_and_is_counted_in_the_usage() throws Exception {
        behaviour.reasoningTokens = 2;
        behaviour.cachedShare = 0.5;
        try (TestClient client = new TestClient(behaviour.build())) {
            List<Event> events = client.stream(TestClient.CHAT, WITH_USAGE + "}");
            assertThat(events.subList(1, 6))
                    .extracting(event ->
                            ((Map<?, ?>) event.choice().get("delta")).keySet().toString())
                    .containsExactly(
                            "[reasoning_content]", "[reasoning_content]", "[content]", "[content]", "[content]");
            assertThat(events.get(7).json().get("usage"))
                    .asString()
                    .contains("completion_tokens=5", "{cached_tokens=5}", "{reasoning_tokens=2}");
        }
    }

    @Test
    void a_text_completion_stream_has_no_role_and_accepts_token_ids() throws Exception {
        try (TestClient client = new TestClient(behaviour.build())) {
            List<Event> events = client.stream(
                    TestClient.COMPLETIONS,
                    "{\"prompt\":[1,2,3],\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
            assertThat(events.subList(0, 5))
                    .allSatisfy(event ->
                            assertThat((String) event.choice().get("text")).matches(" [a-z]+"));
            assertThat(events.get(6).json().get("usage")).asString().contains("prompt_tokens=3");
            assertThat(events.get(0).json()).containsEntry("object", "text_completion");
        }
    }

    @Test
    void an_early_role_arrives_long_before_the_first_token() throws Exception {
        behaviour.earlyRole = true;
        behaviour.firstTokenNanos = 3_600_000_000_000L;
        try (TestClient client = new TestClient(behaviour.build())) {
            InputStream body = client.http()
                    .send(client.request(TestClient.CHAT, STREAM + "}"), BodyHandlers.ofInputStream())
                    .body();
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
                assertThat(lines.readLine()).startsWith("data: ").contains("\"role\":\"assistant\"");
                client.server.close();
            }
        }
    }

    @Test
    void an_aborted_stream_breaks_half_way() throws Exception {
        behaviour.abortShare = 1;
        try (TestClient client = new TestClient(behaviour.build())) {
            assertThatThrownBy(() -> client.stream(TestClient.CHAT, STREAM + "}"))
                    .hasRootCauseInstanceOf(IOException.class);
            assertThat(client.server.answered()).isZero();
            assertThat(client.server.aborted()).isEqualTo(1);
        }
    }

    @Test
    void the_same_seed_gives_the_same_answers_and_another_seed_gives_others() throws Exception {
        String first = texts(42);
        assertThat(texts(42)).isEqualTo(first);
        assertThat(texts(43)).isNotEqualTo(first);
    }

    private String texts(long seed) throws Exception {
        behaviour.seed = seed;
        StringBuilder texts = new StringBuilder();
        try (TestClient client = new TestClient(behaviour.build())) {
            for (int i = 0; i < 2; i++) {
                client.stream(TestClient.CHAT, STREAM + "}").stream()
                        .filter(event -> event.json() != null && event.hasText())
                        .forEach(event -> texts.append(event.content()));
                texts.append('\n');
            }
        }
        String[] answers = texts.toString().split("\n");
        assertThat(answers[0]).isNotEqualTo(answers[1]);
        return texts.toString();
    }
}
