package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SyncThreadTest {
    private static final long OFTEN_NANOS = 1_000_000;
    private static final long PATIENCE_S = 30;

    private SyncThread sync;

    @AfterEach
    void end() {
        if (sync != null) {
            sync.end();
        }
    }

    /** A channel that records calls to force and close, and fails when scripted to. A fake without a disk behind it. */
    private static final class ScriptedChannel extends FileChannel implements SyncThread.Dirty {
        final AtomicInteger unwritten = new AtomicInteger();
        final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
        final BlockingQueue<IOException> failures = new LinkedBlockingQueue<>();

        String next() throws InterruptedException {
            return calls.poll(PATIENCE_S, TimeUnit.SECONDS);
        }

        @Override
        public FileChannel channel() {
            return this;
        }

        @Override
        public boolean isWritten() {
            return unwritten.getAndDecrement() <= 0;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            calls.add(metaData ? "fsync" : "fdatasync");
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
        public int write(ByteBuffer src) {
            throw unsupported();
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
        public int write(ByteBuffer src, long position) {
            throw unsupported();
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

    @Test
    void aDirtySegmentIsFsyncedOncePerWrite() throws InterruptedException {
        sync = new SyncThread(OFTEN_NANOS);
        ScriptedChannel first = new ScriptedChannel();
        ScriptedChannel second = new ScriptedChannel();
        for (int i = 0; i < 3; i++) {
            sync.dirty(first);
            assertThat(first.next()).isEqualTo("fdatasync");
        }
        // A request for another file is handled after the first one, which caused no call.
        sync.dirty(second);
        assertThat(second.next()).isEqualTo("fdatasync");
        assertThat(first.calls).isEmpty();
        assertThat(sync.errors()).isZero();
    }

    @Test
    void aSegmentIsFsyncedAgainUntilAnFsyncBeginsAfterItsBytesAreWritten() throws InterruptedException {
        sync = new SyncThread(OFTEN_NANOS);
        ScriptedChannel lingering = new ScriptedChannel();
        lingering.unwritten.set(3);
        sync.dirty(lingering);
        for (int i = 0; i < 4; i++) {
            assertThat(lingering.next()).isEqualTo("fdatasync");
        }
        ScriptedChannel next = new ScriptedChannel();
        sync.dirty(next);
        assertThat(next.next()).isEqualTo("fdatasync");
        assertThat(lingering.calls).isEmpty();
    }

    @Test
    void theThreadFsyncsAndClosesAFullSegment() throws Exception {
        sync = new SyncThread(OFTEN_NANOS);
        ScriptedChannel full = new ScriptedChannel();
        sync.retire(full);
        assertThat(full.next()).isEqualTo("fdatasync");
        assertThat(full.next()).isEqualTo("close");
        assertThat(full.calls).isEmpty();
    }

    @Test
    void withoutAThreadAFullSegmentIsOnlyClosed() throws Exception {
        for (long never : new long[] {0, -1}) {
            sync = new SyncThread(never);
            ScriptedChannel full = new ScriptedChannel();
            sync.dirty(full);
            sync.retire(full);
            assertThat(full.calls).containsExactly("close");
        }
    }

    @Test
    void aFailureIsCountedUnlessTheFileIsClosed() throws InterruptedException {
        sync = new SyncThread(OFTEN_NANOS);
        ScriptedChannel file = new ScriptedChannel();
        file.failures.add(new IOException("no more space"));
        file.failures.add(new ClosedChannelException());
        file.failures.add(new IOException("again"));
        for (int i = 0; i < 4; i++) {
            sync.dirty(file);
            assertThat(file.next()).isEqualTo("fdatasync");
        }
        // The fourth call proves that the thread has finished the third.
        assertThat(sync.errors()).isEqualTo(2);
    }

    @Test
    void theCallerOfCloseFsyncsTheRemainingData() throws Exception {
        sync = new SyncThread(TimeUnit.HOURS.toNanos(1));
        ScriptedChannel full = new ScriptedChannel();
        sync.retire(full);
        sync.end();
        sync.finishRetired();
        assertThat(full.calls).containsExactly("fdatasync", "close");
    }

    @Test
    void aFolderIsFsyncedBeforeTheSegmentThatIsNewInIt() throws Exception {
        sync = new SyncThread(TimeUnit.HOURS.toNanos(1));
        ScriptedChannel both = new ScriptedChannel();
        sync.retire(both);
        sync.folder(both);
        assertThat(both.calls).isEmpty();
        sync.finishRetired();
        assertThat(both.calls.poll()).isEqualTo("fsync");
        assertThat(both.calls.poll()).isEqualTo("close");
    }

    @Test
    void withoutAThreadAFolderIsFsyncedAtOnce() throws Exception {
        for (long never : new long[] {0, -1}) {
            sync = new SyncThread(never);
            ScriptedChannel folder = new ScriptedChannel();
            sync.folder(folder);
            assertThat(folder.calls).containsExactly("fsync", "close");
        }
    }
}
