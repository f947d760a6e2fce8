package io.metricsaggregator.imports.aiperf;

import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.imports.read.Payload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prompts in AIPerf's {@code inputs.json}: the payload of each turn of each session. In memory, so for files up to a part of the heap.
 * Belongs to one import.
 */
final class AiperfPrompts {
    private final @Nullable Path file;
    private final Map<String, List<@Nullable PromptData>> sessions = new HashMap<>();

    /**
     * Prompts that {@link #load} reads.
     *
     * @param file null for none
     */
    AiperfPrompts(@Nullable Path file) {
        this.file = file;
    }

    /** Reads the file. A session that is damaged is skipped and counted. */
    void load(ImportSink sink) throws IOException {
        if (file == null) {
            return;
        }
        try (ImportSource source = ImportSource.open(file)) {
            JsonDocument.read(source, sink, cursor -> {
                while (cursor.enterObject() && cursor.nextField()) {
                    if (cursor.name().equals("data")) {
                        JsonDocument.rows(cursor, sink, this::add);
                    } else {
                        cursor.skip();
                    }
                }
            });
        } catch (IOException e) {
            throw new IOException("--inputs " + file + ": " + e.getMessage(), e);
        }
    }

    private void add(JsonFields session) throws InvalidField {
        String id = session.text("session_id");
        List<@Nullable Object> payloads = session.array("payloads");
        if (id == null || payloads == null) {
            throw new InvalidField("inputs_session", "invalid");
        }
        List<@Nullable PromptData> prompts = new ArrayList<>();
        for (Object each : payloads) {
            prompts.add(Payload.prompt(JsonFields.of(each, "inputs_payload")));
        }
        sessions.put(id, prompts);
    }

    /** The prompt of a turn; null if the file does not have it. */
    @Nullable
    PromptData find(@Nullable String conversation, @Nullable Long turn) {
        List<@Nullable PromptData> prompts = conversation == null ? null : sessions.get(conversation);
        long place = turn == null ? 0 : turn;
        return prompts == null || place < 0 || place >= prompts.size() ? null : prompts.get((int) place);
    }
}
