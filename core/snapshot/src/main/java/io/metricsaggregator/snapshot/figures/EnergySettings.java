package io.metricsaggregator.snapshot.figures;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a user states of the power and the price of a system. The values are not measured: figures computed from them say so.
 *
 * @param idleWatts power of all measured GPUs (or packages) without load, W; null to take the measured one
 * @param provisionedKilowatts power that the site provides for the whole system, kW; null if not stated
 * @param nodesUsed nodes that the run used, of {@code nodesProvisioned}; both 1 where all are used
 * @param nodesProvisioned nodes that the provisioned power is for
 * @param usdPerHour price of the system, USD an hour; null if not stated
 */
public record EnergySettings(
        @Nullable Double idleWatts,
        @Nullable Double provisionedKilowatts,
        int nodesUsed,
        int nodesProvisioned,
        @Nullable Double usdPerHour) {
    /** Nothing is stated. */
    public static final EnergySettings NONE = new EnergySettings(null, null, 1, 1, null);

    private static final String IDLE = "idle_power_w";
    private static final String PROVISIONED = "provisioned_power_kw";
    private static final String NODES = "power_nodes";
    private static final String PRICE = "price_usd_per_hour";

    /** The names of the settings in journals and snapshots. */
    public static final Set<String> NAMES = Set.of(IDLE, PROVISIONED, NODES, PRICE);

    public EnergySettings {
        requirePositive("idle power", idleWatts);
        requirePositive("provisioned power", provisionedKilowatts);
        requirePositive("price", usdPerHour);
        if (nodesUsed < 1 || nodesProvisioned < nodesUsed) {
            throw new IllegalArgumentException(
                    "nodes " + nodesUsed + "/" + nodesProvisioned + ": not a part of at least one node");
        }
    }

    private static void requirePositive(String what, @Nullable Double value) {
        if (value != null && !(value > 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException("the " + what + " " + value + " is not a number above 0");
        }
    }

    /** Provisioned power of the nodes that the run used, kW; null if not stated. */
    public @Nullable Double kilowatts() {
        return provisionedKilowatts == null
                ? null
                : (Double) (provisionedKilowatts * nodesUsed / (double) nodesProvisioned);
    }

    /** These settings, with those of {@code other} where it states any. */
    public EnergySettings with(EnergySettings other) {
        boolean nodes = other.nodesProvisioned > 1;
        return new EnergySettings(
                other.idleWatts == null ? idleWatts : other.idleWatts,
                other.provisionedKilowatts == null ? provisionedKilowatts : other.provisionedKilowatts,
                nodes ? other.nodesUsed : nodesUsed,
                nodes ? other.nodesProvisioned : nodesProvisioned,
                other.usdPerHour == null ? usdPerHour : other.usdPerHour);
    }

    /** The settings by name, as journals and snapshots hold them; only those that are stated. */
    public Map<String, String> encode() {
        Map<String, String> settings = new LinkedHashMap<>();
        put(settings, IDLE, idleWatts);
        put(settings, PROVISIONED, provisionedKilowatts);
        if (nodesProvisioned > 1) {
            settings.put(NODES, nodesUsed + "/" + nodesProvisioned);
        }
        put(settings, PRICE, usdPerHour);
        return settings;
    }

    private static void put(Map<String, String> settings, String name, @Nullable Double value) {
        if (value != null) {
            settings.put(name, value.toString());
        }
    }

    /** The settings of a run; one that is out of range or unreadable, as from another version, counts as not stated. */
    public static EnergySettings of(Map<String, String> settings) {
        int used = 1;
        int all = 1;
        String nodes = settings.getOrDefault(NODES, "");
        if (nodes.matches("\\d{1,6}/\\d{1,6}")) {
            int slash = nodes.indexOf('/');
            used = Integer.parseInt(nodes.substring(0, slash));
            all = Integer.parseInt(nodes.substring(slash + 1));
        }
        boolean valid = used >= 1 && all >= used;
        return new EnergySettings(
                number(settings.get(IDLE)),
                number(settings.get(PROVISIONED)),
                valid ? used : 1,
                valid ? all : 1,
                number(settings.get(PRICE)));
    }

    private static @Nullable Double number(@Nullable String text) {
        try {
            double value = text == null ? Double.NaN : Double.parseDouble(text);
            return value > 0 && Double.isFinite(value) ? (Double) value : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
