package io.metricsaggregator.cli.audit;

import io.metricsaggregator.cli.wrap.RetargetedTool;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A tool as a child process whose output goes to a file. One thread. */
final class ToolRun {
    private static final long POLL_MILLIS = 10;
    /** Polls between two looks at the threads of the tool, which cost a millisecond or two. */
    private static final int WAITS_EVERY = 20;

    private static final int CONSOLE_MAX_BYTES = 4 << 20;
    private static final Duration END = Duration.ofSeconds(30);
    /** Stops and continues processes until one of them has ended. */
    private static final String THROTTLE = "trap 'kill -CONT $* 2>/dev/null; exit' EXIT INT TERM;"
            + " while kill -STOP $* 2>/dev/null; do sleep 0.05; kill -CONT $*; sleep 0.05; done";

    private static final List<String> HEEDING = List.of("env", "--default-signal=INT");
    private static final long SIGINT_MASK = 1L << (2 - 1);

    private final Process process;
    private final Path console;
    /** Nanoseconds that each thread of the tool has waited for a processor, by its folder of /proc; those of ended threads stay. */
    private final Map<String, Long> waits = new HashMap<>();
    /** The sums of those, by the time of the look. */
    private final NavigableMap<Long, Long> waited = new TreeMap<>();

    private volatile @Nullable Process throttle;
    private @Nullable Long signalNanos;
    private boolean isTimedOut;

    ToolRun(RetargetedTool.Command command, Path console) throws IOException {
        this.console = console;
        List<String> words = new ArrayList<>(ignoresInterrupts() ? HEEDING : List.of());
        words.addAll(command.words());
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(console.toFile())
                .redirectInput(new File("/dev/null"));
        builder.environment().putAll(command.variables());
        this.process = builder.start();
    }

    /** Whether this process ignores SIGINT, as a shell starts commands in the background; the tool would inherit that. */
    private static boolean ignoresInterrupts() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(each -> each.startsWith("SigIgn:"))
                    .anyMatch(each -> (Long.parseUnsignedLong(each.substring(7).strip(), 16) & SIGINT_MASK) != 0);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Waits for the end of the tool, and does to it what the scenario asks for.
     *
     * @param ended number of requests that the server has ended
     * @param cancelAfter ended requests at which the tool is interrupted
     * @param limit time after which it is killed
     */
    void await(Scenario.Means means, IntSupplier ended, int cancelAfter, Duration limit)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        long end = start + limit.toNanos();
        // A signal to this command must not leave the tool, and least of all a stopped one.
        Thread hook = new Thread(this::end, "audit-end");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            for (int polls = 0; !process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS); polls++) {
                if (polls % WAITS_EVERY == 0) {
                    noteWaits();
                }
                if (means == Scenario.Means.THROTTLE && throttle == null && ended.getAsInt() > 0) {
                    List<String> words = new ArrayList<>(List.of("sh", "-c", THROTTLE, "sh"));
                    words.addAll(processes());
                    throttle = quiet(words);
                }
                if (means == Scenario.Means.INTERRUPT && signalNanos == null && ended.getAsInt() >= cancelAfter) {
                    signal("INT");
                    signalNanos = System.nanoTime();
                    end = Math.min(end, System.nanoTime() + END.toNanos());
                }
                if (System.nanoTime() > end) {
                    isTimedOut = true;
                    kill();
                }
            }
        } finally {
            end();
            forget(hook);
        }
    }

    private void end() {
        if (process.isAlive()) {
            kill();
        }
        Process stopping = throttle;
        if (stopping != null) {
            stopping.destroy();
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This process ends: the hook runs.
        }
    }

    /** The tool and what it has started, as a terminal signals them. */
    private List<String> processes() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .map(each -> Long.toString(each.pid()))
                .toList();
    }

    /** Notes how long threads that could run did not; nothing where the system does not say. */
    private void noteWaits() {
        for (String pid : processes()) {
            File[] threads = new File("/proc/" + pid + "/task").listFiles();
            for (File each : threads == null ? new File[0] : threads) {
                try {
                    // Nanoseconds on a processor, nanoseconds ready to be on one, time slices.
                    String[] times =
                            Files.readString(each.toPath().resolve("schedstat")).split(" ", -1);
                    waits.put(each.getPath(), Long.parseLong(times[1]));
                } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
                    // It has ended, or its system has no such file.
                }
            }
        }
        waited.put(
                System.nanoTime(),
                waits.values().stream().mapToLong(Long::longValue).sum());
    }

    /**
     * How long the tool's threads waited for a processor, together, in nanoseconds: what a busy machine added to what the tool does; 0 where the system
     * does not say.
     *
     * @param since on the clock of {@link System#nanoTime}
     */
    long waitedNanos(long since) {
        Map.Entry<Long, Long> before = waited.floorEntry(since);
        return waited.isEmpty() ? 0 : waited.lastEntry().getValue() - (before == null ? 0 : before.getValue());
    }

    private void signal(String name) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("kill", "-" + name));
        words.addAll(processes());
        quiet(words).waitFor();
    }

    private void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static Process quiet(List<String> words) throws IOException {
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    int status() {
        return process.exitValue();
    }

    /** When SIGINT was sent, on the clock of {@link System#nanoTime}; null if it was not. */
    @Nullable
    Long signalNanos() {
        return signalNanos;
    }

    /** Whether the tool was killed because it did not end in time. */
    boolean isTimedOut() {
        return isTimedOut;
    }

    /** What the tool printed, up to 4 MiB. */
    List<String> console() throws IOException {
        try (InputStream in = Files.newInputStream(console)) {
            return new String(in.readNBytes(CONSOLE_MAX_BYTES), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
