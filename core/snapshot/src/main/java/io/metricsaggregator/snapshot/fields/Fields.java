package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Passes over the fields of a record, in the order in which they are written. Each method takes the key of a field and its value, and returns the value
 * that the field has afterwards: a writer the same, a reader the one that it reads. One owner at a time.
 *
 * <p>Fields that may be unknown are nil then ({@code maybe…}), or their key is left out ({@code absent…}); readers take nil and a missing key for the
 * same. Readers ignore the values, unknown keys, and the order of keys. Where a key comes twice the last value counts.
 */
public interface Fields {
    /** The declaration of a record: its fields, one call a row. Keeps nothing, and decides nothing by a figure. */
    interface Shape<T> {
        /**
         * Passes over the fields of a record.
         *
         * @param value the record that is written; a blank one where one is read
         * @return the record of the fields' values
         * @throws MalformedMessageException if a field that is read is missing or of a wrong type; the text names it
         */
        T pass(Fields fields, T value) throws MalformedMessageException;
    }

    /** How a value looks that is neither a record nor of one type: a map, a column, a pair. */
    interface Form<T> {
        /** The value as a tree of maps, lists, texts and numbers; it may be a view of the value. */
        @Nullable
        Object tree(T value);

        /**
         * Reads the value.
         *
         * @param path names the tree in errors
         * @param tree null where it is nil or missing
         * @return null where that means no value
         */
        @Nullable
        T read(String path, @Nullable Object tree) throws MalformedMessageException;
    }

    /** Keys that are not known beforehand, each for a name. */
    interface Keys {
        /** The key of a name. */
        String key(String name);

        /** The name that a key stands for; null if it is the key of another field. */
        @Nullable
        String name(String key, @Nullable Object tree);
    }

    /** The fields of a map that has no record. */
    interface Body {
        /** Passes over the fields. */
        void pass(Fields fields) throws MalformedMessageException;
    }

    /** How a field of several runs adds up. */
    enum Merge {
        /** The sum; unknown unless all have it. */
        SUM,
        /** The sum of those that are known. */
        KNOWN_SUM,
        /** The largest, or the later word of its list. */
        MAX,
        /** The smallest. */
        MIN,
        /** The sum of runs that measured at the same time, else the largest. */
        PEAK,
        /** The mean, weighted by the count in the row before. */
        MEAN,
        /** That of the first run that has one. */
        FIRST,
        /** Unknown, 0 or empty: it cannot be had from those of the runs. */
        NONE
    }

    /**
     * Says how the next field adds up. Without it numbers add up by {@link Merge#SUM}, records and groups by {@link Merge#KNOWN_SUM}; of flags and
     * words it is the {@link Merge#MAX}, of texts the {@link Merge#FIRST}.
     */
    default Fields by(Merge rule) {
        return this;
    }

    /** An integer. */
    long count(String key, long value) throws MalformedMessageException;

    /** An integer that older daemons do not write: 0 where it is missing. */
    long laterCount(String key, long value) throws MalformedMessageException;

    /** An integer, nil if it is unknown. */
    @Nullable
    Long maybeCount(String key, @Nullable Long value) throws MalformedMessageException;

    /** An integer, left out if it is unknown. */
    @Nullable
    Long absentCount(String key, @Nullable Long value) throws MalformedMessageException;

    /** An integer, left out if it is 0. */
    default long rareCount(String key, long value) throws MalformedMessageException {
        Long read = absentCount(key, value == 0 ? null : (Long) value);
        return read == null ? 0 : read;
    }

    /** A finite number. */
    double real(String key, double value) throws MalformedMessageException;

    /** A number, nil if it is unknown or not finite: sums of numbers that producers chose can overflow, and JSON has no word for the result. */
    @Nullable
    Double maybeReal(String key, @Nullable Double value) throws MalformedMessageException;

    /** As {@link #maybeReal}, left out if it is unknown. */
    @Nullable
    Double absentReal(String key, @Nullable Double value) throws MalformedMessageException;

    /** As {@link #maybeReal}: 0 where it is nil or missing. */
    default double laterReal(String key, double value) throws MalformedMessageException {
        Double read = maybeReal(key, value);
        return read == null ? 0 : read;
    }

    /** True or false. */
    boolean flag(String key, boolean value) throws MalformedMessageException;

    /** True, left out if it is false; whatever else is read is false. */
    boolean absentFlag(String key, boolean value) throws MalformedMessageException;

    /** True or false; whatever else is read, and a missing key, is false. */
    boolean laterFlag(String key, boolean value) throws MalformedMessageException;

    /** A text. */
    String text(String key, String value) throws MalformedMessageException;

    /** A text; empty where it is missing. */
    String laterText(String key, String value) throws MalformedMessageException;

    /** One of a set of words. */
    <E> E word(String key, E value, List<E> all, Function<E, String> name) throws MalformedMessageException;

    /** One of a set of words, nil if it is unknown. */
    <E> @Nullable E maybeWord(String key, @Nullable E value, List<E> all, Function<E, String> name)
            throws MalformedMessageException;

    /** One of a set of words, left out if it is unknown. */
    <E> @Nullable E absentWord(String key, @Nullable E value, List<E> all, Function<E, String> name)
            throws MalformedMessageException;

    /** An array of texts; empty where it is missing. */
    List<String> texts(String key, List<String> values) throws MalformedMessageException;

    /** An array of texts, left out if it is empty. */
    List<String> absentTexts(String key, List<String> values) throws MalformedMessageException;

    /** A map of texts; empty where it is missing. */
    Map<String, String> textMap(String key, Map<String, String> values) throws MalformedMessageException;

    /** A map of texts, left out if it is empty. */
    Map<String, String> absentTextMap(String key, Map<String, String> values) throws MalformedMessageException;

    /** A map of integers; empty where it is missing. */
    Map<String, Long> counts(String key, Map<String, Long> values) throws MalformedMessageException;

    /** A text, nil if there is none. */
    @Nullable
    String maybeText(String key, @Nullable String value) throws MalformedMessageException;

    /** A text, left out if there is none. */
    @Nullable
    String absentText(String key, @Nullable String value) throws MalformedMessageException;

    /** Bytes, nil if there are none: a binary in msgpack, base64 in JSON. */
    byte @Nullable [] maybeBytes(String key, byte @Nullable [] value) throws MalformedMessageException;

    /** A record. */
    <T> T record(String key, T value, Shape<T> shape, T blank) throws MalformedMessageException;

    /** A record; the blank one where it is missing. */
    <T> T laterRecord(String key, T value, Shape<T> shape, T blank) throws MalformedMessageException;

    /** A record, nil if there is none. */
    <T> @Nullable T maybe(String key, @Nullable T value, Shape<T> shape, T blank) throws MalformedMessageException;

    /** A record, left out if there is none. */
    <T> @Nullable T absent(String key, @Nullable T value, Shape<T> shape, T blank) throws MalformedMessageException;

    /** An array of records. */
    <T> List<T> list(String key, List<T> values, Shape<T> shape, T blank) throws MalformedMessageException;

    /** An array of records; empty where it is missing. */
    <T> List<T> laterList(String key, List<T> values, Shape<T> shape, T blank) throws MalformedMessageException;

    /** An array of records, left out if it is empty. */
    <T> List<T> absentList(String key, List<T> values, Shape<T> shape, T blank) throws MalformedMessageException;

    /**
     * A map of records by their names.
     *
     * @param name the key of a record
     * @param blank a record with a name, and nothing else
     */
    <T> List<T> byName(String key, List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape)
            throws MalformedMessageException;

    /** As {@link #byName}, in the present map, which has no other entries. */
    <T> List<T> entries(List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape)
            throws MalformedMessageException;

    /** A map of records, left out if it is empty. */
    <T> Map<String, T> absentMap(String key, Map<String, T> values, Shape<T> shape, T blank)
            throws MalformedMessageException;

    /**
     * A map of arrays of integers.
     *
     * @param unknown the integer that stands for nil in an array
     */
    Map<String, long[]> columns(String key, Map<String, long[]> columns, long unknown) throws MalformedMessageException;

    /** A map of whatever a tree holds. */
    Map<String, @Nullable Object> anything(String key, Map<String, @Nullable Object> tree)
            throws MalformedMessageException;

    /** A map of finite numbers, left out if it is empty. */
    Map<String, Double> absentReals(String key, Map<String, Double> values) throws MalformedMessageException;

    /** A value of another form. */
    <T> T form(String key, T value, Form<T> form) throws MalformedMessageException;

    /** A value of another form, nil if there is none. */
    <T> @Nullable T maybeForm(String key, @Nullable T value, Form<T> form) throws MalformedMessageException;

    /** A value of another form, left out if there is none. */
    <T> @Nullable T absentForm(String key, @Nullable T value, Form<T> form) throws MalformedMessageException;

    /** Values in the present map whose keys are not known beforehand, by their names. */
    <T> Map<String, T> others(Map<String, T> values, Keys keys, Form<T> form) throws MalformedMessageException;

    /**
     * Whether the fields of an optional group follow in the same map.
     *
     * @param present whether they are written
     * @param first the key of the first of them, which is never nil: a reader looks whether it is there
     */
    boolean group(boolean present, String first) throws MalformedMessageException;

    /** Whatever a tree of maps, lists, texts and numbers holds: written for other readers, and not read. */
    void derived(String key, @Nullable Object tree) throws MalformedMessageException;

    /** A map that is written for other readers, and not read. */
    void derivedMap(String key, Body body) throws MalformedMessageException;
}
