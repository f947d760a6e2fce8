package io.metricsaggregator.flink.stream;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;

/** Passes frames on, and throws after a checkpoint that completed and some more frames: three times in a process. */
public final class FailsThrice extends RichMapFunction<RunFrame, RunFrame> implements CheckpointListener {
    public static final AtomicInteger FAILURES = new AtomicInteger();

    private static final long serialVersionUID = 1;
    private static final int FRAMES_BETWEEN = 20;
    private static final int TIMES = 3;

    private transient int frames;
    private transient boolean hasCheckpoint;

    @Override
    public RunFrame map(RunFrame frame) {
        if (hasCheckpoint && ++frames > FRAMES_BETWEEN && FAILURES.get() < TIMES) {
            int number = FAILURES.incrementAndGet();
            throw new IllegalStateException("failure " + number + " of this test");
        }
        return frame;
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
        hasCheckpoint = true;
    }
}
