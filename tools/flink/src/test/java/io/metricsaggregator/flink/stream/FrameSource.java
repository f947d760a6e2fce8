package io.metricsaggregator.flink.stream;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Streams of frames that can be read again from a checkpoint. */
public final class FrameSource {
    /** A frame of another run, which keeps an endless source going. */
    private static final RunFrame ANOTHER = new RunFrame("another", 0, RunFrame.NOT_NUMBERED, 1, 1, new byte[0]);

    private FrameSource() {}

    /** A source that can be read again from a checkpoint. */
    private record Frames(ArrayList<byte[]> each, ArrayList<String> runs, ArrayList<Long> nanos)
            implements Serializable {
        private static final long serialVersionUID = 1;

        static Frames of(List<RunFrame> frames) {
            Frames all = new Frames(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (RunFrame frame : frames) {
                all.each.add(frame.frame());
                all.runs.add(frame.run());
                all.nanos.add(frame.nanos());
            }
            return all;
        }

        RunFrame get(long index) {
            int at = (int) index;
            return new RunFrame(runs.get(at), 0, RunFrame.NOT_NUMBERED, nanos.get(at), nanos.get(at), each.get(at));
        }
    }

    /** A stream of frames, at so many a second if that is not 0. */
    public static DataStream<RunFrame> of(
            StreamExecutionEnvironment environment, List<RunFrame> frames, boolean endless, double perSecond) {
        Frames all = Frames.of(frames);
        long count = endless ? Long.MAX_VALUE : frames.size();
        int known = frames.size();
        RateLimiterStrategy<NumberSequenceSource.NumberSequenceSplit> idle = parallelism -> new Idle(known);
        DataGeneratorSource<RunFrame> source = new DataGeneratorSource<>(
                index -> index < known ? all.get(index) : ANOTHER,
                count,
                perSecond > 0 ? RateLimiterStrategy.perSecond(perSecond) : endless ? idle : RateLimiterStrategy.noOp(),
                RunFrameSerializer.TYPE);
        return environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), "frames")
                .setParallelism(1);
    }

    /** Lets the known frames through at once, and 50 of another run a second after them. Belongs to the thread of the source. */
    private static final class Idle implements RateLimiter<NumberSequenceSource.NumberSequenceSplit> {
        private static final Executor LATER = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

        private int left;

        Idle(int known) {
            left = known;
        }

        @Override
        public CompletionStage<Void> acquire(int frames) {
            left = Math.max(-1, left - frames);
            return left >= 0 ? CompletableFuture.completedFuture(null) : CompletableFuture.runAsync(() -> {}, LATER);
        }
    }

    /** The frames of some journals, those of all runs in turn. */
    public static List<RunFrame> inTurn(Map<String, Path> journals, Random random) throws IOException {
        List<List<RunFrame>> runs = new ArrayList<>();
        for (Map.Entry<String, Path> each : journals.entrySet()) {
            runs.add(new ArrayList<>(RunFrames.of(each.getKey(), each.getValue())));
        }
        List<RunFrame> all = new ArrayList<>();
        while (!runs.isEmpty()) {
            List<RunFrame> run = runs.get(random.nextInt(runs.size()));
            all.add(run.remove(0));
            if (run.isEmpty()) {
                runs.remove(run);
            }
        }
        return all;
    }
}
