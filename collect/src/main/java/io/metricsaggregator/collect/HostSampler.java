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
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The resources of this host, from /proc and /sys: a {@code resource.sample} for each look. Figures of the CPU are of the time since the look before.
 * What a host does not have is not in its samples. For one thread.
 */
public final class HostSampler {
    private static final long SECTOR_BYTES = 512;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int CPU_FIELDS = 8;

    private final Path root;
    private final String node;
    private final LongSupplier clock;
    private final String boot;
    private final List<Path> groups;
    private Map<Integer, long[]> cpus;
    private Map<String, Long> pressures;
    private long throttledMicros;
    private long lastNanos;
    /** Another after each start: the numbers of an earlier process are no losses of this one. */
    private final long life = System.nanoTime() & Long.MAX_VALUE;

    private long sequence;

    /**
     * Takes the first look.
     *
     * @param root the directory that has proc and sys
     * @param node what this host is called; null for its host name
     * @param clock monotonic
     */
    public HostSampler(Path root, @Nullable String node, LongSupplier clock) {
        this.root = root;
        this.clock = clock;
        String host = text("proc/sys/kernel/hostname");
        this.node = node != null ? node : host == null ? "localhost" : host.strip();
        String id = text("proc/sys/kernel/random/boot_id");
        this.boot = id == null ? "" : id.strip();
        this.groups = groups();
        this.cpus = cpus();
        this.pressures = pressures();
        this.throttledMicros = throttled();
        this.lastNanos = clock.getAsLong();
    }

    /** What this host is called. */
    public String node() {
        return node;
    }

    /** Looks again. */
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
        return fields;
    }

    private @Nullable String text(String file) {
        return text(root.resolve(file));
    }

    private static @Nullable String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException | RuntimeException e) {
            // Not every host has it, or shows it.
            return null;
        }
    }

    private List<String[]> rows(String file) {
        String text = text(file);
        List<String[]> rows = new ArrayList<>();
        if (text != null) {
            text.lines().forEach(line -> rows.add(line.strip().split("\\s+")));
        }
        return rows;
    }

    private static long number(String[] row, int i) {
        return i < row.length && row[i].matches("\\d{1,18}") ? Long.parseLong(row[i]) : 0;
    }

    private Map<Integer, long[]> cpus() {
        Map<Integer, long[]> found = new LinkedHashMap<>();
        for (String[] row : rows("proc/stat")) {
            if (row[0].matches("cpu\\d{1,5}")) {
                // user nice system idle iowait irq softirq steal; guests are in user already.
                long all = 0;
                for (int i = 1; i <= CPU_FIELDS; i++) {
                    all += number(row, i);
                }
                found.put(Integer.parseInt(row[0].substring(3)), new long[] {all, number(row, 4) + number(row, 5)});
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
        List<String[]> load = rows("proc/loadavg");
        if (!load.isEmpty()) {
            try {
                fields.put("load1", Double.parseDouble(load.get(0)[0]));
            } catch (NumberFormatException e) {
                // Then there is none.
            }
        }
        for (String[] row : rows("proc/stat")) {
            if (row[0].equals("procs_running")) {
                fields.put("run_queue", number(row, 1));
            }
        }
    }

    private void memory(Map<String, Object> fields) {
        long total = 0;
        long available = 0;
        for (String[] row : rows("proc/meminfo")) {
            total = row[0].equals("MemTotal:") ? number(row, 1) * 1024 : total;
            available = row[0].equals("MemAvailable:") ? number(row, 1) * 1024 : available;
        }
        if (total > 0) {
            fields.put("mem_percent", 100.0 * (total - available) / total);
            fields.put("memory_total_bytes", total);
            fields.put("memory_available_bytes", available);
        }
        try {
            FileStore store = Files.getFileStore(root);
            // As df has it: what is kept for root is neither used nor free.
            long used = store.getTotalSpace() - store.getUnallocatedSpace();
            long open = used + store.getUsableSpace();
            if (open > 0) {
                fields.put("disk_usage_percent", 100.0 * used / open);
            }
        } catch (IOException e) {
            // Then it is not known.
        }
    }

    private void disks(Map<String, Object> fields) {
        long read = 0;
        long written = 0;
        boolean any = false;
        for (String[] row : rows("proc/diskstats")) {
            // Whole devices; what is built of others, or of memory, would count twice or not at all.
            if (row.length > 9
                    && Files.isDirectory(root.resolve("sys/block").resolve(row[2]))
                    && !row[2].matches("(loop|ram|zram|dm-|md).*")) {
                read += number(row, 5);
                written += number(row, 9);
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
        String text = text("proc/net/dev");
        for (String line :
                text == null ? List.<String>of() : text.lines().skip(2).toList()) {
            int colon = line.lastIndexOf(':');
            if (colon < 0) {
                continue;
            }
            String name = line.substring(0, colon).strip();
            String[] row = line.substring(colon + 1).strip().split("\\s+");
            boolean local =
                    name.equals("lo") || name.toLowerCase(java.util.Locale.ROOT).contains("loopback");
            sums[local ? 0 : 1] += number(row, 8);
            sums[local ? 2 : 3] += number(row, 0);
            any = true;
        }
        if (any) {
            fields.put("net_lo_sent_bytes", sums[0]);
            fields.put("net_ext_sent_bytes", sums[1]);
            fields.put("net_lo_recv_bytes", sums[2]);
            fields.put("net_ext_recv_bytes", sums[3]);
        }
    }

    /** Microseconds for which some task waited, by what for. */
    private Map<String, Long> pressures() {
        Map<String, Long> found = new LinkedHashMap<>();
        for (String what : List.of("cpu", "memory", "io")) {
            for (String[] row : rows("proc/pressure/" + what)) {
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
                fields.put("pressure_" + what + "_some_pct", (micros - before) / seconds / 1e4);
            }
        });
        pressures = now;
    }

    /** The control groups this process is in: of version 2 one, of version 1 those of CPU and memory. */
    private List<Path> groups() {
        List<Path> found = new ArrayList<>();
        Path base = root.resolve("sys/fs/cgroup");
        for (String[] row : rows("proc/self/cgroup")) {
            String[] parts = row[0].split(":", 3);
            if (parts.length < 3 || !parts[2].startsWith("/")) {
                continue;
            }
            String under = parts[2].substring(1);
            for (String controller : parts[1].isEmpty() ? List.of("") : List.of(parts[1].split(","))) {
                if (controller.isEmpty() || controller.equals("cpu") || controller.equals("memory")) {
                    Path top = base.resolve(controller);
                    // In a container the path is that of the host, and what is at the top is its own.
                    found.add(Files.isDirectory(top.resolve(under)) ? top.resolve(under) : top);
                }
            }
        }
        return found;
    }

    private @Nullable String group(String file) {
        for (Path group : groups) {
            String text = text(group.resolve(file));
            if (text != null) {
                return text.strip();
            }
        }
        return null;
    }

    private static @Nullable Long whole(@Nullable String text) {
        // Without a limit it is "max", or the largest number of pages.
        return text == null || !text.matches("\\d{1,18}") ? null : (Long) Long.parseLong(text);
    }

    private long throttled() {
        String stat = group("cpu.stat");
        long micros = 0;
        for (String line : stat == null ? List.<String>of() : stat.lines().toList()) {
            String[] row = line.split("\\s+");
            micros = row[0].equals("throttled_usec") ? number(row, 1) : micros;
            micros = row[0].equals("throttled_time") ? number(row, 1) / 1000 : micros;
        }
        return micros;
    }

    private void group(Map<String, Object> fields, double seconds) {
        String max = group("cpu.max");
        Long quota = max == null ? whole(group("cpu.cfs_quota_us")) : whole(max.split("\\s+", -1)[0]);
        Long period = max == null
                ? whole(group("cpu.cfs_period_us"))
                : max.contains(" ") ? whole(max.split("\\s+", -1)[1]) : null;
        if (quota != null && period != null && period > 0) {
            fields.put("cgroup_cpu_limit", (double) quota / period);
        }
        Long limit = whole(group("memory.max"));
        limit = limit == null ? whole(group("memory.limit_in_bytes")) : limit;
        if (limit != null) {
            fields.put("cgroup_memory_limit_bytes", limit);
        }
        Long used = whole(group("memory.current"));
        used = used == null ? whole(group("memory.usage_in_bytes")) : used;
        if (used != null) {
            fields.put("cgroup_memory_bytes", used);
        }
        long throttled = throttled();
        if (throttled >= throttledMicros && seconds > 0 && group("cpu.stat") != null) {
            fields.put("cgroup_throttled_pct", (throttled - throttledMicros) / seconds / 1e4);
        }
        throttledMicros = throttled;
    }
}
