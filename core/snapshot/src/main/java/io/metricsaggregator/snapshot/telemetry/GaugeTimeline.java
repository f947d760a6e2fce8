package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A gauge over time: weighted mean, extremes, first and last value of each bucket; null where nothing was measured. */
public record GaugeTimeline(
        List<@Nullable Double> mean,
        List<@Nullable Double> min,
        List<@Nullable Double> max,
        List<@Nullable Double> first,
        List<@Nullable Double> last) {
    static final GaugeTimeline BLANK = new GaugeTimeline(List.of(), List.of(), List.of(), List.of(), List.of());

    static GaugeTimeline pass(Fields f, GaugeTimeline v) throws MalformedMessageException {
        return new GaugeTimeline(
                f.form("mean", v.mean, Forms.COLUMN),
                f.form("min", v.min, Forms.COLUMN),
                f.form("max", v.max, Forms.COLUMN),
                f.form("first", v.first, Forms.COLUMN),
                f.form("last", v.last, Forms.COLUMN));
    }
}
