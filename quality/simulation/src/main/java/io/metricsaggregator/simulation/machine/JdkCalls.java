package io.metricsaggregator.simulation.machine;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What the daemon's classes call in place of the JDK once they are woven; {@link CallTable} names the pairs. Run on a simulated thread. */
public final class JdkCalls {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** Time between checks of a task that may have ended: the JDK's own code ends it, which is not woven. */
    private static final long TASK_CHECK_NANOS = 1_000_000L;
    /** A thread that only fetches memory ahead: it may be as slow as it likes, and in most lives never runs. */
    private static final String FETCHER = "value-memory";

    /** Files that name the host and its boot: constants of the daemon's classes hold paths to them. */
    private static final String HOST_FILES = "/proc/sys/kernel/";

    private static @Nullable FileSystem disk;
    private static @Nullable FileSystem host;
    private static boolean fetches;
    private static ByteArrayOutputStream console = new ByteArrayOutputStream();

    private JdkCalls() {}

    /**
     * Sets the disk that paths lead to, and empties the console.
     *
     * @param fetchesAhead whether the thread runs that makes memory for values before they need it
     */
    public static void begin(FileSystem simulated, boolean fetchesAhead) {
        disk = simulated;
        fetches = fetchesAhead;
        console = new ByteArrayOutputStream();
    }

    /** Sets the disk that has the files of the host, for all lives. */
    public static void host(FileSystem files) {
        host = files;
    }

    /** Bytes written to standard output since {@link #begin}. */
    public static byte[] console() {
        return console.toByteArray();
    }

    public static long nanoTime() {
        return Machine.active().readClock();
    }

    public static long currentTimeMillis() {
        return Machine.active().wallNanos() / 1_000_000;
    }

    public static Instant instantNow() {
        long nanos = Machine.active().wallNanos();
        return Instant.ofEpochSecond(nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND);
    }

    public static void park() {
        Machine.active().parkUntil(Task.NEVER);
    }

    public static void park(Object blocker) {
        park();
    }

    /** As {@link java.util.concurrent.locks.LockSupport#parkNanos(long)}, in virtual time. */
    public static void parkNanos(long nanos) {
        if (nanos > 0) {
            Machine machine = Machine.active();
            machine.parkUntil(machine.now() + nanos);
        }
    }

    public static void parkNanos(Object blocker, long nanos) {
        parkNanos(nanos);
    }

    public static void unpark(Thread thread) {
        Machine.active().unpark(thread);
    }

    public static Thread currentThread() {
        return Machine.active().currentThread();
    }

    public static void start(Thread thread) {
        if (fetches || !thread.getName().equals(FETCHER)) {
            Machine.active().start(thread);
        }
    }

    public static boolean isAlive(Thread thread) {
        return Machine.active().isAlive(thread);
    }

    /** As {@link Thread#join()}. */
    public static void join(Thread thread) {
        Machine machine = Machine.active();
        while (machine.isAlive(thread)) {
            machine.await(thread, Task.NEVER);
        }
    }

    /** Does nothing: no wait of the simulation ends by an interrupt. */
    public static void interrupt(Thread thread) {}

    public static void handleUncaught(Thread.UncaughtExceptionHandler handler) {
        Machine.active().onUncaught(handler);
    }

    /** As {@link CountDownLatch#await(long, TimeUnit)}, in virtual time. */
    public static boolean await(CountDownLatch latch, long time, TimeUnit unit) {
        Machine machine = Machine.active();
        long until = machine.now() + unit.toNanos(time);
        while (latch.getCount() > 0 && machine.now() < until) {
            machine.await(latch, until);
        }
        return latch.getCount() == 0;
    }

    /** As {@link CountDownLatch#countDown}; wakes the threads that wait for the latch. */
    public static void countDown(CountDownLatch latch) {
        latch.countDown();
        if (latch.getCount() == 0) {
            Machine.active().release(latch);
        }
    }

    /** As {@link FutureTask#get(long, TimeUnit)}, in virtual time; the end of the task is noticed within 1 ms. */
    public static @Nullable Object get(FutureTask<?> task, long time, TimeUnit unit)
            throws ExecutionException, InterruptedException, TimeoutException {
        Machine machine = Machine.active();
        long until = machine.now() + unit.toNanos(time);
        while (!task.isDone() && machine.now() < until) {
            machine.parkUntil(Math.min(until, machine.now() + TASK_CHECK_NANOS));
        }
        return task.get(0, unit);
    }

    public static long nextLong(SecureRandom random) {
        return Machine.active().chance().nextLong();
    }

    public static void nextBytes(SecureRandom random, byte[] into) {
        for (int i = 0; i < into.length; i++) {
            into[i] = (byte) Machine.active().chance().nextInt();
        }
    }

    /** A path of the simulated disk. */
    public static Path path(String first, String... more) {
        FileSystem simulated = first.startsWith(HOST_FILES) ? host : disk;
        if (simulated == null) {
            throw new IllegalStateException("no disk is simulated");
        }
        return simulated.getPath(first, more);
    }

    /** As {@link Files#createTempFile(Path, String, String, FileAttribute...)}, with a name from the machine's chance. */
    public static Path createTempFile(Path folder, String prefix, String suffix, FileAttribute<?>... with)
            throws IOException {
        Path file = folder.resolve(prefix + Machine.active().chance().nextLong(Long.MAX_VALUE) + suffix);
        return Files.createFile(file, with);
    }

    public static long pid(ProcessHandle process) {
        return Machine.active().isOther() ? 4712 : 4711;
    }

    public static int availableProcessors(Runtime runtime) {
        return 4;
    }

    public static long totalMemory(Runtime runtime) {
        return 64L << 20;
    }

    public static long maxMemory(Runtime runtime) {
        return 1L << 30;
    }

    /** Refuses, as a JVM without this management interface does: the figures are those of the machine. */
    @SuppressWarnings("DoNotCallSuggester") // woven code calls it
    public static List<?> garbageCollectors() {
        throw new IllegalStateException("no figures of the process are simulated");
    }

    /**
     * Fails a life that reaches a call which waits, starts a thread, reads a clock or draws chance and is not in {@link CallTable}.
     *
     * @param call class and method called, and the class that calls it
     */
    @SuppressWarnings("DoNotCallSuggester") // woven code calls it
    public static void refuse(String call) {
        throw new LinkageError("not simulated: " + call);
    }

    /** Standard output of the simulated process. */
    public static final class Console extends OutputStream {
        /** A stream that keeps its bytes. */
        public Console(FileDescriptor descriptor) {}

        @Override
        public void write(int one) {
            console.write(one);
        }

        @Override
        public void write(byte[] bytes, int start, int length) {
            Machine.active().step("write stdout");
            console.write(bytes, start, length);
        }
    }
}
