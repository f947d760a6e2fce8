package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.TreeReader;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sections of a decoded tree. */
record TreeSections(Map<?, ?> tree) implements Sections {
    @Override
    public <T extends @Nullable Object> T section(String key, Decoder<T> decoder) throws MalformedMessageException {
        return decoder.read(tree.get(key));
    }

    @Override
    public <T> @Nullable T record(String key, Fields.Shape<T> shape, T blank) throws MalformedMessageException {
        return TreeReader.readMaybe(key, tree.get(key), shape, blank);
    }

    @Override
    public <T> List<T> list(String key, Fields.Shape<T> shape, T blank) throws MalformedMessageException {
        return TreeReader.readList(key, tree.get(key), shape, blank);
    }
}
