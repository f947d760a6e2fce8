package io.metricsaggregator.parts;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.SlowSample;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowPartTest {
    private static SlowPart.Row row(String id, long nanos, long position) {
        return new SlowPart.Row(
                new SlowSample(SlowSample.LATENCY, id, "", nanos, false, null, 0, null, null, nanos), position);
    }

    private static List<String> ids(SlowPart part) {
        return part.samples().stream().map(SlowSample::id).toList();
    }

    @Test
    void of_equally_slow_samples_the_first_of_the_run_come_first_whichever_part_has_them() {
        SlowPart early = new SlowPart(List.of(row("z", 5, 1), row("y", 5, 4)));
        SlowPart late = new SlowPart(List.of(row("x", 5, 2), row("b", 5, 3), row("a", 5, 3), row("slower", 6, 9)));
        assertThat(ids(early.add(late))).containsExactly("slower", "z", "x", "a", "b", "y");
        assertThat(ids(late.add(early))).containsExactly("slower", "z", "x", "a", "b", "y");
    }

    @Test
    void of_more_equally_slow_samples_than_are_kept_the_first_of_the_run_are_kept() {
        SlowPart sum = SlowPart.NONE;
        for (int i = 0; i < 30; i++) {
            sum = sum.add(new SlowPart(List.of(row("s" + i, 7, 29 - i))));
        }
        assertThat(sum.rows())
                .extracting(SlowPart.Row::position)
                .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }
}
