package io.metricsaggregator.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a synthetic powercap folder: two packages, memory, the platform, and a second interface to the same package. */
class PowercapFilesTest {
    @TempDir
    Path root;

    private void zone(String zone, String name, String energy) throws IOException {
        Path folder = root.resolve("sys/class/powercap").resolve(zone);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("name"), name + "\n");
        Files.writeString(folder.resolve("energy_uj"), energy + "\n");
        Files.writeString(folder.resolve("max_energy_range_uj"), "262143328850\n");
    }

    private Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        new PowercapFiles(new ProcFiles(root)).addTo(fields);
        return fields;
    }

    @Test
    void zones_have_their_name_energy_and_range() throws IOException {
        zone("intel-rapl:0", "package-0", "262100000000");
        zone("intel-rapl:0:0", "dram", "17");
        zone("intel-rapl:1", "psys", "5");
        zone("intel-rapl-mmio:0", "package-0", "262100000000");
        Files.createDirectories(root.resolve("sys/class/powercap/intel-rapl"));
        assertThat(fields())
                .containsOnlyKeys("rapl")
                .containsEntry(
                        "rapl",
                        List.of(
                                List.of("intel-rapl:0", "package-0", 262_100_000_000L, 262_143_328_850L),
                                List.of("intel-rapl:0:0", "dram", 17L, 262_143_328_850L),
                                List.of("intel-rapl:1", "psys", 5L, 262_143_328_850L)));
    }

    @Test
    void a_zone_that_cannot_be_read_has_a_reason_beside_the_zones_that_can() throws IOException {
        zone("intel-rapl:0", "package-0", "1");
        Path other = root.resolve("sys/class/powercap/intel-rapl:1");
        Files.createDirectories(other.resolve("energy_uj"));
        Files.writeString(other.resolve("name"), "package-1\n");
        assertThat(fields())
                .containsEntry("rapl", List.of(List.of("intel-rapl:0", "package-0", 1L, 262_143_328_850L)))
                .extractingByKey("rapl_unreadable")
                .asString()
                .startsWith("/sys/class/powercap/intel-rapl:1/energy_uj cannot be read: ");
        assertThat(PowercapFiles.reason(new AccessDeniedException("energy_uj")))
                .isEqualTo("is readable by root only; grant the daemon read access to it");
    }

    @Test
    void a_value_that_is_no_number_is_left_out() throws IOException {
        zone("intel-rapl:0", "package-0", "-1");
        assertThat(fields()).isEmpty();
    }

    @Test
    void a_host_without_powercap_reports_nothing() {
        assertThat(fields()).isEmpty();
    }
}
