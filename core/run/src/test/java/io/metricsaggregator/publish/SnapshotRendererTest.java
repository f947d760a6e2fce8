package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SnapshotRendererTest {
    private static final long PATIENCE_S = 30;
    private static final SnapshotExtensions NOTHING = SnapshotExtensions.of(
                    new RunInfo(1, "run", "1", 0, 0, List.of(), List.of(), Map.of(), Map.of()),
                    new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                    new Slices(0, 1, 0, List.of()))
            .build();

    private final BlockingQueue<Thread> rendered = new LinkedBlockingQueue<>();
    private final BlockingQueue<Long> costs = new LinkedBlockingQueue<>();
    private final BlockingQueue<Throwable> deaths = new LinkedBlockingQueue<>();

    private static SnapshotDraft draft(long counter) {
        return new SnapshotDraft(
                counter,
                5,
                SessionState.LIVE,
                0,
                new Registry(3, 30, new RawBudget(Long.MAX_VALUE)).newCopy(),
                NOTHING,
                ClosedBatches.NONE);
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(PATIENCE_S, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    private SnapshotRenderer renderer(Runnable whenRendered) {
        SnapshotRenderer renderer = new SnapshotRenderer(
                1 << 20, new SteadyJudge(600), whenRendered, costs::add, (thread, cause) -> deaths.add(cause));
        renderer.start();
        return renderer;
    }

    @Test
    void aDraftIsRenderedOnItsOwnThreadAndTheNextIsAcceptedOnceTheFrameIsTaken() throws Exception {
        SnapshotRenderer renderer = renderer(() -> rendered.add(Thread.currentThread()));
        assertThat(renderer.isFree()).isTrue();
        assertThat(renderer.takeFrame()).isNull();
        assertThat(renderer.lastRendered()).isNull();
        Thread thread = null;
        for (long counter = 1; counter <= 3; counter++) {
            renderer.render(draft(counter));
            thread = next(rendered);
            assertThat(thread.getName()).isEqualTo("publish");
            assertThat(thread.isDaemon()).isTrue();
            assertThat(next(costs)).isBetween(1L, TimeUnit.SECONDS.toNanos(PATIENCE_S));
            assertThat(renderer.isFree())
                    .as("free although its frame has not been taken")
                    .isFalse();
            byte[] frame = renderer.takeFrame();
            assertThat(frame).isNotNull();
            MetricsSnapshot read = new MsgpackSnapshotCodec()
                    .decode(ByteBuffer.wrap(frame, Topic.LENGTH, frame.length - Topic.LENGTH)
                            .slice());
            assertThat(read.counter()).isEqualTo(counter);
            assertThat(renderer.lastRendered().counter()).isEqualTo(counter);
            assertThat(renderer.takeFrame()).isNull();
            assertThat(renderer.isFree()).isTrue();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (thread.getState() != Thread.State.WAITING && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(thread.getState()).as("an idle renderer takes no CPU").isEqualTo(Thread.State.WAITING);
        renderer.stop();
        thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_S));
        assertThat(thread.isAlive()).isFalse();
        assertThat(deaths).isEmpty();
    }

    @Test
    void aRendererWithoutProgressIsReportedBusyRepeatedly() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        SnapshotRenderer renderer = renderer(() -> {
            rendered.add(Thread.currentThread());
            try {
                go.await(PATIENCE_S, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(renderer.looksBusy()).isZero();
        renderer.render(draft(1));
        next(rendered);
        assertThat(renderer.takeFrame()).isNotNull();
        renderer.render(draft(2));
        assertThat(renderer.isFree()).isFalse();
        assertThat(renderer.looksBusy())
                .as("another draft was rendered since the last check")
                .isZero();
        assertThat(renderer.looksBusy()).isEqualTo(1);
        assertThat(renderer.looksBusy()).isEqualTo(2);
        go.countDown();
        next(rendered);
        assertThat(renderer.looksBusy()).isZero();
        assertThat(renderer.looksBusy()).isZero();
        renderer.stop();
    }

    @Test
    void theDeathOfTheThreadIsReported() throws Exception {
        IllegalStateException cause = new IllegalStateException("no more");
        SnapshotRenderer renderer = renderer(() -> {
            throw cause;
        });
        renderer.render(draft(1));
        assertThat(next(deaths)).isSameAs(cause);
        assertThat(costs).isEmpty();
    }

    private static MetricsSnapshot withRates(int count, String counter) {
        Slices slices = new Slices(0, 1, 0, List.of(new Slices.Column("issued", new long[count])));
        return new MetricsSnapshot(
                1,
                5,
                SessionState.LIVE,
                0,
                List.of(new CounterMetric(counter, 3)),
                NOTHING.toBuilder().slices(slices).build());
    }

    private static MetricsSnapshot decode(byte[] frame) throws MalformedMessageException {
        return new MsgpackSnapshotCodec()
                .decode(ByteBuffer.wrap(frame, Topic.LENGTH, frame.length - Topic.LENGTH)
                        .slice());
    }

    @Test
    void aSnapshotLargerThanAFrameIsSentWithLessDetailAndNamesWhatItLeavesOut() throws Exception {
        SnapshotFrames frames = new SnapshotFrames(4000);
        byte[] large = frames.encode(withRates(10_000, "small"));
        assertThat(large.length - Topic.LENGTH).isLessThanOrEqualTo(4000);
        assertThat(decode(large).extensions().completeness().leftOut()).contains("slices");
        assertThat(decode(frames.encode(withRates(1, "small")))
                        .extensions()
                        .completeness()
                        .leftOut())
                .isEmpty();
        byte[] figures = frames.encode(withRates(10_000, "x".repeat(5000)));
        assertThat(figures.length).isGreaterThan(5000);
        assertThat(decode(figures).extensions().completeness().leftOut()).contains("slices");
    }
}
