package io.metricsaggregator.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The machine a run is measured on, as far as it tells: what cannot be had is left out. */
final class Environment {
    private static final long MIB = 1 << 20;
    /** What a memory group without a limit says. */
    private static final long NO_LIMIT = 1L << 60;

    private Environment() {}

    static Map<String, String> describe() {
        Map<String, String> found = new LinkedHashMap<>();
        put(found, "host", firstLine("/proc/sys/kernel/hostname"));
        put(found, "os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        put(found, "arch", System.getProperty("os.arch"));
        put(found, "cpu", field("/proc/cpuinfo", "model name"));
        found.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        put(found, "memory", mebibytes(field("/proc/meminfo", "MemTotal")));
        put(found, "memory_limit", memoryLimit());
        put(found, "cpu_limit", firstLine("/sys/fs/cgroup/cpu.max"));
        put(found, "load_at_start", firstLine("/proc/loadavg"));
        put(found, "java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        found.put("heap_max", Runtime.getRuntime().maxMemory() / MIB + " MiB");
        return found;
    }

    private static void put(Map<String, String> into, String name, @Nullable String value) {
        if (value != null && !value.isBlank()) {
            into.put(name, value.strip());
        }
    }

    private static @Nullable String firstLine(String file) {
        try {
            return Files.readString(Path.of(file)).lines().findFirst().orElse(null);
        } catch (IOException | RuntimeException e) {
            // Not every machine has it.
            return null;
        }
    }

    private static @Nullable String field(String file, String name) {
        try {
            return Files.readString(Path.of(file))
                    .lines()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(null);
        } catch (IOException | RuntimeException e) {
            // Not every machine has it.
            return null;
        }
    }

    private static @Nullable String mebibytes(@Nullable String kibibytes) {
        return kibibytes == null || !kibibytes.matches("\\d+ kB")
                ? kibibytes
                : Long.parseLong(kibibytes.substring(0, kibibytes.length() - 3)) / 1024 + " MiB";
    }

    private static @Nullable String memoryLimit() {
        String limit = firstLine("/sys/fs/cgroup/memory.max");
        if (limit == null) {
            limit = firstLine("/sys/fs/cgroup/memory/memory.limit_in_bytes");
        }
        return limit == null || !limit.matches("\\d{1,18}") || Long.parseLong(limit) >= NO_LIMIT
                ? null
                : Long.parseLong(limit) / MIB + " MiB";
    }
}
