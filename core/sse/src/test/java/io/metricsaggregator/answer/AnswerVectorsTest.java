package io.metricsaggregator.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.event.server.ServerTimes;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Answers of all APIs with what they say, which the tests of the Python client read as well. */
class AnswerVectorsTest {
    @TestFactory
    Stream<DynamicTest> an_answer_says_what_its_vector_says() throws Exception {
        try (InputStream file = getClass().getResourceAsStream("/answers.json")) {
            String all = "{\"all\": " + new String(file.readAllBytes(), StandardCharsets.UTF_8) + "}";
            List<?> vectors = (List<?>)
                    JsonTree.read(all.getBytes(StandardCharsets.UTF_8)).get("all");
            assertThat(vectors).hasSizeGreaterThan(50);
            return vectors.stream()
                    .map(each -> (Map<?, ?>) each)
                    .map(each -> DynamicTest.dynamicTest(String.valueOf(each.get("name")), () -> check(each)));
        }
    }

    private static void check(Map<?, ?> vector) {
        List<String> parts = new ArrayList<>();
        StringBuilder output = new StringBuilder();
        StringBuilder reasoning = new StringBuilder();
        AnswerReader reader = new AnswerReader(new AnswerReader.Texts() {
            @Override
            public void output(String piece) {
                output.append(piece);
            }

            @Override
            public void reasoning(String piece) {
                reasoning.append(piece);
            }

            @Override
            public void toolCalls(List<?> calls) {
                assertThat(calls).isNotEmpty();
            }
        });
        boolean streamed = vector.get("events") != null;
        if (streamed) {
            EventStream stream = new EventStream((event, feed) -> add(reader.event(event), parts));
            ((List<?>) vector.get("events")).forEach(event -> stream.feed(block(event)));
            stream.end();
        } else {
            byte[] body = JsonTree.writeLine(vector.get("body"));
            reader.message(body, 0, body.length);
        }
        assertThat(parts).isEqualTo(vector.get("parts") == null ? List.of() : vector.get("parts"));
        assertThat(output).hasToString(vector.get("output") == null ? "" : (String) vector.get("output"));
        assertThat(reasoning).hasToString(vector.get("reasoning") == null ? "" : (String) vector.get("reasoning"));
        assertThat(reader.finishReason()).isEqualTo(vector.get("finish_reason"));
        assertThat(reader.model()).isEqualTo(vector.get("model"));
        assertThat(usage(reader.usage())).isEqualTo(vector.get("usage") == null ? Map.of() : vector.get("usage"));
        assertThat(server(reader.server().times()))
                .isEqualTo(vector.get("server") == null ? Map.of() : vector.get("server"));
        assertThat(reader.error() == null ? null : reader.error().errorType()).isEqualTo(vector.get("error"));
        if (vector.get("message") != null) {
            assertThat(reader.error().errorMessage()).isEqualTo(vector.get("message"));
        }
        assertThat(reader.unreadable()).isEqualTo(vector.get("unreadable") == null ? 0L : vector.get("unreadable"));
    }

    private static String block(Object event) {
        return (event instanceof String text
                        ? text
                        : "data: " + new String(JsonTree.writeLine(event), StandardCharsets.UTF_8))
                + "\n\n";
    }

    private static void add(@Nullable ChunkPart part, List<String> parts) {
        if (part != null) {
            parts.add(part.wireName());
        }
    }

    private static Map<String, Object> usage(AnswerUsage usage) {
        Map<String, Object> counts = new LinkedHashMap<>();
        put(counts, "input", usage.promptTokens());
        put(counts, "output", usage.completionTokens());
        put(counts, "cached", usage.cachedTokens());
        put(counts, "reasoning", usage.reasoningTokens());
        Map<UsageKey, Long> speculation = usage.speculation().counts();
        put(counts, "spec_drafts", speculation.get(UsageKey.SPEC_DRAFTS));
        put(counts, "spec_draft", speculation.get(UsageKey.SPEC_DRAFT_TOKENS));
        put(counts, "spec_accepted", speculation.get(UsageKey.SPEC_ACCEPTED_TOKENS));
        if (!usage.speculation().histogram().isEmpty()) {
            counts.put("spec_histogram", usage.speculation().histogram());
        }
        return counts;
    }

    private static Map<String, Object> server(@Nullable ServerTimes times) {
        Map<String, Object> known = new LinkedHashMap<>();
        if (times != null && times.source() != null) {
            known.put("source", times.source().wireName());
            times.numbers().forEach((key, nanos) -> known.put(key.wireName(), nanos));
        }
        return known;
    }

    private static void put(Map<String, Object> counts, String name, @Nullable Long count) {
        if (count != null) {
            counts.put(name, count);
        }
    }
}
