package io.metricsaggregator.telemetry.energy;

import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the RAPL zones of {@code resource.sample} records: {@code rapl} is a list of {@code [zone, name, µJ, largest µJ]}, {@code rapl_unreadable} the reason
 * why zones could not be read. Belongs to the thread that applies events.
 */
final class RaplZones {
    private static final int ZONES_MAX = 64;
    private static final int NODES_MAX = 1024;
    /** Power that a package is assumed to take at most, W: beyond half the time in which it wraps the counter, a wrap may be missed. */
    private static final double PACKAGE_WATTS = 400;

    private static final double MICRO = 1e-6;

    private final Traces traces;
    private final BiConsumer<String, String> note;
    private final Set<String> nodes = new HashSet<>();
    private final Map<String, String> boots = new HashMap<>();

    /** Finds the trace of a zone; null if there is no room for it. */
    interface Traces {
        @Nullable
        EnergyTrace of(String id, EnergyScope scope, String node, String source);
    }

    /**
     * A reader without nodes.
     *
     * @param note takes what was not measured, and why
     */
    RaplZones(Traces traces, BiConsumer<String, String> note) {
        this.traces = traces;
        this.note = note;
    }

    /** Whether the host of a scraped target reports its zones itself; a target named by loopback is on a host that does, if any does. */
    boolean isSampled(String instance) {
        int colon = instance.lastIndexOf(':');
        String host = colon < 0 ? instance : instance.substring(0, colon);
        boolean loopback = host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
        return nodes.contains(host) || (loopback && !nodes.isEmpty());
    }

    /** Takes the zones of a sample of a host; false if it has none. */
    boolean apply(TelemetryRecord record) {
        String node = record.node().isEmpty() ? record.source() : record.node();
        String unreadable = record.text("rapl_unreadable");
        if (unreadable != null) {
            note.accept(
                    "processors of " + node,
                    unreadable.length() <= TelemetryRecord.NAME_MAX_CHARS
                            ? unreadable
                            : unreadable.substring(0, TelemetryRecord.NAME_MAX_CHARS));
        }
        List<?> zones = record.list("rapl");
        if (zones.isEmpty() || zones.size() > ZONES_MAX || (nodes.size() >= NODES_MAX && !nodes.contains(node))) {
            return false;
        }
        nodes.add(node);
        String boot = record.text("boot_id");
        boolean rebooted = boot != null && !boot.equals(boots.getOrDefault(node, boot));
        if (boot != null && boot.length() <= TelemetryRecord.NAME_MAX_CHARS) {
            boots.put(node, boot);
        }
        for (Object each : zones) {
            if (each instanceof List<?> zone) {
                zone(record, node, zone, rebooted);
            }
        }
        return true;
    }

    private void zone(TelemetryRecord record, String node, List<?> zone, boolean rebooted) {
        if (zone.size() < 4
                || !(zone.get(0) instanceof String path)
                || path.length() > TelemetryRecord.NAME_MAX_CHARS
                || !(zone.get(1) instanceof String name)
                || !(zone.get(2) instanceof Long micros)
                || !(zone.get(3) instanceof Long largest)
                || micros < 0) {
            return;
        }
        EnergyScope scope = scope(name);
        String id = node + "/" + path;
        EnergyTrace trace = scope == null ? null : traces.of(id, scope, node, record.source());
        if (trace == null) {
            return;
        }
        if (rebooted) {
            trace.restart();
        }
        double wrap = largest > 0 ? largest * MICRO : Double.NaN;
        if (!trace.isEmpty() && (record.timestampNanos() - trace.lastNanos()) / 1e9 > wrap / (2 * PACKAGE_WATTS)) {
            note.accept(
                    name + " of " + node,
                    String.format(
                            Locale.ROOT,
                            "samples were %.0f s apart; a counter that wraps at %.0f J may have wrapped twice",
                            (record.timestampNanos() - trace.lastNanos()) / 1e9,
                            wrap));
        }
        trace.count(record.timestampNanos(), micros * MICRO, wrap);
    }

    /** The scope of a zone's name; null for a zone of another kind. */
    private static @Nullable EnergyScope scope(String name) {
        return switch (name.startsWith("package") ? "package" : name) {
            case "package" -> EnergyScope.PACKAGE;
            case "dram" -> EnergyScope.DRAM;
            case "psys" -> EnergyScope.PSYS;
            case "core" -> EnergyScope.CORE;
            case "uncore" -> EnergyScope.UNCORE;
            default -> null;
        };
    }
}
