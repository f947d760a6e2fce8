package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.parts.SlicesPart;
import io.metricsaggregator.text.OutputDetail;
import io.metricsaggregator.text.PendingOutput;

/**
 * Folds what needs the order of all samples' events, after the lanes have folded the samples: samples in flight, waits of endpoints, batches of the
 * steady state, super-passes, conversations, texts. Takes the effects that the lanes logged, event by event. Belongs to the thread of the head, and
 * updates its tables.
 */
final class OrderedFold {
    private final LoadgenFold head;
    private final boolean trackAll;
    /** Slices of which only the samples in flight are kept: those of the head are ahead. */
    private final SliceTable levels = new SliceTable(Streaming.OFF, false, false);

    private boolean begun;
    private boolean ended;
    private int inFlight;

    OrderedFold(LoadgenFold head, boolean trackAll) {
        this.head = head;
        this.trackAll = trackAll;
    }

    /** The samples in flight over time. */
    InFlightTimeline inFlight() {
        return levels.inFlight();
    }

    /** The slices of the run with the samples in flight of this fold. */
    SlicesPart in(SlicesPart slices) {
        return slices.withInFlight(levels.part());
    }

    /** Takes the effects of a batch, which all lanes are done with. */
    void settle(EventBatch batch) {
        if (batch.size() == 0) {
            return;
        }
        boolean any = false;
        for (int i = 0; i < batch.size(); i++) {
            int lane = batch.lanes[i];
            if (lane == EventBatch.NO_LANE) {
                continue;
            }
            if (!any) {
                any = true;
                head.progress.received(batch.receivedNanos());
            }
            DecodedEvent event = batch.events[i];
            EventType type = event.type();
            if (type != null) {
                settle(batch, i, lane, type, event);
            }
        }
    }

    private void settle(EventBatch batch, int i, int lane, EventType type, DecodedEvent event) {
        long now = event.timestampNanos();
        if (trackAll && !begun) {
            begin(now);
        }
        int slice = levels.at(now);
        if (lane == EventBatch.SESSION) {
            session(type, event, now);
        } else {
            sample(type, event, now);
            LaneEffects effects = batch.effects[lane];
            for (int operation = effects.next(i); operation >= 0; operation = effects.next(i)) {
                take(operation, effects, event, now);
            }
        }
        if (slice != SampleStamp.NONE) {
            levels.record(slice);
        }
    }

    private void begin(long now) {
        begun = true;
        levels.start(now);
    }

    private void session(EventType type, DecodedEvent event, long now) {
        if (type == EventType.SESSION_STARTED && !begun) {
            begin(now);
        } else if (type == EventType.SESSION_ENDED && !ended) {
            ended = true;
            head.optional.conversations.end();
            head.progress.ended();
        } else if (type == EventType.SESSION_PHASE_START) {
            head.optional.superPasses.announced(event.announcedSuperPassSize());
        }
    }

    private void sample(EventType type, DecodedEvent event, long now) {
        switch (type) {
            case SAMPLE_ISSUED -> {
                head.counters.totalIssued.increment();
                head.progress.issued(now);
            }
            case SAMPLE_RECV_FIRST, SAMPLE_RECV_NON_FIRST -> head.progress.answered(now, false);
            case SAMPLE_COMPLETE -> {
                head.counters.totalCompleted.increment();
                head.progress.answered(now, false);
            }
            case ERROR_GENERIC, ERROR_LOADGEN, ERROR_SESSION, ERROR_CLIENT -> {
                head.counters.totalFailed.increment();
                if (event.idKind() != IdKind.EMPTY) {
                    head.progress.answered(now, true);
                }
            }
            case SESSION_STARTED,
                    SESSION_ENDED,
                    SESSION_STOP_LOADGEN,
                    SESSION_INTERRUPTED,
                    SESSION_PHASE_START,
                    SESSION_START_PERFORMANCE_TRACKING,
                    SESSION_STOP_PERFORMANCE_TRACKING -> throw new IllegalArgumentException(type + " is of no sample");
        }
    }

    private void take(int operation, LaneEffects from, DecodedEvent event, long now) {
        switch (operation) {
            case LaneEffects.IN_FLIGHT -> changed((int) from.argument(), from.argument());
            case LaneEffects.TRACKED -> {
                head.batches.issued(now);
                int row = (int) from.argument();
                head.optional.superPasses.issued(row, from.argument() != 0, now);
            }
            case LaneEffects.UNTRACKED_BATCH -> head.batches.left(from.argument());
            case LaneEffects.FIRST_TIME -> head.batches.timeToFirstToken(from.argument(), from.argument());
            case LaneEffects.FIRST_OF_PASS ->
                head.optional.superPasses.receivedFirst(
                        (int) from.argument(), from.argument(), now, from.argument() != 0);
            case LaneEffects.COMPLETED_BATCH -> completed(from);
            case LaneEffects.COMPLETED_PASS ->
                head.optional.superPasses.completed((int) from.argument(), from.argument(), now);
            case LaneEffects.GOOD -> head.batches.good(from.argument());
            case LaneEffects.NOT_COUNTED -> {
                head.optional.superPasses.notCounted();
                head.batches.counted(from.argument(), 0, Double.NaN);
            }
            default -> takeOptional(operation, from, event, now);
        }
    }

    private void takeOptional(int operation, LaneEffects from, DecodedEvent event, long now) {
        ConversationFold conversations = head.optional.conversations;
        PromptJoin prompts = head.optional.usage.prompts();
        switch (operation) {
            case LaneEffects.OUTPUT -> output(from, event, now);
            case LaneEffects.UNTRACKED_OUTPUT -> head.texts.untracked(event, from.argument() != 0);
            case LaneEffects.PROMPT -> {
                int row = (int) from.argument();
                long labels = from.argument();
                head.optional.labels.widen(labels);
                head.texts.promptText(event, row, labels);
            }
            case LaneEffects.PROMPT_KNOWN -> prompts.known((int) from.argument(), from.argument());
            case LaneEffects.PROMPT_UNKNOWN -> prompts.unknown((int) from.argument());
            case LaneEffects.PROMPT_COMPLETED -> prompts.completed((int) from.argument(), from.argument());
            case LaneEffects.USAGE -> prompts.activate();
            case LaneEffects.TURN_ISSUED -> conversations.issued(event, (int) from.argument(), now);
            case LaneEffects.TURN_FIRST ->
                conversations.firstReceived((int) from.argument(), from.argument(), from.argument());
            case LaneEffects.TURN_COMPLETED -> {
                int row = (int) from.argument();
                long flags = from.argument();
                conversations.completed(event, row, (flags & 1) != 0, (flags & 2) != 0, from.argument(), now);
            }
            case LaneEffects.TURN_EVICTED -> conversations.evicted((int) from.argument(), now);
            case LaneEffects.TURN_INPUT -> conversations.inputOf((int) from.argument(), from.argument());
            default -> throw new IllegalStateException("a lane logged operation " + operation);
        }
    }

    private void changed(int by, long nanos) {
        inFlight += by;
        levels.inFlight().changed(nanos, by);
        head.progress.inFlightElsewhere(inFlight);
    }

    private void completed(LaneEffects from) {
        long issued = from.argument();
        long nanos = from.argument();
        long flags = from.argument();
        head.batches.completed(issued, nanos, (flags & 1) != 0, (flags & 2) != 0, from.argument(), from.argument());
    }

    /** Hands on an output with what only the order of samples tells of it. */
    private void output(LaneEffects from, DecodedEvent event, long now) {
        int row = (int) from.argument();
        int firstTokens = (int) from.argument();
        PendingOutput pending = from.nextOutput();
        OutputDetail detail = pending.detail();
        long conversation = head.optional.conversations.of(row);
        if (conversation != ConversationFold.NONE && detail.outcome() == OutputDetail.Outcome.SUCCEEDED) {
            boolean fits = TimestampMath.fits(pending.issuedNanos(), now);
            detail = detail.inConversation(conversation, fits ? now - pending.issuedNanos() : OutputDetail.NO_TIME);
        }
        SuperPassFold passes = head.optional.superPasses;
        int pass = passes.pass(row);
        if (pass != SuperPassFold.NONE) {
            detail = detail.inSuperPass(pass, passes.sinceFirst(row, now));
        }
        head.optional.labels.widen(detail.labels());
        head.texts.output(event, pending.withDetail(detail), row, firstTokens);
    }
}
