package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sections of a decoded tree. */
record TreeSections(Map<?, ?> tree) implements Sections {
    @Override
    public <T extends @Nullable Object> T section(String key, Decoder<T> decoder) throws MalformedMessageException {
        return decoder.read(tree.get(key));
    }
}
