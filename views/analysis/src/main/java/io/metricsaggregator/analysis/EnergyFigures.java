package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.EnergySettings;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Energy and cost of one window of a run: a pure function of the snapshot. Ratios are null unless every expected device covers 95 % of the window and both
 * sides of the ratio are known for it.
 *
 * @param window {@code run}, {@code tracked} or {@code steady}
 * @param energy what was measured; null if nothing was
 * @param work what the system did in the window
 * @param idleWatts power of the basis without load: stated, else measured; null if unknown
 * @param settings what the user states
 */
public record EnergyFigures(
        String window,
        @Nullable EnergyWindow energy,
        WindowWork work,
        @Nullable Double idleWatts,
        EnergySettings settings) {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double MILLION = 1e6;

    /** The figures of each window, in the order run, tracked, steady; empty if neither energy was measured nor power or price stated. */
    public static List<EnergyFigures> of(Report report) {
        SnapshotExtensions extensions = report.snapshot().extensions();
        if (extensions.isNone()) {
            return List.of();
        }
        EnergyUse energy = extensions.optional().energy();
        EnergySettings settings = EnergySettings.of(extensions.run().settings());
        List<EnergyFigures> figures = new ArrayList<>();
        if (energy == null && settings.equals(EnergySettings.NONE)) {
            return figures;
        }
        Double measured = energy == null ? null : energy.idleWatts();
        Double idle = settings.idleWatts() == null ? measured : settings.idleWatts();
        add(figures, "run", energy == null ? null : energy.run(), WindowWork.run(report), idle, settings);
        add(figures, "tracked", energy == null ? null : energy.tracked(), WindowWork.tracked(report), idle, settings);
        add(figures, "steady", energy == null ? null : energy.steady(), WindowWork.steady(report), idle, settings);
        return figures;
    }

    private static void add(
            List<EnergyFigures> into,
            String window,
            @Nullable EnergyWindow energy,
            @Nullable WindowWork work,
            @Nullable Double idle,
            EnergySettings settings) {
        if (energy != null || work != null) {
            WindowWork known = work == null ? new WindowWork(0, null, null, null, null, null) : work;
            into.add(new EnergyFigures(window, energy, known, idle, settings));
        }
    }

    /** The figures that stand for the run: of the tracked windows, else of the run; null if there are none. */
    public static @Nullable EnergyFigures main(Report report) {
        EnergyFigures main = null;
        for (EnergyFigures each : of(report)) {
            main = each.window.equals("steady") ? main : each;
        }
        return main;
    }

    /** Energy of a complete window, J; null if it is incomplete. */
    private @Nullable Double joules() {
        return energy == null || !energy.isComplete() ? null : energy.joules();
    }

    private @Nullable Double watts() {
        return energy == null || !energy.isComplete() ? null : energy.watts();
    }

    private static @Nullable Double ratio(@Nullable Number amount, @Nullable Number per) {
        return amount == null || per == null || per.doubleValue() <= 0
                ? null
                : (Double) (amount.doubleValue() / per.doubleValue());
    }

    /** Energy beyond that of the idle system in the same time, J. */
    public @Nullable Double joulesAboveIdle() {
        Double joules = joules();
        return joules == null || energy == null || idleWatts == null
                ? null
                : (Double) (joules - idleWatts * energy.coveredSeconds());
    }

    /** Energy of a completed request, J. */
    public @Nullable Double joulesPerRequest() {
        return ratio(joules(), work.requests());
    }

    /** Energy of an output token, J. */
    public @Nullable Double joulesPerOutputToken() {
        return ratio(joules(), work.outputTokens());
    }

    /** Energy of a token, input or output, J. */
    public @Nullable Double joulesPerToken() {
        return ratio(joules(), work.tokens());
    }

    /** Output tokens of one joule. */
    public @Nullable Double outputTokensPerJoule() {
        return ratio(work.outputTokens(), joules());
    }

    /** Output tokens a second and watt. */
    public @Nullable Double tokensPerSecondPerWatt() {
        return ratio(work.outputTokensPerSecond(), watts());
    }

    /** Samples a second and watt that met all objectives. */
    public @Nullable Double goodPerSecondPerWatt() {
        return ratio(ratio(work.good(), work.seconds()), watts());
    }

    /** Energy of a request times its mean latency, J·s. */
    public @Nullable Double energyDelay() {
        Double joules = joulesPerRequest();
        return joules == null || work.latencySeconds() == null ? null : (Double) (joules * work.latencySeconds());
    }

    /** Output tokens a second and kilowatt of provisioned power, to one decimal as in MLPerf's rules. */
    public @Nullable Double tokensPerSecondPerKilowatt() {
        Double ratio = ratio(work.outputTokensPerSecond(), settings.kilowatts());
        return ratio == null ? null : (Double) (Math.round(ratio * 10) / 10.0);
    }

    private @Nullable Double usd() {
        return settings.usdPerHour() == null || work.seconds() <= 0
                ? null
                : (Double) (settings.usdPerHour() / SECONDS_PER_HOUR * work.seconds());
    }

    private static @Nullable Double million(@Nullable Double each) {
        return each == null ? null : (Double) (each * MILLION);
    }

    /** Price of the system in the time of a million output tokens, USD. */
    public @Nullable Double usdPerMillionOutputTokens() {
        return million(ratio(usd(), work.outputTokens()));
    }

    /** Price of the system in the time of a million tokens, input or output, USD. */
    public @Nullable Double usdPerMillionTokens() {
        return million(ratio(usd(), work.tokens()));
    }

    /** Price of the system in the time of a request, USD. */
    public @Nullable Double usdPerRequest() {
        return ratio(usd(), work.requests());
    }
}
