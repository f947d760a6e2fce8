package io.metricsaggregator.collect;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the energy counters of processors (RAPL) from {@code /sys/class/powercap/intel-rapl:*}, the kernel's name for those of AMD too. Since Linux 5.10 only
 * root may read them: a zone that cannot be read has a reason instead of a value. Each call reads the files again. For one thread.
 */
final class PowercapFiles {
    private static final String BASE = "sys/class/powercap";
    private static final int ZONES_MAX = 64;

    private final ProcFiles files;

    PowercapFiles(ProcFiles files) {
        this.files = files;
    }

    /** Adds the fields {@code rapl}, a list of {@code [zone, name, µJ, largest µJ]}, and {@code rapl_unreadable}; neither on a host without zones. */
    void addTo(Map<String, Object> fields) {
        List<Object> zones = new ArrayList<>();
        String unreadable = null;
        for (String zone : zones()) {
            String folder = BASE + "/" + zone + "/";
            String name = files.firstLine(folder + "name");
            if (name == null) {
                continue;
            }
            try {
                Long energy = ProcFiles.number(
                        Files.readString(files.path(folder + "energy_uj")).strip());
                Long largest = ProcFiles.number(files.firstLine(folder + "max_energy_range_uj"));
                if (energy != null) {
                    zones.add(List.of(zone, name.strip(), energy, largest == null ? 0L : largest));
                }
            } catch (IOException | RuntimeException e) {
                unreadable = unreadable == null ? "/" + folder + "energy_uj " + reason(e) : unreadable;
            }
        }
        if (!zones.isEmpty()) {
            fields.put("rapl", zones);
        }
        if (unreadable != null) {
            fields.put("rapl_unreadable", unreadable);
        }
    }

    /** Why a file was not read, and what to do about it, as the end of a sentence that begins with its path. */
    static String reason(@Nullable Exception failure) {
        return failure instanceof AccessDeniedException
                ? "is readable by root only; grant the daemon read access to it"
                : "cannot be read: " + (failure == null ? "" : failure.getMessage());
    }

    /** Names of the zones in order, packages before their parts; those of other interfaces to the same counters are left out. */
    private Iterable<String> zones() {
        TreeSet<String> zones = new TreeSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(files.path(BASE), "intel-rapl:*")) {
            for (Path each : entries) {
                if (zones.size() < ZONES_MAX) {
                    zones.add(String.valueOf(each.getFileName()));
                }
            }
        } catch (IOException | RuntimeException e) {
            // A host without powercap, or a container that hides it, has no zones.
        }
        return zones;
    }
}
