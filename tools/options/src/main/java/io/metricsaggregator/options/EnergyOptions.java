package io.metricsaggregator.options;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.EnergySettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Power and price that the user states; the figures computed from them are no measurements. */
@OptionGroup.In(OptionGroup.METRICS)
public final class EnergyOptions {
    @Option(
            names = "--price",
            paramLabel = "USD/h",
            description =
                    "Price of the system in USD an hour, such as 12.5/h: reports then show the cost of a million tokens and of a"
                            + " request.")
    private @Nullable String price;

    @Option(
            names = "--provisioned-power-kw",
            paramLabel = "KW",
            description =
                    "Power that the site provides for the system, in kW: reports then show output tokens a second per kW, as MLPerf"
                            + " Endpoints does.")
    private @Nullable Double provisionedKilowatts;

    @Option(
            names = "--nodes",
            paramLabel = "Y/N",
            description =
                    "The run used Y of the N nodes that --provisioned-power-kw is for, such as 9/18. Default: all of them.")
    private @Nullable String nodes;

    @Option(
            names = "--idle-power",
            paramLabel = "W",
            description =
                    "Power of all measured GPUs without load, in W, for the energy above idle. Default: the mean before the first"
                            + " request, if at least 10s of it were measured.")
    private @Nullable Double idleWatts;

    /** Whether any of these options is given. */
    boolean areGiven() {
        return price != null || provisionedKilowatts != null || nodes != null || idleWatts != null;
    }

    /**
     * The settings; those that are not given are not stated.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public EnergySettings build() {
        int[] parts = parts();
        return new EnergySettings(
                positive("--idle-power", idleWatts),
                positive("--provisioned-power-kw", provisionedKilowatts),
                parts[0],
                parts[1],
                usdPerHour());
    }

    /**
     * The settings, beside those of a run where an option is not given.
     *
     * @throws IllegalArgumentException if one is out of range, or {@code --nodes} is a part of a power that nobody stated
     */
    public EnergySettings over(EnergySettings own) {
        EnergySettings all = own.with(build());
        if (nodes != null && all.provisionedKilowatts() == null) {
            throw new IllegalArgumentException("--nodes has no effect without --provisioned-power-kw KW");
        }
        return all;
    }

    private @Nullable Double usdPerHour() {
        if (price == null) {
            return null;
        }
        try {
            return positive(
                    "--price", Double.valueOf(price.endsWith("/h") ? price.substring(0, price.length() - 2) : price));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--price '" + price + "' is not a price an hour such as 12.5/h", e);
        }
    }

    private static @Nullable Double positive(String option, @Nullable Double value) {
        if (value != null && !(value > 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(option + " " + value + " is not a number above 0");
        }
        return value;
    }

    private int[] parts() {
        if (nodes == null) {
            return new int[] {1, 1};
        }
        if (nodes.matches("\\d{1,6}/\\d{1,6}")) {
            int slash = nodes.indexOf('/');
            int used = Integer.parseInt(nodes.substring(0, slash));
            int all = Integer.parseInt(nodes.substring(slash + 1));
            if (used >= 1 && used <= all) {
                return new int[] {used, all};
            }
        }
        throw new IllegalArgumentException("--nodes '" + nodes + "' is not a part of all nodes such as 9/18");
    }

    /** The snapshot with these settings among its own, which stay where an option is not given. */
    public MetricsSnapshot stateIn(MetricsSnapshot snapshot) {
        return areGiven()
                ? StatedSettings.in(
                        snapshot,
                        "power and price need",
                        settings -> over(EnergySettings.of(settings)).encode())
                : snapshot;
    }
}
