package io.metricsaggregator.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A measured child process, killed on close. */
final class Child implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 300;

    private final List<String> command;
    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** Starts a command with its standard error in a file. */
    Child(List<String> command, Path errors, List<String> environment) {
        this.command = command;
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        for (String each : environment) {
            String[] pair = each.split("=", 2);
            builder.environment().put(pair[0], pair[1]);
        }
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
        Thread reader = new Thread(this::readLines, "reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a class of this module in a JVM of its own. */
    static Child java(Path errors, List<String> options, Class<?> main, Object... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        for (Object argument : arguments) {
            command.add(String.valueOf(argument));
        }
        return new Child(command, errors, List.of());
    }

    private void readLines() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("(lost: " + e.getMessage() + ")");
        }
    }

    /** Waits for the next line of output with a given start and returns the rest of it. */
    String await(String start) {
        return await(start, PATIENCE_SECONDS);
    }

    /** The same, for at most some seconds. */
    String await(String start, long seconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try {
            while (System.nanoTime() < deadline) {
                String line = lines.poll(100, TimeUnit.MILLISECONDS);
                if (line != null && line.startsWith(start)) {
                    return line.substring(start.length()).trim();
                }
                if (line == null && !process.isAlive() && lines.isEmpty()) {
                    throw new IllegalStateException(
                            command + " ended with status " + process.exitValue() + " before printing '" + start + "'");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException(command + " did not print '" + start + "' in time");
    }

    /** Writes a line to its standard input. */
    void say(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(command + " does not read its standard input", e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns its CPU time since start in nanoseconds. */
    long cpuNanos() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /** Returns a figure of {@code /proc/PID/status} in KiB, such as VmHWM; null if the process has ended. */
    @Nullable
    Long statusKib(String name) {
        try (var status = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            return status.filter(line -> line.startsWith(name + ":"))
                    .map(line -> Long.valueOf(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(null);
        } catch (IOException | UncheckedIOException e) {
            return null;
        }
    }

    /** Waits for it to end. */
    int awaitExit() {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(command + " did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
