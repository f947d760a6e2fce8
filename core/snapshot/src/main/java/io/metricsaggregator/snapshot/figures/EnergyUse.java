package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The energy that GPUs and processors took during a run.
 *
 * @param run from the start of the session to its newest event, or what was measured in a run without a session; null before the first sample
 * @param tracked the tracked windows, each to the last completion among its samples; null before the first completion
 * @param steady from the first to the last issue of the steady window; null unless the run has ended steady
 * @param idleWatts power of the basis before the first issue; null with less than 10 s of samples there
 * @param notMeasured what could not be measured, and why; one clause each
 */
public record EnergyUse(
        @Nullable EnergyWindow run,
        @Nullable EnergyWindow tracked,
        @Nullable EnergyWindow steady,
        @Nullable Double idleWatts,
        List<String> notMeasured) {

    public static final EnergyUse BLANK = new EnergyUse(null, null, null, null, List.of());

    /** The fields; see {@link Fields.Shape}. */
    public static EnergyUse pass(Fields f, EnergyUse v) throws MalformedMessageException {
        return new EnergyUse(
                f.absent("run", v.run(), EnergyWindow::pass, EnergyWindow.BLANK),
                f.absent("tracked", v.tracked(), EnergyWindow::pass, EnergyWindow.BLANK),
                f.absent("steady", v.steady(), EnergyWindow::pass, EnergyWindow.BLANK),
                f.maybeReal("idle_w", v.idleWatts()),
                f.texts("not_measured", v.notMeasured()));
    }

    public EnergyUse {
        notMeasured = List.copyOf(notMeasured);
    }

    /** The same with one row for all devices of a scope, for a small snapshot. */
    public EnergyUse withoutDevices() {
        return new EnergyUse(summed(run), summed(tracked), summed(steady), idleWatts, notMeasured);
    }

    private static @Nullable EnergyWindow summed(@Nullable EnergyWindow window) {
        if (window == null) {
            return null;
        }
        Map<EnergyScope, DeviceEnergy> sums = new EnumMap<>(EnergyScope.class);
        window.devices().forEach(each -> sums.merge(each.scope(), each, DeviceEnergy::plus));
        return new EnergyWindow(
                window.fromNanos(),
                window.toNanos(),
                window.fromWallNanos(),
                window.seconds(),
                List.copyOf(sums.values()));
    }

    /** The window whose figures stand for the run: the tracked one, or the run where nothing was tracked; null before the first sample. */
    public @Nullable EnergyWindow main() {
        return tracked == null ? run : tracked;
    }
}
