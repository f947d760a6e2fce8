package io.metricsaggregator.cli.wrap;

import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.daemon.UnixSignals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The tool, on the terminal of this process. SIGTERM and SIGHUP are passed on; SIGINT too, unless a terminal sends it to both. The third SIGINT
 * kills it.
 */
final class ToolProcess {
    private static final int KILL_AT = 3;
    /** Field of {@code /proc/self/stat} behind the name: the process group in the foreground of the terminal, −1 without one. */
    private static final int TERMINAL_GROUP = 5;

    private final Process process;
    private final AtomicInteger interrupts = new AtomicInteger();

    /** Starts the tool and takes over the signals of this process. */
    ToolProcess(List<String> words, Map<String, String> variables) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
        builder.environment().putAll(variables);
        this.process = builder.start();
        boolean terminal = hasTerminal();
        UnixSignals.handle("INT", () -> {
            if (interrupts.incrementAndGet() >= KILL_AT) {
                process.destroyForcibly();
            } else if (!terminal) {
                send("INT");
            }
        });
        UnixSignals.handle("TERM", process::destroy);
        UnixSignals.handle("HUP", () -> send("HUP"));
    }

    private static boolean hasTerminal() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return !fields[TERMINAL_GROUP].equals("-1");
        } catch (IOException e) {
            return Terminal.isInteractive();
        }
    }

    private void send(String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        } catch (IOException e) {
            process.destroy();
        }
    }

    /** Waits for the end of the tool for at most a time; whether it has ended. */
    boolean await(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** The exit status; 128 and the signal's number for a tool that a signal ended. */
    int status() {
        return process.exitValue();
    }

    /** Ends the tool if it runs, when this command fails. */
    void kill() {
        process.destroy();
    }
}
