package io.metricsaggregator.flink.sample;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.flink.stream.RunSettings;
import io.metricsaggregator.flink.stream.RunsByKey;
import io.metricsaggregator.fold.SampleKey;
import io.metricsaggregator.fold.SampleStamp;
import io.metricsaggregator.fold.StampBytes;
import io.metricsaggregator.fold.StampedEvents;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.run.StreamedRun;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * The heads of runs: each folds what hangs on the order of its run, and sends on the events of samples with their stamps. Frames that are folded again after
 * a failure send nothing. Keyed by run; one per task, on the task's thread.
 */
final class RunHeads extends RunsByKey<SampleMessage> {
    private static final long serialVersionUID = 1;

    RunHeads(RunSettings settings) {
        super(settings);
    }

    /** A head and what it sends. */
    private static final class Head extends OpenRun implements StampedEvents {
        private final String key;
        private final StampBytes stamps = new StampBytes();
        /** The events of the present frame: sent once it is folded, because the fold takes an exception of the sink for one of its own. */
        private final List<SampleMessage> pending = new ArrayList<>();

        private long sent;

        Head(String key, StreamedRun fold) {
            super(fold);
            this.key = key;
            fold.sendSamplesTo(this);
        }

        @Override
        public void take(DecodedEvent event, SampleStamp stamp) {
            byte[] bytes = stamps.write(event, stamp);
            sent++;
            pending.add(new SampleMessage(key, SampleMessage.Kind.EVENT, name(SampleKey.of(event)), 0, bytes));
        }

        private static String name(SampleKey sample) {
            HexFormat hex = HexFormat.of();
            return sample.kind() + hex.toHexDigits(sample.high()) + hex.toHexDigits(sample.low());
        }

        SampleMessage part(SampleMessage.Kind kind, MetricsSnapshot snapshot) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            RunPart part = run().part(snapshot);
            // At once: the part is that of now only as long as no frame follows.
            part.write(bytes);
            return new SampleMessage(key, kind, "", sent, bytes.toByteArray());
        }
    }

    @Override
    protected OpenRun open(String key, StreamedRun fold) {
        return new Head(key, fold);
    }

    @Override
    protected void after(OpenRun run, @Nullable Collector<SampleMessage> out) {
        List<SampleMessage> pending = ((Head) run).pending;
        if (out != null) {
            pending.forEach(out::collect);
        }
        pending.clear();
    }

    @Override
    protected void live(String key, OpenRun run, Collector<SampleMessage> out) throws IOException {
        Head head = (Head) run;
        out.collect(head.part(SampleMessage.Kind.HEAD, head.run().live()));
    }

    @Override
    protected SessionState last(String key, OpenRun run, Collector<SampleMessage> out) throws IOException {
        Head head = (Head) run;
        MetricsSnapshot last = head.run().complete();
        out.collect(head.part(SampleMessage.Kind.LAST_HEAD, last));
        return last.state();
    }
}
