package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.TreeReader;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads sections from a decoded tree. */
record TreeSections(Map<?, ?> tree) implements Sections {
    @Override
    public <T> T record(String key, T value, Fields.Shape<T> shape, T blank) throws MalformedMessageException {
        return TreeReader.read(key, tree.get(key), shape, blank);
    }

    @Override
    public <T> @Nullable T absent(String key, @Nullable T value, Fields.Shape<T> shape, T blank)
            throws MalformedMessageException {
        return TreeReader.readMaybe(key, tree.get(key), shape, blank);
    }

    @Override
    public <T> List<T> list(String key, List<T> values, Fields.Shape<T> shape, T blank)
            throws MalformedMessageException {
        return TreeReader.readList(key, tree.get(key), shape, blank);
    }

    @Override
    public <T> @Nullable List<T> absentList(String key, @Nullable List<T> values, Fields.Shape<T> shape, T blank)
            throws MalformedMessageException {
        return tree.get(key) == null ? null : TreeReader.readList(key, tree.get(key), shape, blank);
    }

    @Override
    public <T> @Nullable T absentForm(String key, @Nullable T value, Fields.Form<T> form)
            throws MalformedMessageException {
        return tree.get(key) == null ? null : form.read(key, tree.get(key));
    }
}
