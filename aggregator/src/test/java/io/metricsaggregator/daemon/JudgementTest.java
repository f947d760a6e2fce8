package io.metricsaggregator.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JudgementTest {
    private static final MetricsSnapshot LAST =
            new MetricsSnapshot(1, 5, SessionState.COMPLETE, 0, List.of(), SnapshotExtensions.NONE);

    @Test
    void the_verdict_is_that_of_the_snapshot_and_reached_on_a_thread_of_its_own() {
        Judgement judgement = Judgement.start(
                last -> new Judgement.Words(
                        last.state().wireName(), Thread.currentThread().getName()),
                LAST);
        assertThat(judgement.await(() -> false)).isEqualTo(new Judgement.Words("complete", "verdict"));
    }

    @Test
    void a_failure_of_the_verdict_is_no_failure_of_the_end() {
        for (Throwable failure : List.of(new IllegalStateException("planted"), new OutOfMemoryError("planted"))) {
            Judgement judgement = Judgement.start(
                    last -> {
                        throw sneaky(failure);
                    },
                    LAST);
            assertThat(judgement.await(() -> false)).isNull();
        }
    }

    private static RuntimeException sneaky(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (RuntimeException) failure;
    }

    @Test
    void an_end_does_not_wait_for_a_verdict_that_hangs() {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        Judgement judgement = Judgement.start(
                last -> {
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return new Judgement.Words("late", "late");
                },
                LAST);
        try {
            assertThat(judgement.await(() -> asked.incrementAndGet() > 1)).isNull();
            assertThat(asked).hasValue(2);
            assertThat(judgement.await(() -> false)).isNull();
        } finally {
            released.countDown();
        }
    }
}
