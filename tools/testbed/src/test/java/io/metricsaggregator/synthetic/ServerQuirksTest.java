package io.metricsaggregator.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.synthetic.ServerQuirks.Usage;
import io.metricsaggregator.synthetic.TestClient.Event;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What servers do that load generators trip over. */
class ServerQuirksTest {
    private static final String STREAM = "{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"stream\":true";
    private static final String WITH_USAGE = STREAM + ",\"stream_options\":{\"include_usage\":true}}";

    private final BehaviourBuilder behaviour = new BehaviourBuilder();

    private ServerBehaviour with(ServerQuirks quirks) {
        behaviour.tokens = 4;
        behaviour.firstTokenNanos = 40_000_000;
        behaviour.quirks = quirks;
        return behaviour.build();
    }

    private static ServerQuirks usage(Usage usage) {
        return new ServerQuirks(0, usage, false, false, 0, 0);
    }

    @Test
    void work_that_meets_the_freeze_ends_later_by_what_is_left_of_it() {
        ServerQuirks quirks = new ServerQuirks(0, Usage.SENT, false, false, 100, 50);
        assertThat(quirks.frozenUntil(10, 100)).as("ended when it began").isEqualTo(100);
        assertThat(quirks.frozenUntil(90, 110)).isEqualTo(160);
        assertThat(quirks.frozenUntil(120, 140)).isEqualTo(170);
        assertThat(quirks.frozenUntil(150, 170)).isEqualTo(170);
        assertThat(ServerQuirks.NONE.frozenUntil(0, 5)).isEqualTo(5);
    }

    @Test
    void values_out_of_range_are_refused() {
        assertThatThrownBy(() -> new ServerQuirks(9, Usage.SENT, false, false, 0, 0))
                .hasMessage("empty chunks: 9 is not between 0 and 8");
        assertThatThrownBy(() -> new ServerQuirks(0, Usage.SENT, false, false, -1, 0))
                .hasMessageContaining("not between 0 and an hour");
    }

    @Test
    void empty_chunks_come_before_those_with_text_and_are_logged() throws Exception {
        try (TestClient client = new TestClient(with(new ServerQuirks(1, Usage.SENT, false, false, 0, 0)))) {
            List<Event> events = client.stream(TestClient.CHAT, STREAM + "}");
            assertThat(events.stream()
                            .filter(each -> each.json() != null && "".equals(each.content()))
                            .count())
                    .as("one before each token, the role and the end")
                    .isEqualTo(6);
            Map<String, Object> line = client.log.poll(10, TimeUnit.SECONDS);
            List<?> chunks = (List<?>) line.get("chunks");
            assertThat(chunks.stream().map(each -> String.valueOf(((List<?>) each).get(2))))
                    .containsExactly(
                            "empty", "role", "content", "empty", "content", "empty", "content", "empty", "content");
            assertThat((Long) ((List<?>) chunks.get(0)).get(0)).isBetween(20_000_000L, (Long) line.get("ttft_ns"));
        }
    }

    @Test
    void a_usage_can_be_absent_or_doubled() throws Exception {
        try (TestClient client = new TestClient(with(usage(Usage.ABSENT)))) {
            assertThat(client.stream(TestClient.CHAT, WITH_USAGE))
                    .noneMatch(each -> each.json() != null && each.json().containsKey("usage"));
            assertThat(client.post(TestClient.CHAT, STREAM.replace("true", "false") + "}")
                            .body())
                    .doesNotContain("usage");
        }
        try (TestClient client = new TestClient(with(usage(Usage.DOUBLED)))) {
            List<Event> events = client.stream(TestClient.CHAT, WITH_USAGE);
            assertThat(events.get(events.size() - 2).json().get("usage"))
                    .asString()
                    .contains("completion_tokens=8");
        }
    }

    @Test
    void a_stream_can_be_answered_whole_and_the_connection_closed() throws Exception {
        try (TestClient client = new TestClient(with(new ServerQuirks(0, Usage.SENT, true, true, 0, 0)))) {
            HttpResponse<String> response = client.post(TestClient.CHAT, STREAM + "}");
            assertThat(response.body()).contains("\"object\":\"chat.completion\"");
            assertThat(response.headers().firstValue("connection")).hasValue("close");
        }
    }

    @Test
    void a_frozen_server_answers_after_the_freeze() throws Exception {
        try (TestClient client =
                new TestClient(with(new ServerQuirks(0, Usage.SENT, false, false, 10_000_000, 300_000_000)))) {
            client.stream(TestClient.CHAT, STREAM + "}");
            assertThat((Long) client.log.poll(10, TimeUnit.SECONDS).get("ttft_ns"))
                    .isGreaterThanOrEqualTo(340_000_000L);
            client.stream(TestClient.CHAT, STREAM + "}");
            assertThat((Long) client.log.poll(10, TimeUnit.SECONDS).get("ttft_ns"))
                    .as("it freezes once")
                    .isLessThan(340_000_000L);
        }
    }
}
