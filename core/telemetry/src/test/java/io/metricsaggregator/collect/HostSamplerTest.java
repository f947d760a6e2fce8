package io.metricsaggregator.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on synthetic /proc and /sys files; an integration test covers the real ones. */
class HostSamplerTest {
    @TempDir
    Path root;

    private void file(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void host(long busy, long idle, long sectors, long bytes, long stalled, long throttled) throws IOException {
        file("proc/sys/kernel/hostname", "n1\n");
        file("proc/sys/kernel/random/boot_id", "b-1\n");
        file(
                "proc/stat",
                "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 " + busy + " 0 0 " + (idle - idle / 2) + " " + idle / 2
                        + " 0 0 0 99 99\ncpu1 0 0 0 " + 2 * idle + " 0 0 0 0 0 0\nprocs_running 7\n");
        file("proc/loadavg", "1.25 0 0 1/2 3\n");
        file("proc/meminfo", "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 250 kB\n");
        file(
                "proc/diskstats",
                "8 0 sda 1 2 " + sectors + " 4 5 6 " + 2 * sectors + " 8\n8 1 sda1 1 2 777 4 5 6 777 8\n"
                        + "253 0 dm-0 1 2 777 4 5 6 777 8\n7 0 loop0 1 2 777 4 5 6 777 8\n"
                                .replace(" 8\n", " 8 9 10\n"));
        Files.createDirectories(root.resolve("sys/block/sda"));
        Files.createDirectories(root.resolve("sys/block/dm-0"));
        Files.createDirectories(root.resolve("sys/block/loop0"));
        file(
                "proc/net/dev",
                "Inter-|\n face |\n    lo: 5 0 0 0 0 0 0 0 6 0\n  eth0:" + bytes + " 0 0 0 0 0 0 0 " + 3 * bytes
                        + " 0\nveth1: 1 0 0 0 0 0 0 0 1 0\n");
        file("proc/pressure/io", "some avg10=0.00 total=" + stalled + "\nfull avg10=0.00 total=1\n");
        file("proc/self/cgroup", "0::/a/b\n");
        file("sys/fs/cgroup/a/b/cpu.max", "150000 100000\n");
        file("sys/fs/cgroup/a/b/memory.max", "max\n");
        file("sys/fs/cgroup/a/b/memory.current", "4096\n");
        file("sys/fs/cgroup/a/b/cpu.stat", "usage_usec 1\nthrottled_usec " + throttled + "\n");
    }

    @Test
    void figuresCoverTheTimeSinceThePreviousSample() throws IOException {
        AtomicLong clock = new AtomicLong(1_000_000_000L);
        host(100, 100, 10, 1000, 0, 0);
        HostSampler sampler = new HostSampler(root, null, clock::get);
        host(175, 125, 30, 4000, 200_000, 500_000);
        clock.addAndGet(2_000_000_000L);
        Map<String, Object> sample = sampler.sample();
        assertThat(sample)
                .containsEntry("event_type", "resource.sample")
                .containsEntry("node_id", "n1")
                .containsEntry("boot_id", "b-1")
                .containsEntry("seq", 0L)
                .containsEntry("interval_s", 2.0)
                .containsEntry("cpu_count", 2L)
                .containsEntry("cpu_pct", List.of(75.0, 0.0))
                .containsEntry("load1", 1.25)
                .containsEntry("run_queue", 7L)
                .containsEntry("mem_percent", 75.0)
                .containsEntry("disk_read_bytes", 30L * 512)
                .containsEntry("disk_write_bytes", 60L * 512)
                .containsEntry("net_lo_sent_bytes", 6L)
                .containsEntry("net_ext_sent_bytes", 12_001L)
                .containsEntry("net_lo_recv_bytes", 5L)
                .containsEntry("net_ext_recv_bytes", 4001L)
                .containsEntry("pressure_io_some_pct", 10.0)
                .containsEntry("cgroup_cpu_limit", 1.5)
                .containsEntry("cgroup_memory_bytes", 4096L)
                .containsEntry("cgroup_throttled_pct", 25.0)
                .doesNotContainKeys("cgroup_memory_limit_bytes", "pressure_cpu_some_pct");
    }

    @Test
    void aHostWithoutProcFilesStillReportsItsNumberOfProcessors() {
        HostSampler sampler = new HostSampler(root, "n2", System::nanoTime);
        Map<String, Object> sample = sampler.sample();
        assertThat(sample).containsEntry("node_id", "n2").containsKeys("cpu_count", "interval_s");
        assertThat(sample).doesNotContainKeys("cpu_pct", "net_lo_sent_bytes", "disk_read_bytes", "mem_percent");
    }
}
