package io.metricsaggregator.run;

import io.metricsaggregator.collect.CgroupFiles;
import io.metricsaggregator.collect.ProcFiles;
import io.metricsaggregator.journal.NodeName;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes the host and the JVM of a run, by name. Leaves out what the host does not report. */
final class Environment {
    private static final long MIB = 1 << 20;

    private Environment() {}

    /** The name of this host as the name of a node; {@code localhost} if the kernel does not report it. */
    static String node() {
        String name = NodeName.nearest(ProcFiles.ofThisHost().firstLine("proc/sys/kernel/hostname"));
        return name == null ? "localhost" : name;
    }

    /** Returns the properties by name, such as {@code cpu} and {@code memory}, as text. */
    static Map<String, String> describe() {
        ProcFiles files = ProcFiles.ofThisHost();
        CgroupFiles groups = CgroupFiles.ofTop(files);
        Long memoryLimit = groups.memoryLimitBytes();
        Map<String, String> found = new LinkedHashMap<>();
        put(found, "host", files.firstLine("proc/sys/kernel/hostname"));
        put(found, "os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        put(found, "arch", System.getProperty("os.arch"));
        put(found, "cpu", files.field("proc/cpuinfo", "model name"));
        found.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        put(found, "memory", mebibytes(files.field("proc/meminfo", "MemTotal")));
        put(found, "memory_limit", memoryLimit == null ? null : memoryLimit / MIB + " MiB");
        put(found, "cpu_limit", groups.cpuMax());
        put(found, "load_at_start", files.firstLine("proc/loadavg"));
        put(found, "java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        found.put("heap_max", Runtime.getRuntime().maxMemory() / MIB + " MiB");
        return found;
    }

    private static void put(Map<String, String> into, String name, @Nullable String value) {
        if (value != null && !value.isBlank()) {
            into.put(name, value.strip());
        }
    }

    private static @Nullable String mebibytes(@Nullable String kibibytes) {
        return kibibytes == null || !kibibytes.matches("\\d+ kB")
                ? kibibytes
                : Long.parseLong(kibibytes.substring(0, kibibytes.length() - 3)) / 1024 + " MiB";
    }
}
