package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackType;
import io.metricsaggregator.codec.Utf8;
import java.nio.charset.StandardCharsets;

/**
 * Reads optional keys: {@code part} and {@code tokens} of a chunk, {@code labels}, {@code usage}, {@code traceparent} and {@code response_id}. Nil reads
 * as absent; a value of another type or range costs its key, and never the record. Shares the cursor of its decoder; allocates nothing.
 */
final class OptionalKeyDecoder {
    private static final int SERVER = 0x73657276; // "serv"
    private static final int SERVER_END = 0x6572; // "er"
    private static final int CLIENT = 0x636c6965; // "clie"
    private static final int CLIENT_END = 0x6e74; // "nt"
    private static final byte[] HISTOGRAM = Usage.SPEC_HISTOGRAM.getBytes(StandardCharsets.US_ASCII);

    private final MsgpackCursor in;
    private int entries;

    OptionalKeyDecoder(MsgpackCursor cursor) {
        this.in = cursor;
    }

    /**
     * Reads {@code part} and leaves the cursor behind it.
     *
     * @return false if the value is not well-formed MessagePack, which makes the record malformed
     */
    boolean readPart(DecodedEvent into) {
        into.hasOptional = true;
        into.part = null;
        into.partState = DecodedEvent.ABSENT;
        if (in.atNil()) {
            in.skipNil();
            return true;
        }
        into.partState = DecodedEvent.REJECTED;
        if (in.peek() != MsgpackType.STRING) {
            return in.skip(1);
        }
        if (!in.readString()) {
            return false;
        }
        into.part = ChunkPart.match(in.buffer(), in.start(), in.length());
        into.partState = into.part == null ? DecodedEvent.REJECTED : DecodedEvent.PRESENT;
        return true;
    }

    /** Reads {@code tokens} in the same way: an integer from 0 to {@link DecodedEvent#CHUNK_TOKENS_MAX}. */
    boolean readTokens(DecodedEvent into) {
        into.hasOptional = true;
        into.tokensState = DecodedEvent.ABSENT;
        into.chunkTokens = 0;
        if (in.atNil()) {
            in.skipNil();
            return true;
        }
        into.tokensState = DecodedEvent.REJECTED;
        if (in.peek() != MsgpackType.INTEGER) {
            return in.skip(1);
        }
        if (!in.readInteger()) {
            return false;
        }
        // An integer above 2^63 - 1 reads as negative.
        if (in.integer() >= 0 && in.integer() <= DecodedEvent.CHUNK_TOKENS_MAX) {
            into.chunkTokens = (int) in.integer();
            into.tokensState = DecodedEvent.PRESENT;
        }
        return true;
    }

    /** Reads {@code handle} in the same way: an integer from 0 to {@link DecodedFields#HANDLE_MAX}. */
    boolean readHandle(DecodedEvent into) {
        into.hasOptional = true;
        into.handle = DecodedFields.NO_HANDLE;
        if (in.atNil()) {
            in.skipNil();
            return true;
        }
        into.handle = DecodedFields.REJECTED_HANDLE;
        if (in.peek() != MsgpackType.INTEGER) {
            return in.skip(1);
        }
        if (!in.readInteger()) {
            return false;
        }
        // An integer above 2^63 - 1 reads as negative.
        if (in.integer() >= 0 && in.integer() <= DecodedFields.HANDLE_MAX) {
            into.handle = (int) in.integer();
        }
        return true;
    }

    /**
     * Reads {@code labels} in the same way: a map of strings, of which an empty one is absent too. A map with another type, a text that is too long or
     * not UTF-8, or too many pairs is rejected as a whole.
     */
    boolean readLabels(DecodedEvent into) {
        into.hasOptional = true;
        into.labelsState = DecodedEvent.ABSENT;
        into.labels.clear();
        int end = in.endOfValue(1);
        if (end < 0) {
            return false;
        }
        if (!in.atNil()) {
            boolean valid = readPairs(into.labels);
            into.labelsState = !valid
                    ? DecodedEvent.REJECTED
                    : into.labels.count() == 0 ? DecodedEvent.ABSENT : DecodedEvent.PRESENT;
        }
        in.position(end);
        return true;
    }

    private boolean readPairs(DecodedLabels labels) {
        if (!in.readMapHeader() || in.count() > DecodedLabels.PAIRS_MAX) {
            return false;
        }
        for (int pairs = in.count(); pairs > 0; pairs--) {
            if (!in.readText()) {
                return false;
            }
            int keyStart = in.start();
            int keyLength = in.length();
            if (!in.readText()
                    || keyLength == 0
                    || keyLength > DecodedLabels.KEY_MAX_BYTES
                    || in.length() > DecodedLabels.VALUE_MAX_BYTES) {
                return false;
            }
            labels.add(keyStart, keyLength, in.start(), in.length());
        }
        return true;
    }

    /** Reads what joins the record with the same request elsewhere; a value of another type or of invalid UTF-8 is ignored. */
    boolean readTrace(EventKey key, DecodedEvent into) {
        into.hasOptional = true;
        boolean text = in.peek() == MsgpackType.STRING;
        if (!in.skip(1)) {
            return false;
        }
        boolean valid = text && Utf8.isValid(in.buffer(), in.start(), in.length());
        int length = valid ? in.length() : 0;
        if (key == EventKey.TRACEPARENT) {
            into.trace.takeTraceparent(in.start(), length);
        } else {
            into.trace.takeResponseId(in.start(), length);
        }
        return true;
    }

    /**
     * Reads {@code usage} in the same way: a map of counts, of which an empty one is absent too. A count below 0, or a part larger than its whole,
     * rejects it as a whole; a histogram that breaks a rule is rejected alone.
     */
    boolean readUsage(DecodedEvent into) {
        into.hasOptional = true;
        into.usageState = DecodedEvent.ABSENT;
        into.usage.clear();
        int end = in.endOfValue(1);
        if (end < 0) {
            return false;
        }
        if (!in.atNil()) {
            into.usage.begin();
            boolean valid = readMap(into.usage) && into.usage.isConsistent();
            into.usage.checkHistogram();
            into.usageState =
                    !valid ? DecodedEvent.REJECTED : into.usage.isEmpty() ? DecodedEvent.ABSENT : DecodedEvent.PRESENT;
        }
        in.position(end);
        return true;
    }

    private boolean readMap(DecodedUsage usage) {
        if (!in.readMapHeader()) {
            return false;
        }
        for (int pairs = in.count(); pairs > 0; pairs--) {
            if (!in.readString() || !readValue(usage, in.start(), in.length())) {
                return false;
            }
        }
        return true;
    }

    private boolean readValue(DecodedUsage usage, int keyStart, int keyLength) {
        if (keyLength == 2 && in.buffer().get(keyStart) == 'b' && in.buffer().get(keyStart + 1) == 'y') {
            return readBy(usage);
        }
        int key = UsageKey.match(in.buffer(), keyStart, keyLength);
        if (key < 0) {
            return UsageKey.isName(HISTOGRAM, in.buffer(), keyStart, keyLength) ? readHistogram(usage) : in.skip(2);
        }
        usage.counts[key] = DecodedUsage.ABSENT;
        if (in.atNil()) {
            in.skipNil();
            return true;
        }
        if (!in.readInteger() || in.integer() < 0) {
            return false;
        }
        usage.counts[key] = in.integer(); // above 2^63 - 1 it reads as negative, and was rejected
        return true;
    }

    /** Reads an array of numbers of steps; what is none, or too long, rejects the histogram and is skipped. */
    private boolean readHistogram(DecodedUsage usage) {
        usage.histogramEntries = DecodedUsage.NONE;
        int end = in.endOfValue(2); // well-formed: the whole map was stepped over before
        if (!in.atNil()) {
            boolean valid = readSteps(usage.histogram);
            usage.histogramEntries = valid ? entries : DecodedUsage.REJECTED;
        }
        in.position(end);
        return true;
    }

    private boolean readSteps(long[] steps) {
        if (!in.readArrayHeader() || in.count() > steps.length) {
            return false;
        }
        entries = in.count();
        for (int i = 0; i < entries; i++) {
            if (!in.readInteger()) {
                return false;
            }
            steps[i] = in.integer();
        }
        return true;
    }

    /** Reads who counted: {@code "server"} or {@code "client"}. */
    private boolean readBy(DecodedUsage usage) {
        usage.byClient = false;
        if (in.atNil()) {
            in.skipNil();
            return true;
        }
        if (!in.readString() || in.length() != 6) {
            return false;
        }
        int first = in.buffer().getInt(in.start());
        int last = in.buffer().getShort(in.start() + 4) & 0xffff;
        usage.byClient = first == CLIENT && last == CLIENT_END;
        return usage.byClient || (first == SERVER && last == SERVER_END);
    }
}
