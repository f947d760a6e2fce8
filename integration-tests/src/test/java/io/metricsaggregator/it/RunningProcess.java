package io.metricsaggregator.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process with its output in files, so that an unread pipe cannot block it. */
class RunningProcess implements AutoCloseable {
    final Process process;
    private final Path out;
    private final Path err;

    RunningProcess(ProcessBuilder builder) throws IOException {
        out = Files.createTempFile("it-", ".out");
        err = Files.createTempFile("it-", ".err");
        process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    List<String> outLines() {
        return out().lines().toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a text on standard output. */
    void awaitOut(String text) {
        Await.until(() -> out().contains(text) || !process.isAlive(), () -> "'" + text + "' from " + this);
        if (!out().contains(text)) {
            throw new AssertionError("ended without '" + text + "': " + this);
        }
    }

    /** Waits for the end and returns the exit status. */
    int awaitExit() {
        return awaitExit(Await.PATIENCE);
    }

    int awaitExit(Duration patience) {
        try {
            if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                // Where each thread stands, on the output of a JVM; it takes it a moment to write that.
                signal("QUIT");
                process.waitFor(2, TimeUnit.SECONDS);
                throw new AssertionError("did not end within " + patience + ": " + this);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends a signal by name: TERM, INT, HUP, KILL, STOP, CONT. */
    void signal(String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new AssertionError("cannot signal " + this);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return "process " + process.pid() + (process.isAlive() ? "" : ", exit status " + process.exitValue())
                + "\n--- stdout\n" + out() + "\n--- stderr\n" + err();
    }

    /** The processes that this one and its descendants started and that have not ended. */
    List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    @Override
    public void close() {
        // What a tracer runs would outlive it.
        List<ProcessHandle> started = descendants();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
        try {
            process.waitFor();
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
