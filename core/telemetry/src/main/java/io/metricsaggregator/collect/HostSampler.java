package io.metricsaggregator.collect;

import io.metricsaggregator.codec.EpochNanos;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Samples the resources of this host from /proc and /sys, one {@code resource.sample} record at a time. CPU, pressure and throttling figures
 * cover the time since the previous sample. A sample lacks the fields that the host does not report. For one thread.
 */
public final class HostSampler {
    private static final long SECTOR_BYTES = 512;
    private static final long KIB = 1024;
    private static final double NANOS_PER_SECOND = 1e9;
    /** Microseconds per second, as a percentage of one: 1e6 / 100. */
    private static final double PERCENT_OF_MICROS = 1e4;

    private static final int CPU_FIELDS = 8;

    private final Path root;
    private final ProcFiles files;
    private final CgroupFiles group;
    private final PowercapFiles powercap;
    private final String node;
    private final LongSupplier clock;
    private final String boot;
    private Map<Integer, long[]> cpus;
    private Map<String, Long> pressures;
    private long throttledMicros;
    private long lastNanos;
    /** Differs after each start, so that the sequence numbers of an earlier process are not taken for losses of this one. */
    private final long life = System.nanoTime() & Long.MAX_VALUE;

    private long sequence;

    /**
     * Reads the counters that the first sample is compared with.
     *
     * @param root the directory that has proc and sys; {@code /} but in tests
     * @param node name of this host in records; null for its host name
     * @param clock monotonic clock, in nanoseconds
     */
    public HostSampler(Path root, @Nullable String node, LongSupplier clock) {
        this.root = root;
        this.files = new ProcFiles(root);
        this.clock = clock;
        String host = files.text("proc/sys/kernel/hostname");
        this.node = node != null ? node : host == null ? "localhost" : host.strip();
        String id = files.text("proc/sys/kernel/random/boot_id");
        this.boot = id == null ? "" : id.strip();
        this.group = CgroupFiles.ofThisProcess(files);
        this.powercap = new PowercapFiles(files);
        this.cpus = cpus();
        this.pressures = pressures();
        this.throttledMicros = throttled();
        this.lastNanos = clock.getAsLong();
    }

    /** The name of this host in records. */
    public String node() {
        return node;
    }

    /** Takes a sample and returns the fields of a {@code resource.sample} record. */
    public Map<String, Object> sample() {
        long now = clock.getAsLong();
        double seconds = (now - lastNanos) / NANOS_PER_SECOND;
        lastNanos = now;
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event_type", "resource.sample");
        fields.put("timestamp_ns", now);
        Instant wall = Instant.now();
        fields.put("wall_ns", EpochNanos.of(wall));
        fields.put("source_id", "host:" + node);
        fields.put("seq", sequence++);
        fields.put("life", life);
        fields.put("node_id", node);
        fields.put("interval_s", seconds);
        if (!boot.isEmpty()) {
            fields.put("boot_id", boot);
        }
        processors(fields);
        memory(fields);
        disks(fields);
        network(fields);
        pressure(fields, seconds);
        group(fields, seconds);
        powercap.addTo(fields);
        return fields;
    }

    /** Time in all states and idle time of each CPU, in clock ticks since the start of the host. */
    private Map<Integer, long[]> cpus() {
        Map<Integer, long[]> found = new LinkedHashMap<>();
        for (String[] row : files.rows("proc/stat")) {
            if (row[0].matches("cpu\\d{1,5}")) {
                // The fields are user, nice, system, idle, iowait, irq, softirq and steal. User includes the time of
                // guests.
                long all = 0;
                for (int i = 1; i <= CPU_FIELDS; i++) {
                    all += ProcFiles.number(row, i);
                }
                found.put(
                        Integer.parseInt(row[0].substring(3)),
                        new long[] {all, ProcFiles.number(row, 4) + ProcFiles.number(row, 5)});
            }
        }
        return found;
    }

    private void processors(Map<String, Object> fields) {
        Map<Integer, long[]> now = cpus();
        List<Double> busy = new ArrayList<>();
        now.forEach((cpu, times) -> {
            long[] before = cpus.getOrDefault(cpu, times);
            long all = times[0] - before[0];
            long idle = Math.max(0, times[1] - before[1]);
            busy.add(all <= 0 ? 0.0 : Math.max(0, 100.0 * (all - idle) / all));
        });
        cpus = now;
        if (busy.isEmpty()) {
            fields.put("cpu_count", (long) Runtime.getRuntime().availableProcessors());
            fields.put("cpu_pct_avg", 0.0);
        } else {
            fields.put("cpu_count", (long) busy.size());
            fields.put("cpu_pct", busy);
        }
        List<String[]> load = files.rows("proc/loadavg");
        if (!load.isEmpty()) {
            try {
                fields.put("load1", Double.parseDouble(load.get(0)[0]));
            } catch (NumberFormatException e) {
                // The sample has no load then.
            }
        }
        for (String[] row : files.rows("proc/stat")) {
            if (row[0].equals("procs_running")) {
                fields.put("run_queue", ProcFiles.number(row, 1));
            }
        }
    }

    private void memory(Map<String, Object> fields) {
        long total = 0;
        long available = 0;
        for (String[] row : files.rows("proc/meminfo")) {
            total = row[0].equals("MemTotal:") ? ProcFiles.number(row, 1) * KIB : total;
            available = row[0].equals("MemAvailable:") ? ProcFiles.number(row, 1) * KIB : available;
        }
        if (total > 0) {
            fields.put("mem_percent", 100.0 * (total - available) / total);
            fields.put("memory_total_bytes", total);
            fields.put("memory_available_bytes", available);
        }
        try {
            FileStore store = Files.getFileStore(root);
            // As in df: space reserved for root is neither used nor free.
            long used = store.getTotalSpace() - store.getUnallocatedSpace();
            long open = used + store.getUsableSpace();
            if (open > 0) {
                fields.put("disk_usage_percent", 100.0 * used / open);
            }
        } catch (IOException e) {
            // The sample has no disk usage then.
        }
    }

    private void disks(Map<String, Object> fields) {
        long read = 0;
        long written = 0;
        boolean any = false;
        for (String[] row : files.rows("proc/diskstats")) {
            // Only whole devices: devices built from others would count twice, and devices in memory are not disks.
            if (row.length > 9
                    && Files.isDirectory(root.resolve("sys/block").resolve(row[2]))
                    && !row[2].matches("(loop|ram|zram|dm-|md).*")) {
                read += ProcFiles.number(row, 5);
                written += ProcFiles.number(row, 9);
                any = true;
            }
        }
        if (any) {
            fields.put("disk_read_bytes", read * SECTOR_BYTES);
            fields.put("disk_write_bytes", written * SECTOR_BYTES);
        }
    }

    private void network(Map<String, Object> fields) {
        long[] sums = new long[4];
        boolean any = false;
        String text = files.text("proc/net/dev");
        for (String line :
                text == null ? List.<String>of() : text.lines().skip(2).toList()) {
            int colon = line.lastIndexOf(':');
            if (colon < 0) {
                continue;
            }
            String name = line.substring(0, colon).strip();
            String[] row = line.substring(colon + 1).strip().split("\\s+");
            boolean local = name.equals("lo") || name.toLowerCase(Locale.ROOT).contains("loopback");
            sums[local ? 0 : 1] += ProcFiles.number(row, 8);
            sums[local ? 2 : 3] += ProcFiles.number(row, 0);
            any = true;
        }
        if (any) {
            fields.put("net_lo_sent_bytes", sums[0]);
            fields.put("net_ext_sent_bytes", sums[1]);
            fields.put("net_lo_recv_bytes", sums[2]);
            fields.put("net_ext_recv_bytes", sums[3]);
        }
    }

    /** Microseconds for which at least one task waited, by resource: {@code cpu}, {@code memory}, {@code io}. */
    private Map<String, Long> pressures() {
        Map<String, Long> found = new LinkedHashMap<>();
        for (String what : List.of("cpu", "memory", "io")) {
            for (String[] row : files.rows("proc/pressure/" + what)) {
                if (row[0].equals("some")) {
                    for (String each : row) {
                        if (each.matches("total=\\d{1,18}")) {
                            found.put(what, Long.parseLong(each.substring(6)));
                        }
                    }
                }
            }
        }
        return found;
    }

    private void pressure(Map<String, Object> fields, double seconds) {
        Map<String, Long> now = pressures();
        now.forEach((what, micros) -> {
            Long before = pressures.get(what);
            if (before != null && seconds > 0 && micros >= before) {
                fields.put("pressure_" + what + "_some_pct", (micros - before) / seconds / PERCENT_OF_MICROS);
            }
        });
        pressures = now;
    }

    private long throttled() {
        Long micros = group.throttledMicros();
        return micros == null ? 0 : micros;
    }

    private void group(Map<String, Object> fields, double seconds) {
        Double cpuLimit = group.cpuLimit();
        if (cpuLimit != null) {
            fields.put("cgroup_cpu_limit", cpuLimit);
        }
        Long limit = group.memoryLimitBytes();
        if (limit != null) {
            fields.put("cgroup_memory_limit_bytes", limit);
        }
        Long used = group.memoryBytes();
        if (used != null) {
            fields.put("cgroup_memory_bytes", used);
        }
        Long throttled = group.throttledMicros();
        if (throttled != null && throttled >= throttledMicros && seconds > 0) {
            fields.put("cgroup_throttled_pct", (throttled - throttledMicros) / seconds / PERCENT_OF_MICROS);
        }
        throttledMicros = throttled == null ? 0 : throttled;
    }
}
