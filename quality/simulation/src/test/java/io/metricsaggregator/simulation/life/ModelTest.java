package io.metricsaggregator.simulation.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventType;
import io.metricsaggregator.simulation.life.plan.Arrival;
import io.metricsaggregator.simulation.life.plan.Words;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelTest {
    private static Arrival frame(EventType type, long nanos, int sample) {
        return new Arrival(nanos, new byte[0], Arrival.Kind.RECORD, List.of(new Arrival.Sent(type, nanos, sample)));
    }

    @Test
    void a_sample_issued_before_tracking_has_no_latency() {
        Model model = new Model(2, false);
        model.receive(frame(EventType.SAMPLE_ISSUED, 1, 0));
        model.receive(frame(EventType.SESSION_START_PERFORMANCE_TRACKING, 2, -1));
        model.receive(frame(EventType.SAMPLE_ISSUED, 3, 1));
        model.receive(frame(EventType.SAMPLE_COMPLETE, 10, 0));
        model.receive(frame(EventType.SAMPLE_COMPLETE, 13, 1));
        Figures figures = model.after(5);
        assertThat(figures.get(Count.ISSUED)).isEqualTo(1);
        assertThat(figures.get(Count.COMPLETED)).isEqualTo(1);
        assertThat(figures.get(Count.LATENCY_TOTAL)).isEqualTo(10);
        assertThat(model.latencies()).containsExactly(10L);
    }

    @Test
    void a_completion_whose_issue_was_lost_counts_no_more() {
        Model model = new Model(1, false);
        model.receive(frame(EventType.SESSION_START_PERFORMANCE_TRACKING, 1, -1));
        model.receive(frame(EventType.SAMPLE_ISSUED, 2, 0));
        model.receive(frame(EventType.SAMPLE_COMPLETE, 5, 0));
        model.keep(List.of(model.received().get(0), model.received().get(2)));
        assertThat(model.frames()).isEqualTo(2);
        assertThat(model.after(2).get(Count.COMPLETED)).isZero();
        assertThat(model.after(2).get(Count.RECORDS)).isEqualTo(2);
    }

    @Test
    void words_of_a_prompt_and_an_output_are_those_that_are_sent() {
        Model model = new Model(8, true);
        model.receive(frame(EventType.SESSION_START_PERFORMANCE_TRACKING, 1, -1));
        model.receive(frame(EventType.SAMPLE_ISSUED, 2, 7));
        model.receive(frame(EventType.SAMPLE_RECV_FIRST, 3, 7));
        model.receive(frame(EventType.SAMPLE_COMPLETE, 5, 7));
        Figures figures = model.after(4);
        assertThat(figures.get(Count.TEXTS)).isEqualTo(2);
        assertThat(figures.get(Count.PROMPT_WORDS))
                .isEqualTo(words(Words.prompt(7).text()));
        assertThat(figures.get(Count.OUTPUT_WORDS))
                .isEqualTo(words(Words.output(7).output().joined()));
        assertThat(figures.get(Count.TIMED_OUTPUTS)).isZero();
    }

    private static long words(String text) {
        return text.split(" ").length;
    }
}
