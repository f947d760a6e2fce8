package io.metricsaggregator.transport.zmtp;

import static io.metricsaggregator.transport.zmtp.ZmtpFrames.FLAG_COMMAND;
import static io.metricsaggregator.transport.zmtp.ZmtpFrames.FLAG_LONG;
import static io.metricsaggregator.transport.zmtp.ZmtpFrames.FLAG_MORE;
import static io.metricsaggregator.transport.zmtp.ZmtpFrames.GREETING_LENGTH;
import static io.metricsaggregator.transport.zmtp.ZmtpFrames.MECHANISM_LENGTH;
import static io.metricsaggregator.transport.zmtp.ZmtpFrames.MECHANISM_START;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One connection's side of ZMTP 3.0 and 3.1 with the NULL mechanism (rfc.zeromq.org/spec/23 and 37): a state machine
 * that turns received bytes into events and answers. It uses no socket and no clock, and allocates nothing per message.
 */
final class ZmtpEngine {
    private static final int SIGNATURE_LENGTH = 10;

    /** Limit of READY with its metadata, which takes some 50 bytes in practice. */
    private static final int HANDSHAKE_COMMAND_MAX = 4096;
    /** Limit of a command after the handshake, such as SUBSCRIBE or PING. */
    private static final int COMMAND_MAX = 1024;
    /** Limit of the answers waiting to be sent: greeting, READY and PONGs. */
    private static final int CONTROL_MAX = 16 * 1024;
    /** Limit of a PING's context, which the PONG returns. */
    private static final int PING_CONTEXT_MAX = 16;

    private enum Phase {
        GREETING,
        HANDSHAKE,
        TRAFFIC,
        FAILED
    }

    private final SocketType ownType;
    private final int ownMinorVersion;
    private final long messageMaxBytes;
    private final EngineListener listener;

    private Phase phase = Phase.GREETING;
    private int peerMinorVersion;
    private @Nullable ProtocolError error;
    private String errorDetail = "";
    private ByteBuffer control = ByteBuffer.allocate(256);

    /**
     * Starts a connection and queues its greeting.
     *
     * @param ownMinorVersion the 3.x version to announce: 0 or 1
     * @param messageMaxBytes longest message accepted; 0 for a socket that receives none
     */
    ZmtpEngine(SocketType ownType, int ownMinorVersion, long messageMaxBytes, EngineListener listener) {
        this.ownType = ownType;
        this.ownMinorVersion = ownMinorVersion;
        this.messageMaxBytes = messageMaxBytes;
        this.listener = listener;
        answer(ZmtpFrames.greeting(ownMinorVersion));
    }

    /** Whether the handshake is complete and the connection has not failed. */
    boolean isReady() {
        return phase == Phase.TRAFFIC;
    }

    /** The reason to close the connection; null if there is none. */
    @Nullable
    ProtocolError error() {
        return error;
    }

    /** The peer's text about the error in printable ASCII; may be empty. */
    String errorDetail() {
        return errorDetail;
    }

    /** Whether both sides speak ZMTP 3.1, which has PING and SUBSCRIBE commands. */
    boolean speaks31() {
        return ownMinorVersion >= 1 && peerMinorVersion >= 1;
    }

    /**
     * Consumes received bytes.
     *
     * @param buffer big-endian
     * @param start first byte not consumed before
     * @param end one after the last byte received
     * @return the first byte not consumed; the next call passes it again with more bytes behind
     */
    int receive(ByteBuffer buffer, int start, int end) {
        int position = start;
        while (true) {
            int next = switch (phase) {
                case GREETING -> readGreeting(buffer, position, end);
                case HANDSHAKE, TRAFFIC -> readFrame(buffer, position, end);
                case FAILED -> end;
            };
            if (next == position) {
                return position;
            }
            position = next;
            if (phase == Phase.FAILED) {
                return end;
            }
        }
    }

    /**
     * Whole length, header included, of the frame whose first bytes are at {@code start}; the bytes received may be fewer. The
     * peer declared it: allocate room as bytes arrive, not ahead of them.
     */
    long frameLength(ByteBuffer buffer, int start, int end) {
        if (phase == Phase.GREETING) {
            return GREETING_LENGTH;
        }
        boolean isLong = end > start && (buffer.get(start) & FLAG_LONG) != 0;
        if (isLong) {
            return end - start < 9 ? 9 : 9 + Math.max(0, buffer.getLong(start + 1));
        }
        return end - start < 2 ? 2 : 2 + (buffer.get(start + 1) & 0xff);
    }

    private int readGreeting(ByteBuffer buffer, int start, int end) {
        int available = end - start;
        // Another protocol is rejected at its first deviating byte: the rest of 64 bytes may never arrive.
        if (available >= 1 && buffer.get(start) != (byte) 0xff) {
            return fail(ProtocolError.NOT_ZMTP, start, end);
        }
        if (available >= SIGNATURE_LENGTH && (buffer.get(start + 9) & 1) == 0) {
            return fail(ProtocolError.NOT_ZMTP, start, end);
        }
        if (available > SIGNATURE_LENGTH && (buffer.get(start + 10) & 0xff) < 3) {
            return fail(ProtocolError.OLD_VERSION, start, end);
        }
        if (available < GREETING_LENGTH) {
            return start;
        }
        peerMinorVersion = buffer.get(start + 11) & 0xff;
        for (int i = 0; i < MECHANISM_LENGTH; i++) {
            if (buffer.get(start + MECHANISM_START + i) != ZmtpFrames.nullMechanism(i)) {
                return fail(ProtocolError.OTHER_MECHANISM, start, end);
            }
        }
        phase = Phase.HANDSHAKE;
        answer(ZmtpFrames.ready(ownType));
        return start + GREETING_LENGTH;
    }

    private int readFrame(ByteBuffer buffer, int start, int end) {
        if (end - start < 2) {
            return start;
        }
        int flags = buffer.get(start) & 0xff;
        if (flags > 7 || (flags >= FLAG_COMMAND && (flags & FLAG_MORE) != 0)) {
            return fail(ProtocolError.BAD_FLAGS, start, end);
        }
        boolean command = (flags & FLAG_COMMAND) != 0;
        long length;
        int body;
        if ((flags & FLAG_LONG) == 0) {
            length = buffer.get(start + 1) & 0xff;
            body = start + 2;
        } else {
            if (end - start < 9) {
                return start;
            }
            length = buffer.getLong(start + 1);
            body = start + 9;
        }
        long most = command ? (phase == Phase.HANDSHAKE ? HANDSHAKE_COMMAND_MAX : COMMAND_MAX) : messageMax();
        if (length < 0 || length > most) {
            return fail(ProtocolError.FRAME_TOO_LARGE, start, end);
        }
        if (!command && phase == Phase.HANDSHAKE) {
            return fail(ProtocolError.NOT_READY, start, end);
        }
        if (end - body < length) {
            return start;
        }
        int size = (int) length;
        boolean accepted = command ? readCommand(buffer, body, size) : readMessage(buffer, body, size);
        return accepted ? body + size : end;
    }

    private long messageMax() {
        // A publisher's peers send subscriptions as messages when they speak 3.0.
        return ownType == SocketType.PUB ? COMMAND_MAX : messageMaxBytes;
    }

    private boolean readMessage(ByteBuffer buffer, int start, int length) {
        switch (ownType) {
            case SUB -> listener.onMessage(buffer, start, length);
            case PUB -> {
                int kind = length == 0 ? -1 : buffer.get(start);
                if (kind == 1) {
                    listener.onSubscribe(copy(buffer, start + 1, length - 1));
                } else if (kind == 0) {
                    listener.onCancel(copy(buffer, start + 1, length - 1));
                } else {
                    return failed(ProtocolError.UNEXPECTED_MESSAGE);
                }
            }
            case PUSH -> {
                return failed(ProtocolError.UNEXPECTED_MESSAGE);
            }
        }
        return phase != Phase.FAILED;
    }

    private boolean readCommand(ByteBuffer buffer, int start, int length) {
        int nameLength = length == 0 ? 0 : buffer.get(start) & 0xff;
        if (nameLength == 0 || nameLength > length - 1) {
            return failed(ProtocolError.BAD_COMMAND);
        }
        String name = text(buffer, start + 1, nameLength);
        int body = start + 1 + nameLength;
        int bodyLength = length - 1 - nameLength;
        if (phase == Phase.HANDSHAKE) {
            return readHandshakeCommand(name, buffer, body, bodyLength);
        }
        switch (name) {
            case "SUBSCRIBE", "CANCEL" -> {
                if (ownType != SocketType.PUB) {
                    return failed(ProtocolError.UNEXPECTED_MESSAGE);
                }
                byte[] prefix = copy(buffer, body, bodyLength);
                if (name.equals("SUBSCRIBE")) {
                    listener.onSubscribe(prefix);
                } else {
                    listener.onCancel(prefix);
                }
            }
            case "PING" -> {
                if (bodyLength < 2 || bodyLength > 2 + PING_CONTEXT_MAX) {
                    return failed(ProtocolError.BAD_COMMAND);
                }
                answer(ZmtpFrames.command("PONG", copy(buffer, body + 2, bodyLength - 2)));
            }
            case "PONG" -> listener.onPong();
            default -> {
                // A command of a later version: ignored, as the specification asks.
            }
        }
        return phase != Phase.FAILED;
    }

    private boolean readHandshakeCommand(String name, ByteBuffer buffer, int start, int length) {
        if (name.equals("ERROR")) {
            int reasonLength = length == 0 ? 0 : Math.min(buffer.get(start) & 0xff, length - 1);
            errorDetail = length == 0 ? "" : text(buffer, start + 1, reasonLength);
            return failed(ProtocolError.REFUSED);
        }
        if (!name.equals("READY")) {
            return failed(ProtocolError.NOT_READY);
        }
        int position = start;
        int end = start + length;
        String peerType = "";
        while (position < end) {
            int keyLength = buffer.get(position) & 0xff;
            int valueLengthAt = position + 1 + keyLength;
            if (keyLength == 0 || end - valueLengthAt < 4) {
                return failed(ProtocolError.BAD_COMMAND);
            }
            int valueLength = buffer.getInt(valueLengthAt);
            int valueAt = valueLengthAt + 4;
            if (valueLength < 0 || valueLength > end - valueAt) {
                return failed(ProtocolError.BAD_COMMAND);
            }
            if (text(buffer, position + 1, keyLength).equalsIgnoreCase("Socket-Type")) {
                peerType = text(buffer, valueAt, valueLength);
            }
            position = valueAt + valueLength;
        }
        if (!ownType.acceptsPeer(peerType)) {
            errorDetail = peerType;
            return failed(ProtocolError.WRONG_SOCKET_TYPE);
        }
        phase = Phase.TRAFFIC;
        listener.onReady();
        return phase != Phase.FAILED;
    }

    /** Subscribes to messages that start with {@code prefix}. */
    void subscribe(byte[] prefix) {
        if (speaks31()) {
            answer(ZmtpFrames.command("SUBSCRIBE", prefix));
            return;
        }
        byte[] message = new byte[1 + prefix.length];
        message[0] = 1;
        System.arraycopy(prefix, 0, message, 1, prefix.length);
        answer(ZmtpFrames.message(message));
    }

    /** Sends a PING, whose PONG confirms everything sent before it. Only for a peer of ZMTP 3.1. */
    void ping() {
        answer(ZmtpFrames.command("PING", new byte[] {0, 0}));
    }

    /** Fails the connection for a reason that its owner found. */
    void abandon(ProtocolError why) {
        failed(why);
    }

    /** Moves as many bytes of the answers as fit into {@code into}. */
    void takeControl(ByteBuffer into) {
        control.flip();
        int size = Math.min(control.remaining(), into.remaining());
        into.put(into.position(), control, control.position(), size);
        into.position(into.position() + size);
        control.position(control.position() + size);
        control.compact();
    }

    /** Whether answers wait to be sent. */
    boolean hasControl() {
        return control.position() > 0;
    }

    private void answer(byte[] bytes) {
        if (control.position() + bytes.length > CONTROL_MAX) {
            failed(ProtocolError.CONTROL_FLOOD);
            return;
        }
        if (control.remaining() < bytes.length) {
            ByteBuffer larger =
                    ByteBuffer.allocate(Math.max(2 * control.capacity(), control.position() + bytes.length));
            control.flip();
            control = larger.put(control);
        }
        control.put(bytes);
    }

    private int fail(ProtocolError why, int start, int end) {
        failed(why);
        // The caller checks the phase only after bytes were consumed.
        return Math.max(end, start + 1);
    }

    private boolean failed(ProtocolError why) {
        if (phase != Phase.FAILED) {
            phase = Phase.FAILED;
            error = why;
        }
        return false;
    }

    /** Decodes printable ASCII; any other byte becomes a question mark. */
    private static String text(ByteBuffer buffer, int start, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            int b = buffer.get(start + i);
            text.append(b < 0x20 || b == 0x7f ? '?' : (char) b);
        }
        return text.toString();
    }

    private static byte[] copy(ByteBuffer buffer, int start, int length) {
        byte[] bytes = new byte[length];
        buffer.get(start, bytes);
        return bytes;
    }
}
