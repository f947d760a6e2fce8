package io.metricsaggregator.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PlannedAnswerTest {
    private static final int ANSWERS = 20_000;

    private final BehaviourBuilder behaviour = new BehaviourBuilder();

    private static CompletionRequest request(String more) throws RequestRejected {
        String body = "{\"prompt\":\"x\"" + more + "}";
        return CompletionRequest.read(body.getBytes(java.nio.charset.StandardCharsets.UTF_8), false);
    }

    @Test
    void jittered_times_have_the_configured_mean_and_deviation() throws Exception {
        behaviour.jitter = 0.5;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < ANSWERS; i++) {
            double time = new PlannedAnswer(behaviour.build(), request(""), i).firstTokenNanos();
            sum += time;
            squares += time * time;
        }
        double mean = sum / ANSWERS;
        assertThat(mean).isCloseTo(20e6, within(0.02 * 20e6));
        assertThat(Math.sqrt(squares / ANSWERS - mean * mean)).isCloseTo(10e6, within(0.1 * 10e6));
    }

    @Test
    void the_shares_of_errors_and_aborts_are_those_configured() throws Exception {
        behaviour.errorShare = 0.1;
        behaviour.abortShare = 0.2;
        int[] outcomes = new int[3];
        for (int i = 0; i < ANSWERS; i++) {
            outcomes[
                    new PlannedAnswer(behaviour.build(), request(""), i)
                            .outcome()
                            .ordinal()]++;
        }
        assertThat(outcomes[PlannedAnswer.Outcome.REFUSED.ordinal()] / (double) ANSWERS)
                .isCloseTo(0.1, within(0.01));
        assertThat(outcomes[PlannedAnswer.Outcome.ABORTED.ordinal()] / (double) ANSWERS)
                .isCloseTo(0.9 * 0.2, within(0.01));
    }

    @Test
    void the_number_of_tokens_follows_the_limits_of_the_request() throws Exception {
        assertThat(planned("").tokens()).isEqualTo(5);
        assertThat(planned("").finishReason()).isEqualTo("stop");
        assertThat(planned(",\"max_tokens\":4").tokens()).isEqualTo(4);
        assertThat(planned(",\"max_tokens\":4").finishReason()).isEqualTo("length");
        assertThat(planned(",\"max_tokens\":6").finishReason()).isEqualTo("stop");
        assertThat(planned(",\"min_tokens\":8").tokens()).isEqualTo(8);
        assertThat(planned(",\"max_tokens\":9,\"ignore_eos\":true").tokens()).isEqualTo(9);
        assertThat(planned(",\"max_tokens\":9,\"ignore_eos\":true").finishReason())
                .isEqualTo("length");
    }

    private PlannedAnswer planned(String more) throws RequestRejected {
        return new PlannedAnswer(behaviour.build(), request(more), 0);
    }

    @Test
    void prompts_are_estimated_by_words_long_words_and_punctuation() {
        assertThat(PromptTokens.ofText("")).isZero();
        assertThat(PromptTokens.ofText("Hello, world!")).isEqualTo(4);
        assertThat(PromptTokens.ofText("internationalisation")).isEqualTo(4);
        assertThat(PromptTokens.ofMessage("hi")).isEqualTo(5);
        assertThat(PromptTokens.ofMessage(null)).isEqualTo(4);
    }

    @Test
    void behaviours_outside_their_ranges_are_rejected_with_the_value() {
        behaviour.tokens = 0;
        assertThatThrownBy(behaviour::build).hasMessage("tokens: 0 is not between 1 and 131072");
        behaviour.tokens = 1;
        behaviour.errorShare = Double.NaN;
        assertThatThrownBy(behaviour::build).hasMessage("share of errors: NaN is not between 0 and 1");
    }
}
