package io.metricsaggregator.event;

import java.nio.ByteBuffer;

/** The keys of an event record that the load generator's records give a meaning. */
enum EventKey {
    EVENT_TYPE,
    TIMESTAMP_NS,
    SAMPLE_UUID,
    CONVERSATION_ID,
    TURN,
    DATA,
    FINISH_REASON,
    WORKER_ID,
    SEQ,
    SOURCE_ID,
    SCHEDULED_NS,
    LIFE,
    USAGE,
    SERVER,
    PART,
    TOKENS,
    HANDLE,
    LABELS,
    LAST_TURN,
    TRACEPARENT,
    RESPONSE_ID,
    JOB_ID,
    PARENTS,
    AGENT,
    LAST_OF_JOB,
    UNKNOWN;

    /** The key of that name. One word tells the keys of one length apart. */
    static EventKey of(ByteBuffer buffer, int start, int length) {
        return switch (length) {
            case 10 -> matches(buffer, start, 0x6576656e745f7479L, 0x656e745f74797065L, 2) ? EVENT_TYPE : UNKNOWN;
            case 12 -> {
                if (matches(buffer, start, 0x74696d657374616dL, 0x7374616d705f6e73L, 4)) {
                    yield TIMESTAMP_NS;
                }
                boolean scheduled = matches(buffer, start, 0x7363686564756c65L, 0x64756c65645f6e73L, 4);
                yield scheduled ? SCHEDULED_NS : UNKNOWN;
            }
            case 11 ->
                matches(buffer, start, 0x73616d706c655f75L, 0x706c655f75756964L, 3)
                        ? SAMPLE_UUID
                        : optional(buffer, start, length);
            case 15 -> matches(buffer, start, 0x636f6e7665727361L, 0x6174696f6e5f6964L, 7) ? CONVERSATION_ID : UNKNOWN;
            case 13 -> matches(buffer, start, 0x66696e6973685f72L, 0x685f726561736f6eL, 5) ? FINISH_REASON : UNKNOWN;
            case 9 -> {
                if (buffer.getLong(start) == 0x776f726b65725f69L && buffer.get(start + 8) == 'd') {
                    yield WORKER_ID;
                }
                if (buffer.getLong(start) == 0x736f757263655f69L && buffer.get(start + 8) == 'd') {
                    yield SOURCE_ID;
                }
                yield optional(buffer, start, length);
            }
            case 4 -> {
                int name = buffer.getInt(start);
                yield name == 0x7475726e ? TURN : name == 0x64617461 ? DATA : optional(buffer, start, length);
            }
            case 3 ->
                buffer.get(start) == 's' && buffer.get(start + 1) == 'e' && buffer.get(start + 2) == 'q'
                        ? SEQ
                        : UNKNOWN;
            default -> optional(buffer, start, length);
        };
    }

    /** The keys that most records do not have; apart from the others, whose method stays small enough to be inlined. */
    private static EventKey optional(ByteBuffer buffer, int start, int length) {
        return switch (length) {
            case 9 ->
                buffer.getLong(start) == 0x6c6173745f747572L && buffer.get(start + 8) == 'n' ? LAST_TURN : UNKNOWN;
            case 4 -> {
                int name = buffer.getInt(start);
                yield name == 0x6c696665 ? LIFE : name == 0x70617274 ? PART : UNKNOWN;
            }
            case 5 -> {
                int name = buffer.getInt(start);
                if (name == 0x6167656e && buffer.get(start + 4) == 't') {
                    yield AGENT;
                }
                yield name == 0x75736167 && buffer.get(start + 4) == 'e' ? USAGE : UNKNOWN;
            }
            case 6 -> {
                int name = buffer.getInt(start);
                int end = buffer.getShort(start + 4);
                if (name == 0x6c616265 && end == 0x6c73) {
                    yield LABELS;
                }
                if (name == 0x73657276 && end == 0x6572) {
                    yield SERVER;
                }
                if (name == 0x68616e64 && end == 0x6c65) {
                    yield HANDLE;
                }
                if (name == 0x6a6f625f && end == 0x6964) {
                    yield JOB_ID;
                }
                yield name == 0x746f6b65 && end == 0x6e73 ? TOKENS : UNKNOWN;
            }
            case 7 -> buffer.getInt(start) == 0x70617265 && buffer.getInt(start + 3) == 0x656e7473 ? PARENTS : UNKNOWN;
            case 11 -> {
                if (matches(buffer, start, 0x7472616365706172L, 0x6365706172656e74L, 3)) {
                    yield TRACEPARENT;
                }
                if (matches(buffer, start, 0x6c6173745f6f665fL, 0x745f6f665f6a6f62L, 3)) {
                    yield LAST_OF_JOB;
                }
                yield matches(buffer, start, 0x726573706f6e7365L, 0x706f6e73655f6964L, 3) ? RESPONSE_ID : UNKNOWN;
            }
            default -> UNKNOWN;
        };
    }

    private static boolean matches(ByteBuffer buffer, int start, long first, long last, int lastOffset) {
        return buffer.getLong(start) == first && buffer.getLong(start + lastOffset) == last;
    }
}
