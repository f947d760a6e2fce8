package io.metricsaggregator.runs;

import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the energy of runs with different devices. Runs that share a device, or of which some have no energy, have no sum: a device would count twice, or
 * the energy of some of the samples would be missing. Ratios follow from the sums.
 */
final class EnergyMerge {
    private EnergyMerge() {}

    /** The energy of all runs; null if no run has any. Without a sum, it says why. */
    static @Nullable EnergyUse of(List<SnapshotExtensions> all) {
        List<EnergyUse> parts = new ArrayList<>();
        for (SnapshotExtensions each : all) {
            EnergyUse energy = each.optional().energy();
            if (energy != null) {
                parts.add(energy);
            }
        }
        return parts.isEmpty() ? null : add(parts, all.size());
    }

    /**
     * Adds up the energy of some runs.
     *
     * @param parts of the runs that have any, at least one
     * @param runs number of all runs
     */
    static EnergyUse add(List<EnergyUse> parts, int runs) {
        if (parts.size() < runs) {
            return none("energy of the merged run: " + (runs - parts.size()) + " of " + runs + " runs have none");
        }
        String shared = shared(parts);
        if (shared != null) {
            return none("energy of the merged run: " + shared + " belongs to more than one run; see the reports of the"
                    + " single runs");
        }
        List<String> notMeasured = parts.stream()
                .flatMap(each -> each.notMeasured().stream())
                .distinct()
                .toList();
        return new EnergyUse(
                window(parts, EnergyUse::run), window(parts, EnergyUse::tracked), null, idle(parts), notMeasured);
    }

    private static EnergyUse none(String why) {
        return new EnergyUse(null, null, null, null, List.of(why));
    }

    private static @Nullable String shared(List<EnergyUse> parts) {
        Set<String> seen = new HashSet<>();
        for (EnergyUse part : parts) {
            EnergyWindow window = part.main();
            for (DeviceEnergy each : window == null ? List.<DeviceEnergy>of() : window.devices()) {
                if (!seen.add(each.id())) {
                    return each.id();
                }
            }
        }
        return null;
    }

    private static @Nullable Double idle(List<EnergyUse> parts) {
        double sum = 0;
        for (EnergyUse each : parts) {
            Double idle = each.idleWatts();
            if (idle == null) {
                return null;
            }
            sum += idle;
        }
        return sum;
    }

    /** The devices of all runs in the longest of their windows; null unless every run has the window. */
    private static @Nullable EnergyWindow window(
            List<EnergyUse> parts, Function<EnergyUse, @Nullable EnergyWindow> which) {
        List<DeviceEnergy> devices = new ArrayList<>();
        EnergyWindow longest = null;
        for (EnergyUse part : parts) {
            EnergyWindow each = which.apply(part);
            if (each == null) {
                return null;
            }
            devices.addAll(each.devices());
            longest = longest == null || each.seconds() > longest.seconds() ? each : longest;
        }
        return longest == null
                ? null
                : new EnergyWindow(
                        longest.fromNanos(), longest.toNanos(), longest.fromWallNanos(), longest.seconds(), devices);
    }
}
