package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackFault;

/** Why a record is malformed. The snapshot counts each reason under its {@link #reason} name. */
public enum Malformation {
    NOT_A_MAP("not_a_map", "the record is not a map"),
    TRUNCATED("truncated", "a value goes beyond the end of the record"),
    TRAILING_BYTES("trailing_bytes", "there are bytes after the record"),
    RESERVED_BYTE("reserved_byte", "the record contains the byte 0xc1, which msgpack never uses"),
    TOO_DEEP("too_deep", "a value is nested too deep"),
    KEY_NOT_STRING("key_not_string", "a key is not a string"),
    EVENT_TYPE_MISSING("event_type_missing", "event_type is missing"),
    EVENT_TYPE_INVALID("event_type_invalid", "event_type is not a string of valid UTF-8"),
    TIMESTAMP_INVALID("timestamp_ns_invalid", "timestamp_ns is not an integer of 64 bits"),
    SAMPLE_UUID_INVALID("sample_uuid_invalid", "sample_uuid is not a string of valid UTF-8"),
    CONVERSATION_ID_INVALID("conversation_id_invalid", "conversation_id is not a string of valid UTF-8"),
    TURN_INVALID("turn_invalid", "turn is neither an integer nor nil"),
    DATA_INVALID("data_invalid", "data is neither nil nor an array of a known tag and its elements"),
    FINISH_REASON_INVALID("finish_reason_invalid", "finish_reason is not a string of valid UTF-8"),
    WORKER_ID_INVALID("worker_id_invalid", "worker_id is not an integer");

    private final String reason;
    private final String text;

    Malformation(String reason, String text) {
        this.reason = reason;
        this.text = text;
    }

    /** The short name in snapshots and tables, such as {@code finish_reason_invalid}. */
    public String reason() {
        return reason;
    }

    /** The reason as a clause of a log line or error message. */
    public String text() {
        return text;
    }

    /** The reason for a fault: structural faults have reasons of their own; a value of the wrong type gives the reason of its field. */
    static Malformation of(MsgpackFault fault, Malformation field) {
        return switch (fault) {
            case TRUNCATED -> TRUNCATED;
            case RESERVED_BYTE -> RESERVED_BYTE;
            case TOO_DEEP -> TOO_DEEP;
            case WRONG_TYPE, INTEGER_OUT_OF_RANGE, INVALID_UTF8 -> field;
        };
    }
}
