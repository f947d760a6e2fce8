package io.metricsaggregator.event.server;

import io.metricsaggregator.codec.MsgpackCursor;
import java.nio.charset.StandardCharsets;

/**
 * Reads the optional key {@code server}: a map of numbers, a source and two names. Nil, an empty map and one without a known number read as
 * absent; nil under a key too. A value of another type, a negative number, an unknown source, and a name that is too long or not UTF-8 reject
 * the map, and never the record. Shares the cursor of its decoder; allocates nothing.
 */
public final class ServerReader {
    private static final byte[] SOURCE = ascii("source");
    private static final byte[] PREFILL_NODE = ascii("prefill_node");
    private static final byte[] DECODE_NODE = ascii("decode_node");
    private static final byte[][] SOURCES = sources();

    private final MsgpackCursor in;

    /** Creates a reader that shares the cursor of a decoder. */
    public ServerReader(MsgpackCursor cursor) {
        this.in = cursor;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[][] sources() {
        ServerTimes.Source[] all = ServerTimes.Source.values();
        byte[][] names = new byte[all.length][];
        for (int i = 0; i < all.length; i++) {
            names[i] = ascii(all[i].wireName());
        }
        return names;
    }

    /**
     * Reads the value at the cursor and leaves the cursor behind it.
     *
     * @return false if the value is not well-formed MessagePack, which makes the record malformed
     */
    public boolean read(DecodedServer server) {
        server.clear();
        int end = in.endOfValue(1);
        if (end < 0) {
            return false;
        }
        if (!in.atNil()) {
            server.begin(in.buffer());
            boolean valid = readMap(server);
            server.state = !valid
                    ? DecodedServer.REJECTED
                    : server.isEmpty() ? DecodedServer.NOT_THERE : DecodedServer.PRESENT;
        }
        in.position(end);
        return true;
    }

    private boolean readMap(DecodedServer server) {
        if (!in.readMapHeader()) {
            return false;
        }
        for (int pairs = in.count(); pairs > 0; pairs--) {
            if (!in.readString() || !readValue(server, in.start(), in.length())) {
                return false;
            }
        }
        return true;
    }

    private boolean readValue(DecodedServer server, int keyStart, int keyLength) {
        int key = ServerKey.match(in.buffer(), keyStart, keyLength);
        if (key >= 0) {
            return readNumber(server, key);
        }
        boolean prefill = ServerKey.isText(PREFILL_NODE, in.buffer(), keyStart, keyLength);
        if (prefill || ServerKey.isText(DECODE_NODE, in.buffer(), keyStart, keyLength)) {
            return readNode(server, prefill);
        }
        return ServerKey.isText(SOURCE, in.buffer(), keyStart, keyLength) ? readSource(server) : in.skip(2);
    }

    private boolean readNumber(DecodedServer server, int key) {
        server.numbers[key] = DecodedServer.ABSENT;
        if (in.atNil()) {
            in.skipNil();
            return true;
        }
        if (!in.readInteger() || in.integer() < 0) {
            return false;
        }
        server.numbers[key] = in.integer(); // above 2^63 - 1 it reads as negative, and was rejected
        return true;
    }

    private boolean readNode(DecodedServer server, boolean prefill) {
        boolean absent = in.atNil();
        if (absent) {
            in.skipNil();
        } else if (!in.readText() || in.length() > ServerTimes.NODE_MAX_BYTES) {
            return false;
        }
        int length = absent ? DecodedServer.ABSENT_TEXT : in.length();
        if (prefill) {
            server.prefillStart = in.start();
            server.prefillLength = length;
        } else {
            server.decodeStart = in.start();
            server.decodeLength = length;
        }
        return true;
    }

    private boolean readSource(DecodedServer server) {
        server.source = DecodedServer.NO_SOURCE;
        if (in.atNil()) {
            in.skipNil();
            return true;
        }
        if (!in.readString()) {
            return false;
        }
        for (byte i = 0; i < SOURCES.length; i++) {
            if (ServerKey.isText(SOURCES[i], in.buffer(), in.start(), in.length())) {
                server.source = i;
                return true;
            }
        }
        return false;
    }
}
