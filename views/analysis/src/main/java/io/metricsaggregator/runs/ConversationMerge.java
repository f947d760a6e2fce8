package io.metricsaggregator.runs;

import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.Interactivity;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the conversations of several runs, which share none. Means over time, rates, and the percentiles of turns and of cache hits cannot be added up
 * and are null.
 */
final class ConversationMerge {
    private static final String WHAT = "conversations";

    private final SaturatingSums sums;
    private final boolean together;

    /**
     * A merge.
     *
     * @param together whether the runs measured at the same time, so that their peaks add up
     */
    ConversationMerge(SaturatingSums sums, boolean together) {
        this.sums = sums;
        this.together = together;
    }

    /** The sums of all runs; null if no run has conversations. */
    @Nullable
    Conversations merge(List<SnapshotExtensions> all) {
        Conversations sum = null;
        TreeMap<Integer, Conversations.Turns> turns = new TreeMap<>();
        for (SnapshotExtensions each : all) {
            Conversations next = each.optional().conversations();
            if (next != null) {
                next.byTurn().forEach(row -> turns.merge(row.from(), counts(row), this::add));
                sum = sum == null ? next : add(sum, next);
            }
        }
        return sum == null ? null : merged(sum, turns.values());
    }

    private static Conversations merged(Conversations sum, Collection<Conversations.Turns> turns) {
        Conversations.CacheHits cache = sum.cache();
        return new Conversations(
                sum.seen(),
                sum.open(),
                sum.active(),
                sum.activePeak(),
                null,
                sum.completed(),
                sum.failed(),
                null,
                cache == null ? null : new Conversations.CacheHits(cache.count(), cache.mean(), null, null, null),
                List.copyOf(turns));
    }

    private Conversations add(Conversations a, Conversations b) {
        return new Conversations(
                add(a.seen(), b.seen()),
                add(a.open(), b.open()),
                add(a.active(), b.active()),
                together ? add(a.activePeak(), b.activePeak()) : Math.max(a.activePeak(), b.activePeak()),
                null,
                add(a.completed(), b.completed()),
                add(a.failed(), b.failed()),
                null,
                add(a.cache(), b.cache()),
                List.of());
    }

    private Conversations.@Nullable CacheHits add(
            Conversations.@Nullable CacheHits a, Conversations.@Nullable CacheHits b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        long count = add(a.count(), b.count());
        double mean = (a.mean() * a.count() + b.mean() * b.count()) / ((double) a.count() + b.count());
        return new Conversations.CacheHits(count, mean, null, null, null);
    }

    private static Conversations.Turns counts(Conversations.Turns row) {
        return new Conversations.Turns(
                row.from(),
                row.to(),
                row.issued(),
                row.completed(),
                row.failed(),
                row.input(),
                row.output(),
                row.promptTokens(),
                row.cachedTokens(),
                null,
                null);
    }

    private Conversations.Turns add(Conversations.Turns a, Conversations.Turns b) {
        return new Conversations.Turns(
                a.from(),
                a.to(),
                add(a.issued(), b.issued()),
                add(a.completed(), b.completed()),
                add(a.failed(), b.failed()),
                add(a.input(), b.input()),
                add(a.output(), b.output()),
                add(a.promptTokens(), b.promptTokens()),
                add(a.cachedTokens(), b.cachedTokens()),
                null,
                null);
    }

    private Conversations.Tokens add(Conversations.Tokens a, Conversations.Tokens b) {
        return new Conversations.Tokens(add(a.count(), b.count()), add(a.total(), b.total()));
    }

    private long add(long a, long b) {
        return sums.add(WHAT, a, b);
    }

    /** The sums of tokens and latencies of all runs; null if no run has them. */
    @Nullable
    Interactivity interactivity(List<SnapshotExtensions> all) {
        Interactivity sum = null;
        for (SnapshotExtensions each : all) {
            Interactivity next = each.optional().interactivity();
            if (sum == null || next == null) {
                sum = sum == null ? next : sum;
            } else {
                sum = new Interactivity(
                        add(sum.samples(), next.samples()),
                        add(sum.tokens(), next.tokens()),
                        add(sum.latencyNanos(), next.latencyNanos()));
            }
        }
        return sum;
    }
}
