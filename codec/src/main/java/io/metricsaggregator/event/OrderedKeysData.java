package io.metricsaggregator.event;

import io.metricsaggregator.event.DecodedEvent.DataKind;

/**
 * Reads the {@code data} of a record as encoders write it for a prompt of ASCII text alone, and for an answer of ASCII texts without reasoning and tool calls. {@link
 * EventDataDecoder} reads any other. Stateless.
 */
final class OrderedKeysData {
    private static final long NON_ASCII = 0x8080808080808080L;
    // The tags with their msgpack headers, as big-endian words.
    private static final long PROMPT_DATA_1 = 0x98aa50726f6d7074L; // header of 8 elements, "Prompt"
    private static final long PROMPT_DATA_2 = 0x6f6d707444617461L; // "omptData"
    private static final long TEXT_MODEL_OUTPUT_1 = 0x94af546578744d6fL; // header of 4 elements, "TextMo"
    private static final long TEXT_MODEL_OUTPUT_2 = 0x64656c4f75747075L; // "delOutpu"
    private static final long NILS = 0xc0c0c0c0c0c0c0c0L;

    private OrderedKeysData() {}

    /**
     * Reads a value of these two.
     *
     * @param bytes the record, with {@link OrderedKeysDecoder#SLACK} bytes behind it
     * @param at where the value starts
     * @param length the length of the record
     * @return the end of the value; −1, with the data of {@code into} undefined, if it is another
     */
    static int read(byte[] bytes, int at, int length, DecodedEvent into) {
        long first = OrderedKeysDecoder.word(bytes, at);
        int end = -1;
        if (first == TEXT_MODEL_OUTPUT_1) {
            if (OrderedKeysDecoder.word(bytes, at + 8) == TEXT_MODEL_OUTPUT_2 && bytes[at + 16] == 't') {
                into.dataKind = DataKind.TEXT_MODEL_OUTPUT;
                into.hasReasoning = false;
                end = nils(bytes, textsEnd(bytes, at + 17, length), length, 2);
            }
        } else if (first == PROMPT_DATA_1 && OrderedKeysDecoder.word(bytes, at + 4) == PROMPT_DATA_2) {
            into.dataKind = DataKind.PROMPT_DATA;
            end = nils(bytes, textEnd(bytes, at + 12, length), length, 6);
        }
        into.hasData = true;
        into.dataStart = into.recordStart + at;
        into.dataLength = end - at;
        return end;
    }

    /** The end of {@code count} nils, at most 8, at {@code at}; −1 if there are others, or if {@code at} is −1. */
    private static int nils(byte[] bytes, int at, int length, int count) {
        boolean found = at >= 0
                && length - at >= count
                && (OrderedKeysDecoder.word(bytes, at) ^ NILS) >>> (Long.SIZE - 8 * count) == 0;
        return found ? at + count : -1;
    }

    /** The end of a text of ASCII, or of up to 65,535 of them in an array; −1 if there is something else. */
    private static int textsEnd(byte[] bytes, int at, int length) {
        int header = bytes[at] & 0xff;
        int end = at + 1;
        int left = header & 0x0f;
        if (header == 0xdc) {
            left = (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff);
            end = at + 3;
        } else if ((header & 0xf0) != 0x90) {
            return textEnd(bytes, at, length);
        }
        for (; left > 0 && end >= 0; left--) {
            end = textEnd(bytes, end, length);
        }
        return end;
    }

    /** The end of a text of ASCII of at most 64 KiB; −1 if there is something else, or if it is longer than the record. */
    private static int textEnd(byte[] bytes, int at, int length) {
        int header = bytes[at] & 0xff;
        int start;
        int size;
        if (header == 0xd9) {
            start = at + 2;
            size = bytes[at + 1] & 0xff;
        } else if (header >>> 5 == 5) {
            start = at + 1;
            size = header & 0x1f;
        } else if (header == 0xda) {
            start = at + 3;
            size = (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff);
        } else {
            return -1;
        }
        int end = start + size;
        return end <= length && isAscii(bytes, start, end) ? end : -1;
    }

    private static boolean isAscii(byte[] bytes, int start, int end) {
        int at = start;
        for (; at <= end - 32; at += 32) {
            long seen = OrderedKeysDecoder.word(bytes, at)
                    | OrderedKeysDecoder.word(bytes, at + 8)
                    | OrderedKeysDecoder.word(bytes, at + 16)
                    | OrderedKeysDecoder.word(bytes, at + 24);
            if ((seen & NON_ASCII) != 0) {
                return false;
            }
        }
        long seen = 0;
        for (; at < end - 8; at += 8) {
            seen |= OrderedKeysDecoder.word(bytes, at);
        }
        int left = end - at;
        if (left > 0) {
            seen |= OrderedKeysDecoder.word(bytes, at) >>> (Long.SIZE - 8 * left);
        }
        return (seen & NON_ASCII) == 0;
    }
}
