package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes over the sections of a snapshot's extensions, as {@link Fields} pass over a record: a writer returns the value that it was given, a reader the
 * one that it reads. Whole sections are taken over from the snapshot before, which is why they are no fields. One owner at a time.
 */
interface Sections {
    /** A record that every snapshot has. */
    <T> T record(String key, T value, Fields.Shape<T> shape, T blank) throws MalformedMessageException;

    /** A record, left out if there is none. */
    <T> @Nullable T absent(String key, @Nullable T value, Fields.Shape<T> shape, T blank)
            throws MalformedMessageException;

    /** An array of records that every snapshot has. */
    <T> List<T> list(String key, List<T> values, Fields.Shape<T> shape, T blank) throws MalformedMessageException;

    /** An array of records, left out if there is none. */
    <T> @Nullable List<T> absentList(String key, @Nullable List<T> values, Fields.Shape<T> shape, T blank)
            throws MalformedMessageException;

    /** A value of another form, left out if there is none. */
    <T> @Nullable T absentForm(String key, @Nullable T value, Fields.Form<T> form) throws MalformedMessageException;
}
