package io.metricsaggregator.benchmarks;

import io.metricsaggregator.analysis.fleet.FleetText;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures a fleet under simulated nodes over TCP: {@code FleetLoad LAUNCHER [NODES [BYTES [SECONDS [INTERVAL_MS]]]]}. Prints ticks sent against due,
 * the CPU of the process and of its threads as shares of a core, and its peak of heap and resident memory.
 */
final class FleetLoad {
    /** Frames are simulated for some intervals more than are measured: connections and warm-up. */
    private static final int MORE_SECONDS = 30;

    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static final double TICKS_PER_SECOND = 100;
    private static final Pattern COLLECTION = Pattern.compile(" ([0-9]+)M->([0-9]+)M\\(");

    private final int nodes;
    private final int bytes;
    private final int seconds;
    private final int intervalMillis;

    private FleetLoad(String[] args) {
        this.nodes = argument(args, 1, 100);
        this.bytes = argument(args, 2, 70_000);
        this.seconds = argument(args, 3, 60);
        this.intervalMillis = argument(args, 4, 250);
    }

    private static int argument(String[] args, int index, int otherwise) {
        return args.length > index ? Integer.parseInt(args[index]) : otherwise;
    }

    /** Runs the measurement. */
    public static void main(String[] args) throws IOException {
        Path work = Files.createTempDirectory("bench");
        try {
            new FleetLoad(args).run(Path.of(args[0]).toAbsolutePath(), work);
        } finally {
            Machine.delete(work);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0)) {
            return any.getLocalPort();
        }
    }

    private void run(Path launcher, Path work) throws IOException {
        String in = "tcp://127.0.0.1:" + freePort();
        String out = "ipc://" + work.resolve("out.sock");
        System.out.println(Machine.describe());
        System.out.println(
                "load average " + Files.readString(Path.of("/proc/loadavg")).trim());
        int frames = (seconds + MORE_SECONDS) * 1000 / intervalMillis;
        List<String> command =
                new ArrayList<>(List.of(launcher.toString(), "fleet", "--in", "bind:" + in, "--out", out));
        command.addAll(List.of("--output-dir", work.resolve("final").toString()));
        command.addAll(List.of("--expect", Integer.toString(nodes), "--interval", intervalMillis + "ms"));
        try (Child sender = Child.java(
                        work.resolve("sender.err"),
                        List.of(),
                        NodeSender.class,
                        in,
                        nodes,
                        bytes,
                        frames,
                        intervalMillis);
                SnapshotSubscriber subscriber = new SnapshotSubscriber(
                        List.of(Endpoint.parse("connect:" + out, false)),
                        TransportOptions.builder().build(),
                        SnapshotSubscriber.Mode.EVERY)) {
            int length = Integer.parseInt(sender.await("ready"));
            System.out.printf(
                    Locale.ROOT,
                    "%d nodes, frames of %,d bytes every %d ms, for %d s%n",
                    nodes,
                    length,
                    intervalMillis,
                    seconds);
            try (Child fleet = new Child(
                    command,
                    work.resolve("fleet.err"),
                    List.of(
                            "METRICS_AGGREGATOR_NO_BUILD=1",
                            "METRICS_AGGREGATOR_JAVA_OPTS=-Xmx512m -Xlog:gc:file=" + work.resolve("gc.log")))) {
                sender.say("go");
                measure(fleet, subscriber, work.resolve("gc.log"));
                sender.say("end");
                String[] sent = sender.await("sent").split(" ", -1);
                System.out.printf(Locale.ROOT, "frames sent %s, the latest %s ms late%n", sent[0], sent[1]);
                int status = fleet.awaitExit();
                if (status != 0) {
                    throw new IllegalStateException(
                            "the fleet ended with " + status + ": " + Files.readString(work.resolve("fleet.err")));
                }
                verify(FinalSnapshotFile.read(work.resolve("final")));
            }
        }
    }

    private void measure(Child fleet, SnapshotSubscriber subscriber, Path collections) throws IOException {
        MetricsSnapshot first = awaitAll(subscriber);
        long start = System.nanoTime();
        long cpu = fleet.cpuNanos();
        Map<String, Long> threads = threads(fleet);
        MetricsSnapshot last = first;
        long received = 0;
        while (System.nanoTime() - start < seconds * 1_000_000_000L) {
            MetricsSnapshot next = subscriber.next(Duration.ofMillis(100));
            if (next != null) {
                received++;
                last = next;
            }
        }
        double elapsed = (System.nanoTime() - start) / 1e9;
        long due = Math.round(elapsed * 1000 / intervalMillis);
        long sent = last.counter() - first.counter();
        System.out.printf(
                Locale.ROOT,
                "ticks sent %d of %d due (%.1f %%), received %d%n",
                sent,
                due,
                100.0 * sent / due,
                received);
        System.out.printf(
                Locale.ROOT,
                "CPU of the process %.3f of a core; by thread:%n",
                (fleet.cpuNanos() - cpu) / 1e9 / elapsed);
        threads(fleet).entrySet().stream()
                .map(each -> Map.entry(each.getKey(), each.getValue() - threads.getOrDefault(each.getKey(), 0L)))
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(6)
                .forEach(each -> System.out.printf(
                        Locale.ROOT, "  %-16s %.3f%n", each.getKey(), each.getValue() / TICKS_PER_SECOND / elapsed));
        Long resident = fleet.statusKib("VmHWM");
        System.out.printf(
                Locale.ROOT,
                "heap %s; resident peak %s MiB%n",
                heap(collections),
                resident == null ? "?" : Long.toString(resident >> 10));
        Nodes rows = FleetText.of(last);
        System.out.println(rows == null ? "no nodes" : FleetText.counts(rows));
    }

    /** Peak of the heap before and after its collections, from the collector's log: the heap itself is limited to 512 MiB. */
    private static String heap(Path collections) throws IOException {
        long before = 0;
        long after = 0;
        int count = 0;
        for (String line : Files.readAllLines(collections)) {
            Matcher sizes = COLLECTION.matcher(line);
            if (sizes.find()) {
                before = Math.max(before, Long.parseLong(sizes.group(1)));
                after = Math.max(after, Long.parseLong(sizes.group(2)));
                count++;
            }
        }
        return String.format(
                Locale.ROOT,
                "peak %d MiB before and %d MiB after a collection, of 512 MiB, in %d collections",
                before,
                after,
                count);
    }

    /** Waits until all nodes are live. */
    private MetricsSnapshot awaitAll(SnapshotSubscriber subscriber) throws IOException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE_NANOS) {
            MetricsSnapshot next = subscriber.next(Duration.ofMillis(500));
            Nodes rows = next == null ? null : FleetText.of(next);
            if (next != null && rows != null && rows.count(NodeState.LIVE) == nodes) {
                return next;
            }
        }
        throw new IllegalStateException("the nodes were not all live within two minutes");
    }

    /** Checks that the final file holds what the nodes sent last. */
    private void verify(MetricsSnapshot last) {
        Nodes rows = FleetText.of(last);
        long completed = rows == null
                ? -1
                : rows.rows().stream().mapToLong(each -> each.completed()).sum();
        if (rows == null
                || rows.count(NodeState.ENDED) != nodes
                || completed != last.counter(CounterName.TRACKED_SAMPLES_COMPLETED)) {
            throw new IllegalStateException("the final file has " + last.counter(CounterName.TRACKED_SAMPLES_COMPLETED)
                    + " samples and its nodes " + completed + ": " + (rows == null ? "none" : FleetText.counts(rows)));
        }
        System.out.printf(Locale.ROOT, "final file: %s, %,d samples%n", FleetText.counts(rows), completed);
    }

    /** CPU of each thread name of a process since its start, in clock ticks. */
    private static Map<String, Long> threads(Child process) throws IOException {
        Map<String, Long> threads = new LinkedHashMap<>();
        List<Path> tasks = new ArrayList<>();
        try (var each = Files.newDirectoryStream(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            each.forEach(tasks::add);
        }
        for (Path task : tasks) {
            try {
                String name = Files.readString(task.resolve("comm")).strip();
                String stat = Files.readString(task.resolve("stat"));
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                threads.merge(name, Long.parseLong(fields[11]) + Long.parseLong(fields[12]), Long::sum);
            } catch (IOException gone) {
                // A thread that ended meanwhile has no figures any more.
            }
        }
        return threads;
    }
}
