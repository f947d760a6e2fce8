package io.metricsaggregator.publish;

import io.metricsaggregator.snapshot.figures.SaturationMonitor;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.steady.Saturation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Judges from the slices of a run whether it overloads its server. A pure function, so that a live snapshot and a replay agree. */
public final class SaturationJudge {
    private SaturationJudge() {}

    /** The saturation up to the last slice with an issue: what follows only drains the run. Null without slices. */
    public static @Nullable SaturationMonitor of(Slices slices) {
        long[] issued = slices.column("issued");
        long[] inFlight = slices.column("in_flight");
        if (issued == null || inFlight == null) {
            return null;
        }
        int length = issued.length;
        while (length > 0 && issued[length - 1] <= 0) {
            length--;
        }
        if (length == 0) {
            return null;
        }
        long[] ttft = slices.column("ttft_p50_ns");
        Saturation saturation = Saturation.of(
                values(inFlight, length),
                ttft == null ? new double[0] : values(ttft, length),
                slices.widthNanos() / 1e9);
        return new SaturationMonitor(
                saturation.alert(), finite(saturation.inFlightSlope()), finite(saturation.ttftSlope()));
    }

    private static double[] values(long[] column, int length) {
        return Arrays.stream(column, 0, length)
                .mapToDouble(each -> each == Slices.NOT_MEASURED ? Double.NaN : each)
                .toArray();
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }
}
