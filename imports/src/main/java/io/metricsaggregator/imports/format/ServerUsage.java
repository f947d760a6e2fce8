package io.metricsaggregator.imports.format;

import io.metricsaggregator.imports.ImportedUsage;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import org.jspecify.annotations.Nullable;

/** Token counts as servers report them: names of the OpenAI and of the Anthropic API. Stateless. */
final class ServerUsage {
    private ServerUsage() {}

    /** The counts of a {@code usage} object; without any if it is null. */
    static ImportedUsage of(@Nullable JsonFields usage) throws InvalidField {
        JsonFields fields = usage == null ? JsonFields.EMPTY : usage;
        return new ImportedUsage(
                first(fields, "prompt_tokens", "input_tokens"),
                first(fields, "completion_tokens", "output_tokens"),
                details(fields, "prompt_tokens_details", "cached_tokens", "cache_read_input_tokens"),
                details(fields, "completion_tokens_details", "reasoning_tokens", "reasoning_tokens"),
                false);
    }

    private static @Nullable Long details(JsonFields fields, String object, String name, String alone)
            throws InvalidField {
        Long count = fields.objectOrEmpty(object).count(name);
        return count == null ? fields.count(alone) : count;
    }

    private static @Nullable Long first(JsonFields fields, String name, String other) throws InvalidField {
        Long count = fields.count(name);
        return count == null ? fields.count(other) : count;
    }
}
