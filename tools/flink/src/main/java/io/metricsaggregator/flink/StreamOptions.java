package io.metricsaggregator.flink;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.flink.kafka.KafkaFrames;
import io.metricsaggregator.flink.kafka.SnapshotTopic;
import io.metricsaggregator.flink.output.ResultFile;
import io.metricsaggregator.flink.stream.RunFrame;
import io.metricsaggregator.flink.stream.RunSettings;
import io.metricsaggregator.flink.stream.RunSnapshot;
import io.metricsaggregator.flink.stream.SnapshotFiles;
import io.metricsaggregator.flink.stream.StreamJob;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.TimeUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of a job that folds runs as streams, from a Kafka topic. */
final class StreamOptions {
    private static final String SNAPSHOTS_PREFIX = "kafka:";
    private static final long VALUES_MAX_BYTES = 16L << 20;

    @Option(
            names = "--kafka",
            paramLabel = "BROKERS",
            description =
                    "Read frames from Kafka instead of journals: HOST:PORT of brokers, separated by commas. A message's"
                            + " value is a frame as producers publish it, its key names the run.")
    private @Nullable String brokers;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "Topic to read, from its beginning.")
    private @Nullable String topic;

    @Option(
            names = "--kafka-property",
            paramLabel = "NAME=VALUE",
            description = "Property of the Kafka client, such as security.protocol=SSL. Repeatable.")
    private Map<String, String> properties = new TreeMap<>();

    @Option(
            names = "--until-now",
            description = "End with the messages that the topic holds when the job starts. Default: follow the topic.")
    private boolean untilNow;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description =
                    "Time between snapshots of a run in RUN/live_snapshot.json, such as 500ms. A run is final after an"
                            + " interval without a frame that follows session.ended. Default: 10s.")
    private Duration interval = Duration.ofSeconds(10);

    @Option(
            names = "--idle",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description =
                    "Interrupt a run without a frame for TIME, such as 10m. Default: a run lasts until its session ends.")
    private Duration idle = Duration.ZERO;

    @Option(
            names = "--snapshots",
            paramLabel = "kafka:TOPIC",
            description =
                    "Publish snapshots of runs, those of --interval and the last, to a topic of the brokers of --kafka instead of"
                            + " writing live_snapshot.json. A message's value is the snapshot as JSON, its key names the run. Default:"
                            + " files.")
    private @Nullable String snapshots;

    @Option(
            names = "--checkpoints",
            paramLabel = "PATH",
            description = "Folder for checkpoints. Default: execution.checkpointing.dir of the cluster.")
    private @Nullable String checkpoints;

    /** Whether the job reads from Kafka. */
    boolean isGiven() {
        return brokers != null || topic != null;
    }

    /**
     * Checks the options.
     *
     * @param hasInput whether there are journals to read
     * @throws IllegalArgumentException if they contradict each other or something is missing
     */
    void requireUsable(boolean hasInput) {
        if (snapshots != null && !isGiven()) {
            throw new IllegalArgumentException("--snapshots needs --kafka: runs of journals have no live snapshots");
        }
        if (!isGiven()) {
            return;
        }
        if (brokers == null || topic == null) {
            throw new IllegalArgumentException("a stream needs both --kafka BROKERS and --topic TOPIC");
        }
        if (hasInput) {
            throw new IllegalArgumentException("--input and --kafka exclude each other");
        }
        if (interval.toMillis() < 1) {
            throw new IllegalArgumentException("--interval is below 1ms");
        }
        if (snapshots != null && !snapshots.matches("kafka:[A-Za-z0-9._-]{1,249}")) {
            throw new IllegalArgumentException("--snapshots '" + snapshots + "' is not kafka:TOPIC");
        }
        if (snapshots != null && snapshots.equals(SNAPSHOTS_PREFIX + topic)) {
            throw new IllegalArgumentException("--snapshots and --topic are the same topic");
        }
    }

    /**
     * Runs the job until the stream ends or the job is cancelled.
     *
     * @param options settings of the runs, as arguments of {@link io.metricsaggregator.options.WhatIfArguments}
     * @param rows folder of the rows of samples, as a URI; null for no rows
     */
    void execute(
            StreamExecutionEnvironment environment,
            String output,
            boolean overwrite,
            List<String> options,
            @Nullable String rows)
            throws Exception {
        if (!overwrite) {
            requireNoResults(output);
        }
        StreamJob.configure(environment, checkpoints);
        DataStream<RunSnapshot> results =
                StreamJob.fold(StreamJob.frames(environment, source()), settings(options, rows));
        SnapshotFiles.add(results, output, snapshots == null);
        if (snapshots != null) {
            SnapshotTopic.add(
                    results, String.valueOf(brokers), snapshots.substring(SNAPSHOTS_PREFIX.length()), client());
        }
        environment.execute("metrics-aggregator " + topic);
    }

    private Properties client() {
        Properties client = new Properties();
        client.putAll(properties);
        return client;
    }

    private Source<RunFrame, ?, ?> source() {
        String from = String.valueOf(brokers);
        String of = String.valueOf(topic);
        return untilNow ? KafkaFrames.untilNow(from, of, client()) : KafkaFrames.following(from, of, client());
    }

    private RunSettings settings(List<String> options, @Nullable String rows) {
        return RunSettings.of(
                        RunConfig.builder().version(Version.text()).build(),
                        VALUES_MAX_BYTES,
                        interval.toMillis(),
                        idle.toMillis())
                .withOptions(options)
                .withRows(rows);
    }

    private static void requireNoResults(String output) throws IOException {
        Path folder = new Path(output);
        FileSystem files = folder.getFileSystem();
        FileStatus[] runs = files.exists(folder) ? files.listStatus(folder) : new FileStatus[0];
        for (FileStatus each : runs) {
            Path file = new Path(each.getPath(), ResultFile.SNAPSHOT);
            if (each.isDir() && files.exists(file)) {
                throw new FileAlreadyExistsException(
                        file + " exists. Use --overwrite to continue a stream or to replace results");
            }
        }
    }

    /** Reads times such as 500ms, 10s and 10m. */
    static final class TimeConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            if (!text.equals("0") && text.matches("[0-9]+")) {
                throw new TypeConversionException("'" + text + "' has no unit: write " + text + "ms or " + text + "s");
            }
            try {
                return TimeUtils.parseDuration(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("'" + text + "' is not a time such as 500ms, 10s or 10m");
            }
        }
    }
}
