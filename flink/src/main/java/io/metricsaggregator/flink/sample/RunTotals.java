package io.metricsaggregator.flink.sample;

import io.metricsaggregator.flink.stream.RunSnapshot;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.registry.SlabStore;
import io.metricsaggregator.registry.Workers;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.storage.ValueStorage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the parts of each run and takes its snapshots. A run is final when its head has ended and the books balance: the parts of samples have as many
 * events as the head sent. Keyed by run; on the thread of its task.
 */
final class RunTotals extends KeyedProcessFunction<String, SampleMessage, RunSnapshot> {
    private static final long serialVersionUID = 1;

    private transient ValueState<byte[]> samples;
    private transient ValueState<Long> applied;
    private transient ValueState<byte[]> lastHead;
    private transient ValueState<Long> sent;
    /** Set once the last snapshot of the run is handed on: samples may still be given up. */
    private transient ValueState<Boolean> finished;

    @Override
    public void open(OpenContext context) {
        samples = getRuntimeContext()
                .getState(new ValueStateDescriptor<>("samples", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        applied = getRuntimeContext().getState(new ValueStateDescriptor<>("applied", Types.LONG));
        lastHead = getRuntimeContext()
                .getState(new ValueStateDescriptor<>("head", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        sent = getRuntimeContext().getState(new ValueStateDescriptor<>("sent", Types.LONG));
        finished = getRuntimeContext().getState(new ValueStateDescriptor<>("finished", Types.BOOLEAN));
    }

    @Override
    public void processElement(SampleMessage message, Context context, Collector<RunSnapshot> out) throws Exception {
        if (finished.value() != null) {
            return;
        }
        switch (message.kind()) {
            case EVENT -> throw new IllegalStateException("an event of a sample reached the totals");
            case SAMPLES -> {
                byte[] sum = samples.value();
                samples.update(sum == null ? message.bytes() : sum(sum, message.bytes()));
                applied.update(applied() + message.events());
            }
            case HEAD -> out.collect(snapshot(message.run(), message.bytes(), samples.value(), false));
            case LAST_HEAD -> {
                lastHead.update(message.bytes());
                sent.update(message.events());
            }
        }
        byte[] head = lastHead.value();
        if (head != null && applied() == sent.value()) {
            out.collect(snapshot(message.run(), head, samples.value(), true));
            samples.clear();
            applied.clear();
            lastHead.clear();
            sent.clear();
            finished.update(true);
        }
    }

    private long applied() throws IOException {
        Long events = applied.value();
        return events == null ? 0 : events;
    }

    private static byte[] sum(byte[] a, byte[] b) throws IOException {
        SlabStore noValues = new ValueStorage(0, null);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RunPart.sum(List.of(read(a, noValues), read(b, noValues)), noValues).write(bytes);
        return bytes.toByteArray();
    }

    private static RunPart read(byte[] part, SlabStore values) throws IOException {
        return RunPart.read(new ByteArrayInputStream(part), values);
    }

    private static RunSnapshot snapshot(String run, byte[] head, byte @Nullable [] samples, boolean terminal)
            throws IOException {
        SlabStore noValues = new ValueStorage(0, null);
        RunPart whole = read(head, noValues);
        if (samples != null) {
            whole = RunPart.sum(List.of(read(samples, noValues), whole), noValues);
        }
        return new RunSnapshot(run, terminal, new JsonSnapshotCodec().encode(whole.snapshot(Workers.NONE, () -> true)));
    }
}
