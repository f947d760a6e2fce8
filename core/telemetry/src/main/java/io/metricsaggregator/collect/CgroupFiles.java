package io.metricsaggregator.collect;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads limits and use of CPU and memory from control groups, version 2 or version 1. Each call reads its file again. Any thread.
 *
 * <p>Version 1 has a group per controller; the first group that has a file answers.
 */
public final class CgroupFiles {
    private static final String BASE = "sys/fs/cgroup";
    private static final long NANOS_PER_MICRO = 1000;

    private final List<Path> groups;

    private CgroupFiles(List<Path> groups) {
        this.groups = List.copyOf(groups);
    }

    /** The groups at the top of the hierarchy: in a container its own, on a host the one without limits. */
    public static CgroupFiles ofTop(ProcFiles files) {
        Path base = files.path(BASE);
        return new CgroupFiles(List.of(base, base.resolve("cpu"), base.resolve("memory")));
    }

    /** The groups that this process belongs to when this method is called. */
    public static CgroupFiles ofThisProcess(ProcFiles files) {
        List<Path> found = new ArrayList<>();
        Path base = files.path(BASE);
        for (String[] row : files.rows("proc/self/cgroup")) {
            String[] parts = row[0].split(":", 3);
            if (parts.length < 3 || !parts[2].startsWith("/")) {
                continue;
            }
            String under = parts[2].substring(1);
            for (String controller : parts[1].isEmpty() ? List.of("") : List.of(parts[1].split(","))) {
                if (controller.isEmpty() || controller.equals("cpu") || controller.equals("memory")) {
                    Path top = base.resolve(controller);
                    // In a container the path can be the host's, and the container's own group is at the top.
                    found.add(Files.isDirectory(top.resolve(under)) ? top.resolve(under) : top);
                }
            }
        }
        return new CgroupFiles(found);
    }

    private @Nullable String text(String file) {
        for (Path group : groups) {
            String text = ProcFiles.text(group.resolve(file));
            if (text != null) {
                return text.strip();
            }
        }
        return null;
    }

    /** A number; null if the file is missing or says that there is no limit, as {@code max} or as the largest number of pages. */
    private @Nullable Long number(String file) {
        return ProcFiles.number(text(file));
    }

    /** Quota and period of version 2 in microseconds, such as {@code 150000 100000}; null for version 1 or if the file is missing. */
    public @Nullable String cpuMax() {
        return text("cpu.max");
    }

    /** The limit of CPU time per time, in CPUs; null without a limit. */
    public @Nullable Double cpuLimit() {
        String max = cpuMax();
        String[] words = max == null ? new String[0] : max.split("\\s+", -1);
        Long quota = max == null ? number("cpu.cfs_quota_us") : ProcFiles.number(words[0]);
        Long period = max == null ? number("cpu.cfs_period_us") : words.length > 1 ? ProcFiles.number(words[1]) : null;
        return quota == null || period == null || period == 0 ? null : (Double) ((double) quota / period);
    }

    /** The limit of memory in bytes; null without a limit. */
    public @Nullable Long memoryLimitBytes() {
        Long limit = number("memory.max");
        return limit != null ? limit : number("memory.limit_in_bytes");
    }

    /** The memory in use, in bytes, page cache included; null if unknown. */
    public @Nullable Long memoryBytes() {
        Long used = number("memory.current");
        return used != null ? used : number("memory.usage_in_bytes");
    }

    /** The time in microseconds for which the group was throttled, since its creation; null if unknown. */
    public @Nullable Long throttledMicros() {
        String stat = text("cpu.stat");
        if (stat == null) {
            return null;
        }
        long micros = 0;
        for (String line : stat.lines().toList()) {
            String[] row = line.split("\\s+");
            micros = row[0].equals("throttled_usec") ? ProcFiles.number(row, 1) : micros;
            micros = row[0].equals("throttled_time") ? ProcFiles.number(row, 1) / NANOS_PER_MICRO : micros;
        }
        return micros;
    }
}
