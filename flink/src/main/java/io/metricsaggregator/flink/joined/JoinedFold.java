package io.metricsaggregator.flink.joined;

import io.metricsaggregator.config.Recomputation;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.flink.output.ResultFile;
import io.metricsaggregator.flink.output.RowFile;
import io.metricsaggregator.flink.run.FoldRunJob;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.options.WhatIfArguments;
import io.metricsaggregator.options.WhatIfOptions;
import io.metricsaggregator.run.StreamedRun;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Folds the records of all nodes as one run, and writes its snapshot at the end of the input. The job is a BATCH job: the broadcast side, what whole
 * journals say, is read before the first record, and records come sorted by time. Records with the same time are sorted here. All records have one key, so
 * one task folds; it keeps no state but in memory, because a failed task reads its input again.
 */
final class JoinedFold extends KeyedBroadcastProcessFunction<Integer, NodeRecord, NodeFacts, String> {
    /** The key of all records. */
    static final int KEY = 0;
    /** The broadcast state; nothing is kept in it. */
    static final MapStateDescriptor<Integer, Integer> FACTS = new MapStateDescriptor<>("facts", Types.INT, Types.INT);
    /** Records with the same time that are sorted together; more than these are sorted in groups. */
    static final int TIES_MAX = 1 << 20;

    private static final long serialVersionUID = 1;

    private final JoinSettings settings;
    private final ListAccumulator<String> refused = new ListAccumulator<>();
    private transient @Nullable StreamedRun run;
    private transient RowFile.@Nullable Draft rows;
    private transient boolean isRefused;
    private transient List<NodeRecord> ties = new ArrayList<>();
    private transient @Nullable NodeRecord ended;
    private transient long receivedNanos;
    private transient List<NodeFacts> facts = new ArrayList<>();

    JoinedFold(JoinSettings settings) {
        this.settings = settings;
    }

    @Override
    public void open(OpenContext context) {
        getRuntimeContext().addAccumulator(FoldRunJob.REFUSED, refused);
        isRefused = false;
        ties = new ArrayList<>();
        facts = new ArrayList<>();
        receivedNanos = Long.MIN_VALUE;
    }

    @Override
    public void processBroadcastElement(NodeFacts of, Context context, Collector<String> out) {
        if (run != null) {
            throw new IllegalStateException(
                    "the job does not run in BATCH mode: a record came before the facts of a node");
        }
        facts.add(of);
        NodeRecord last = of.ended();
        if (last != null && (ended == null || NodeRecord.ORDER.compare(last, ended) > 0)) {
            ended = last;
        }
    }

    @Override
    public void processElement(NodeRecord record, ReadOnlyContext context, Collector<String> out) throws IOException {
        if (isRefused) {
            return;
        }
        if (run == null) {
            try {
                start();
            } catch (IllegalArgumentException e) {
                refused.add("the joined run: " + e.getMessage());
                isRefused = true;
                return;
            }
            context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
        }
        if (!ties.isEmpty() && (place(ties.get(0)) != place(record) || ties.size() == TIES_MAX)) {
            applyTies();
        }
        ties.add(record);
    }

    /** The timestamp by which Flink sorts a record: its time, but that it cannot be negative or the end of time. */
    static long place(NodeRecord record) {
        return Math.max(0, Math.min(record.nanos(), Long.MAX_VALUE - 1));
    }

    private void start() throws IOException {
        RunConfig recorded = RunConfigCodec.decode(settings.settings());
        WhatIfOptions options = WhatIfArguments.parse(settings.options());
        TokenizerOption.@Nullable Loaded tokenizer = options.tokenizer(recorded);
        RunConfig config = options.config(recorded, recorded.version(), tokenizer);
        List<String> words = new ArrayList<>(settings.words());
        words.addAll(Recomputation.words(recorded, config));
        String[] temporary = ((StreamingRuntimeContext) getRuntimeContext())
                .getTaskManagerRuntimeInfo()
                .getTmpDirectories();
        StreamedRun started = StreamedRun.start(
                settings.runId(),
                settings.startedWallNanos(),
                config,
                new RunResources(
                        tokenizer == null
                                ? null
                                : tokenizer.resource(FoldRunJob.TOKENIZER_THREADS, FoldRunJob.TEXT_MAX_BYTES),
                        Integer.MAX_VALUE,
                        settings.valuesMaxBytes(),
                        java.nio.file.Path.of(temporary[0])),
                words);
        facts.forEach(each -> started.count(each.frames()));
        run = started;
        if (settings.rows() != null) {
            Map<String, String> description = new TreeMap<>(RunConfigCodec.encode(config));
            description.put(RunOrigin.RUN_ID, settings.runId());
            description.put(RunOrigin.STARTED_WALL_NANOS, Long.toString(settings.startedWallNanos()));
            rows = RowFile.Draft.of(description, new Path(settings.rows()));
        }
    }

    private void applyTies() throws IOException {
        ties.sort(NodeRecord.ORDER);
        for (NodeRecord each : ties) {
            apply(each);
        }
        ties.clear();
    }

    private void apply(NodeRecord record) throws IOException {
        NodeRecord last = ended;
        if (record.rank() == NodeRecord.RANK_ENDED && last != null && NodeRecord.ORDER.compare(record, last) != 0) {
            // The session ends with the last node's end.
            return;
        }
        StreamedRun fold = run;
        if (fold != null) {
            receivedNanos = Math.max(receivedNanos, record.receivedNanos());
            fold.record(record.bytes(), record.shiftNanos(), receivedNanos, receivedNanos + settings.wallOffsetNanos());
        }
        if (rows != null) {
            rows.record(record.bytes(), receivedNanos, record.shiftNanos());
        }
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<String> out) throws IOException {
        applyTies();
        StreamedRun fold = run;
        if (fold == null) {
            return;
        }
        MetricsSnapshot last = fold.complete();
        if (rows != null) {
            rows.commit();
        }
        ResultFile.write(last, new Path(settings.output()));
        out.collect(settings.runId());
    }

    /** Frees the values of the run, and drops rows that are not whole. */
    @Override
    public void close() throws IOException {
        StreamedRun fold = run;
        if (fold != null) {
            fold.close();
            run = null;
        }
        if (rows != null) {
            rows.close();
            rows = null;
        }
    }
}
