package io.metricsaggregator.snapshot.figures;

import java.util.List;
import java.util.Locale;

/**
 * The part of a machine that an energy covers. Scopes overlap ({@link #PACKAGE} holds {@link #CORE}, {@link #PSYS} holds all of a host), so their energies
 * are never added up, except {@link #GPU}, {@link #PACKAGE} and {@link #DRAM}, which are disjoint.
 */
public enum EnergyScope {
    /** A GPU with its memory. */
    GPU,
    /** A processor package. */
    PACKAGE,
    /** Memory beside a processor package. */
    DRAM,
    /** The whole platform as a processor sees it. */
    PSYS,
    /** The cores of a package. */
    CORE,
    /** The parts of a package beside its cores. */
    UNCORE;

    static final List<EnergyScope> ALL = List.of(values());

    /** The name in snapshots and reports. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the scope is a part of {@code it_energy_j}, the sum of disjoint components. */
    public boolean isComponent() {
        return this == GPU || this == PACKAGE || this == DRAM;
    }
}
