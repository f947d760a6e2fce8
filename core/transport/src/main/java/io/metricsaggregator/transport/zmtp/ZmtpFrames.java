package io.metricsaggregator.transport.zmtp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Encodes the greeting, commands and frame headers of ZMTP 3. */
final class ZmtpFrames {
    static final int GREETING_LENGTH = 64;
    static final int MECHANISM_START = 12;
    static final int MECHANISM_LENGTH = 20;

    static final int FLAG_MORE = 1;
    static final int FLAG_LONG = 2;
    static final int FLAG_COMMAND = 4;

    private static final byte[] NULL_MECHANISM = Arrays.copyOf(new byte[] {'N', 'U', 'L', 'L'}, MECHANISM_LENGTH);
    private static final int SHORT_MAX = 255;

    private ZmtpFrames() {}

    /** The greeting of a peer of version 3.{@code minor} that uses the NULL mechanism. */
    static byte[] greeting(int minor) {
        byte[] greeting = new byte[GREETING_LENGTH];
        greeting[0] = (byte) 0xff;
        greeting[9] = 0x7f;
        greeting[10] = 3;
        greeting[11] = (byte) minor;
        System.arraycopy(NULL_MECHANISM, 0, greeting, MECHANISM_START, MECHANISM_LENGTH);
        return greeting;
    }

    /** A byte of the name of the NULL mechanism, padded with zeros. */
    static byte nullMechanism(int index) {
        return NULL_MECHANISM[index];
    }

    /** The READY command of a socket, with its type as the only metadata. */
    static byte[] ready(SocketType socketType) {
        byte[] type = socketType.name().getBytes(StandardCharsets.US_ASCII);
        byte[] key = "Socket-Type".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer metadata = ByteBuffer.allocate(1 + key.length + 4 + type.length);
        metadata.put((byte) key.length).put(key).putInt(type.length).put(type);
        return command("READY", metadata.array());
    }

    /** Encodes a command frame. */
    static byte[] command(String name, byte[] body) {
        ByteBuffer command = ByteBuffer.allocate(1 + name.length() + body.length);
        command.put((byte) name.length())
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .put(body);
        return framed(FLAG_COMMAND, command.array());
    }

    /** Encodes a message frame without the flag MORE. */
    static byte[] message(byte[] body) {
        return framed(0, body);
    }

    private static byte[] framed(int flags, byte[] body) {
        ByteBuffer frame = ByteBuffer.allocate(headerLength(body.length) + body.length);
        putHeader(frame, flags, body.length);
        return frame.put(body).array();
    }

    /** Length of a frame's header: 2 bytes for a body up to 255 bytes, otherwise 9. */
    static int headerLength(int bodyLength) {
        return bodyLength <= SHORT_MAX ? 2 : 9;
    }

    /** Writes a frame's header. */
    static void putHeader(ByteBuffer into, int flags, int bodyLength) {
        if (bodyLength <= SHORT_MAX) {
            into.put((byte) flags).put((byte) bodyLength);
        } else {
            into.put((byte) (flags | FLAG_LONG)).putLong(bodyLength);
        }
    }
}
