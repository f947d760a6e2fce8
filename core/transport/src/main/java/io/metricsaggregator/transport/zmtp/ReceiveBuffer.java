package io.metricsaggregator.transport.zmtp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * The received bytes of one connection that are not consumed yet, in a direct buffer that grows with what has been received rather
 * than with what a frame header declares. Its capacity counts against the transport's receive budget.
 */
final class ReceiveBuffer {
    /** The buffer grows to this size when reads fill it, whatever the frames need: fewer and larger reads. */
    private static final int READ_TARGET_BYTES = 1 << 18;
    /** A buffer that one large frame made larger than this is replaced after that frame. */
    private static final int KEEP_MAX_BYTES = 1 << 22;

    private final ZmtpContext context;
    private final int readTargetBytes;
    private ByteBuffer bytes;
    private int head;
    private int tail;
    private boolean filledByLastRead;

    /**
     * Allocates the buffer.
     *
     * @param initialBytes first capacity
     * @param growsWithReads whether reads that fill the buffer make it larger; if not, only a frame that needs it does
     */
    ReceiveBuffer(ZmtpContext context, int initialBytes, boolean growsWithReads) {
        this.context = context;
        this.readTargetBytes = growsWithReads ? READ_TARGET_BYTES : initialBytes;
        this.bytes = ByteBuffer.allocateDirect(initialBytes);
        context.holdReceiveBytes(initialBytes);
    }

    /** Bytes received and not consumed: a part of a frame. */
    int unconsumed() {
        return tail - head;
    }

    /**
     * Makes room to read into.
     *
     * @return false if the next frame does not fit into the receive budget
     */
    boolean makeRoom(ZmtpEngine engine) {
        bytes.limit(bytes.capacity());
        boolean readMore = filledByLastRead && bytes.capacity() < readTargetBytes;
        if (head == tail) {
            head = 0;
            tail = 0;
            if (bytes.capacity() > KEEP_MAX_BYTES) {
                replace(READ_TARGET_BYTES);
            } else if (readMore) {
                growTo(2L * bytes.capacity());
            }
            return true;
        }
        long needed = engine.frameLength(bytes, head, tail);
        if (readMore || (needed > bytes.capacity() && tail - head > bytes.capacity() / 2)) {
            // Doubling a filled buffer: memory follows the bytes received, not the length declared.
            boolean grown = growTo(Math.min(2L * bytes.capacity(), Math.max(needed, READ_TARGET_BYTES)));
            if (!grown && tail - head == bytes.capacity()) {
                return false;
            }
        }
        if (head > 0 && (needed > bytes.capacity() - head || bytes.capacity() - tail < bytes.capacity() / 4)) {
            bytes.position(head).limit(tail);
            bytes.compact();
            tail -= head;
            head = 0;
            bytes.limit(bytes.capacity());
        }
        return true;
    }

    /**
     * Reads once from the channel.
     *
     * @return bytes read; −1 at the end of the stream
     */
    int readFrom(ReadableByteChannel channel) throws IOException {
        bytes.limit(bytes.capacity()).position(tail);
        int room = bytes.remaining();
        int size = channel.read(bytes);
        filledByLastRead = size == room;
        if (size > 0) {
            tail += size;
        }
        return size;
    }

    /** Whether the last read filled the buffer, so that the channel may have more. */
    boolean filledByLastRead() {
        return filledByLastRead;
    }

    /** Passes the unconsumed bytes to the engine, which consumes whole frames. */
    void passTo(ZmtpEngine engine) {
        head = engine.receive(bytes, head, tail);
    }

    /** Gives the memory back to the budget; the buffer must not be used afterwards. */
    void release() {
        context.holdReceiveBytes(-bytes.capacity());
        context.discarded(bytes.capacity());
    }

    /** Grows to {@code capacity}; false if all connections together would exceed the receive budget. */
    private boolean growTo(long capacity) {
        if (capacity <= bytes.capacity()) {
            return capacity == bytes.capacity();
        }
        if (!context.mayHoldReceiveBytes(capacity - bytes.capacity())) {
            return false;
        }
        replace((int) capacity);
        return true;
    }

    private void replace(int capacity) {
        ByteBuffer larger = ByteBuffer.allocateDirect(capacity);
        context.holdReceiveBytes(capacity - bytes.capacity());
        context.discarded(bytes.capacity());
        bytes.position(head).limit(tail);
        larger.put(bytes);
        larger.limit(capacity);
        bytes = larger;
        tail -= head;
        head = 0;
    }
}
