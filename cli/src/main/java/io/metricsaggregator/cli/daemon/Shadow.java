package io.metricsaggregator.cli.daemon;

import io.metricsaggregator.cli.console.OutputFile;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs this daemon beside each aggregator that MLCommons endpoints starts, and compares both final snapshots.
 *
 * <p>The hook in the aggregator's process connects to a socket, sends its arguments as one line of JSON, and waits for one line back: then
 * our subscription is confirmed, before the tool's aggregator says that it is ready. The connection ends with the aggregator's process.
 * One thread accepts; a thread for each aggregator owns its daemon.
 */
final class Shadow implements Closeable {
    private static final int LINE_MAX_BYTES = 1 << 20;
    private static final Duration SUBSCRIBE = Duration.ofSeconds(10);
    /** Time that our daemon has after the end of the tool's aggregator; by then it has seen the same end of the session. */
    private static final Duration END = Duration.ofMinutes(1);

    private static final int SHOWN_MAX = 50;
    private static final int SNAPSHOT_MAX_BYTES = 256 << 20;

    private final Path results;
    private final List<String> daemonCommand;
    private final List<String> runOptions;
    private final ServerSocketChannel server;
    private final List<Thread> beside = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private int aggregators;
    private int equal;

    /**
     * Starts to listen.
     *
     * @param socket path of the socket, in a folder of this user alone
     * @param results folder that gets one folder for each aggregator
     * @param daemonCommand command line that starts a daemon, up to its options
     * @param runOptions options to add to those of the aggregator
     */
    Shadow(Path socket, Path results, List<String> daemonCommand, List<String> runOptions) throws IOException {
        this.results = results;
        this.daemonCommand = List.copyOf(daemonCommand);
        this.runOptions = List.copyOf(runOptions);
        this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        Thread accepting = new Thread(this::accept, "shadow");
        accepting.setDaemon(true);
        accepting.start();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel hook = server.accept();
                Thread thread = new Thread(() -> serve(hook), "shadow-aggregator");
                thread.setDaemon(true);
                synchronized (this) {
                    beside.add(thread);
                }
                thread.start();
            }
        } catch (AsynchronousCloseException e) {
            // close ended the wait.
        } catch (IOException e) {
            say("shadow: no more aggregators are compared: " + e.getMessage());
        }
    }

    private void serve(SocketChannel hook) {
        int number = 0;
        try (hook) {
            ShadowRequest request = ShadowRequest.parse(readLine(hook));
            number = newFolder();
            Path ours = results.resolve(Integer.toString(number));
            Process daemon = start(request, ours);
            try {
                awaitSubscription(daemon, ours);
                if (!daemon.isAlive()) {
                    say("shadow " + number + ": our daemon ended with status " + daemon.exitValue()
                            + " before the run: " + lastLine(ours.resolve("daemon.log")));
                }
                hook.write(ByteBuffer.wrap("go\n".getBytes(StandardCharsets.US_ASCII)));
                awaitEnd(hook);
                report(number, request, ours, end(daemon, request));
            } finally {
                daemon.destroyForcibly();
            }
        } catch (IOException e) {
            say("shadow " + number + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Creates the folder of the next aggregator, beside those of earlier commands, and returns its number. */
    private synchronized int newFolder() throws IOException {
        aggregators++;
        Files.createDirectories(results);
        for (int number = 1; ; number++) {
            try {
                Files.createDirectory(results.resolve(Integer.toString(number)));
                return number;
            } catch (FileAlreadyExistsException e) {
                // An earlier one's.
            }
        }
    }

    private Process start(ShadowRequest request, Path ours) throws IOException {
        List<String> command = new ArrayList<>(daemonCommand);
        command.addAll(request.daemonArguments(ours));
        command.addAll(runOptions);
        return new ProcessBuilder(command)
                .directory(request.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ours.resolve("daemon.log").toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
    }

    /** Waits until each later record is received; an aggregator must not wait for a daemon that cannot start. */
    private static void awaitSubscription(Process daemon, Path ours) throws InterruptedException {
        long start = System.nanoTime();
        while (!Files.exists(ours.resolve(".subscribed"))
                && daemon.isAlive()
                && System.nanoTime() - start < SUBSCRIBE.toNanos()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static String lastLine(Path log) throws IOException {
        String text = Files.readString(log).strip();
        return text.substring(text.lastIndexOf('\n') + 1);
    }

    private static String readLine(SocketChannel hook) throws IOException {
        ByteBuffer line = ByteBuffer.allocate(LINE_MAX_BYTES);
        while (hook.read(line) >= 0) {
            if (line.get(line.position() - 1) == '\n') {
                return new String(line.array(), 0, line.position(), StandardCharsets.UTF_8);
            }
            if (!line.hasRemaining()) {
                throw new IOException("the hook sent a line of more than " + LINE_MAX_BYTES + " bytes");
            }
        }
        throw new IOException("the aggregator ended before it sent its arguments");
    }

    private static void awaitEnd(SocketChannel hook) {
        ByteBuffer ignored = ByteBuffer.allocate(1);
        try {
            while (hook.read(ignored) >= 0) {
                ignored.clear();
            }
        } catch (IOException e) {
            // A connection that breaks has ended, too.
        }
    }

    /** Waits for the end of our daemon, and interrupts it where the tool interrupted its own; returns whether it ended by itself. */
    private static boolean end(Process daemon, ShadowRequest request) throws InterruptedException {
        Map<String, ?> theirs = read(request.output());
        boolean complete = theirs != null && "complete".equals(theirs.get("state"));
        if (daemon.waitFor(complete ? END.toMillis() : 500, TimeUnit.MILLISECONDS)) {
            return true;
        }
        daemon.destroy();
        daemon.waitFor(10, TimeUnit.SECONDS);
        return false;
    }

    private void report(int number, ShadowRequest request, Path ours, boolean byItself) throws IOException {
        Path output = request.output();
        Map<String, ?> theirSnapshot = read(output);
        Map<String, ?> ourSnapshot = read(ours);
        String name = "shadow " + number + ": ";
        if (theirSnapshot == null) {
            say(name + "the tool's aggregator left no final snapshot in " + output);
            return;
        }
        if (ourSnapshot == null) {
            say(name + "our daemon left no final snapshot; see its log " + ours.resolve("daemon.log"));
            return;
        }
        SnapshotDifferences differences = SnapshotDifferences.of(theirSnapshot, ourSnapshot);
        List<String> text = new ArrayList<>();
        text.add(name + output + ": " + differences.summary());
        differences.differing().stream().limit(SHOWN_MAX).forEach(each -> text.add("  " + each));
        if (differences.differing().size() > SHOWN_MAX) {
            text.add("  and " + (differences.differing().size() - SHOWN_MAX) + " more in "
                    + ours.resolve("comparison.txt"));
        }
        if (!differences.isEqual() && !byItself) {
            text.add(
                    "complete".equals(theirSnapshot.get("state"))
                            ? "  Our daemon did not receive the end of the session within " + END.toSeconds()
                                    + " s after the tool's aggregator."
                            : "  The tool ended its aggregator by a signal: both stopped at different records.");
        }
        List<String> whole = new ArrayList<>(List.of(text.get(0)));
        whole.addAll(differences.differing());
        OutputFile.write(ours.resolve("comparison.txt"), String.join("\n", whole) + "\n", List.of());
        text.forEach(this::say);
        synchronized (this) {
            equal += differences.isEqual() ? 1 : 0;
        }
    }

    private static @Nullable Map<String, ?> read(@Nullable Path folder) {
        Path file = folder == null ? null : folder.resolve(FinalSnapshotFile.NAME);
        try {
            return file == null || !Files.isRegularFile(file) || Files.size(file) > SNAPSHOT_MAX_BYTES
                    ? null
                    : JsonTree.readLenient(Files.readAllBytes(file));
        } catch (IOException e) {
            return null;
        }
    }

    private synchronized void say(String line) {
        lines.add(line);
    }

    /** Waits until all aggregators are compared, to be called after the end of the tool; returns the lines to print. */
    List<String> finish() throws InterruptedException {
        List<Thread> all;
        synchronized (this) {
            all = List.copyOf(beside);
        }
        for (Thread each : all) {
            each.join(END.plusSeconds(15).toMillis());
        }
        synchronized (this) {
            if (aggregators == 0) {
                lines.add(
                        "shadow: the command started no aggregator of MLCommons endpoints; python -I and -E ignore the hook");
            }
            return List.copyOf(lines);
        }
    }

    /** Whether every aggregator of the command was compared and every value was equal; after {@link #finish}. */
    synchronized boolean isEqual() {
        return aggregators > 0 && equal == aggregators;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
