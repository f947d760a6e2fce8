package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.figures.EnergyWindow;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A figure of energy or cost with its name, for tables and comparisons. */
public enum EnergyFigure {
    ENERGY("energy_j", "J", "energy", false, figures -> of(figures, EnergyWindow::joules)),
    POWER("mean_w", "W", "mean power", false, figures -> of(figures, EnergyWindow::watts)),
    ABOVE_IDLE("energy_above_idle_j", "J", "energy above idle", false, EnergyFigures::joulesAboveIdle),
    PER_REQUEST("j_per_request", "J", "energy per request", false, EnergyFigures::joulesPerRequest),
    PER_OUTPUT_TOKEN("j_per_output_token", "J", "energy per output token", false, EnergyFigures::joulesPerOutputToken),
    PER_TOKEN("j_per_token", "J", "energy per token", false, EnergyFigures::joulesPerToken),
    TOKENS_PER_JOULE("output_tokens_per_j", "tokens/J", "output tokens", true, EnergyFigures::outputTokensPerJoule),
    TPS_PER_WATT("tps_per_w", "tokens/s/W", "output rate per W", true, EnergyFigures::tokensPerSecondPerWatt),
    GOODPUT_PER_WATT("goodput_per_w", "1/s/W", "goodput per W", true, EnergyFigures::goodPerSecondPerWatt),
    ENERGY_DELAY("energy_delay_js", "Js", "energy x latency", false, EnergyFigures::energyDelay),
    TPS_PER_KILOWATT(
            "system_tps_per_kw",
            "tokens/s/kW",
            "output rate per provisioned kW",
            true,
            EnergyFigures::tokensPerSecondPerKilowatt),
    USD_PER_MILLION_OUTPUT(
            "usd_per_million_output_tokens",
            "USD",
            "million output tokens",
            false,
            EnergyFigures::usdPerMillionOutputTokens),
    USD_PER_MILLION_TOTAL(
            "usd_per_million_total_tokens", "USD", "million tokens", false, EnergyFigures::usdPerMillionTokens),
    USD_PER_REQUEST("usd_per_request", "USD", "request", false, EnergyFigures::usdPerRequest);

    private final String key;
    private final String unit;
    private final String title;
    private final boolean higherIsBetter;

    @SuppressWarnings("ImmutableEnumChecker") // a method of a record
    private final Function<EnergyFigures, @Nullable Double> value;

    EnergyFigure(
            String key,
            String unit,
            String title,
            boolean higherIsBetter,
            Function<EnergyFigures, @Nullable Double> value) {
        this.key = key;
        this.unit = unit;
        this.title = title;
        this.higherIsBetter = higherIsBetter;
        this.value = value;
    }

    private static @Nullable Double of(EnergyFigures figures, Function<EnergyWindow, @Nullable Double> value) {
        return figures.energy() == null ? null : value.apply(figures.energy());
    }

    /** The name in JSON, CSV and comparisons. */
    public String key() {
        return key;
    }

    /** The unit for people. */
    public String unit() {
        return unit;
    }

    /** What the figure is, for people. */
    public String title() {
        return title;
    }

    /** Whether the figure does not grow with the length of a run, so that runs can be compared by it. */
    public boolean isComparable() {
        return this != ENERGY && this != ABOVE_IDLE;
    }

    /** Whether more is better. */
    public boolean higherIsBetter() {
        return higherIsBetter;
    }

    /** The figure of one window; null if it is unknown. */
    public @Nullable Double of(EnergyFigures figures) {
        return value.apply(figures);
    }

    /** The figure of the tracked windows, or of the run where nothing was tracked; null if it is unknown. */
    public @Nullable Double of(Report report) {
        EnergyFigures main = EnergyFigures.main(report);
        return main == null ? null : value.apply(main);
    }
}
