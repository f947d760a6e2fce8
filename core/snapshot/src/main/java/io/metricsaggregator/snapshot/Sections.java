package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sections of a snapshot's extensions, by their keys. One owner at a time. */
interface Sections {
    /** Reads the tree of a section. */
    interface Decoder<T extends @Nullable Object> {
        /**
         * Reads a section.
         *
         * @param tree null if the section is absent or nil
         */
        T read(@Nullable Object tree) throws MalformedMessageException;
    }

    /** The record that a section is; null if it is absent or nil. */
    <T> @Nullable T record(String key, Fields.Shape<T> shape, T blank) throws MalformedMessageException;

    /** The records that a section is an array of. */
    <T> List<T> list(String key, Fields.Shape<T> shape, T blank) throws MalformedMessageException;

    /** The value of a section; the same key always has the same kind of decoder. */
    <T extends @Nullable Object> T section(String key, Decoder<T> decoder) throws MalformedMessageException;
}
