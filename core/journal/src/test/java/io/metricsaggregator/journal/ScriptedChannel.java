package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A channel that records calls to force and close, and fails when scripted to, and takes a few bytes at a time. A fake without a disk behind it. */
final class ScriptedChannel extends FileChannel implements SyncThread.Dirty {
    private static final long PATIENCE_S = 30;

    final ByteArrayOutputStream written = new ByteArrayOutputStream();
    /** Most bytes of a write. */
    int writeMax = Integer.MAX_VALUE;

    /** Thrown by each write; null for none. */
    volatile IOException writeFailure;

    /** Writes wait until it is counted down. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    /** Called by each write, at its end. */
    Runnable whenWritten = () -> {};

    /** Called by each force. */
    Runnable whenForced = () -> {};

    final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    final BlockingQueue<IOException> failures = new LinkedBlockingQueue<>();

    /** Fsyncs that begin before all bytes are written. */
    final AtomicInteger early = new AtomicInteger();

    @Override
    public FileChannel channel() {
        return this;
    }

    @Override
    public boolean isWritten() {
        return early.getAndDecrement() <= 0;
    }

    String next() throws InterruptedException {
        return calls.poll(PATIENCE_S, TimeUnit.SECONDS);
    }

    @Override
    public void force(boolean metaData) throws IOException {
        calls.add(metaData ? "fsync" : "fdatasync");
        whenForced.run();
        IOException failure = failures.poll();
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    protected void implCloseChannel() {
        calls.add("close");
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("a sync does not call this");
    }

    @Override
    public int read(ByteBuffer dst) {
        throw unsupported();
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) {
        throw unsupported();
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        try {
            assertThat(gate.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        if (writeFailure != null) {
            throw writeFailure;
        }
        byte[] piece = new byte[Math.min(writeMax, src.remaining())];
        src.get(piece);
        written.writeBytes(piece);
        whenWritten.run();
        return piece.length;
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) {
        throw unsupported();
    }

    @Override
    public long position() {
        throw unsupported();
    }

    @Override
    public FileChannel position(long newPosition) {
        throw unsupported();
    }

    @Override
    public long size() {
        throw unsupported();
    }

    @Override
    public FileChannel truncate(long size) {
        throw unsupported();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw unsupported();
    }

    @Override
    public long transferFrom(ReadableByteChannel src, long position, long count) {
        throw unsupported();
    }

    @Override
    public int read(ByteBuffer dst, long position) {
        throw unsupported();
    }

    @Override
    public int write(ByteBuffer src, long position) throws IOException {
        assertThat(position).isEqualTo(written.size());
        return write(src);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw unsupported();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw unsupported();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw unsupported();
    }
}
