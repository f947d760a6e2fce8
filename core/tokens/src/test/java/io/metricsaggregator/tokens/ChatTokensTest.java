package io.metricsaggregator.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.PendingOutput;
import io.metricsaggregator.text.PendingPrompt;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.value.Value;
import org.msgpack.value.ValueFactory;

/** Counts of chats with a BPE tokenizer, which reveals the order of keys, equal those of transformers: see chat_tokens.py. */
class ChatTokensTest {
    private static final Path FOLDER = Path.of("src/test/resources/chat/bytelevel");

    @TempDir
    static Path withoutTemplate;

    private static @Nullable TokenCounter counter;

    @BeforeAll
    static void loadTokenizer() throws IOException {
        counter = HuggingFaceTokenCounter.open(FOLDER.resolve("tokenizer.json"));
        Files.writeString(withoutTemplate.resolve("tokenizer_config.json"), "{}");
    }

    static Stream<Arguments> cases() throws IOException {
        try (InputStream file = Objects.requireNonNull(ChatTokensTest.class.getResourceAsStream("/chat/cases.json"))) {
            List<?> cases = (List<?>) JsonTree.read(file.readAllBytes()).get("cases");
            return cases.stream().map(each -> Arguments.of(each.toString(), each));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void counts_of_prompts_outputs_and_text_after_the_first_chunk_equal_the_reference(
            String name, Map<String, ?> testCase) throws IOException {
        boolean template = (boolean) testCase.get("template");
        Path folder = template ? FOLDER : withoutTemplate;
        TextCount count = new TextCount(
                Objects.requireNonNull(counter),
                ChatFormat.beside(folder.resolve("tokenizer.json")),
                TextMemory.ofThisProcess(),
                new TemplateTrouble(),
                TextCount.Progress.IGNORED);
        boolean prompt = testCase.containsKey("prompt");
        TextBatch batch = prompt
                ? batch("PromptData", prompt((List<?>) testCase.get("prompt")), "sample.issued", true)
                : batch("TextModelOutput", (List<?>) testCase.get("output"), "sample.complete", false);
        assertThat(count.count(batch)).isNull();
        batch.rewind();
        batch.next();
        Object tokens = testCase.get("tokens");
        assertThat(batch.outcome() == TextBatch.Outcome.EMPTY).isEqualTo(tokens == null);
        assertThat(batch.tokens()).isEqualTo(tokens == null ? 0L : tokens);
        Object after = testCase.get("after_first");
        assertThat(batch.tokensAfterFirst()).isEqualTo(after == null ? 0L : after);
    }

    /** Fields in the order of PromptData: {@code text, token_ids, messages, tools, chat_template_kwargs, chat_template, tool_choice}. */
    private static List<@Nullable Object> prompt(List<?> given) {
        List<@Nullable Object> fields = new ArrayList<>();
        fields.add(null);
        fields.add(null);
        fields.addAll(given);
        return fields;
    }

    private static TextBatch batch(String tag, List<?> fields, String type, boolean isPrompt) throws IOException {
        List<@Nullable Object> data = new ArrayList<>();
        data.add(tag);
        data.addAll(fields);
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("event_type", type);
        record.put("timestamp_ns", 5L);
        record.put("sample_uuid", "s");
        record.put("data", data);
        byte[] bytes;
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packValue(value(record));
            bytes = packer.toByteArray();
        }
        DecodedEvent event = new DecodedEvent();
        assertThat(new EventDecoder().decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                .isNull();
        TextBatch batch = new TextBatch(event.dataLength());
        if (isPrompt) {
            batch.addPrompt(event, PendingPrompt.NONE);
        } else {
            batch.addOutput(event, new PendingOutput(1, 0, 0, LimitsMet.JUDGED));
        }
        return batch;
    }

    private static Value value(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> map) {
            Map<Value, Value> values = new LinkedHashMap<>();
            map.forEach((key, each) -> values.put(value(key), value(each)));
            return ValueFactory.newMap(values);
        }
        if (tree instanceof List<?> list) {
            return ValueFactory.newArray(
                    list.stream().map(ChatTokensTest::value).toList());
        }
        if (tree instanceof String text) {
            return ValueFactory.newString(text);
        }
        if (tree instanceof Boolean flag) {
            return ValueFactory.newBoolean(flag);
        }
        return tree == null ? ValueFactory.newNil() : ValueFactory.newInteger((Long) tree);
    }
}
