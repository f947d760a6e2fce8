package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.Map;

/**
 * The parts of a positional value, in place. Each method reads the next one; of another type it is {@linkplain #refuse refused}, and
 * {@link FieldsReader#elements} leaves the value to its other reader.
 */
public final class Elements {
    /** Reads a value whose parts have places rather than keys. */
    public interface Reader<T> {
        /** Reads the parts in their order, all of them. */
        T read(Elements from) throws MalformedMessageException;
    }

    private final FieldsReader reader;

    Elements(FieldsReader reader) {
        this.reader = reader;
    }

    /** Leaves the value to the other reader. */
    public RuntimeException refuse() {
        return MapCursor.Unusual.ONLY;
    }

    /** An array's header: how many parts follow. */
    public int array() {
        MapCursor.require(reader.cursor.readArrayHeader());
        return reader.cursor.count();
    }

    /** A text. */
    public String text() {
        return reader.readText();
    }

    /** A 64-bit integer. */
    public long integer() {
        return reader.integer();
    }

    /** A finite number. */
    public double real() {
        return reader.number();
    }

    /** A 64-bit integer as a {@link Long}, or a finite float64 as a {@link Double}. */
    public Number number() {
        boolean real = reader.cursor.remaining() > 8 && reader.bytes[reader.cursor.position()] == (byte) 0xcb;
        return real ? (Number) reader.number() : (Number) reader.integer();
    }

    /** Nil. */
    public void nil() {
        MapCursor.require(reader.cursor.atNil());
        reader.cursor.skipNil();
    }

    /** A map of finite numbers. */
    public Map<String, Double> reals() {
        MapCursor.require(reader.cursor.readMapHeader());
        return reader.reals(reader.cursor.count());
    }

    /** A record. */
    public <T> T record(Fields.Shape<T> shape, T blank) throws MalformedMessageException {
        return reader.record(shape, blank);
    }
}
