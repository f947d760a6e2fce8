package io.metricsaggregator.simulation.net;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Bytes of ZMTP 3 as peers send them. */
public final class ZmtpBytes {
    static final int GREETING = 64;
    static final int FLAG_LONG = 2;
    static final int FLAG_COMMAND = 4;
    static final int SHORT_MAX = 255;

    private static final int MINOR_VERSION_AT = 11;

    private ZmtpBytes() {}

    /** A greeting of ZMTP 3.0. */
    static byte[] greeting(String mechanism) {
        ByteBuffer bytes = ByteBuffer.allocate(GREETING);
        bytes.put((byte) 0xff).position(9);
        bytes.put((byte) 0x7f).put((byte) 3).put((byte) 0);
        bytes.put(ascii(mechanism));
        return bytes.array();
    }

    /** A greeting of ZMTP 3.1 with the mechanism NULL. */
    static byte[] greeting31() {
        byte[] greeting = greeting("NULL");
        greeting[MINOR_VERSION_AT] = 1;
        return greeting;
    }

    /** The command READY of a socket. */
    static byte[] ready(String socketType) {
        return frame(FLAG_COMMAND, ascii("\5READY\13Socket-Type\0\0\0" + (char) socketType.length() + socketType));
    }

    /** The whole handshake of a peer. */
    public static byte[] hello(String socketType) {
        return join(greeting("NULL"), ready(socketType));
    }

    /** A message of one frame. */
    public static byte[] message(byte[] body) {
        return frame(0, body);
    }

    static byte[] frame(int flags, byte[] body) {
        return body.length > SHORT_MAX
                ? join(header(flags, body.length), body)
                : join(new byte[] {(byte) flags, (byte) body.length}, body);
    }

    /** The header of a long frame. */
    static byte[] header(int flags, long length) {
        return ByteBuffer.allocate(9)
                .put((byte) (flags | FLAG_LONG))
                .putLong(length)
                .array();
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] each : parts) {
            length += each.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] each : parts) {
            all.put(each);
        }
        return all.array();
    }

    /** Whether bytes that a subscribing socket has sent hold its handshake and a subscription behind it. */
    public static boolean isSubscribed(byte[] received) {
        int ready = GREETING + 2;
        return received.length > ready && received.length >= ready + (received[GREETING + 1] & 0xff) + 3;
    }
}
