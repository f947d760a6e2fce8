package io.metricsaggregator.flink.stream;

import io.metricsaggregator.run.StreamedRun;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/** Folds each run as a whole by the fold of the daemon and takes its snapshots. Keyed by run; one per task, on the task's thread. */
final class StreamedFold extends RunsByKey<RunSnapshot> {
    private static final long serialVersionUID = 1;

    StreamedFold(RunSettings settings) {
        super(settings);
    }

    @Override
    protected OpenRun open(String key, StreamedRun fold) {
        return new OpenRun(fold);
    }

    @Override
    protected void after(OpenRun run, @Nullable Collector<RunSnapshot> out) {
        // A frame has no consequence but in snapshots.
    }

    @Override
    protected void live(String key, OpenRun run, Collector<RunSnapshot> out) {
        out.collect(new RunSnapshot(
                key, false, new JsonSnapshotCodec().encode(run.run().live())));
    }

    @Override
    protected SessionState last(String key, OpenRun run, Collector<RunSnapshot> out) {
        MetricsSnapshot last = run.run().complete();
        out.collect(new RunSnapshot(key, true, new JsonSnapshotCodec().encode(last)));
        return last.state();
    }
}
