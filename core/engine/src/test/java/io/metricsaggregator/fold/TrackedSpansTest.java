package io.metricsaggregator.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.fold.row.SampleContext;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.row.TrackedWindows;
import io.metricsaggregator.fold.row.WindowSums;
import io.metricsaggregator.snapshot.figures.TimeSpan;
import org.junit.jupiter.api.Test;

/** The spans of tracked windows, over which energy is computed. */
class TrackedSpansTest {
    private final SampleContext stamp = new SampleContext();
    private final TrackedWindows session = new TrackedWindows(TimeCut.NONE, stamp);
    private final WindowSums windows = new WindowSums();

    private void start(long at) {
        session.start(at);
        windows.follow(stamp);
    }

    private void block(long start, long completion) {
        start(start);
        int block = windows.open();
        windows.issued(start, 1);
        session.stop();
        windows.follow(stamp);
        windows.completed(block, start, completion, 1);
    }

    @Test
    void each_window_lasts_from_its_start_to_the_last_completion_among_its_samples() {
        block(10, 30);
        block(40, 45);
        start(50);
        int open = windows.open();
        windows.issued(51, 1);
        assertThat(windows.spans()).containsExactly(new TimeSpan(10, 30), new TimeSpan(40, 45));
        windows.completed(open, 51, 60, 1);
        assertThat(windows.spans()).containsExactly(new TimeSpan(10, 30), new TimeSpan(40, 45), new TimeSpan(50, 60));
        assertThat(windows.trackedNanos()).isEqualTo(20 + 5 + 10);
    }

    @Test
    void a_run_with_more_windows_than_are_kept_has_no_spans_rather_than_some() {
        for (int i = 0; i < 1024; i++) {
            block(10L * i, 10L * i + 5);
        }
        assertThat(windows.spans()).hasSize(1024);
        block(100_000, 100_005);
        assertThat(windows.spans()).isEmpty();
    }
}
