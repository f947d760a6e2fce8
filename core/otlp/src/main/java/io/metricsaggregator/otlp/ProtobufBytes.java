package io.metricsaggregator.otlp;

import java.io.ByteArrayOutputStream;

/** Writes the two wire types of protobuf that an answer needs. */
final class ProtobufBytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    ProtobufBytes varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
        return this;
    }

    ProtobufBytes block(byte[] bytes) {
        varint(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
