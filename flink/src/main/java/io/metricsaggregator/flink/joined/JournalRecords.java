package io.metricsaggregator.flink.joined;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.flink.journal.StoredRun;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.run.FrameCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Reads the journal of each node number and gives its records with their times on the clock of the joined run; what the journal as a whole says goes to a
 * side output. A task that fails reads its journal again. Belongs to the thread of its task.
 */
final class JournalRecords extends ProcessFunction<Integer, NodeRecord> {
    /** Side output of what each journal says as a whole. */
    static final OutputTag<NodeFacts> FACTS = new OutputTag<>("facts", NodeFactsSerializer.TYPE);

    private static final long serialVersionUID = 1;

    private final JoinSettings settings;

    JournalRecords(JoinSettings settings) {
        this.settings = settings;
    }

    @Override
    public void processElement(Integer node, Context context, Collector<NodeRecord> out) throws IOException {
        StoredRun files = StoredRun.list(new Path(settings.journals().get(node)));
        JournalReader reader = new JournalReader();
        Frames frames = new Frames(node, settings.wallOffsetNanos(), reader, RecoveryMarker.readOnly(files), out);
        reader.read(files, frames);
        context.output(FACTS, frames.facts());
    }

    /** Takes the frames of one journal apart. */
    private static final class Frames implements JournalReader.Visitor {
        private final int node;
        private final long wallOffsetNanos;
        private final JournalReader reader;
        private final RecoveryMarker marker;
        private final Collector<NodeRecord> out;
        private final FrameSplitter splitter = new FrameSplitter();
        private long burstNanos;
        private long position;
        private FrameCounts counts = FrameCounts.NONE;
        private @Nullable NodeRecord ended;

        Frames(int node, long wallOffsetNanos, JournalReader reader, RecoveryMarker marker, Collector<NodeRecord> out) {
            this.node = node;
            this.wallOffsetNanos = wallOffsetNanos;
            this.reader = reader;
            this.marker = marker;
            this.out = out;
        }

        NodeFacts facts() {
            return new NodeFacts(node, counts, ended);
        }

        @Override
        public void burst(long nanos) {
            burstNanos = nanos;
        }

        @Override
        public void frame(ByteBuffer buffer, int start, int length) {
            if (!marker.applies(reader.nextSequence() - 1)) {
                return;
            }
            // Of the newest segment: a process that resumed the run after a restart of its host had another clock.
            Long offset = reader.origin().wallOffsetNanos();
            long shift = offset == null ? 0 : offset - wallOffsetNanos;
            long received = TimestampMath.saturatedSum(burstNanos, shift);
            counts = counts.plus(splitter.split(
                    buffer,
                    start,
                    length,
                    received,
                    shift,
                    (nanos, rank, bytes) ->
                            record(new NodeRecord(nanos, rank, node, position++, received, shift, bytes))));
        }

        private void record(NodeRecord record) {
            if (record.rank() == NodeRecord.RANK_ENDED
                    && (ended == null || NodeRecord.ORDER.compare(record, ended) > 0)) {
                ended = record.withoutBytes();
            }
            out.collect(record);
        }
    }
}
