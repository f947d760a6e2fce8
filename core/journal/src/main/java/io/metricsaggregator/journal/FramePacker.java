package io.metricsaggregator.journal;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Packs bursts and frames: of a record whose shape is known only the fields that vary are stored. Times become differences, ids places in a table, and
 * everything else stays as it is, so each frame is read back byte for byte, whatever it holds. One for each segment; belongs to the thread that writes it.
 */
final class FramePacker extends PackFormat {
    /** Largest frame that is packed. */
    static final int FRAME_MAX_BYTES = 1 << 20;
    /** Bytes from which on {@link #isFull}. */
    private static final int FULL_BYTES = 1 << 20;
    /** Fewer bytes of text are not worth a call of the deflater. */
    private static final int TEXT_MIN_BYTES = 48;
    /** Slots for the shape that fitted the latest record which begins alike. */
    private static final int GUESSES = 256;

    private static final int GUESS_BYTES = 32;

    private byte[] in = new byte[1 << 14];
    private byte[] numbers = new byte[1 << 14];
    private byte[] texts = new byte[1 << 14];
    private byte[] stored = new byte[1 << 10];
    private int numbersEnd;
    private int textsEnd;
    private int entries;
    private int rawBytes;
    private final byte[] guesses = new byte[GUESSES];
    private int topic;
    /** Where each field begins in the record that is compared with a shape. */
    private final int[] fieldAt = new int[RecordShape.FIELDS_MAX];
    /** Where each field ends, of a shape that is not fixed. */
    private final int[] fieldEnd = new int[RecordShape.FIELDS_MAX];
    /** Two longs for each field that is an id. */
    private final long[] ids = new long[2 * RecordShape.FIELDS_MAX];

    private @Nullable Deflater deflater;

    /** Number of entries added since the last {@link #finish}. */
    int entries() {
        return entries;
    }

    /** Whether what was added is to be finished before more is added. */
    boolean isFull() {
        return rawBytes >= FULL_BYTES || textsEnd + numbersEnd >= FULL_BYTES;
    }

    void burst(long nanos) {
        room(16);
        numbers[numbersEnd++] = BURST;
        varint(zigzag(nanos - burst));
        burst = nanos;
        entries++;
    }

    /** Adds a frame of at most {@link #FRAME_MAX_BYTES}; consumes it. */
    void frame(ByteBuffer frame) {
        int length = frame.remaining();
        if (in.length < length + RecordShape.SLACK_BYTES) {
            in = new byte[Math.max(length + RecordShape.SLACK_BYTES, 2 * in.length)];
        }
        frame.get(in, 0, length);
        entries++;
        rawBytes += length;
        room(2 * TOPIC_BYTES + 16);
        int form = form(length);
        if (form == OTHER || !topic(form)) {
            plain(length);
        } else if (form == SINGLE) {
            record(TOPIC_BYTES, length);
        } else {
            batch();
        }
    }

    private void plain(int length) {
        int column = length > TOPIC_BYTES && in[TOPIC_BYTES] == CHUNKS_ARRAY ? TOPIC_BYTES + 1 : -1;
        for (int i = 0; i < OFFSETS && column >= 0; i++) {
            column = RecordShape.skip(in, column, length);
        }
        int end = column < 0 ? -1 : RecordShape.skip(in, column, length);
        int binary = end < 0 ? 0 : in[column] & 0xff;
        if (binary < 0xc4 || binary > 0xc6) {
            numbers[numbersEnd++] = PLAIN_FRAME;
            text(0, length);
            return;
        }
        int from = column + 1 + (1 << (binary - 0xc4));
        int count = (end - from) / Integer.BYTES;
        room(5 * count + 32);
        numbers[numbersEnd++] = CHUNKS;
        text(0, from);
        varint(count);
        int before = 0;
        for (int i = 0; i < count; i++) {
            int offset = Hex.littleIntAt(in, from + Integer.BYTES * i);
            varint(zigzag(offset - before));
            before = offset;
        }
        text(from + Integer.BYTES * count, length);
    }

    private int form(int length) {
        if (length < TOPIC_BYTES + 3) {
            return OTHER;
        }
        int head = in[TOPIC_BYTES] & 0xff;
        if ((head & 0xf0) == 0x80 || head == 0xde) {
            return SINGLE;
        }
        return (head & 0xf0) == 0x90 || (head == 0xdc && count() > 15) ? formOfBatch(length) : OTHER;
    }

    private int formOfBatch(int length) {
        boolean shortest = true;
        boolean twoBytes = true;
        int at = itemsAt();
        for (int i = count(); i > 0; i--) {
            if (at + 3 > length) {
                return OTHER;
            }
            if (in[at] == (byte) 0xc4) {
                twoBytes = false;
            } else if (in[at] != (byte) 0xc5) {
                return OTHER;
            } else if (in[at + 1] == 0) {
                shortest = false;
            }
            at = itemEnd(at);
        }
        if (at != length || (!shortest && !twoBytes)) {
            return OTHER;
        }
        return shortest ? SHORTEST : TWO_BYTES;
    }

    private int count() {
        return in[TOPIC_BYTES] == (byte) 0xdc ? twoBytes(TOPIC_BYTES + 1) : in[TOPIC_BYTES] & 0xf;
    }

    private int itemsAt() {
        return TOPIC_BYTES + (in[TOPIC_BYTES] == (byte) 0xdc ? 3 : 1);
    }

    private int twoBytes(int at) {
        return ((in[at] & 0xff) << 8) | (in[at + 1] & 0xff);
    }

    private int itemEnd(int at) {
        return itemAt(at) + (in[at] == (byte) 0xc4 ? in[at + 1] & 0xff : twoBytes(at + 1));
    }

    private int itemAt(int at) {
        return at + (in[at] == (byte) 0xc4 ? 2 : 3);
    }

    /** Writes form and topic of a frame; false, with nothing written, if it has one topic too many. */
    private boolean topic(int form) {
        if (topic >= topicCount || !isTopic(topic)) {
            topic = 0;
            while (topic < topicCount && !isTopic(topic)) {
                topic++;
            }
        }
        if (topic < topicCount) {
            numbers[numbersEnd++] = (byte) (topic << 2 | form);
            return true;
        }
        if (topicCount == TOPICS_MAX) {
            return false;
        }
        topics[topicCount++] = Arrays.copyOf(in, TOPIC_BYTES);
        numbers[numbersEnd++] = (byte) (NEW_TOPIC << 2 | form);
        System.arraycopy(in, 0, numbers, numbersEnd, TOPIC_BYTES);
        numbersEnd += TOPIC_BYTES;
        return true;
    }

    private boolean isTopic(int number) {
        return Arrays.equals(topics[number], 0, TOPIC_BYTES, in, 0, TOPIC_BYTES);
    }

    private void batch() {
        int count = count();
        varint(count);
        int at = itemsAt();
        for (int i = 0; i < count; i++) {
            int end = itemEnd(at);
            record(itemAt(at), end);
            at = end;
        }
    }

    private void record(int from, int end) {
        // No field takes more than twice its bytes, except that a value takes five besides; a number is written with
        // what is behind it.
        room(2 * (end - from) + 6 * RecordShape.FIELDS_MAX + 8);
        int shape = shapeOf(from, end);
        if (shape >= 0) {
            numbers[numbersEnd++] = (byte) shape;
            fields(shapes[shape]);
            return;
        }
        RecordShape learned = shapeCount < SHAPES_MAX ? RecordShape.learn(in, from, end, false) : null;
        if (learned != null) {
            guesses[guess(from, end)] = (byte) shapeCount;
            shapes[shapeCount++] = learned;
        }
        numbers[numbersEnd++] = (byte) (learned == null ? NO_SHAPE : NEW_SHAPE);
        text(from, end);
    }

    /** The number of a shape that the record has; −1 for none. */
    private int shapeOf(int from, int end) {
        int slot = guess(from, end);
        int guess = guesses[slot];
        if (guess < shapeCount && isLike(shapes[guess], from, end)) {
            return guess;
        }
        for (int i = 0; i < shapeCount; i++) {
            if (i != guess && isLike(shapes[i], from, end)) {
                guesses[slot] = (byte) i;
                return i;
            }
        }
        return -1;
    }

    /** A slot that follows from the first bytes, which name the type of a record. */
    private int guess(int from, int end) {
        if (end - from < GUESS_BYTES) {
            return 0;
        }
        long bytes = Hex.longAt(in, from) ^ (Hex.longAt(in, from + 8) * 31) ^ (Hex.longAt(in, from + 16) * 961);
        return (int) (((bytes ^ (Hex.longAt(in, from + 24) * 29_791)) * 0x9e3779b97f4a7c15L) >>> 56);
    }

    /** Whether the record is one of a shape; if so, {@link #fieldAt} says where its fields are. */
    private boolean isLike(RecordShape shape, int from, int end) {
        int at = from;
        for (int i = 0; i < shape.runs.length; i++) {
            RecordShape.Run run = shape.runs[i];
            if (i > 0) {
                int value = run.firstField - 1;
                fieldAt[value] = at;
                at = RecordShape.skip(in, at, end);
                fieldEnd[value] = at;
                if (at < 0) {
                    return false;
                }
            }
            if (end - at < run.length || !run.isLike(in, at) || !fields(shape, run, at)) {
                return false;
            }
            at += run.length;
        }
        return at == end;
    }

    /** Notes where the fields of a run are; false if one that should be an id is none. */
    private boolean fields(RecordShape shape, RecordShape.Run run, int at) {
        for (int i = run.firstField; i < run.endField; i++) {
            fieldAt[i] = at + shape.positions[i] - run.from;
            if (shape.kinds[i] == RecordShape.HEX && !Hex.parse(in, fieldAt[i], ids, 2 * i)) {
                return false;
            }
        }
        return true;
    }

    private void fields(RecordShape shape) {
        for (int i = 0; i < shape.kinds.length; i++) {
            int at = fieldAt[i];
            switch (shape.kinds[i]) {
                case RecordShape.TIME -> {
                    long value = Hex.longAt(in, at);
                    varint(zigzag(value - time));
                    time = value;
                }
                case RecordShape.HEX -> id(ids[2 * i], ids[2 * i + 1]);
                case RecordShape.NUMBER_8 -> number(shape, i, Hex.longAt(in, at));
                case RecordShape.NUMBER_4 -> number(shape, i, twoBytes(at) << 16 | twoBytes(at + 2));
                case RecordShape.NUMBER_2 -> number(shape, i, twoBytes(at));
                case RecordShape.RAW -> {
                    System.arraycopy(in, at, numbers, numbersEnd, shape.lengths[i]);
                    numbersEnd += shape.lengths[i];
                }
                // No value has no bytes: such a one is that of the record before.
                default -> text(at, shape.repeats(i, in, at, fieldEnd[i]) ? at : fieldEnd[i]);
            }
        }
    }

    private void number(RecordShape shape, int field, long value) {
        varint(zigzag(value - shape.numbers[field]));
        shape.numbers[field] = value;
    }

    private void id(long high, long low) {
        int place = place(high, low);
        if (isAt(place, high, low)) {
            numbers[numbersEnd++] = (byte) (place >>> 8);
            numbers[numbersEnd++] = (byte) place;
            return;
        }
        keep(place, high, low);
        numbers[numbersEnd++] = (byte) (NEW_ID >>> 8);
        numbers[numbersEnd++] = (byte) NEW_ID;
        Hex.longTo(numbers, numbersEnd, high);
        Hex.longTo(numbers, numbersEnd + 8, low);
        numbersEnd += 16;
    }

    /** Adds bytes of the frame to the texts, and their number to the numbers. */
    private void text(int from, int end) {
        int length = end - from;
        varint(length);
        if (texts.length - textsEnd < length) {
            texts = Arrays.copyOf(texts, Math.max(textsEnd + length, 2 * texts.length));
        }
        System.arraycopy(in, from, texts, textsEnd, length);
        textsEnd += length;
    }

    private void varint(long value) {
        numbersEnd = varint(numbers, numbersEnd, value);
    }

    private void room(int bytes) {
        if (numbers.length - numbersEnd < bytes) {
            numbers = Arrays.copyOf(numbers, Math.max(numbersEnd + bytes, 2 * numbers.length));
        }
    }

    /** Largest number of bytes that {@link #finish} puts. */
    int finishedMaxBytes() {
        // zlib adds some bytes to texts that it cannot deflate, zlib-ng an eighth of them.
        return numbersEnd + textsEnd + (textsEnd >>> 2) + 128;
    }

    /**
     * Puts the payload of a packed entry, behind its kind, and begins the next one.
     *
     * @param deflates whether texts may be deflated, which takes some 10 ns a byte
     */
    void finish(ByteBuffer to, boolean deflates) {
        boolean deflated = deflates && textsEnd >= TEXT_MIN_BYTES;
        int storedBytes = deflated ? deflate() : textsEnd;
        byte[] head = new byte[32];
        head[0] = (byte) (deflated ? DEFLATED : 0);
        int end = varint(head, 1, entries);
        end = varint(head, end, rawBytes);
        end = varint(head, end, numbersEnd);
        end = varint(head, end, textsEnd);
        end = varint(head, end, storedBytes);
        to.put(head, 0, end).put(numbers, 0, numbersEnd).put(deflated ? stored : texts, 0, storedBytes);
        entries = 0;
        rawBytes = 0;
        numbersEnd = 0;
        textsEnd = 0;
    }

    private int deflate() {
        Deflater current = deflater;
        if (current == null) {
            current = new Deflater(Deflater.BEST_SPEED, true);
            deflater = current;
        }
        current.setInput(texts, 0, textsEnd);
        int end = 0;
        int count;
        do {
            if (end == stored.length) {
                stored = Arrays.copyOf(stored, 2 * end);
            }
            count = current.deflate(stored, end, stored.length - end, Deflater.SYNC_FLUSH);
            end += count;
        } while (end == stored.length);
        return end;
    }

    /** Frees the memory outside the heap. Nothing is added afterwards. */
    void end() {
        if (deflater != null) {
            deflater.end();
            deflater = null;
        }
    }
}
