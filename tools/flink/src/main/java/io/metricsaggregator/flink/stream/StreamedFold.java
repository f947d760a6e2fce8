package io.metricsaggregator.flink.stream;

import io.metricsaggregator.flink.output.RowFile;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.run.StreamedRun;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.fs.Path;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folds the frames of each run by the fold of the daemon and hands on its snapshots: every interval while it lasts, and at its end. The state of a run is its frames, because a
 * fold cannot be stored: a task that takes over a run folds them again. A run ends with the first interval without a frame after {@code session.ended}, with
 * the input, or when it has been idle too long; its frames are then forgotten. Keyed by run; one per task, on the task's thread.
 */
final class StreamedFold extends KeyedProcessFunction<String, RunFrame, RunSnapshot> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(StreamedFold.class);

    private final RunSettings settings;
    /** Null until the task is open: a field of a deserialized function has no initial value. */
    private transient Map<String, OpenRun> runs;

    private transient ListState<byte[]> frames;
    private transient MapState<Integer, Long> sequences;
    private transient ValueState<Boolean> finished;
    private transient TokenizerOption.@Nullable Loaded tokenizer;
    private transient Counter repeated = new SimpleCounter();
    private transient Counter late = new SimpleCounter();

    /** Runs that start and end by the settings. */
    @SuppressWarnings("NullAway.Init") // open, which Flink calls first
    StreamedFold(RunSettings settings) {
        this.settings = settings;
    }

    /** A run in the memory of this task. */
    private static final class OpenRun {
        private final StreamedRun fold;

        private long lastFrameMillis;
        private boolean changed = true;

        OpenRun(StreamedRun fold) {
            this.fold = fold;
        }
    }

    @Override
    public void open(OpenContext context) {
        runs = new HashMap<>();
        try {
            tokenizer = settings.tokenizer();
        } catch (IllegalArgumentException e) {
            // Another attempt of the job would not find it either.
            throw new SuppressRestartsException(e);
        }
        frames = getRuntimeContext()
                .getListState(
                        new ListStateDescriptor<>("frames", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        sequences = getRuntimeContext().getMapState(new MapStateDescriptor<>("sequences", Types.INT, Types.LONG));
        finished = getRuntimeContext().getState(new ValueStateDescriptor<>("finished", Types.BOOLEAN));
        repeated = getRuntimeContext().getMetricGroup().counter("framesRepeated");
        late = getRuntimeContext().getMetricGroup().counter("framesLate");
    }

    @Override
    public void processElement(RunFrame frame, Context context, Collector<RunSnapshot> out) throws Exception {
        if (finished.value() != null) {
            late.inc();
            LOG.debug("frame dropped run={} bytes={}: the run has ended", frame.run(), frame.frame().length);
            return;
        }
        if (isRepeated(frame)) {
            repeated.inc();
            return;
        }
        long nowMillis = context.timerService().currentProcessingTime();
        OpenRun run = runs.get(frame.run());
        if (run == null) {
            run = restored(frame.run(), nowMillis);
        }
        if (run == null) {
            run = new OpenRun(settings.start(frame.run(), frame.wallNanos(), tokenizer));
            runs.put(frame.run(), run);
            context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
            if (settings.intervalMillis() > 0) {
                context.timerService().registerProcessingTimeTimer(nowMillis + settings.intervalMillis());
            }
            LOG.info("run started run={}", frame.run());
        }
        frames.add(FrameState.encode(frame));
        apply(run, frame);
        run.lastFrameMillis = nowMillis;
        run.changed = true;
    }

    private static void apply(OpenRun run, RunFrame frame) {
        run.fold.frame(frame.frame(), frame.nanos(), frame.wallNanos());
    }

    /** Frees the values of the runs that last. Flink closes a task that failed before {@link #open}, too, and ends its process if this throws. */
    @Override
    public void close() throws Exception {
        if (runs == null) {
            return;
        }
        for (OpenRun each : runs.values()) {
            each.fold.close();
        }
        runs.clear();
    }

    /** Whether the number of a frame was seen before; notes the number. */
    private boolean isRepeated(RunFrame frame) throws Exception {
        if (frame.sequence() == RunFrame.NOT_NUMBERED) {
            return false;
        }
        Long last = sequences.get(frame.source());
        if (last != null && frame.sequence() <= last) {
            return true;
        }
        sequences.put(frame.source(), frame.sequence());
        return false;
    }

    /** Folds the frames in the state of the current key again; null if there are none. */
    private @Nullable OpenRun restored(String key, long nowMillis) throws Exception {
        OpenRun run = null;
        int count = 0;
        for (byte[] each : frames.get()) {
            RunFrame frame = FrameState.decode(key, each);
            if (run == null) {
                run = new OpenRun(settings.start(key, frame.wallNanos(), tokenizer));
            }
            apply(run, frame);
            count++;
        }
        if (run != null) {
            run.lastFrameMillis = nowMillis;
            runs.put(key, run);
            LOG.info("run restored run={} frames={}", key, count);
        }
        return run;
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<RunSnapshot> out) throws Exception {
        if (finished.value() != null) {
            return;
        }
        long nowMillis = context.timerService().currentProcessingTime();
        String key = context.getCurrentKey();
        OpenRun run = runs.get(key);
        if (run == null) {
            run = restored(key, nowMillis);
        }
        if (run == null) {
            return;
        }
        boolean idle = settings.idleMillis() > 0 && nowMillis - run.lastFrameMillis >= settings.idleMillis();
        if (context.timeDomain() == TimeDomain.EVENT_TIME || (!run.changed && (run.fold.isEnded() || idle))) {
            finish(key, run, out);
            return;
        }
        if (run.changed && run.fold.hasStarted()) {
            out.collect(new RunSnapshot(key, false, new JsonSnapshotCodec().encode(run.fold.live())));
        }
        run.changed = false;
        context.timerService().registerProcessingTimeTimer(nowMillis + settings.intervalMillis());
    }

    private void finish(String key, OpenRun run, Collector<RunSnapshot> out) throws Exception {
        SessionState state;
        try {
            if (settings.rows() != null) {
                writeRows(key, settings.rows());
            }
            MetricsSnapshot last = run.fold.complete();
            out.collect(new RunSnapshot(key, true, new JsonSnapshotCodec().encode(last)));
            state = last.state();
        } finally {
            run.fold.close();
        }
        LOG.info("run finished run={} state={} frames_skipped={}", key, state, run.fold.framesSkipped());
        runs.remove(key);
        frames.clear();
        sequences.clear();
        finished.update(true);
    }

    /** Writes the rows of a run's samples from the frames in its state; an attempt that comes after a failure replaces them. */
    private void writeRows(String key, String folder) throws Exception {
        RowFile.Draft rows = null;
        try {
            for (byte[] each : frames.get()) {
                RunFrame frame = FrameState.decode(key, each);
                if (rows == null) {
                    rows = RowFile.Draft.of(settings.description(key, frame.wallNanos(), tokenizer), new Path(folder));
                }
                rows.frame(frame.frame(), frame.nanos());
            }
            if (rows != null) {
                rows.commit();
            }
        } finally {
            if (rows != null) {
                rows.close();
            }
        }
    }
}
