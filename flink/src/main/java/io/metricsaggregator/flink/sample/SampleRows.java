package io.metricsaggregator.flink.sample;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.flink.stream.RunSettings;
import io.metricsaggregator.fold.SamplePartition;
import io.metricsaggregator.parts.PartHeader;
import io.metricsaggregator.run.StreamedRun;
import io.metricsaggregator.snapshot.SessionState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Applies the events of samples to their rows, which lie in keyed state, and hands on what they add up to: after {@value #EVENTS_MAX} events of a run, every
 * {@value #MILLIS_MAX} ms, before each barrier, so that the sums need no state, and before the last watermark, so that they reach the totals before the end.
 * A sample without an event for the time of the settings is given up: its row goes, and it counts as evicted. Keyed by run and sample; on the thread of its
 * task.
 */
final class SampleRows extends AbstractStreamOperator<SampleMessage>
        implements OneInputStreamOperator<SampleMessage, SampleMessage>, Triggerable<String, VoidNamespace> {
    static final int EVENTS_MAX = 4096;
    static final int MILLIS_MAX = 250;

    private static final long serialVersionUID = 1;

    private final RunSettings settings;
    private transient Map<String, Pending> runs = new LinkedHashMap<>();
    private transient ValueState<byte[]> rows;
    /** Time of the last event of a sample in flight, in milliseconds since 1970 UTC; kept only where samples are given up. */
    private transient ValueState<Long> seen;

    private transient ValueState<String> runOf;
    private transient InternalTimerService<VoidNamespace> timers;
    private transient long openedMillis;

    @SuppressWarnings("NullAway.Init") // initializeState, which Flink calls first
    SampleRows(RunSettings settings) {
        this.settings = settings;
    }

    /** The partition of a run in this task, and the events since its last part. */
    private static final class Pending {
        private final RunConfig config;
        private final SamplePartition partition;
        private long events;
        private boolean hasGivenUp;

        Pending(RunConfig config) {
            this.config = config;
            this.partition = StreamedRun.partition(config);
        }
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        rows = context.getKeyedStateStore()
                .getState(new ValueStateDescriptor<>("row", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        seen = context.getKeyedStateStore().getState(new ValueStateDescriptor<>("seen", Types.LONG));
        runOf = context.getKeyedStateStore().getState(new ValueStateDescriptor<>("run", Types.STRING));
        runs = new LinkedHashMap<>();
    }

    @Override
    public void open() throws Exception {
        super.open();
        timers = getInternalTimerService("give-up", VoidNamespaceSerializer.INSTANCE, this);
        openedMillis = getProcessingTimeService().getCurrentProcessingTime();
        flushLater();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Flink cancels its timers with the task
    private void flushLater() {
        getProcessingTimeService()
                .registerTimer(getProcessingTimeService().getCurrentProcessingTime() + MILLIS_MAX, this::tick);
    }

    private void tick(long now) throws IOException {
        flush();
        flushLater();
    }

    @Override
    public void processElement(StreamRecord<SampleMessage> element) throws Exception {
        SampleMessage message = element.getValue();
        Pending run = runs.computeIfAbsent(message.run(), name -> new Pending(settings.config(name)));
        byte[] before = rows.value();
        byte[] after = run.partition.apply(before, message.bytes());
        if (after != null) {
            rows.update(after);
        } else if (before != null) {
            rows.clear();
        }
        if (settings.giveUpMillis() > 0) {
            expect(message.run(), before != null, after != null);
        }
        if (++run.events == EVENTS_MAX) {
            flush(message.run(), run);
        }
    }

    /** Notes the event of a sample, and asks for a timer with its first one. */
    private void expect(String run, boolean wasInFlight, boolean isInFlight) throws IOException {
        if (!isInFlight) {
            seen.clear();
            runOf.clear();
            return;
        }
        long nowMillis = timers.currentProcessingTime();
        seen.update(nowMillis);
        if (!wasInFlight) {
            runOf.update(run);
            timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, nowMillis + settings.giveUpMillis());
        }
    }

    /** Gives up the sample of the current key, unless an event of it came, or this task started, since its timer was set. */
    @Override
    public void onProcessingTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
        byte[] row = rows.value();
        Long last = seen.value();
        String run = runOf.value();
        if (row == null || last == null || run == null) {
            return;
        }
        // Events that arrived while the job was down are read after its start.
        long dueMillis = Math.max(last, openedMillis) + settings.giveUpMillis();
        if (timer.getTimestamp() < dueMillis) {
            timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, dueMillis);
            return;
        }
        Pending pending = runs.computeIfAbsent(run, name -> new Pending(settings.config(name)));
        pending.partition.giveUp(row);
        pending.hasGivenUp = true;
        rows.clear();
        seen.clear();
        runOf.clear();
    }

    @Override
    public void onEventTime(InternalTimer<String, VoidNamespace> timer) {
        throw new IllegalStateException("no timer of samples is of event time");
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpoint) throws IOException {
        flush();
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (mark.equals(Watermark.MAX_WATERMARK)) {
            flush();
        }
        super.processWatermark(mark);
    }

    private void flush() throws IOException {
        for (Map.Entry<String, Pending> each : runs.entrySet()) {
            flush(each.getKey(), each.getValue());
        }
        // A run that has ended sends no more events; one that lasts gets another partition with its next event.
        runs.clear();
    }

    private void flush(String run, Pending pending) throws IOException {
        if (pending.events == 0 && !pending.hasGivenUp) {
            return;
        }
        PartHeader header = new PartHeader(
                settings.id(run),
                null,
                null,
                SessionState.LIVE,
                RunConfigCodec.encode(pending.config),
                pending.config.version(),
                false);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        pending.partition.flush(header).write(bytes);
        output.collect(new StreamRecord<>(
                new SampleMessage(run, SampleMessage.Kind.SAMPLES, "", pending.events, bytes.toByteArray())));
        pending.events = 0;
        pending.hasGivenUp = false;
    }
}
