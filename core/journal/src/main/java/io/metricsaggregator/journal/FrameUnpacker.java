package io.metricsaggregator.journal;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks what {@link FramePacker} packed, an entry as a whole: either all of its bursts and frames are read, or, from bytes that no packer wrote, none. It
 * takes no more memory than the largest packed entry needs, whatever an entry says. One thread.
 */
final class FrameUnpacker extends PackFormat {
    /** Bytes of {@link #out} for a burst or frame besides those of the frame: its kind, and the time or the length. */
    private static final int HEAD_BYTES = 9;

    private static final int SLACK_BYTES = 64;
    private static final byte[] NONE = {};

    private byte[] in = NONE;
    /** Position in the numbers. */
    private int at;

    private byte[] texts = NONE;
    private int textAt;
    private int textEnd;
    private byte[] out = NONE;
    private ByteBuffer view = ByteBuffer.wrap(out);
    private int outAt;
    private int outEnd;
    private int readAt;
    private @Nullable Inflater inflater;
    private boolean timesOnly;

    /** Says how the shapes of the segment are learned; see {@link RecordShape#learn}. */
    void timesOnly(boolean only) {
        timesOnly = only;
    }

    /**
     * Unpacks the payload of a packed entry behind its kind.
     *
     * @return the number of its bursts and frames; −1 if no packer wrote it, after which no entry of the segment can be read
     */
    int unpack(byte[] payload, int from, int end) {
        readAt = 0;
        outEnd = 0;
        try {
            return unpackWhole(payload, from, end);
        } catch (IndexOutOfBoundsException | DataFormatException e) {
            return -1;
        }
    }

    private int unpackWhole(byte[] payload, int from, int end) throws DataFormatException {
        in = payload;
        at = from;
        int flags = in[at++];
        int entries = size(ENTRY_MAX_BYTES);
        int rawBytes = size(ENTRY_MAX_BYTES);
        int numbersBytes = size(end - from);
        textEnd = size(rawBytes);
        int storedBytes = size(end - from);
        int numbersEnd = at + numbersBytes;
        // A burst or frame takes two bytes at least: what is allocated is bounded by what is there.
        if (numbersEnd + storedBytes != end || entries > numbersBytes / INNER_BYTES || (flags & ~DEFLATED) != 0) {
            return -1;
        }
        texts(flags == DEFLATED, numbersEnd, storedBytes);
        int room = rawBytes + HEAD_BYTES * entries + SLACK_BYTES;
        if (out.length < room) {
            out = new byte[Math.max(room, Math.min(2 * out.length, ENTRY_MAX_BYTES))];
            view = ByteBuffer.wrap(out);
        }
        outAt = 0;
        textAt = 0;
        int frames = 0;
        for (int i = 0; i < entries; i++) {
            frames += entry();
        }
        if (frames != rawBytes || at != numbersEnd || textAt != textEnd) {
            return -1;
        }
        outEnd = outAt;
        return entries;
    }

    private void texts(boolean deflated, int from, int storedBytes) throws DataFormatException {
        if (texts.length <= textEnd) {
            texts = new byte[Math.max(textEnd + 1, Math.min(2 * texts.length, ENTRY_MAX_BYTES))];
        }
        if (!deflated) {
            Objects.checkIndex(storedBytes, textEnd + 1);
            Objects.checkIndex(textEnd, storedBytes + 1);
            System.arraycopy(in, from, texts, 0, textEnd);
            return;
        }
        Inflater current = inflater;
        if (current == null) {
            current = new Inflater(true);
            inflater = current;
        }
        current.setInput(in, from, storedBytes);
        int count = 0;
        int step;
        do {
            // Room for one byte more than there is: the inflater then takes what ends the block, too.
            step = current.inflate(texts, count, textEnd + 1 - count);
            count += step;
        } while (step > 0 && count <= textEnd);
        if (count != textEnd || current.getRemaining() != 0) {
            throw new DataFormatException("not as many texts as the entry says");
        }
    }

    /** Unpacks one entry, and returns the number of its bytes if it is a frame. */
    private int entry() {
        int head = in[at++] & 0xff;
        if (head == BURST) {
            burst += unzigzag(varint());
            out[outAt] = Entries.BURST;
            Hex.longTo(out, outAt + 1, burst);
            outAt += HEAD_BYTES;
            return 0;
        }
        out[outAt] = Entries.FRAME;
        int start = outAt + HEAD_BYTES;
        outAt = start;
        int form = head & 3;
        if (head == PLAIN_FRAME) {
            text();
        } else if (head == CHUNKS) {
            chunks();
        } else if (form == OTHER) {
            throw new IndexOutOfBoundsException(head);
        } else {
            topic(head >>> 2);
            frame(form);
        }
        int length = outAt - start;
        Hex.longTo(out, start - 8, length);
        return length;
    }

    private void chunks() {
        text();
        int offset = 0;
        for (int left = size(ENTRY_MAX_BYTES); left > 0; left--) {
            offset += (int) unzigzag(varint());
            Hex.littleIntTo(out, outAt, offset);
            outAt += Integer.BYTES;
        }
        text();
    }

    private void topic(int known) {
        int number = known;
        if (number == NEW_TOPIC) {
            number = topicCount;
            topics[number] = Arrays.copyOfRange(in, at, at + TOPIC_BYTES);
            topicCount++;
            at += TOPIC_BYTES;
        }
        System.arraycopy(topics[Objects.checkIndex(number, topicCount)], 0, out, outAt, TOPIC_BYTES);
        outAt += TOPIC_BYTES;
    }

    private void frame(int form) {
        if (form == SINGLE) {
            record(0, form);
            return;
        }
        int count = size(0xffff);
        if (count < 16) {
            out[outAt++] = (byte) (0x90 | count);
        } else {
            out[outAt++] = (byte) 0xdc;
            twoBytes(count);
        }
        for (int i = 0; i < count; i++) {
            int shape = in[at] & 0xff;
            // Most often a record is as long as the one that its shape was learned from.
            int likely = shape < shapeCount ? shapes[shape].bytes.length : 0;
            record(headBytes(likely, form), form);
        }
    }

    private static int headBytes(int length, int form) {
        return form == SHORTEST && length < 256 ? 2 : 3;
    }

    /** Unpacks a record, behind room for the head of a binary of the likely size, or none. */
    private void record(int room, int form) {
        int head = outAt;
        outAt += room;
        int shape = in[at++] & 0xff;
        if (shape < NEW_SHAPE) {
            fields(shapes[Objects.checkIndex(shape, shapeCount)]);
        } else {
            int from = outAt;
            text();
            if (shape == NEW_SHAPE) {
                learn(from);
            }
        }
        if (room == 0) {
            return;
        }
        int length = outAt - head - room;
        int needed = headBytes(length, form);
        if (needed != room) {
            System.arraycopy(out, head + room, out, head + needed, length);
        }
        outAt = head;
        if (needed == 2) {
            out[outAt++] = (byte) 0xc4;
            out[outAt++] = (byte) length;
        } else {
            out[outAt++] = (byte) 0xc5;
            twoBytes(Objects.checkIndex(length, 1 << 16));
        }
        outAt += length;
    }

    private void learn(int from) {
        RecordShape learned = RecordShape.learn(out, from, outAt, timesOnly);
        if (learned == null) {
            throw new IndexOutOfBoundsException("a record without a shape");
        }
        shapes[shapeCount] = learned;
        shapeCount++;
    }

    private void fields(RecordShape shape) {
        for (int i = 0; i < shape.runs.length; i++) {
            RecordShape.Run run = shape.runs[i];
            if (i > 0) {
                value(shape, run.firstField - 1);
            }
            int start = outAt;
            System.arraycopy(shape.bytes, run.from, out, start, run.length);
            for (int field = run.firstField; field < run.endField; field++) {
                outAt = start + shape.positions[field] - run.from;
                field(shape, field);
            }
            outAt = start + run.length;
        }
    }

    /** Writes a field at {@link #outAt}, which {@link #fields} sets anew afterwards. */
    private void field(RecordShape shape, int field) {
        switch (shape.kinds[field]) {
            case RecordShape.TIME -> {
                time += unzigzag(varint());
                Hex.longTo(out, outAt, time);
            }
            case RecordShape.HEX -> id();
            case RecordShape.NUMBER_8 -> Hex.longTo(out, outAt, number(shape, field));
            case RecordShape.NUMBER_4 -> {
                int value = (int) number(shape, field);
                twoBytes(value >>> 16);
                twoBytes(value);
            }
            case RecordShape.NUMBER_2 -> twoBytes((int) number(shape, field));
            default -> {
                // Bytes as they are: values of any length are between the runs.
                System.arraycopy(in, at, out, outAt, shape.lengths[field]);
                at += shape.lengths[field];
            }
        }
    }

    private void value(RecordShape shape, int field) {
        if (in[at] == 0) {
            at++;
            outAt += shape.latestTo(field, out, outAt);
            return;
        }
        int from = outAt;
        text();
        shape.keep(field, out, from, outAt);
    }

    private long number(RecordShape shape, int field) {
        shape.numbers[field] += unzigzag(varint());
        return shape.numbers[field];
    }

    private void id() {
        int place = ((in[at] & 0xff) << 8) | (in[at + 1] & 0xff);
        at += 2;
        if (place == NEW_ID) {
            long high = Hex.longAt(in, at);
            long low = Hex.longAt(in, at + 8);
            at += 16;
            place = place(high, low);
            keep(place, high, low);
        }
        Hex.write(out, outAt, highAt(place), lowAt(place));
    }

    private void text() {
        int length = size(textEnd - textAt);
        System.arraycopy(texts, textAt, out, outAt, length);
        textAt += length;
        outAt += length;
    }

    private void twoBytes(int value) {
        out[outAt++] = (byte) (value >>> 8);
        out[outAt++] = (byte) value;
    }

    private int size(int most) {
        long size = varint();
        if (size < 0 || size > most) {
            throw new IndexOutOfBoundsException(size);
        }
        return (int) size;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte next = in[at++];
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IndexOutOfBoundsException("a number of more than ten bytes");
    }

    /** Whether a burst or frame of the entry is left. */
    boolean hasNext() {
        return readAt < outEnd;
    }

    /** Whether a frame is next, and not a burst. */
    boolean isFrame() {
        return out[readAt] == Entries.FRAME;
    }

    /** Hands over the next burst or frame. */
    void next(JournalClock clock, JournalReader.Visitor visitor) {
        boolean isFrame = isFrame();
        long value = Hex.longAt(out, readAt + 1);
        int start = readAt + HEAD_BYTES;
        readAt = start + (isFrame ? (int) value : 0);
        if (isFrame) {
            visitor.frame(view, start, (int) value);
        } else {
            clock.burst(value);
            visitor.burst(value);
        }
    }

    @Override
    void reset() {
        super.reset();
        readAt = 0;
        outEnd = 0;
        end();
    }

    /** Frees the memory outside the heap. */
    void end() {
        if (inflater != null) {
            inflater.end();
            inflater = null;
        }
    }
}
