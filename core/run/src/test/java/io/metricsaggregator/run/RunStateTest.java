package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.snapshot.SessionState;
import org.junit.jupiter.api.Test;

class RunStateTest {

    @Test
    void statesOnlyMoveForwardAndTerminalStatesAreFinal() {
        RunState state = new RunState();
        state.advance(SessionState.LIVE, "test");
        state.advance(SessionState.DRAINING, "test");
        assertThatThrownBy(() -> state.advance(SessionState.LIVE, "test")).isInstanceOf(IllegalStateException.class);
        state.advance(SessionState.COMPLETE, "test");
        assertThatThrownBy(() -> state.advance(SessionState.INTERRUPTED, "test"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(state.get()).isEqualTo(SessionState.COMPLETE);
    }
}
