package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackType;
import java.nio.ByteBuffer;

/**
 * Reads the {@code data} of a record: an array whose first element names its type. Elements that are missing take their
 * defaults, elements beyond the known ones are skipped; a known element of another type fails the record.
 */
final class EventDataDecoder {
    /** The record's map and the data's array are around every element. */
    private static final int DEPTH = 2;

    // The tags, in words that overlap where they have to.
    private static final long TEXT_MODEL_OUTPUT_1 = 0x546578744d6f6465L; // "TextMode"
    private static final long TEXT_MODEL_OUTPUT_2 = 0x656c4f7574707574L; // "elOutput"
    private static final long PROMPT_DATA_1 = 0x50726f6d70744461L; // "PromptDa"
    private static final long PROMPT_DATA_2 = 0x6f6d707444617461L; // "omptData"
    private static final long ERROR_DATA_1 = 0x4572726f72446174L; // "ErrorDat"
    private static final long ERROR_DATA_2 = 0x72726f7244617461L; // "rrorData"

    private static final long PHASE_DATA_1 = 0x5068617365446174L; // "PhaseDat"
    private static final long PHASE_DATA_2 = 0x6861736544617461L; // "haseData"

    // "performance", in overlapping words too.
    private static final long PERFORMANCE_1 = 0x706572666f726d61L; // "performa"
    private static final long PERFORMANCE_2 = 0x666f726d616e6365L; // "formance"
    private static final int PERFORMANCE_LENGTH = 11;

    private final MsgpackCursor in;

    EventDataDecoder(MsgpackCursor cursor) {
        this.in = cursor;
    }

    /** Reads nil or a tagged array at the cursor. */
    boolean read(DecodedEvent into) {
        into.clearData();
        int start = in.position();
        if (in.atNil()) {
            in.skipNil();
            return true;
        }
        into.hasData = true;
        if (!in.readArrayHeader()) {
            return false;
        }
        int elements = in.count();
        if (elements == 0 || !in.readString()) {
            return false;
        }
        DecodedEvent.DataKind kind = kind(in.buffer(), in.start(), in.length());
        into.dataKind = kind;
        int values = elements - 1;
        int known = switch (kind) {
            case NONE -> -1;
            case TEXT_MODEL_OUTPUT -> readTextModelOutput(values, into);
            case PROMPT_DATA -> readPromptData(values, into);
            case ERROR_DATA -> readErrorData(values, into);
            case PHASE_DATA -> readPhaseData(values, into);
        };
        if (known < 0) {
            return false;
        }
        for (int i = known; i < values; i++) {
            if (!in.skip(DEPTH)) {
                return false;
            }
        }
        into.dataStart = start;
        into.dataLength = in.position() - start;
        return true;
    }

    private static DecodedEvent.DataKind kind(ByteBuffer buffer, int start, int length) {
        return switch (length) {
            case 15 ->
                buffer.getLong(start) == TEXT_MODEL_OUTPUT_1 && buffer.getLong(start + 7) == TEXT_MODEL_OUTPUT_2
                        ? DecodedEvent.DataKind.TEXT_MODEL_OUTPUT
                        : DecodedEvent.DataKind.NONE;
            case 10 ->
                buffer.getLong(start) == PROMPT_DATA_1 && buffer.getLong(start + 2) == PROMPT_DATA_2
                        ? DecodedEvent.DataKind.PROMPT_DATA
                        : DecodedEvent.DataKind.NONE;
            case 9 -> {
                long first = buffer.getLong(start);
                long last = buffer.getLong(start + 1);
                if (first == ERROR_DATA_1 && last == ERROR_DATA_2) {
                    yield DecodedEvent.DataKind.ERROR_DATA;
                }
                if (first == PHASE_DATA_1 && last == PHASE_DATA_2) {
                    yield DecodedEvent.DataKind.PHASE_DATA;
                }
                yield DecodedEvent.DataKind.NONE;
            }
            default -> DecodedEvent.DataKind.NONE;
        };
    }

    /** Reads output, reasoning and tool_calls; returns the number of values read, or −1 on a fault. */
    private int readTextModelOutput(int values, DecodedEvent into) {
        into.hasReasoning = false;
        if (values > 0 && !readTextOrTexts()) {
            return -1;
        }
        if (values > 1 && !skippedNil()) {
            int at = in.position();
            if (!readTextOrTexts()) {
                return -1;
            }
            // An empty string and an empty array take one byte.
            into.hasReasoning = in.position() - at > 1;
        }
        if (values > 2 && !skippedNil() && !readToolCalls()) {
            return -1;
        }
        return Math.min(values, 3);
    }

    /** Reads text, token_ids, messages, tools, chat_template_kwargs, chat_template and tool_choice. */
    private int readPromptData(int values, DecodedEvent into) {
        if (values > 0 && !skippedNil() && !in.readText()) {
            return -1;
        }
        if (values > 1 && !skippedNil() && !readTokenIds(into)) {
            return -1;
        }
        if (values > 2 && !skippedNil() && !readMaps()) {
            return -1;
        }
        if (values > 3 && !skippedNil() && !in.skip(DEPTH)) {
            return -1;
        }
        if (values > 4 && !skippedNil() && !in.skip(DEPTH)) {
            return -1;
        }
        if (values > 5 && !skippedNil() && !in.readText()) {
            return -1;
        }
        if (values > 6 && !skippedNil() && !in.skip(DEPTH)) {
            return -1;
        }
        return Math.min(values, 7);
    }

    /** Reads error_type and error_message; error_type is the one element without a default. */
    private int readErrorData(int values, DecodedEvent into) {
        if (values == 0 || !in.readText()) {
            return -1;
        }
        into.errorTypeStart = in.start();
        into.errorTypeLength = in.length();
        if (values > 1) {
            if (!in.readText()) {
                return -1;
            }
            into.errorMessageStart = in.start();
            into.errorMessageLength = in.length();
        }
        return Math.min(values, 2);
    }

    /**
     * Reads elements of any type in any order, because no released producer fixes them; uses only the string {@code performance} and
     * the last integer.
     */
    private int readPhaseData(int values, DecodedEvent into) {
        boolean performance = false;
        long turns = -1;
        for (int i = 0; i < values; i++) {
            MsgpackType type = in.peek();
            if (type == MsgpackType.STRING) {
                if (!in.readString()) {
                    return -1;
                }
                performance |= isPerformance(in.buffer(), in.start(), in.length());
            } else if (type == MsgpackType.INTEGER) {
                if (!in.readInteger()) {
                    return -1;
                }
                turns = in.integerExceedsLong() ? -1 : in.integer();
            } else if (!in.skip(DEPTH)) {
                return -1;
            }
        }
        into.announcedTurns = performance && turns > 0 ? turns : -1;
        return values;
    }

    private static boolean isPerformance(ByteBuffer buffer, int start, int length) {
        return length == PERFORMANCE_LENGTH
                && buffer.getLong(start) == PERFORMANCE_1
                && buffer.getLong(start + 3) == PERFORMANCE_2;
    }

    private boolean skippedNil() {
        if (!in.atNil()) {
            return false;
        }
        in.skipNil();
        return true;
    }

    private boolean readTextOrTexts() {
        if (in.peek() != MsgpackType.ARRAY) {
            return in.readText();
        }
        if (!in.readArrayHeader()) {
            return false;
        }
        for (int left = in.count(); left > 0; left--) {
            if (!in.readText()) {
                return false;
            }
        }
        return true;
    }

    private boolean readTokenIds(DecodedEvent into) {
        if (!in.readArrayHeader()) {
            return false;
        }
        int count = in.count();
        if (!in.skipIntegers(count)) {
            return false;
        }
        into.tokenIdCount = count;
        return true;
    }

    private boolean readMaps() {
        if (!in.readArrayHeader()) {
            return false;
        }
        for (int left = in.count(); left > 0; left--) {
            if (!readMap()) {
                return false;
            }
        }
        return true;
    }

    /** Reads a map with string keys and values of any type. */
    private boolean readMap() {
        if (!in.readMapHeader()) {
            return false;
        }
        for (int left = in.count(); left > 0; left--) {
            if (!in.readText() || !in.skip(DEPTH + 2)) {
                return false;
            }
        }
        return true;
    }

    /** Reads an array of maps or, of a streamed answer, an array of arrays of maps. */
    private boolean readToolCalls() {
        if (!in.readArrayHeader()) {
            return false;
        }
        for (int left = in.count(); left > 0; left--) {
            if (!(in.peek() == MsgpackType.ARRAY ? readMaps() : readMap())) {
                return false;
            }
        }
        return true;
    }
}
