package io.metricsaggregator.fold.conversation;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.fold.series.LoadgenSeries;
import io.metricsaggregator.registry.DoubleSeries;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The series and counters of conversations. Each is registered with its first value, so that a run without conversations has none. Belongs to the thread
 * of the fold; allocates only to register.
 */
public final class ConversationSeries {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Registry registry;
    private final LoadgenSeries durations;
    private final Map<CounterName, LongCounter> counters = new EnumMap<>(CounterName.class);
    private @Nullable LongSeries firstTurn;
    private @Nullable LongSeries laterTurn;
    private @Nullable LongSeries duration;
    private @Nullable LongSeries think;
    private @Nullable LongSeries turns;
    private @Nullable DoubleSeries rate;

    /**
     * Series that are not registered yet.
     *
     * @param durations records durations, and counts those beyond 64 bits
     */
    public ConversationSeries(Registry registry, LoadgenSeries durations) {
        this.registry = registry;
        this.durations = durations;
    }

    void increment(CounterName name) {
        LongCounter counter = counters.get(name);
        if (counter == null) {
            counter = registry.counter(name);
            counters.put(name, counter);
        }
        counter.increment();
    }

    /** Records the time to first token of a turn. */
    void firstToken(boolean isFirstTurn, long issued, long now) {
        LongSeries known = isFirstTurn ? firstTurn : laterTurn;
        if (known == null) {
            known = registry.longSeries(isFirstTurn ? SeriesName.TTFT_FIRST_TURN_NS : SeriesName.TTFT_LATER_TURN_NS);
            if (isFirstTurn) {
                firstTurn = known;
            } else {
                laterTurn = known;
            }
        }
        durations.record(known, issued, now);
    }

    /** Records the time from the completion of a turn to the issue of the next. */
    void thinkTime(long completed, long issued) {
        LongSeries known = think;
        if (known == null) {
            known = registry.longSeries(SeriesName.THINK_TIME_NS);
            think = known;
        }
        durations.record(known, completed, issued);
    }

    /** Records the duration and the turns of a conversation that ended. */
    void ended(long firstIssued, long lastCompleted, long turnsCompleted) {
        LongSeries known = duration;
        if (known == null) {
            known = registry.longSeries(SeriesName.CONVERSATION_DURATION_NS);
            duration = known;
        }
        durations.record(known, firstIssued, lastCompleted);
        LongSeries knownTurns = turns;
        if (knownTurns == null) {
            knownTurns = registry.longSeries(SeriesName.CONVERSATION_TURNS);
            turns = knownTurns;
        }
        knownTurns.record(turnsCompleted);
    }

    /** Records the output tokens per second of request time of a conversation; {@code nanos} above 0. */
    void rate(long tokens, long nanos) {
        DoubleSeries known = rate;
        if (known == null) {
            known = registry.doubleSeries(SeriesName.CONVERSATION_TOK_PER_S);
            rate = known;
        }
        known.record(tokens * NANOS_PER_SECOND / nanos);
    }
}
