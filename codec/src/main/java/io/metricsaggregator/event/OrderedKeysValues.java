package io.metricsaggregator.event;

import io.metricsaggregator.event.DecodedEvent.DataKind;

/**
 * Reads pairs of a record as encoders write most of them: integers of at least 0, ASCII text, and {@code data} that is a prompt of ASCII text alone or an answer
 * of ASCII texts without reasoning and tool calls. {@link EventDecoder} reads any other. Stateless.
 */
final class OrderedKeysValues {
    private static final long NON_ASCII = 0x8080808080808080L;
    // The tags with their msgpack headers, as big-endian words.
    private static final long PROMPT_DATA_1 = 0x98aa50726f6d7074L; // header of 8 elements, "Prompt"
    private static final long PROMPT_DATA_2 = 0x6f6d707444617461L; // "omptData"
    private static final long TEXT_MODEL_OUTPUT_1 = 0x94af546578744d6fL; // header of 4 elements, "TextMo"
    private static final long TEXT_MODEL_OUTPUT_2 = 0x64656c4f75747075L; // "delOutpu"
    private static final long NILS = 0xc0c0c0c0c0c0c0c0L;

    // The starts of keys with their headers, and their last four bytes.
    private static final int CONVERSATION_ID = 0xaf636f6e; // "con"
    private static final int WORKER_ID = 0xa9776f72; // "wor"
    private static final int DATA = 0xa4646174; // "dat"
    private static final int DATA_END = 0x64617461;
    private static final int LIFE = 0xa46c6966; // "lif"
    private static final int LIFE_END = 0x6c696665;
    private static final int TURN = 0xa4747572; // "tur"
    private static final int TURN_END = 0x7475726e;
    private static final int PART = 0xa4706172; // "par"
    private static final int PART_END = 0x70617274;
    private static final int TOKENS = 0xa6746f6b; // "tok"
    private static final int TOKENS_END = 0x6b656e73;
    private static final int HANDLE = 0xa668616e; // "han"
    private static final int HANDLE_END = 0x6e646c65;
    private static final int SCHEDULED_NS = 0xac736368; // "sch"
    private static final long SCHEDULED_NS_1 = 0xac7363686564756cL; // "schedul"
    private static final long SCHEDULED_NS_2 = 0x756c65645f6e73L; // "uled_ns"
    private static final long OUTPUT = 0xa66f7574707574L; // header of a text, "output"
    private static final long REASONING_1 = 0xa9726561736f6e69L; // header, "reasoni"
    private static final long REASONING_2 = 0x6561736f6e696e67L; // "easoning"
    private static final long TOOL_CALLS_1 = 0xaa746f6f6c5f6361L; // header, "tool_ca"
    private static final long TOOL_CALLS_2 = 0x6f6c5f63616c6c73L; // "ol_calls"
    private static final byte NIL = (byte) 0xc0;

    private OrderedKeysValues() {}

    /**
     * Reads a pair with a usual value.
     *
     * @param bytes the record, with {@link OrderedKeysDecoder#SLACK} bytes behind it
     * @param at where the pair starts
     * @param length the length of the record
     * @return the end of the pair; −1, with the data of {@code into} undefined if the key is data, if it is another
     */
    static int readPair(byte[] bytes, int at, int length, DecodedEvent into) {
        return switch (half(bytes, at)) {
            case OrderedKeysDecoder.SEQ -> readSequence(bytes, at + 4, length, into);
            case LIFE -> half(bytes, at + 1) == LIFE_END ? readLife(bytes, at + 5, length, into) : -1;
            case DATA -> half(bytes, at + 1) == DATA_END ? readData(bytes, at + 5, length, into) : -1;
            case WORKER_ID -> readWorker(bytes, at, length, into);
            case CONVERSATION_ID -> readConversation(bytes, at, length, into);
            case TURN -> half(bytes, at + 1) == TURN_END ? readTurn(bytes, at + 5, length, into) : -1;
            case PART -> half(bytes, at + 1) == PART_END ? readPart(bytes, at + 5, length, into) : -1;
            case TOKENS -> half(bytes, at + 3) == TOKENS_END ? readTokens(bytes, at + 7, length, into) : -1;
            case HANDLE -> half(bytes, at + 3) == HANDLE_END ? readHandle(bytes, at + 7, length, into) : -1;
            case SCHEDULED_NS -> readScheduled(bytes, at, length, into);
            default -> -1;
        };
    }

    private static int readSequence(byte[] bytes, int value, int length, DecodedEvent into) {
        int end = integerEnd(bytes, value, length);
        if (end >= 0) {
            into.hasExtension = true;
            into.hasSequence = true;
            into.sequence = integer(bytes, value, end - value);
        }
        return end;
    }

    private static int readLife(byte[] bytes, int value, int length, DecodedEvent into) {
        int end = integerEnd(bytes, value, length);
        if (end >= 0) {
            into.hasExtension = true;
            into.life = integer(bytes, value, end - value);
        }
        return end;
    }

    private static int readWorker(byte[] bytes, int at, int length, DecodedEvent into) {
        int value = at + 10;
        int end = word(bytes, at) == OrderedKeysDecoder.WORKER_ID_1
                        && word(bytes, at + 2) == OrderedKeysDecoder.WORKER_ID_2
                ? integerEnd(bytes, value, length)
                : -1;
        if (end >= 0) {
            into.hasExtension = true;
            into.hasWorkerId = true;
            into.workerId = integer(bytes, value, end - value);
        }
        return end;
    }

    private static int readConversation(byte[] bytes, int at, int length, DecodedEvent into) {
        int value = at + 16;
        int end = word(bytes, at) == OrderedKeysDecoder.CONVERSATION_1
                        && word(bytes, at + 8) == OrderedKeysDecoder.CONVERSATION_2
                ? textEnd(bytes, value, length)
                : -1;
        if (end >= 0 && (end > value + 1 || into.hasOptional)) {
            int start = value + textHeader(bytes, value);
            into.hasOptional = true;
            into.conversation.start = into.recordStart + start;
            into.conversation.length = end - start;
        }
        return end;
    }

    private static int readTurn(byte[] bytes, int value, int length, DecodedEvent into) {
        if (bytes[value] == NIL && value < length) {
            if (into.hasOptional) {
                into.conversation.firstTurn = false;
            }
            return value + 1;
        }
        int end = integerEnd(bytes, value, length);
        if (end >= 0) {
            into.hasOptional = true;
            into.conversation.firstTurn = integer(bytes, value, end - value) <= 1;
        }
        return end;
    }

    private static int readPart(byte[] bytes, int value, int length, DecodedEvent into) {
        long first = word(bytes, value);
        ChunkPart part = null;
        if (first >>> 8 == OUTPUT) {
            part = ChunkPart.OUTPUT;
        } else if (first == REASONING_1 && word(bytes, value + 2) == REASONING_2) {
            part = ChunkPart.REASONING;
        } else if (first == TOOL_CALLS_1 && word(bytes, value + 3) == TOOL_CALLS_2) {
            part = ChunkPart.TOOL_CALLS;
        }
        int end = value + 1 + (bytes[value] & 0x1f);
        if (part == null || end > length) {
            return -1;
        }
        into.hasOptional = true;
        into.part = part;
        into.partState = DecodedEvent.PRESENT;
        return end;
    }

    private static int readTokens(byte[] bytes, int value, int length, DecodedEvent into) {
        int end = integerEnd(bytes, value, length);
        long tokens = end < 0 ? -1 : integer(bytes, value, end - value);
        if (tokens < 0 || tokens > DecodedEvent.CHUNK_TOKENS_MAX) {
            return -1;
        }
        into.hasOptional = true;
        into.chunkTokens = (int) tokens;
        into.tokensState = DecodedEvent.PRESENT;
        return end;
    }

    private static int readHandle(byte[] bytes, int value, int length, DecodedEvent into) {
        int end = integerEnd(bytes, value, length);
        long handle = end < 0 ? -1 : integer(bytes, value, end - value);
        if (handle < 0 || handle > DecodedFields.HANDLE_MAX) {
            return -1;
        }
        into.hasOptional = true;
        into.handle = (int) handle;
        return end;
    }

    private static int readScheduled(byte[] bytes, int at, int length, DecodedEvent into) {
        int value = at + 13;
        int end = word(bytes, at) == SCHEDULED_NS_1 && word(bytes, at + 6) >>> 8 == SCHEDULED_NS_2
                ? integerEnd(bytes, value, length)
                : -1;
        if (end >= 0) {
            into.hasExtension = true;
            into.hasScheduled = true;
            into.scheduledNanos = integer(bytes, value, end - value);
        }
        return end;
    }

    private static long word(byte[] bytes, int at) {
        return OrderedKeysDecoder.word(bytes, at);
    }

    private static int half(byte[] bytes, int at) {
        return (int) (word(bytes, at) >>> Integer.SIZE);
    }

    /** The end of an integer of at least 0; −1 if there is something else. */
    static int integerEnd(byte[] bytes, int at, int length) {
        int size = integerBytes(bytes[at]);
        return size == 0 || at + size > length || integer(bytes, at, size) < 0 ? -1 : at + size;
    }

    /** The bytes of an integer with this header; 0 if it may be below 0 or is no integer. */
    static int integerBytes(byte header) {
        return header >= 0 ? 1 : header >= (byte) 0xcc && header <= (byte) 0xcf ? 1 + (1 << (header - (byte) 0xcc)) : 0;
    }

    /** The integer of so many bytes, its header included. */
    static long integer(byte[] bytes, int at, int size) {
        return size <= 1 ? bytes[at] : word(bytes, at + 1) >>> (Long.SIZE + 8 - 8 * size);
    }

    /** Reads the value of data, or nil; returns its end, or −1, with the data of {@code into} undefined, if it is another. */
    static int readData(byte[] bytes, int at, int length, DecodedEvent into) {
        long first = word(bytes, at);
        int end = -1;
        if (bytes[at] == NIL) {
            if (into.hasData) {
                into.clearData();
            }
            return at < length ? at + 1 : -1;
        }
        if (first == TEXT_MODEL_OUTPUT_1) {
            if (word(bytes, at + 8) == TEXT_MODEL_OUTPUT_2 && bytes[at + 16] == 't') {
                into.dataKind = DataKind.TEXT_MODEL_OUTPUT;
                into.hasReasoning = false;
                end = nils(bytes, textsEnd(bytes, at + 17, length), length, 2);
            }
        } else if (first == PROMPT_DATA_1 && word(bytes, at + 4) == PROMPT_DATA_2) {
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
        boolean found = at >= 0 && length - at >= count && (word(bytes, at) ^ NILS) >>> (Long.SIZE - 8 * count) == 0;
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

    /** Bytes of the header of a text that {@link #textEnd} found. */
    private static int textHeader(byte[] bytes, int at) {
        int header = bytes[at] & 0xff;
        return header < 0xd9 ? 1 : header == 0xd9 ? 2 : 3;
    }

    private static boolean isAscii(byte[] bytes, int start, int end) {
        int at = start;
        for (; at <= end - 32; at += 32) {
            long seen = word(bytes, at) | word(bytes, at + 8) | word(bytes, at + 16) | word(bytes, at + 24);
            if ((seen & NON_ASCII) != 0) {
                return false;
            }
        }
        long seen = 0;
        for (; at < end - 8; at += 8) {
            seen |= word(bytes, at);
        }
        int left = end - at;
        if (left > 0) {
            seen |= word(bytes, at) >>> (Long.SIZE - 8 * left);
        }
        return (seen & NON_ASCII) == 0;
    }
}
