package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The energy of all devices in one window of a run. Figures without a scope are those of the basis: the GPUs, or, in a run without GPUs, packages and
 * their memory. Null where nothing was measured.
 *
 * @param fromNanos start of the window on the producers' clock
 * @param toNanos end of the window
 * @param fromWallNanos the start, nanoseconds since 1970 UTC; null if no source of energy has a wall clock
 * @param seconds length of the window, without its gaps
 * @param devices one row for each device
 */
public record EnergyWindow(
        long fromNanos, long toNanos, @Nullable Long fromWallNanos, double seconds, List<DeviceEnergy> devices) {
    /** Share of the window that each device must cover for ratios. */
    public static final double COVERAGE_MIN = 0.95;

    private static final Set<EnergyScope> GPUS = EnumSet.of(EnergyScope.GPU);
    private static final Set<EnergyScope> HOSTS = EnumSet.of(EnergyScope.PACKAGE, EnergyScope.DRAM);

    public static final EnergyWindow BLANK = new EnergyWindow(0, 0, null, 0, List.of());

    /** The fields; see {@link Fields.Shape}. */
    public static EnergyWindow pass(Fields f, EnergyWindow v) throws MalformedMessageException {
        long from = f.count("from_ns", v.fromNanos());
        long to = f.count("to_ns", v.toNanos());
        Long fromWall = f.maybeCount("from_wall_ns", v.fromWallNanos());
        double seconds = f.real("duration_s", v.seconds());
        f.derived("basis", v.basis());
        f.derived("energy_j", v.joules());
        f.derived("mean_w", v.watts());
        f.derived("covered_s", v.coveredSeconds());
        f.derived("complete", v.isComplete());
        f.derived("resets", v.resets());
        f.derived("it_energy_j", v.componentJoules());
        f.derivedMap("by_scope", v::passScopes);
        List<DeviceEnergy> devices =
                new ArrayList<>(f.list("by_gpu", v.of(GPUS), DeviceEnergy::pass, DeviceEnergy.BLANK));
        devices.addAll(f.list(
                "by_zone",
                v.of(EnumSet.complementOf(EnumSet.of(EnergyScope.GPU))),
                DeviceEnergy::pass,
                DeviceEnergy.BLANK));
        return new EnergyWindow(from, to, fromWall, seconds, devices);
    }

    private void passScopes(Fields f) throws MalformedMessageException {
        for (EnergyScope scope : EnergyScope.values()) {
            if (joules(scope) != null) {
                f.derivedMap(scope.wire(), each -> {
                    each.derived("energy_j", joules(scope));
                    each.derived("mean_w", watts(scope));
                });
            }
        }
    }

    public EnergyWindow {
        devices = List.copyOf(devices);
    }

    /** What the figures without a scope cover: {@code gpu}, or {@code host} in a run without GPUs. */
    public String basis() {
        return has(EnergyScope.GPU) ? "gpu" : "host";
    }

    private Set<EnergyScope> basisScopes() {
        return has(EnergyScope.GPU) ? GPUS : HOSTS;
    }

    private boolean has(EnergyScope scope) {
        return devices.stream().anyMatch(each -> each.scope() == scope);
    }

    private List<DeviceEnergy> of(Set<EnergyScope> scopes) {
        return devices.stream().filter(each -> scopes.contains(each.scope())).toList();
    }

    /** Number of devices of the basis, measured or not. */
    public int expected() {
        return of(basisScopes()).size();
    }

    /** Energy of the basis, J: the sum of what its devices cover. */
    public @Nullable Double joules() {
        return joules(of(basisScopes()));
    }

    /** Energy of one scope, J. */
    public @Nullable Double joules(EnergyScope scope) {
        return joules(of(EnumSet.of(scope)));
    }

    /** Energy of GPUs, packages and memory, J: components of the machines, not the power at the wall. */
    public @Nullable Double componentJoules() {
        return joules(
                devices.stream().filter(each -> each.scope().isComponent()).toList());
    }

    private static @Nullable Double joules(List<DeviceEnergy> devices) {
        boolean any = devices.stream().anyMatch(each -> each.coveredSeconds() > 0);
        return any ? (Double) devices.stream().mapToDouble(DeviceEnergy::joules).sum() : null;
    }

    /** Mean power of the basis, W: the sum of the devices' means over the time that each covers. */
    public @Nullable Double watts() {
        return watts(of(basisScopes()));
    }

    /** Mean power of one scope, W. */
    public @Nullable Double watts(EnergyScope scope) {
        return watts(of(EnumSet.of(scope)));
    }

    private static @Nullable Double watts(List<DeviceEnergy> devices) {
        double sum = 0;
        boolean any = false;
        for (DeviceEnergy each : devices) {
            Double watts = each.watts();
            any |= watts != null;
            sum += watts == null ? 0 : watts;
        }
        return any ? (Double) sum : null;
    }

    /** The part of the window that every device of the basis covers at least, s; 0 without devices. */
    public double coveredSeconds() {
        return of(basisScopes()).stream()
                .mapToDouble(DeviceEnergy::coveredSeconds)
                .min()
                .orElse(0);
    }

    /** How often counters of the basis started again. */
    public long resets() {
        return of(basisScopes()).stream().mapToLong(DeviceEnergy::resets).sum();
    }

    /** Whether every device of the basis covers at least {@value #COVERAGE_MIN} of the window, so that ratios hold. */
    public boolean isComplete() {
        return expected() > 0 && seconds > 0 && coveredSeconds() >= COVERAGE_MIN * seconds;
    }
}
