package io.metricsaggregator.benchmarks;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** The telemetry that goes with each repetition of a stream: records that differ from one repetition to the next, as they would in a run. */
final class TelemetryBeside {
    private static final int RECORDS_OF_A_KIND = 200;

    private final Traits traits;
    private int repetition;

    TelemetryBeside(Traits traits) {
        this.traits = traits;
    }

    /** Returns the number of records a repetition has. */
    static long records(Traits traits) {
        return traits.series() + (long) RECORDS_OF_A_KIND * traits.kinds();
    }

    /** Frames for the next repetition, ready to be sent; none without telemetry. */
    List<ByteBuffer> next() {
        List<ByteBuffer> frames = new ArrayList<>();
        if (traits.series() > 0) {
            List<byte[]> values = new ArrayList<>();
            for (int i = 0; i < traits.series(); i++) {
                values.add(TelemetryRecords.encode(
                        TelemetryRecords.metric(repetition * traits.series() + i, traits.series())));
            }
            frames.add(Workload.batch(values));
        }
        for (IntFunction<Map<String, Object>> kind : TelemetryRecords.kinds().subList(0, traits.kinds())) {
            for (int i = 0; i < RECORDS_OF_A_KIND; i++) {
                // One by one: a batch of scrapes of a thousand series is larger than a frame may be.
                frames.add(Workload.batch(
                        List.of(TelemetryRecords.encode(kind.apply(repetition * RECORDS_OF_A_KIND + i)))));
            }
        }
        repetition++;
        return frames;
    }
}
