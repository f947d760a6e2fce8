package io.metricsaggregator.conformance;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The command under test as a child process: standard output and standard error go to files, so that an unread pipe cannot block it. Closing
 * kills it and its descendants if they still run.
 */
final class Program implements Closeable {
    private static final int TAIL_CHARS = 400;

    private final Process process;
    private final Path out;
    private final Path err;

    /**
     * Starts the command.
     *
     * @param folder an empty directory for its output
     * @param environment variables added to this process's
     * @param input its standard input, in UTF-8
     * @throws IOException if the command cannot be started
     */
    Program(List<String> command, Path folder, Map<String, String> environment, byte[] input) throws IOException {
        out = folder.resolve("stdout");
        err = folder.resolve("stderr");
        Path in = folder.resolve("stdin");
        try (OutputStream file = Files.newOutputStream(in)) {
            file.write(input);
        }
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        process = builder.start();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the end; returns whether it ended in time. */
    boolean awaitEnd(long nanos) throws IOException {
        try {
            return process.waitFor(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the command", e);
        }
    }

    /** The exit status of a command that has ended; above 128 for a signal. */
    int status() {
        return process.exitValue();
    }

    /** Standard output so far. */
    String output() throws IOException {
        return Files.readString(out, StandardCharsets.UTF_8);
    }

    /** The end of standard error as part of a message; empty if there is none. */
    String complaint() {
        try {
            String text = new String(Files.readAllBytes(err), StandardCharsets.UTF_8).strip();
            if (text.isEmpty()) {
                return "";
            }
            return "; standard error ends with: "
                    + text.substring(Math.max(0, text.length() - TAIL_CHARS)).replace('\n', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
