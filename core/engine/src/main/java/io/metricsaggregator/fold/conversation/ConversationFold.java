package io.metricsaggregator.fold.conversation;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.fold.conversation.ConversationTable.Place;
import io.metricsaggregator.fold.row.RowColumn;
import io.metricsaggregator.snapshot.figures.Conversations;
import org.jspecify.annotations.Nullable;

/**
 * Folds the conversations of tracked samples and their turns. A conversation ends with the completion of a turn issued with {@code last_turn}, or
 * with the session; then its series are recorded, its rate of tokens once all its outputs are counted. A sample's conversation and turn are a number in
 * a column beside its row, so that a run without conversations pays a comparison an event. Belongs to the thread of the fold; allocates only to grow
 * and to register.
 */
public final class ConversationFold {
    /** The conversation of a sample that has none. */
    public static final long NONE = 0;

    /** Idle for as long, a conversation is not open any more. */
    static final long OPEN_NANOS = 300_000_000_000L;

    // Flags of a conversation.
    private static final long ENDS = 1;
    private static final long HAS_FAILED = 1 << 1;
    /** A turn was lost, since its sample was evicted, or the conversation itself was. */
    private static final long INCOMPLETE = 1 << 2;

    private static final long SETTLED = 1 << 3;

    private final ConversationTable table;
    private final EvictedConversations evicted = new EvictedConversations();
    private final RowColumn samples = new RowColumn();
    private final ConversationSeries series;
    private final TurnCounts turns = new TurnCounts();
    private final ActiveTime time = new ActiveTime();
    private final CacheHitShares cacheHits = new CacheHitShares();
    private final int max;

    private boolean seen;
    private long conversations;
    private long completed;
    private long failed;

    /**
     * A fold without conversations.
     *
     * @param max conversations kept; beyond them the longest idle is evicted; 0 for a fold without conversations
     * @param seed secret seed of the hash of ids
     */
    public ConversationFold(ConversationSeries series, int max, long seed) {
        this.series = series;
        this.max = max;
        this.table = new ConversationTable(seed);
    }

    /** The conversation and turn of a tracked row; {@link #NONE} without one. */
    public long of(int row) {
        return seen ? samples.get(row) : NONE;
    }

    private static int conversation(long sample) {
        return (int) (sample >>> 32) - 1;
    }

    private static int turn(long sample) {
        return (int) sample;
    }

    /** Counts the first issue of a tracked sample. */
    public void issued(DecodedEvent event, int row, long now) {
        if (!event.conversation().isPresent() || max == 0) {
            if (seen) {
                samples.set(row, NONE);
            }
            return;
        }
        seen = true;
        int at = table.find(event);
        if (at == ConversationTable.NONE) {
            at = begin(now);
        }
        long inFlight = table.add(at, ConversationTable.IN_FLIGHT, 1);
        if (inFlight > 1) {
            series.increment(CounterName.TURNS_OVERLAPPING);
        } else {
            if (table.get(at, ConversationTable.COMPLETED) > 0) {
                series.thinkTime(table.get(at, ConversationTable.LAST_COMPLETED), now);
            }
            time.activated(now);
        }
        table.moveTo(at, Place.ACTIVE);
        if (event.conversation().isLastTurn()) {
            table.mark(at, ENDS);
        }
        int turn = (int) Math.min(Integer.MAX_VALUE, table.add(at, ConversationTable.TURNS, 1));
        samples.set(row, ((long) at + 1) << 32 | turn);
        turns.issued(turn);
    }

    private int begin(long now) {
        boolean resumed = evicted.contains(table.wanted());
        while (table.size() >= max) {
            evict();
        }
        int at = table.insert();
        table.set(at, ConversationTable.FIRST_ISSUED, now);
        if (resumed) {
            // Its turns are not the first ones, however many there were.
            table.set(at, ConversationTable.TURNS, 1);
            series.increment(CounterName.CONVERSATIONS_RESUMED);
        } else {
            conversations++;
        }
        return at;
    }

    private void evict() {
        Place from = Place.STALE;
        if (table.count(from) == 0) {
            from = table.count(Place.IDLE) > 0 ? Place.IDLE : Place.ACTIVE;
        }
        int at = table.first(from);
        evicted.add(table.id(at));
        series.increment(CounterName.CONVERSATIONS_EVICTED);
        table.mark(at, INCOMPLETE | ENDS);
        if (from == Place.ACTIVE) {
            table.detach(at);
        } else {
            settle(at);
        }
    }

    /** Records the time to the first chunk of a tracked sample that succeeded. */
    public void firstReceived(int row, long issued, long first) {
        long sample = of(row);
        if (sample != NONE) {
            series.firstToken(turn(sample) == 1, issued, first);
            turns.firstReceived(turn(sample), TimestampMath.saturatedBetween(issued, first));
        }
    }

    /**
     * Counts the completion of a tracked sample, before its output is queued.
     *
     * @param awaitsCount whether {@link #counted} or {@link #uncounted} will follow
     */
    public void completed(DecodedEvent event, int row, boolean hasFailed, boolean awaitsCount, long issued, long now) {
        long sample = of(row);
        if (sample == NONE) {
            return;
        }
        int at = conversation(sample);
        long before = table.get(at, ConversationTable.LAST_COMPLETED);
        boolean first = table.add(at, ConversationTable.COMPLETED, 1) == 1;
        table.set(at, ConversationTable.LAST_COMPLETED, first ? now : Math.max(before, now));
        turns.completed(turn(sample), hasFailed, TimestampMath.saturatedBetween(issued, now));
        if (hasFailed) {
            table.mark(at, HAS_FAILED);
        } else if (event.hasUsage()
                && event.usage().has(UsageKey.CACHED_TOKENS)
                && event.usage().has(UsageKey.PROMPT_TOKENS)) {
            long prompt = event.usage().count(UsageKey.PROMPT_TOKENS);
            long cached = event.usage().count(UsageKey.CACHED_TOKENS);
            turns.cached(turn(sample), prompt, cached);
            addSaturated(at, ConversationTable.PROMPT, prompt);
            addSaturated(at, ConversationTable.CACHED, cached);
        }
        if (awaitsCount) {
            table.add(at, ConversationTable.UNCOUNTED, 1);
        }
        left(at, now);
    }

    /** Takes a tracked sample out of its conversation that was evicted and can no longer complete. */
    public void evicted(int row, long now) {
        long sample = of(row);
        if (sample != NONE) {
            table.mark(conversation(sample), INCOMPLETE);
            left(conversation(sample), now);
        }
    }

    private void left(int at, long now) {
        if (table.add(at, ConversationTable.IN_FLIGHT, -1) > 0) {
            time.passed(now);
            return;
        }
        time.deactivated(now);
        if (table.is(at, ENDS)) {
            settle(at);
        } else {
            table.moveTo(at, Place.IDLE);
        }
    }

    private void addSaturated(int at, int word, long tokens) {
        table.set(at, word, TimestampMath.saturatedAdd(table.get(at, word), tokens));
    }

    /** Adds the length of the prompt of the sample of a row. */
    public void inputOf(int row, long tokens) {
        input(of(row), tokens);
    }

    /** Adds the length of the prompt of a sample. */
    public void input(long sample, long tokens) {
        if (sample != NONE) {
            turns.input(turn(sample), tokens);
        }
    }

    /** Adds the length of the output of a turn that succeeded. */
    public void counted(long sample, long latencyNanos, long tokens) {
        if (sample == NONE) {
            return;
        }
        int at = conversation(sample);
        turns.output(turn(sample), tokens);
        addSaturated(at, ConversationTable.LATENCY, latencyNanos);
        addSaturated(at, ConversationTable.TOKENS, tokens);
        uncounted(sample);
    }

    /** Takes note that the output of a turn that succeeded has no length. */
    public void uncounted(long sample) {
        if (sample != NONE) {
            int at = conversation(sample);
            table.add(at, ConversationTable.UNCOUNTED, -1);
            if (table.is(at, SETTLED)) {
                release(at);
            }
        }
    }

    /** Ends all conversations: the session has ended. */
    public void end() {
        for (Place place : new Place[] {Place.STALE, Place.IDLE, Place.ACTIVE}) {
            while (table.count(place) > 0) {
                settle(table.first(place));
            }
        }
    }

    /** Records a conversation that has ended, but for what awaits the count of its outputs. */
    private void settle(int at) {
        table.detach(at);
        table.mark(at, SETTLED);
        long turnsCompleted = table.get(at, ConversationTable.COMPLETED);
        if (turnsCompleted > 0) {
            series.ended(
                    table.get(at, ConversationTable.FIRST_ISSUED),
                    table.get(at, ConversationTable.LAST_COMPLETED),
                    turnsCompleted);
        }
        if (table.get(at, ConversationTable.PROMPT) > 0) {
            cacheHits.record(table.get(at, ConversationTable.CACHED), table.get(at, ConversationTable.PROMPT));
        }
        if (table.get(at, ConversationTable.IN_FLIGHT) == 0) {
            failed += table.is(at, HAS_FAILED) ? 1 : 0;
            completed += table.is(at, HAS_FAILED | INCOMPLETE) ? 0 : 1;
        }
        release(at);
    }

    /** Records the rate of a settled conversation once its outputs are counted, and frees its row unless a turn is in flight. */
    private void release(int at) {
        if (table.get(at, ConversationTable.UNCOUNTED) > 0) {
            return;
        }
        long nanos = table.get(at, ConversationTable.LATENCY);
        if (nanos > 0) {
            series.rate(table.get(at, ConversationTable.TOKENS), nanos);
        }
        if (table.get(at, ConversationTable.IN_FLIGHT) == 0) {
            table.free(at);
        }
    }

    /**
     * Copies the figures; null before the first conversation.
     *
     * @param newestNanos timestamp of the newest event
     */
    @Nullable
    public Conversations summary(long newestNanos) {
        if (!seen) {
            return null;
        }
        while (table.count(Place.IDLE) > 0 && isStale(table.first(Place.IDLE), newestNanos)) {
            table.moveTo(table.first(Place.IDLE), Place.STALE);
        }
        return new Conversations(
                conversations,
                (long) table.count(Place.ACTIVE) + table.count(Place.IDLE),
                time.active(),
                time.peak(),
                time.mean(newestNanos),
                completed,
                failed,
                time.perSecond(completed, newestNanos),
                cacheHits.summary(),
                turns.summary());
    }

    private boolean isStale(int at, long newestNanos) {
        boolean any = table.get(at, ConversationTable.COMPLETED) > 0;
        long since = table.get(at, any ? ConversationTable.LAST_COMPLETED : ConversationTable.FIRST_ISSUED);
        return TimestampMath.saturatedBetween(since, newestNanos) >= OPEN_NANOS;
    }
}
