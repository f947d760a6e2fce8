package io.metricsaggregator.fold.steady;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.fold.row.SampleContext;
import io.metricsaggregator.fold.series.Streaming;
import org.junit.jupiter.api.Test;

class LongestSpanTest {
    private static final long START = Long.MIN_VALUE + 1;
    private static final long STEP = SliceTable.LONGEST_SILENCE_NANOS;

    @Test
    void slices_and_batches_end_where_their_times_are_too_far_from_the_first_to_subtract() {
        SliceTable slices = new SliceTable(Streaming.ON, false);
        SteadyBatches batches = new SteadyBatches();
        slices.start(START);
        long time = START;
        // Each time is within an hour of the one before, so that only the first tells that it is too far.
        while (time < Long.MAX_VALUE - 2 * STEP) {
            int slice = slices.at(time);
            batches.issued(time);
            // The last slice may end behind the last time that fits, and is found without a subtraction.
            assertThat(slice).isGreaterThanOrEqualTo(SampleContext.NONE);
            time += STEP;
        }
        assertThat(slices.toNanos()).isLessThanOrEqualTo(START + Long.MAX_VALUE);
        assertThat(slices.find(slices.toNanos() - 1)).isNotEqualTo(SampleContext.NONE);
        assertThat(batches.copy()).isNotEmpty();
    }
}
