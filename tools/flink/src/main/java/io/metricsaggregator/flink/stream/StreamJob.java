package io.metricsaggregator.flink.stream;

import io.metricsaggregator.flink.run.JobSettings;
import java.time.Duration;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** The job that folds runs whose frames arrive as a stream: a source of frames, a fold keyed by run, files of snapshots. Stateless. */
public final class StreamJob {
    /** Time between checkpoints where the cluster's configuration has none. */
    static final Duration CHECKPOINT_INTERVAL = Duration.ofMinutes(1);

    private StreamJob() {}

    /**
     * Adds the job to an environment that has no job yet, and sets it to STREAMING. Checkpoints are those of the environment's configuration; where
     * it has none, one is taken every minute.
     *
     * @param frames source of frames; a failed task reads again from its last checkpoint
     * @param checkpoints folder of checkpoints, as a URI; null for the one that the environment is configured with
     * @return the snapshots of the runs
     * @throws IllegalArgumentException if there is no folder for checkpoints
     */
    public static DataStream<RunSnapshot> build(
            StreamExecutionEnvironment environment,
            Source<RunFrame, ?, ?> frames,
            RunSettings settings,
            @Nullable String checkpoints) {
        configure(environment, checkpoints);
        return fold(frames(environment, frames), settings);
    }

    /** Adds a source of frames, which need no watermarks. */
    public static DataStream<RunFrame> frames(StreamExecutionEnvironment environment, Source<RunFrame, ?, ?> frames) {
        return environment.fromSource(frames, WatermarkStrategy.noWatermarks(), "frames", RunFrameSerializer.TYPE);
    }

    /** Folds a stream of frames, each run as a whole, and gives the snapshots of its runs. */
    public static DataStream<RunSnapshot> fold(DataStream<RunFrame> frames, RunSettings settings) {
        return frames.keyBy(RunFrame::run)
                .process(new StreamedFold(settings), RunSnapshotSerializer.TYPE)
                .name("fold")
                .uid("fold");
    }

    /** Folds a stream of frames and writes its snapshots. */
    static void add(DataStream<RunFrame> frames, RunSettings settings, String output) {
        SnapshotFiles.add(fold(frames, settings), output, true);
    }

    /** Sets an environment to STREAMING with checkpoints and restarts; parameters and exception as of {@link #build}. */
    public static void configure(StreamExecutionEnvironment environment, @Nullable String checkpoints) {
        Configuration changed = new Configuration();
        if (checkpoints != null) {
            changed.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints);
        } else if (environment
                .getConfiguration()
                .getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY)
                .isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no folder for checkpoints. Use --checkpoints PATH, or configure "
                            + CheckpointingOptions.CHECKPOINTS_DIRECTORY.key());
        }
        if (!environment.getCheckpointConfig().isCheckpointingEnabled()) {
            environment.enableCheckpointing(CHECKPOINT_INTERVAL.toMillis());
        }
        environment.configure(changed);
        JobSettings.apply(environment);
        environment.setRuntimeMode(RuntimeExecutionMode.STREAMING);
    }
}
