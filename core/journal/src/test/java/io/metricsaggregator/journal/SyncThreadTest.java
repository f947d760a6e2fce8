package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SyncThreadTest {
    private static final long OFTEN_NANOS = 1_000_000;

    @TempDir
    private Path directory;

    private SyncThread sync;

    @AfterEach
    void end() {
        if (sync != null) {
            sync.end();
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals("journal"))
                .collect(Collectors.toSet());
    }

    @Test
    void theThreadDoesNotKeepTheProcessAlive() {
        Set<Thread> before = threads();
        sync = new SyncThread(OFTEN_NANOS);
        assertThat(threads())
                .filteredOn(each -> !before.contains(each))
                .hasSize(1)
                .allMatch(Thread::isDaemon);
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
        lingering.early.set(3);
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
    void withoutWorkTheThreadSleepsUntilThereIsSome() throws Exception {
        sync = new SyncThread(OFTEN_NANOS);
        ScriptedChannel file = new ScriptedChannel();
        for (int i = 0; i < 3; i++) {
            await(Thread.State.WAITING);
            sync.dirty(file);
            assertThat(file.next()).isEqualTo("fdatasync");
            await(Thread.State.WAITING);
            ScriptedChannel folder = new ScriptedChannel();
            sync.folder(folder);
            assertThat(folder.next()).isEqualTo("fsync");
            assertThat(folder.next()).isEqualTo("close");
        }
    }

    @Test
    void whatComesDuringAnFsyncIsDoneAfterIt() throws Exception {
        sync = new SyncThread(OFTEN_NANOS);
        ScriptedChannel file = new ScriptedChannel();
        List<Handing> all = List.of(sync::dirty, sync::retire, sync::folder);
        for (Handing handing : all) {
            ScriptedChannel next = new ScriptedChannel();
            file.whenForced = () -> {
                try {
                    handing.hand(next);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            };
            sync.dirty(file);
            assertThat(file.next()).isEqualTo("fdatasync");
            assertThat(next.next()).isIn("fdatasync", "fsync");
        }
    }

    private interface Handing {
        void hand(ScriptedChannel file) throws IOException;
    }

    /** Waits until the thread {@code journal} is in a state; one that wakes up each interval is {@code TIMED_WAITING}. */
    private static void await(Thread.State state) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (Thread.getAllStackTraces().keySet().stream()
                .noneMatch(each -> each.getName().equals("journal") && each.getState() == state)) {
            assertThat(System.nanoTime()).as("the thread is %s", state).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void theEndWakesAThreadThatSleeps() {
        sync = new SyncThread(TimeUnit.HOURS.toNanos(1));
        await(Thread.State.WAITING);
        sync.end();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(each -> each.getName().equals("journal"));
    }

    @Test
    void theEndWaitsForTheFsyncOfAFullSegment() throws Exception {
        sync = new SyncThread(OFTEN_NANOS);
        Thread caller = Thread.currentThread();
        AtomicBoolean ended = new AtomicBoolean();
        ScriptedChannel full = new ScriptedChannel();
        full.whenForced = () -> {
            while (!ended.get() && caller.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        };
        sync.retire(full);
        assertThat(full.next()).isEqualTo("fdatasync");
        sync.end();
        ended.set(true);
        sync.finishRetired();
        assertThat(full.calls).containsExactly("close");
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
        Set<Thread> before = threads();
        for (long never : new long[] {0, -1}) {
            sync = new SyncThread(never);
            ScriptedChannel full = new ScriptedChannel();
            sync.dirty(full);
            assertThat(threads()).as("no thread").isSubsetOf(before);
            sync.retire(full);
            assertThat(sync.dirty.get()).isNull();
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

    @Test
    void theDiskIsAskedToKeepEachBurstOrTheLastAndAFailedSegmentIsClosed() throws IOException {
        for (long syncNanos : new long[] {0, -1}) {
            Path own = Files.createDirectory(directory.resolve("disk" + syncNanos));
            ScriptedChannel disk = new ScriptedChannel();
            JournalWriter writer = new JournalWriter(own, Map.of(), 1, 0, 1 << 20, syncNanos);
            Objects.requireNonNull(writer.segment).channel().close();
            writer.segment = new BufferedSegment(disk, ByteBuffer.allocate(1 << 10));
            writer.frame(ByteBuffer.allocate(50), 0, 50, 5);
            writer.endBurst(5);
            assertThat(disk.calls).hasSize(syncNanos == 0 ? 1 : 0);
            disk.calls.clear();
            int before = disk.written.size();
            writer.outage(1, 2, 5);
            assertThat(disk.written.size()).isEqualTo(before + 33);
            writer.close();
            assertThat(disk.calls).containsExactly("fdatasync", "close");
        }
        ScriptedChannel failing = new ScriptedChannel();
        failing.writeFailure = new IOException("no space left on device");
        try (JournalWriter writer = new JournalWriter(directory, Map.of(), 1, 0, 1 << 20, -1)) {
            Objects.requireNonNull(writer.segment).channel().close();
            writer.segment = new BufferedSegment(failing, ByteBuffer.allocate(100));
            writer.frame(ByteBuffer.allocate(5000), 0, 5000, 5);
            assertThat(writer.errors()).as("in the middle of a burst").isEqualTo(1);
            assertThat(writer.missed()).isEqualTo(1);
            assertThat(failing.calls).containsExactly("close");
            writer.settle(5);
            assertThat(writer.errors()).as("without a segment").isEqualTo(1);
        }
    }
}
