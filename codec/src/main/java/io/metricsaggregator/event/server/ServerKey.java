package io.metricsaggregator.event.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The numbers of a record's {@code server}: durations in nanoseconds, and bytes, as the server measured them for one request. In the order of encoding. */
public enum ServerKey {
    /** From the arrival of the request at the scheduler until it was scheduled. */
    QUEUE_NS("queue_ns"),
    /** Processing of the prompt. */
    PREFILL_NS("prefill_ns"),
    /** From the scheduling of the request to its first token. */
    TTFT_NS("ttft_ns"),
    /** From the first token to the last. */
    DECODE_NS("decode_ns"),
    /** From the arrival of the request to the end of the answer. */
    E2E_NS("e2e_ns"),
    /** Transfer of the KV cache from the prefill node to the decode node. */
    KV_TRANSFER_NS("kv_transfer_ns"),
    /** Bytes of the KV cache that were transferred. */
    KV_BYTES("kv_bytes");

    private static final ServerKey[] ALL = values();

    /** Number of keys. */
    public static final int COUNT = ALL.length;

    private final String wireName;

    @SuppressWarnings("ImmutableEnumChecker") // never handed out
    private final byte[] bytes;

    ServerKey(String wireName) {
        this.wireName = wireName;
        this.bytes = wireName.getBytes(StandardCharsets.US_ASCII);
    }

    /** The key in the map {@code server}. */
    public String wireName() {
        return wireName;
    }

    /** The ordinal of the key of that name; −1 for an unknown one. Allocates nothing. */
    static int match(ByteBuffer buffer, int start, int length) {
        for (int i = 0; i < COUNT; i++) {
            if (isText(ALL[i].bytes, buffer, start, length)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether a text of a record is {@code expected}. */
    static boolean isText(byte[] expected, ByteBuffer buffer, int start, int length) {
        if (expected.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (buffer.get(start + i) != expected[i]) {
                return false;
            }
        }
        return true;
    }
}
