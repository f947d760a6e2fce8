package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Whether the run overloads its server, from the last two minutes. It decides nothing: a report and the screen show it.
 *
 * @param alert whether samples in flight and times to first token grow together; without chunks samples in flight alone
 * @param inFlightPerSecond change of the samples in flight per second; null with fewer than two points
 * @param ttftNanosPerSecond change of the median time to first token in ns per second; null with fewer than two points
 */
public record SaturationMonitor(
        boolean alert,
        @Nullable Double inFlightPerSecond,
        @Nullable Double ttftNanosPerSecond) {
    public static final SaturationMonitor BLANK = new SaturationMonitor(false, null, null);

    /** The fields; see {@link Fields.Shape}. */
    public static SaturationMonitor pass(Fields f, SaturationMonitor v) throws MalformedMessageException {
        return new SaturationMonitor(
                f.laterFlag("alert", v.alert()),
                f.maybeReal("in_flight_slope_per_s", v.inFlightPerSecond()),
                f.maybeReal("ttft_slope_ns_per_s", v.ttftNanosPerSecond()));
    }
}
