package io.metricsaggregator.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on synthetic files of both versions; an integration test covers the real ones. */
class CgroupFilesTest {
    @TempDir
    Path root;

    private ProcFiles files = new ProcFiles(Path.of("/"));

    @BeforeEach
    void files() {
        files = new ProcFiles(root);
    }

    private void file(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void version_1_has_a_group_per_controller_and_the_largest_number_of_pages_is_no_limit() throws IOException {
        file("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/b\n3:freezer:/c\n");
        file("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "50000\n");
        file("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
        file("sys/fs/cgroup/cpu/a/cpu.stat", "nr_throttled 1\nthrottled_time 7000\n");
        file("sys/fs/cgroup/memory/b/memory.limit_in_bytes", "9223372036854771712\n");
        file("sys/fs/cgroup/memory/b/memory.usage_in_bytes", "8192\n");
        CgroupFiles group = CgroupFiles.ofThisProcess(files);
        assertThat(group.cpuLimit()).isEqualTo(0.5);
        assertThat(group.cpuMax()).isNull();
        assertThat(group.throttledMicros()).isEqualTo(7L);
        assertThat(group.memoryLimitBytes()).isNull();
        assertThat(group.memoryBytes()).isEqualTo(8192L);
    }

    @Test
    void a_process_whose_group_the_container_does_not_show_uses_the_group_at_the_top() throws IOException {
        file("proc/self/cgroup", "0::/docker/123\n");
        file("sys/fs/cgroup/cpu.max", "max 100000\n");
        file("sys/fs/cgroup/memory.max", "1048576\n");
        for (CgroupFiles group : new CgroupFiles[] {CgroupFiles.ofThisProcess(files), CgroupFiles.ofTop(files)}) {
            assertThat(group.cpuMax()).isEqualTo("max 100000");
            assertThat(group.cpuLimit()).isNull();
            assertThat(group.memoryLimitBytes()).isEqualTo(1_048_576L);
        }
    }

    @Test
    void a_host_without_control_groups_has_no_limits() {
        CgroupFiles group = CgroupFiles.ofThisProcess(files);
        assertThat(group.cpuLimit()).isNull();
        assertThat(group.memoryLimitBytes()).isNull();
        assertThat(group.memoryBytes()).isNull();
        assertThat(group.throttledMicros()).isNull();
    }

    @Test
    void descriptors_and_resident_memory_come_from_the_files_of_the_process() throws IOException {
        file("proc/self/statm", "100 25 7 1 0 50 0\n");
        file(
                "proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units\n"
                        + "Max open files            1024                 524288               files\n");
        file("proc/self/fd/0", "");
        file("proc/self/fd/1", "");
        assertThat(files.residentBytes()).isEqualTo(25L * 4096);
        assertThat(files.openFilesMax()).isEqualTo(1024L);
        assertThat(files.openFiles()).isEqualTo(2);
        file("proc/self/limits", "Max open files            unlimited            unlimited            files\n");
        assertThat(files.openFilesMax()).isNull();
    }
}
