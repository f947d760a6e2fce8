package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the run has reached steady state, judged by batches of tracked samples in order of issue.
 *
 * @param state {@code warming_up}, {@code shifted}, {@code drifting_up}, {@code drifting_down}, {@code steady} or {@code unsteady}; up means slower
 * @param driver the figure it is judged by: {@code tpot_ns}, {@code chunk_delta_ns} or {@code sample_latency_ns}; null before any value
 * @param closed batches after the warm-up whose samples have completed
 * @param needed batches that a judgement needs
 * @param sinceNanos start of the present level, or the change point of {@code shifted}, on the producers' clock; null in other states
 * @param sinceSessionNanos the same from the first tracked issue
 * @param steadySeconds duration of the present level up to the end of the last closed batch that shows it; 0 unless {@code steady}
 * @param requiredSeconds duration after which the level is certified
 * @param cov coefficient of variation of the driver; null before the first batch
 * @param drift relative change of the driver's trend line over the batches after the warm-up; null before the first batch
 * @param p p value of that trend; null with fewer than four batches
 * @param shiftPercent difference of two plateaus, after a step or in a lasting trend; null unless {@code shifted}
 * @param window figures of the steady samples of a run that has ended: of the window that the super-passes found, else of the present level; null if
 *     there is neither
 * @param superPasses the judgement by super-passes of a run that has ended complete; null without a size of super-passes
 * @param saturation whether the server is overloaded; null before the first slice of time
 */
public record SteadyState(
        String state,
        @Nullable String driver,
        int closed,
        int needed,
        @Nullable Long sinceNanos,
        @Nullable Long sinceSessionNanos,
        double steadySeconds,
        double requiredSeconds,
        @Nullable Double cov,
        @Nullable Double drift,
        @Nullable Double p,
        @Nullable Double shiftPercent,
        @Nullable SteadyWindow window,
        @Nullable SuperPasses superPasses,
        @Nullable SaturationMonitor saturation) {

    /** Creates the state of a run without super-passes. */
    public SteadyState(
            String state,
            @Nullable String driver,
            int closed,
            int needed,
            @Nullable Long sinceNanos,
            @Nullable Long sinceSessionNanos,
            double steadySeconds,
            double requiredSeconds,
            @Nullable Double cov,
            @Nullable Double drift,
            @Nullable Double p,
            @Nullable Double shiftPercent,
            @Nullable SteadyWindow window) {
        this(
                state,
                driver,
                closed,
                needed,
                sinceNanos,
                sinceSessionNanos,
                steadySeconds,
                requiredSeconds,
                cov,
                drift,
                p,
                shiftPercent,
                window,
                null,
                null);
    }

    public static final SteadyState BLANK =
            new SteadyState("", null, 0, 0, null, null, 0, 0, null, null, null, null, null);

    /** The fields; see {@link Fields.Shape}. */
    public static SteadyState pass(Fields f, SteadyState v) throws MalformedMessageException {
        String state = f.text("state", v.state());
        String driver = f.maybeText("driver", v.driver());
        int closed = positive(f.count("closed", v.closed()));
        int needed = positive(f.count("needed", v.needed()));
        Long since = f.maybeCount("since_ns", v.sinceNanos());
        Long sinceSession = f.maybeCount("since_session_ns", v.sinceSessionNanos());
        double held = f.real("steady_for_s", v.steadySeconds());
        double required = f.real("required_s", v.requiredSeconds());
        f.derived("certified", v.isCertified());
        SteadyState read = new SteadyState(
                state,
                driver,
                closed,
                needed,
                since,
                sinceSession,
                held,
                required,
                f.maybeReal("cov_ratio", v.cov()),
                f.maybeReal("rel_drift_ratio", v.drift()),
                f.maybeReal("p", v.p()),
                f.maybeReal("shift_pct", v.shiftPercent()),
                SteadyWindow.absent(f, v.window()),
                null,
                f.absent("saturation", v.saturation(), SaturationMonitor::pass, SaturationMonitor.BLANK));
        return read.with(read.window, SuperPasses.group(f, v.superPasses()));
    }

    /** A count within the range of an {@code int}. */
    static int positive(long count) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, count));
    }

    /** All values of {@code state}. */
    public static final List<String> STATES =
            List.of("warming_up", "shifted", "drifting_up", "drifting_down", "steady", "unsteady");

    /** Whether the level was held for as long as required; a change within the bounds of {@code steady} may be part of it. */
    public boolean isCertified() {
        return state.equals("steady") && steadySeconds >= requiredSeconds;
    }

    /** The judgement by super-passes; null if there is none. */
    public SuperPasses.@Nullable Judgement judgement() {
        return superPasses == null ? null : superPasses.judgement();
    }

    /** The same state with the figures of its window. */
    public SteadyState withWindow(@Nullable SteadyWindow figures) {
        return with(figures, superPasses);
    }

    /** The same state with another saturation. */
    public SteadyState withSaturation(@Nullable SaturationMonitor monitor) {
        return with(window, superPasses, monitor);
    }

    /** The same state of a finished run, with the figures of its window and the judgement by super-passes. */
    public SteadyState with(@Nullable SteadyWindow figures, @Nullable SuperPasses passes) {
        return with(figures, passes, saturation);
    }

    private SteadyState with(
            @Nullable SteadyWindow figures, @Nullable SuperPasses passes, @Nullable SaturationMonitor monitor) {
        return new SteadyState(
                state,
                driver,
                closed,
                needed,
                sinceNanos,
                sinceSessionNanos,
                steadySeconds,
                requiredSeconds,
                cov,
                drift,
                p,
                shiftPercent,
                figures,
                passes,
                monitor);
    }
}
