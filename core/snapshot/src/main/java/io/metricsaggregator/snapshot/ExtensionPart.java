package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the map that {@link SnapshotExtensions} are written as. It is made only when it is written: an encoder that has the bytes of
 * the same source copies those.
 *
 * @param key the key in the map
 * @param source immutable
 * @param body writes key and value
 */
record ExtensionPart(String key, Object source, Fields.Body body) {
    /** Writes these entries into the present map. */
    static void pass(Fields fields, List<ExtensionPart> parts) throws MalformedMessageException {
        for (ExtensionPart each : parts) {
            each.body.pass(fields);
        }
    }

    /** The entries of extensions, in the order in which they are written. */
    static List<ExtensionPart> of(SnapshotExtensions extensions) {
        Collector collector = new Collector(new ArrayList<>(32));
        try {
            SnapshotExtensions.pass(collector, extensions);
        } catch (MalformedMessageException e) {
            throw new IllegalStateException("a writer reads nothing", e);
        }
        return collector.parts;
    }

    private record Collector(List<ExtensionPart> parts) implements Sections {
        private void add(String key, Object source, Fields.Body body) {
            parts.add(new ExtensionPart(key, source, body));
        }

        @Override
        public <T> T record(String key, T value, Fields.Shape<T> shape, T blank) {
            add(key, value, fields -> fields.record(key, value, shape, blank));
            return value;
        }

        @Override
        public <T> @Nullable T absent(String key, @Nullable T value, Fields.Shape<T> shape, T blank) {
            return value == null ? null : record(key, value, shape, blank);
        }

        @Override
        public <T> List<T> list(String key, List<T> values, Fields.Shape<T> shape, T blank) {
            add(key, values, fields -> fields.list(key, values, shape, blank));
            return values;
        }

        @Override
        public <T> @Nullable List<T> absentList(String key, @Nullable List<T> values, Fields.Shape<T> shape, T blank) {
            return values == null ? null : list(key, values, shape, blank);
        }

        @Override
        public <T> @Nullable T absentForm(String key, @Nullable T value, Fields.Form<T> form) {
            if (value != null) {
                add(key, value, fields -> fields.form(key, value, form));
            }
            return value;
        }
    }
}
