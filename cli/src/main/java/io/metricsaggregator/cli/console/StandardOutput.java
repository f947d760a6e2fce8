package io.metricsaggregator.cli.console;

import io.metricsaggregator.options.Messages;
import io.metricsaggregator.publish.ExitStatus;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Standard output of the process, which remembers why a write failed: {@link System#out} forgets the cause. After a failure it writes
 * nothing more, so that the output has no gap. Any thread.
 */
public final class StandardOutput extends OutputStream {
    private static final StandardOutput PROCESS = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    /** Statuses of a run whose result is lost or whose process is broken; an unwritten output does not hide them. */
    private static final Set<Integer> GRAVER = Set.of(ExitStatus.NOT_DURABLE.code(), ExitStatus.INTERNAL.code());

    private final OutputStream out;
    private @Nullable FailedException failure;

    StandardOutput(OutputStream out) {
        this.out = out;
    }

    /** Standard output cannot be written. */
    static final class FailedException extends IOException {
        private static final long serialVersionUID = 1L;

        private final boolean closedByReader;

        FailedException(IOException cause, boolean closedByReader) {
            super("cannot write to standard output: " + Messages.of(cause), cause);
            this.closedByReader = closedByReader;
        }

        /** The failure that caused an error; null if something else did. */
        static @Nullable FailedException in(Throwable error) {
            for (Throwable each = error; each != null; each = each.getCause()) {
                if (each instanceof FailedException failed) {
                    return failed;
                }
            }
            return null;
        }

        /** Whether the reader of a pipe has closed it, as {@code head} does; this is no error. */
        boolean isClosedByReader() {
            return closedByReader;
        }
    }

    /** Makes {@link System#out} print here. */
    public static void install() {
        System.setOut(new PrintStream(new BufferedOutputStream(PROCESS), true, StandardCharsets.UTF_8));
    }

    /** Standard output without a buffer; unlike {@link System#out} it throws what fails. */
    static OutputStream raw() {
        System.out.flush();
        return PROCESS;
    }

    /**
     * Checks that all output so far was written, for a command that is of no use otherwise.
     *
     * @throws FailedException if not, unless the reader of a pipe closed it
     */
    public static void check() throws FailedException {
        System.out.flush();
        FailedException failed = PROCESS.failure();
        if (failed != null && !failed.isClosedByReader()) {
            throw failed;
        }
    }

    /**
     * Writes what is buffered, and reports on standard error why output is missing.
     *
     * @param status the exit status of a command
     * @return the status; that of an unavailable file if output is missing
     */
    public static int finish(int status) {
        System.out.flush();
        return PROCESS.status(status);
    }

    int status(int status) {
        FailedException failed = failure();
        if (failed == null || failed.isClosedByReader()) {
            return status;
        }
        System.err.println("metrics-aggregator: " + failed.getMessage());
        return GRAVER.contains(status) ? status : ExitStatus.UNAVAILABLE.code();
    }

    private synchronized @Nullable FailedException failure() {
        return failure;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        if (failure != null) {
            throw failure;
        }
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = new FailedException(e, isBrokenPipe(e));
            throw failure;
        }
    }

    /** Whether the reader is gone: whether the system says what it says of a pipe without a reader, in the language of the locale. */
    private static boolean isBrokenPipe(IOException error) {
        String said = String.valueOf(error.getMessage());
        return said.contains("Broken pipe") || said.equals(wordsOfABrokenPipe());
    }

    private static @Nullable String wordsOfABrokenPipe() {
        try {
            Pipe pipe = Pipe.open();
            pipe.source().close();
            try (Pipe.SinkChannel sink = pipe.sink()) {
                sink.write(ByteBuffer.allocate(1));
            }
            return null;
        } catch (IOException e) {
            return e.getMessage();
        }
    }
}
