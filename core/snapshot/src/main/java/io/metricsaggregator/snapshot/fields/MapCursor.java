package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.MsgpackCursor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * A place in a msgpack map whose keys are asked for one after the other, mostly in the order in which they come. A key in another place is found among
 * those that were passed over or that follow. Whatever has another form ends in {@link Unusual}.
 */
abstract class MapCursor {
    private static final int FIXED_TEXT = 0xa0;
    private static final int FIXED_MAX = 31;
    private static final int TEXTS = 1 << 12;
    private static final int TEXT_MAX = 64;

    /** What is left to the tree. */
    static final class Unusual extends RuntimeException {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("StaticAssignmentOfThrowable") // it has no stack trace, and says nothing of its place
        static final Unusual ONLY = new Unusual();

        private Unusual() {
            super("another form", null, false, false);
        }
    }

    final MsgpackCursor cursor = new MsgpackCursor();
    byte[] bytes = {};
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    /** Entries of the map that is read which follow in order. */
    int left;
    /** Keys that were passed over on the way to one behind them; those of the map that is read are from {@code base} to {@code top}. */
    private int[] passed = new int[64];

    int base;
    int top;
    /** Where reading in order goes on after a key that was found among those passed over; −1 if that is where the cursor is. */
    int resume = -1;

    private final String[] texts = new String[TEXTS];
    private final byte[][] encoded = new byte[TEXTS][];

    final void reset(byte[] from, int start, int end) {
        if (bytes != from) {
            bytes = from;
            buffer = ByteBuffer.wrap(from);
        }
        cursor.reset(buffer, start, end - start);
        left = 0;
        base = 0;
        top = 0;
        resume = -1;
    }

    static void require(boolean usual) {
        if (!usual) {
            throw Unusual.ONLY;
        }
    }

    /** No text may come twice. */
    static void requireDistinct(String[] names) {
        for (int i = 1; i < names.length; i++) {
            for (int j = 0; j < i; j++) {
                require(!names[i].equals(names[j]));
            }
        }
    }

    /** Keys that no row asked for may repeat one that a row took. */
    final void requireNoneTwice(int map) {
        int end = cursor.position();
        cursor.position(map);
        require(cursor.readMapHeader());
        Set<String> keys = new HashSet<>();
        for (int i = cursor.count(); i > 0; i--) {
            require(cursor.readString());
            require(keys.add(decoded(cursor.start(), cursor.length())));
            require(cursor.skip());
        }
        cursor.position(end);
    }

    /** Goes back to the key that follows in order. */
    final void goOn() {
        if (resume >= 0) {
            cursor.position(resume);
            resume = -1;
        }
    }

    /** Passes over the next entry, whose key has its shortest form: {@link #at} looks for no other. */
    final void passOver() {
        if (top == passed.length) {
            passed = Arrays.copyOf(passed, 2 * top);
        }
        int at = cursor.position();
        passed[top++] = at;
        left--;
        require(cursor.readString());
        require((bytes[at] & 0xe0) == FIXED_TEXT || cursor.length() > FIXED_MAX);
        require(cursor.skip());
    }

    /** Moves to the value of a key; false if there is none. */
    final boolean find(String key) {
        goOn();
        if (left > 0 && at(key)) {
            left--;
            return true;
        }
        if (left == 0 && top == base) {
            return false;
        }
        int start = cursor.position();
        for (int i = base; i < top; i++) {
            cursor.position(passed[i]);
            if (at(key)) {
                top--;
                System.arraycopy(passed, i + 1, passed, i, top - i);
                resume = start;
                return true;
            }
        }
        cursor.position(start);
        while (left > 0) {
            passOver();
            if (left > 0 && at(key)) {
                left--;
                return true;
            }
        }
        return false;
    }

    /** Moves behind a key if it is the one at the cursor. */
    private boolean at(String key) {
        int length = key.length();
        int at = cursor.position();
        require(length <= FIXED_MAX);
        if (cursor.remaining() <= length || bytes[at] != (byte) (FIXED_TEXT | length)) {
            return false;
        }
        for (int i = length; i > 0; i--) {
            if (bytes[at + i] != (byte) key.charAt(i - 1)) {
                return false;
            }
        }
        cursor.position(at + 1 + length);
        return true;
    }

    /** Moves to the value of a key, and over it if it is nil; false if there is none. */
    final boolean findKnown(String key) {
        if (!find(key)) {
            return false;
        }
        if (cursor.atNil()) {
            cursor.skipNil();
            return false;
        }
        return true;
    }

    private String decoded(int start, int length) {
        return new String(bytes, start, length, StandardCharsets.UTF_8);
    }

    /** The text of the string that the cursor read last; invalid UTF-8 becomes U+FFFD. */
    final String text() {
        int start = cursor.start();
        int length = cursor.length();
        if (length > TEXT_MAX) {
            return decoded(start, length);
        }
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + bytes[start + i];
        }
        int place = (hash ^ hash >>> 12) & TEXTS - 1;
        byte[] known = encoded[place];
        String text = texts[place];
        if (known != null && text != null && Arrays.equals(known, 0, known.length, bytes, start, start + length)) {
            return text;
        }
        text = decoded(start, length);
        encoded[place] = Arrays.copyOfRange(bytes, start, start + length);
        texts[place] = text;
        return text;
    }

    /** Whether there is a key whose value is not nil; moves to no other entry. */
    final boolean isKnown(String first) {
        goOn();
        int start = cursor.position();
        for (int i = base; i < top; i++) {
            cursor.position(passed[i]);
            if (at(first)) {
                boolean known = !cursor.atNil();
                cursor.position(start);
                return known;
            }
        }
        cursor.position(start);
        while (left > 0) {
            if (at(first)) {
                boolean known = !cursor.atNil();
                cursor.position(cursor.position() - 1 - first.length());
                return known;
            }
            passOver();
        }
        return false;
    }

    final long integer() {
        require(cursor.readLong());
        return cursor.integer();
    }

    final double number() {
        int at = cursor.position();
        if (cursor.remaining() > 8 && bytes[at] == (byte) 0xcb) {
            double value = buffer.getDouble(at + 1);
            require(Double.isFinite(value));
            cursor.position(at + 9);
            return value;
        }
        return integer();
    }

    final String readText() {
        require(cursor.readString());
        return text();
    }

    /** Moves into a map that may be missing, and returns the number of its entries. */
    final int entriesOf(String key) {
        if (!findKnown(key)) {
            return 0;
        }
        require(cursor.readMapHeader());
        return cursor.count();
    }

    /** Reads a key that no entry before has. */
    final String newName(Set<String> before) {
        require(cursor.readString());
        String name = text();
        require(before.add(name));
        return name;
    }
}
