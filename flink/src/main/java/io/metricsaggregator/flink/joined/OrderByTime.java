package io.metricsaggregator.flink.joined;

import io.metricsaggregator.flink.stream.FrameCountsBytes;
import io.metricsaggregator.flink.stream.RunFrame;
import io.metricsaggregator.run.FrameCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Puts the records of each run in the order of the joined run. Records wait in keyed state, by the millisecond of their time, until the watermark has passed
 * it. A record is late if it is behind the newest one of its partition by more than the lateness, or if later ones were handed on already: it is handed on
 * as late, at once. A run without a message for some time has all its records handed on. Keyed by run; on the thread of its task.
 */
final class OrderByTime extends KeyedProcessFunction<String, NodeMessage, RunFrame> {
    private static final long serialVersionUID = 1;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final JoinTimes times;
    private transient MapState<Long, List<byte[]>> pending;
    private transient MapState<Integer, Long> newest;
    private transient MapState<String, Long> sequences;
    private transient ValueState<byte[]> frames;
    /** The last millisecond of which records were handed on. */
    private transient ValueState<Long> passedMillis;
    /** The newest receipt of the records that were handed on, in nanoseconds of the wall clock. */
    private transient ValueState<Long> receivedNanos;
    /** When the last message came, by the clock of the task. */
    private transient ValueState<Long> seenMillis;
    /** Set once the run is over; all other state is then cleared. */
    private transient ValueState<Boolean> finished;

    private transient SessionEnd session;
    private transient long openedMillis;
    private transient Counter repeated = new SimpleCounter();
    private transient Counter late = new SimpleCounter();
    private transient Counter dropped = new SimpleCounter();

    @SuppressWarnings("NullAway.Init") // open, which Flink calls first
    OrderByTime(JoinTimes times) {
        this.times = times;
    }

    @Override
    public void open(OpenContext context) {
        var state = getRuntimeContext();
        pending = state.getMapState(new MapStateDescriptor<>(
                "pending", Types.LONG, Types.LIST(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)));
        newest = state.getMapState(new MapStateDescriptor<>("newest", Types.INT, Types.LONG));
        sequences = state.getMapState(new MapStateDescriptor<>("sequences", Types.STRING, Types.LONG));
        frames = state.getState(
                new ValueStateDescriptor<>("frames", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        passedMillis = state.getState(new ValueStateDescriptor<>("passed", Types.LONG));
        receivedNanos = state.getState(new ValueStateDescriptor<>("received", Types.LONG));
        seenMillis = state.getState(new ValueStateDescriptor<>("seen", Types.LONG));
        finished = state.getState(new ValueStateDescriptor<>("finished", Types.BOOLEAN));
        session = new SessionEnd(state);
        openedMillis = System.currentTimeMillis();
        repeated = state.getMetricGroup().counter("framesRepeated");
        late = state.getMetricGroup().counter("recordsLate");
        dropped = state.getMetricGroup().counter("framesLate");
    }

    @Override
    public void processElement(NodeMessage message, Context context, Collector<RunFrame> out) throws Exception {
        if (finished.value() != null) {
            dropped.inc();
            return;
        }
        if (isRepeated(message.place())) {
            repeated.inc();
            return;
        }
        long nowMillis = context.timerService().currentProcessingTime();
        if (seenMillis.value() == null) {
            context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
            context.timerService().registerProcessingTimeTimer(nowMillis + times.silenceMillis());
        }
        seenMillis.update(nowMillis);
        frames.update(FrameCountsBytes.encode(counted().plus(message.frames())));
        int partition = message.place().partition();
        Long newestBefore = newest.get(partition);
        for (NodeRecord each : message.records()) {
            PendingRecord record = new PendingRecord(message.place().node(), each);
            if (isLate(each.nanos(), newestBefore)) {
                late(record, context.getCurrentKey(), out);
            } else {
                await(record, context);
            }
        }
        if (newestBefore == null || message.newestNanos() > newestBefore) {
            newest.put(partition, message.newestNanos());
        }
    }

    /** Whether the number of a message was seen before; notes the number. */
    private boolean isRepeated(NodeMessage.Place place) throws Exception {
        if (place.sequence() == NodeMessage.NOT_NUMBERED) {
            return false;
        }
        String stream = place.partition() + "/" + place.node();
        Long last = sequences.get(stream);
        if (last != null && place.sequence() <= last) {
            return true;
        }
        sequences.put(stream, place.sequence());
        return false;
    }

    private boolean isLate(long nanos, @Nullable Long newestOfPartition) throws IOException {
        if (newestOfPartition != null && times.isLate(nanos, newestOfPartition)) {
            return true;
        }
        Long passed = passedMillis.value();
        return passed != null && JoinTimes.millis(nanos) <= passed;
    }

    private void await(PendingRecord record, Context context) throws Exception {
        long millis = JoinTimes.millis(record.record().nanos());
        List<byte[]> same = pending.get(millis);
        if (same == null) {
            same = new ArrayList<>();
            context.timerService().registerEventTimeTimer(millis);
        }
        same.add(record.encode());
        pending.put(millis, same);
    }

    private void late(PendingRecord record, String run, Collector<RunFrame> out) throws Exception {
        late.inc();
        Long received = receivedNanos.value();
        out.collect(RunFrame.late(
                run,
                received == null ? record.record().receivedNanos() : received,
                record.record().bytes()));
        // The node has ended, even if its record has no place in the order any more.
        session.note(record);
        releaseHeldEnd(run, session.isWhole(), out);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<RunFrame> out) throws Exception {
        if (finished.value() != null) {
            return;
        }
        String run = context.getCurrentKey();
        if (context.timeDomain() == TimeDomain.PROCESSING_TIME) {
            checkSilence(timestamp, context, out);
        } else if (timestamp == Long.MAX_VALUE) {
            releaseHeldEnd(run, true, out);
            handOnCounts(run, out);
        } else {
            release(run, timestamp, out);
            handOnCounts(run, out);
        }
    }

    /** Hands on all records of a run without a message for some time, and ends the run if that is long enough, or if its session has ended. */
    private void checkSilence(long nowMillis, OnTimerContext context, Collector<RunFrame> out) throws Exception {
        String run = context.getCurrentKey();
        Long seen = seenMillis.value();
        // Messages that were written while the job was down are read after its start.
        long lastMillis = Math.max(seen == null ? 0 : seen, openedMillis);
        boolean isIdle = times.idleMillis() > 0 && nowMillis - lastMillis >= times.idleMillis();
        if (isIdle || nowMillis - lastMillis >= times.silenceMillis()) {
            // Not what is later than all partitions have come: a false clock would make later records late.
            releaseAll(run, newestMillis(), out);
            if (isIdle || session.hasEnded()) {
                releaseAll(run, Long.MAX_VALUE, out);
            }
            releaseHeldEnd(run, isIdle, out);
            handOnCounts(run, out);
            boolean hasEnded = session.hasEnded();
            if (isIdle && !hasEnded) {
                long received = received();
                out.collect(RunFrame.end(run, received, received));
            }
            if (isIdle || hasEnded) {
                forget();
                return;
            }
            lastMillis = nowMillis;
        }
        long dueMillis = lastMillis + times.silenceMillis();
        long idleMillis = Math.max(seen == null ? 0 : seen, openedMillis) + times.idleMillis();
        context.timerService()
                .registerProcessingTimeTimer(
                        times.idleMillis() > 0 && idleMillis > nowMillis ? Math.min(dueMillis, idleMillis) : dueMillis);
    }

    private long newestMillis() throws Exception {
        long millis = 0;
        for (long each : newest.values()) {
            millis = Math.max(millis, JoinTimes.millis(each));
        }
        return millis;
    }

    private void releaseAll(String run, long untilMillis, Collector<RunFrame> out) throws Exception {
        List<Long> waiting = new ArrayList<>();
        for (long each : pending.keys()) {
            if (each <= untilMillis) {
                waiting.add(each);
            }
        }
        waiting.sort(null);
        for (long each : waiting) {
            release(run, each, out);
        }
    }

    private void release(String run, long millis, Collector<RunFrame> out) throws Exception {
        List<byte[]> same = pending.get(millis);
        if (same == null) {
            return;
        }
        pending.remove(millis);
        List<PendingRecord> records = new ArrayList<>(same.size());
        for (byte[] each : same) {
            records.add(PendingRecord.decode(each));
        }
        records.sort(PendingRecord.ORDER);
        for (PendingRecord each : records) {
            handOn(run, each, out);
        }
        Long passed = passedMillis.value();
        passedMillis.update(passed == null ? millis : Math.max(passed, millis));
    }

    private void handOn(String run, PendingRecord record, Collector<RunFrame> out) throws Exception {
        session.note(record);
        if (record.record().rank() == NodeRecord.RANK_ENDED && !session.hasEnded()) {
            if (!session.isWhole()) {
                session.hold(record);
                return;
            }
            session.end();
        }
        collect(run, record.record(), out);
    }

    private void releaseHeldEnd(String run, boolean isDue, Collector<RunFrame> out) throws Exception {
        PendingRecord held = session.held();
        if (held != null && isDue) {
            session.end();
            collect(run, held.record(), out);
        }
    }

    private void collect(String run, NodeRecord record, Collector<RunFrame> out) throws IOException {
        Long before = receivedNanos.value();
        long received = before == null ? record.receivedNanos() : Math.max(before, record.receivedNanos());
        receivedNanos.update(received);
        out.collect(RunFrame.record(run, record.shiftNanos(), received, record.bytes()));
    }

    private void handOnCounts(String run, Collector<RunFrame> out) throws IOException {
        if (frames.value() != null) {
            out.collect(RunFrame.counts(run, received(), counted()));
            frames.clear();
        }
    }

    private long received() throws IOException {
        Long received = receivedNanos.value();
        return received == null ? System.currentTimeMillis() * NANOS_PER_MILLI : received;
    }

    private FrameCounts counted() throws IOException {
        byte[] state = frames.value();
        return state == null ? FrameCounts.NONE : FrameCountsBytes.decode(state);
    }

    private void forget() throws IOException {
        pending.clear();
        newest.clear();
        sequences.clear();
        frames.clear();
        passedMillis.clear();
        receivedNanos.clear();
        seenMillis.clear();
        session.clear();
        finished.update(true);
    }
}
