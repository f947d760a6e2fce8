package io.metricsaggregator.telemetry.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import io.metricsaggregator.snapshot.figures.TimeSpan;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of scrapes and hosts to the energy of windows; times in seconds. */
class EnergyFoldTest {
    private static final String COUNTER = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION";
    private static final String POWER = "DCGM_FI_DEV_POWER_USAGE";
    private static final long WALL = 1_700_000_000_000_000_000L;

    private final EnergyFold fold = new EnergyFold(ScrapeOptions.DEFAULT, Allowance.unlimited());

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }

    private static List<Object> sample(String name, String gpu, double value) {
        return List.of(name, Map.of("UUID", gpu, "gpu", "0"), "gauge", value);
    }

    private void scrape(double at, List<?>... samples) {
        scrape(at, 0, samples);
    }

    /** A scrape by a host whose monotonic clock is ahead of the receiver's. */
    private void scrape(double at, double ahead, List<?>... samples) {
        TelemetryRecord record = new TelemetryRecord(
                "scrape.samples",
                nanos(at + ahead),
                WALL + nanos(at),
                "scrape:n1:9400",
                "",
                Map.of("instance", "n1:9400", "samples", List.of(samples)));
        fold.observe(record, nanos(at), nanos(at));
    }

    private void host(double at, String boot, List<?>... zones) {
        fold.observe(
                new TelemetryRecord(
                        "resource.sample",
                        nanos(at),
                        null,
                        "host:n1",
                        "n1",
                        Map.of("rapl", List.of(zones), "boot_id", boot)),
                nanos(at),
                nanos(at));
    }

    private EnergyUse measure(double from, double to) {
        TimeSpan run = new TimeSpan(nanos(from), nanos(to));
        return Objects.requireNonNull(fold.measure(new EnergyWindows(run, List.of(), null, run.fromNanos()), 0, true));
    }

    private EnergyWindow run(double from, double to) {
        return Objects.requireNonNull(measure(from, to).run());
    }

    private void twoGpus(double ahead) {
        double[] joules = {1000, 1400, 1800, 2300};
        for (int i = 0; i < joules.length; i++) {
            scrape(
                    i,
                    ahead,
                    sample(COUNTER, "GPU-a", 1000 * joules[i]),
                    sample(COUNTER, "GPU-b", 1000 * joules[i] + 77_000),
                    sample(POWER, "GPU-a", 1));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 5_000, -86_400})
    void millijoules_of_two_gpus_add_up_whatever_clock_their_host_has(double ahead) {
        twoGpus(ahead);
        EnergyWindow window = run(0.5, 2.5);
        assertThat(window.joules()).isCloseTo(1700, within(1e-6));
        assertThat(window.watts()).isCloseTo(850, within(1e-6));
        assertThat(window.basis()).isEqualTo("gpu");
        assertThat(window.isComplete()).isTrue();
        assertThat(window.fromWallNanos()).isEqualTo(WALL + nanos(0.5));
        assertThat(window.devices())
                .extracting(DeviceEnergy::id, DeviceEnergy::source)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("GPU-a", COUNTER),
                        org.assertj.core.groups.Tuple.tuple("GPU-b", COUNTER));
    }

    @Test
    void a_live_figure_equals_the_final_one_of_the_same_window() {
        twoGpus(0);
        EnergyWindows windows = new EnergyWindows(new TimeSpan(nanos(0.3), nanos(2.9)), List.of(), null, null);
        EnergyWindow live = Objects.requireNonNull(
                Objects.requireNonNull(fold.measure(windows, 0, false)).run());
        EnergyWindow last = Objects.requireNonNull(
                Objects.requireNonNull(fold.measure(windows, 0, true)).run());
        assertThat(live.joules()).isEqualTo(last.joules());
        assertThat(live.watts()).isEqualTo(last.watts());
        assertThat(live.devices()).allMatch(each -> each.power() == null);
        assertThat(last.devices()).allMatch(each -> each.power() != null);
    }

    @Test
    void a_gpu_that_exposes_no_energy_makes_the_window_incomplete() {
        twoGpus(0);
        scrape(4, sample("DCGM_FI_DEV_GPU_UTIL", "GPU-c", 50));
        EnergyWindow window = run(0.5, 2.5);
        assertThat(window.joules()).isCloseTo(1700, within(1e-6));
        assertThat(window.expected()).isEqualTo(3);
        assertThat(window.isComplete()).isFalse();
    }

    @Test
    void the_gap_around_a_reset_is_filled_from_the_power() {
        double[] joules = {1000, 1400, 50, 450, 850};
        for (int i = 0; i < joules.length; i++) {
            scrape(i, sample(POWER, "GPU-a", 380), sample(COUNTER, "GPU-a", 1000 * joules[i]));
        }
        EnergyWindow window = run(0, 4);
        assertThat(window.joules()).isCloseTo(400 + 380 + 800, within(1e-6));
        assertThat(window.resets()).isEqualTo(1);
        assertThat(window.isComplete()).isTrue();
    }

    @Test
    void power_is_used_for_a_gpu_whose_counter_stands_still_or_is_not_available() {
        for (int i = 0; i < 5; i++) {
            scrape(
                    i,
                    sample(COUNTER, "GPU-a", 0),
                    sample(POWER, "GPU-a", 300),
                    sample(COUNTER, "GPU-b", 0x1p63),
                    sample(POWER, "GPU-b", 200));
        }
        EnergyWindow window = run(0, 4);
        assertThat(window.joules()).isCloseTo(2000, within(1e-6));
        assertThat(window.devices()).extracting(DeviceEnergy::source).containsOnly(POWER);
    }

    @Test
    void a_second_exporter_of_the_same_gpu_adds_nothing() {
        for (int i = 0; i < 4; i++) {
            scrape(i, sample(COUNTER, "GPU-a", 400_000.0 * i));
            TelemetryRecord other = new TelemetryRecord(
                    "scrape.samples",
                    nanos(i + 0.5),
                    WALL + nanos(i + 0.5),
                    "scrape:n2:9400",
                    "",
                    Map.of("instance", "n2:9400", "samples", List.of(sample(COUNTER, "GPU-a", 5.0 * i))));
            fold.observe(other, nanos(i + 0.5), nanos(i + 0.5));
        }
        EnergyWindow window = run(0, 3);
        assertThat(window.joules()).isCloseTo(1200, within(1e-6));
        assertThat(window.resets()).isZero();
    }

    @Test
    void packages_and_memory_are_components_and_the_platform_is_a_scope_of_its_own() {
        for (int i = 0; i < 3; i++) {
            host(
                    i,
                    "b",
                    List.of("intel-rapl:0", "package-0", 100_000_000L * i, 262_143_328_850L),
                    List.of("intel-rapl:0:0", "core", 80_000_000L * i, 262_143_328_850L),
                    List.of("intel-rapl:0:1", "dram", 20_000_000L * i, 65_712_999_613L),
                    List.of("intel-rapl:1", "psys", 300_000_000L * i, 262_143_328_850L));
        }
        EnergyWindow window = run(0, 2);
        assertThat(window.basis()).isEqualTo("host");
        assertThat(window.joules()).isCloseTo(240, within(1e-6));
        assertThat(window.componentJoules()).isCloseTo(240, within(1e-6));
        assertThat(window.joules(EnergyScope.PSYS)).isCloseTo(600, within(1e-6));
        assertThat(window.joules(EnergyScope.CORE)).isCloseTo(160, within(1e-6));
        assertThat(window.joules(EnergyScope.GPU)).isNull();
    }

    @Test
    void a_node_exporter_on_a_sampled_host_is_not_counted_twice() {
        for (int i = 0; i < 3; i++) {
            host(i, "b", List.of("intel-rapl:0", "package-0", 100_000_000L * i, 262_143_328_850L));
            scrape(
                    i,
                    List.of(
                            "node_rapl_package_joules_total",
                            Map.of("path", "/sys/class/powercap/intel-rapl:0", "index", "0"),
                            "counter",
                            100.0 * i));
        }
        assertThat(run(0, 2).componentJoules()).isCloseTo(200, within(1e-6));
    }

    @Test
    void a_reboot_is_a_reset_even_if_the_counter_is_larger_than_before() {
        host(0, "b", List.of("intel-rapl:0", "package-0", 5_000_000L, 262_143_328_850L));
        host(1, "b", List.of("intel-rapl:0", "package-0", 105_000_000L, 262_143_328_850L));
        host(2, "c", List.of("intel-rapl:0", "package-0", 150_000_000L, 262_143_328_850L));
        host(3, "c", List.of("intel-rapl:0", "package-0", 250_000_000L, 262_143_328_850L));
        EnergyWindow window = run(0, 3);
        assertThat(window.joules()).isCloseTo(200, within(1e-6));
        assertThat(window.resets()).isEqualTo(1);
    }

    @Test
    void samples_too_far_apart_to_see_two_wraps_are_told() {
        host(0, "b", List.of("intel-rapl:0", "package-0", 1L, 262_143_328_850L));
        host(400, "b", List.of("intel-rapl:0", "package-0", 9_000_000L, 262_143_328_850L));
        assertThat(measure(0, 400).notMeasured()).singleElement().asString().contains("400 s apart");
    }

    @Test
    void unreadable_zones_are_not_measured_and_the_reason_is_told() {
        Map<String, Object> fields = new HashMap<>(Map.of("rapl_unreadable", "energy_uj is readable by root only"));
        fold.observe(new TelemetryRecord("resource.sample", 0, null, "host:n1", "n1", fields), 0, 0);
        EnergyUse energy = measure(0, 1);
        assertThat(energy.notMeasured()).containsExactly("processors of n1: energy_uj is readable by root only");
        assertThat(Objects.requireNonNull(energy.run()).joules()).isNull();
    }

    @Test
    void idle_power_is_the_mean_before_the_first_issue() {
        for (int i = 0; i <= 40; i++) {
            scrape(i, sample(COUNTER, "GPU-a", 1000.0 * (i <= 20 ? 100 * i : 2000 + 500 * (i - 20))));
        }
        TimeSpan run = new TimeSpan(nanos(0), nanos(40));
        EnergyUse late = fold.measure(new EnergyWindows(run, List.of(), null, nanos(20)), 0, true);
        assertThat(Objects.requireNonNull(late).idleWatts()).isCloseTo(100, within(1e-9));
        EnergyUse early = fold.measure(new EnergyWindows(run, List.of(), null, nanos(9.9)), 0, true);
        assertThat(Objects.requireNonNull(early).idleWatts()).isNull();
    }

    @Test
    void tracked_windows_that_overlap_count_once() {
        for (int i = 0; i <= 10; i++) {
            scrape(i, sample(COUNTER, "GPU-a", 100_000.0 * i));
        }
        List<TimeSpan> tracked = List.of(
                new TimeSpan(nanos(1), nanos(4)), new TimeSpan(nanos(3), nanos(5)), new TimeSpan(nanos(7), nanos(8)));
        EnergyUse energy = fold.measure(new EnergyWindows(null, tracked, null, null), 0, true);
        EnergyWindow window =
                Objects.requireNonNull(Objects.requireNonNull(energy).tracked());
        assertThat(window.joules()).isCloseTo(500, within(1e-6));
        assertThat(window.seconds()).isEqualTo(5);
        // Without a session the run is what was measured.
        assertThat(Objects.requireNonNull(energy.run()).joules()).isCloseTo(1000, within(1e-6));
    }

    @Test
    void a_run_without_a_source_of_energy_has_none() {
        scrape(0, List.of("vllm:num_requests_running", Map.of(), "gauge", 3.0));
        assertThat(fold.measure(new EnergyWindows(null, List.of(), null, null), 0, true))
                .isNull();
    }
}
