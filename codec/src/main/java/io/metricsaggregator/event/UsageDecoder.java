package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackType;
import java.nio.charset.StandardCharsets;

/**
 * Reads the optional key {@code usage}: a map of counts. Nil, an empty map and a map of unknown keys read as absent; nil under a key too. A
 * value of another type, a negative count, and a part larger than its whole reject the usage, and never the record. A histogram that breaks a rule
 * is rejected alone. Shares the cursor of its decoder; allocates nothing.
 */
final class UsageDecoder {
    private static final int SERVER = 0x73657276; // "serv"
    private static final int SERVER_END = 0x6572; // "er"
    private static final int CLIENT = 0x636c6965; // "clie"
    private static final int CLIENT_END = 0x6e74; // "nt"
    private static final byte[] HISTOGRAM = Usage.SPEC_HISTOGRAM.getBytes(StandardCharsets.US_ASCII);

    private final MsgpackCursor in;
    private int entries;

    UsageDecoder(MsgpackCursor cursor) {
        this.in = cursor;
    }

    /**
     * Reads the value at the cursor and leaves the cursor behind it.
     *
     * @return false if the value is not well-formed MessagePack, which makes the record malformed
     */
    boolean read(DecodedEvent into) {
        into.hasOptional = true;
        into.usageState = DecodedEvent.ABSENT;
        into.usage.clear();
        int start = in.position();
        if (!in.skip(1)) {
            return false;
        }
        int end = in.position();
        in.position(start);
        if (!in.atNil()) {
            into.usage.begin();
            boolean valid = in.peek() == MsgpackType.MAP && readMap(into.usage) && into.usage.isConsistent();
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
            if (in.peek() != MsgpackType.STRING || !in.readString() || !readValue(usage, in.start(), in.length())) {
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
        if (in.peek() != MsgpackType.INTEGER || !in.readInteger() || in.integer() < 0) {
            return false;
        }
        usage.counts[key] = in.integer(); // above 2^63 - 1 it reads as negative, and was rejected
        return true;
    }

    /** Reads an array of numbers of steps; what is none, or too long, rejects the histogram and is skipped. */
    private boolean readHistogram(DecodedUsage usage) {
        usage.histogramEntries = DecodedUsage.NONE;
        int start = in.position();
        if (!in.skip(2)) {
            return false;
        }
        int end = in.position();
        in.position(start);
        if (!in.atNil()) {
            boolean valid = in.peek() == MsgpackType.ARRAY && readSteps(usage.histogram);
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
            if (in.peek() != MsgpackType.INTEGER || !in.readInteger()) {
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
        if (in.peek() != MsgpackType.STRING || !in.readString() || in.length() != 6) {
            return false;
        }
        int first = in.buffer().getInt(in.start());
        int last = in.buffer().getShort(in.start() + 4) & 0xffff;
        usage.byClient = first == CLIENT && last == CLIENT_END;
        return usage.byClient || (first == SERVER && last == SERVER_END);
    }
}
