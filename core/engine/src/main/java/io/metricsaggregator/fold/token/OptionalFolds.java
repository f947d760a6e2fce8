package io.metricsaggregator.fold.token;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.fold.conversation.ConversationFold;
import io.metricsaggregator.fold.conversation.ConversationSeries;
import io.metricsaggregator.fold.conversation.InteractivityFold;
import io.metricsaggregator.fold.conversation.JobFold;
import io.metricsaggregator.fold.label.LabelCodes;
import io.metricsaggregator.fold.label.LabelFold;
import io.metricsaggregator.fold.label.ProgressFold;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.LateMetrics;
import io.metricsaggregator.fold.series.LoadgenSeries;
import io.metricsaggregator.fold.series.PerTokenSeries;
import io.metricsaggregator.fold.series.SuccessCounters;
import io.metricsaggregator.fold.steady.SuperPassFold;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.snapshot.figures.Jobs;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.text.OutputDetail;
import org.jspecify.annotations.Nullable;

/**
 * The folds of the optional keys of records, and of conversations. A run without such keys and conversations registers nothing of them. Belongs to the
 * thread of the fold.
 */
public final class OptionalFolds {
    public final UsageFold usage;
    public final ChunkFold chunks;
    public final LabelFold labels;
    public final ConversationFold conversations;
    public final JobFold jobs;
    public final InteractivityFold interactivity = new InteractivityFold();
    public final ProgressFold progress;
    final PerTokenSeries perToken;
    public final SuperPassFold superPasses;
    public final ServerTimesFold server;

    private final InFlightTable table;
    private final LoadgenSeries series;
    private final LateMetrics metrics;

    public OptionalFolds(
            Registry registry,
            InFlightTable table,
            LoadgenSeries series,
            SuccessCounters successes,
            ProgressFold progress,
            LabelCodes codes,
            FoldOptions options) {
        this.table = table;
        this.series = series;
        LateMetrics metrics = new LateMetrics(registry);
        this.metrics = metrics;
        this.usage = new UsageFold(registry, metrics, successes);
        this.chunks = new ChunkFold(registry, metrics, table, series);
        this.labels = new LabelFold(metrics, table, progress, options.objectives() != null, codes);
        this.progress = progress;
        this.conversations = new ConversationFold(
                new ConversationSeries(metrics, series), options.maxConversations(), options.hashSeed());
        this.jobs = new JobFold(metrics, options.maxJobs(), options.hashSeed());
        this.perToken = new PerTokenSeries(metrics);
        this.superPasses = new SuperPassFold(registry.values(), options.superPassSize());
        this.server = new ServerTimesFold(metrics, table);
    }

    /** Counts the optional keys of an issue that break a rule. */
    public void issueRejected(DecodedEvent event) {
        if (event.areLabelsRejected()) {
            labels.rejected();
        }
        if (event.conversation().isLastTurnRejected()) {
            metrics.add(CounterName.LAST_TURN_REJECTED, 1);
        }
        if (event.job().isRejected()) {
            metrics.add(CounterName.JOB_KEYS_REJECTED, 1);
        }
    }

    /** Counts the optional keys of a completion that break a rule. */
    public void rejected(DecodedEvent event) {
        if (event.isUsageRejected()) {
            usage.rejected(CounterName.USAGE_REJECTED);
        } else if (event.usage().isHistogramRejected()) {
            usage.rejected(CounterName.SPEC_HISTOGRAM_REJECTED);
        }
        if (event.server().isRejected()) {
            server.rejected();
        }
    }

    /** Notes that the sample of a row is issued, for the first time or again. */
    public void forget(int row) {
        chunks.forget(row);
        server.forget(row);
    }

    /** Notes a chunk, a completion or an error of a sample. */
    public void answered(int row) {
        if (labels.isSeen() && table.isTracked(row)) {
            labels.answered(row);
        }
    }

    /** What the output of a tracked sample needs, in a run with optional keys or super-passes; a failed sample counts for its super-pass only. */
    public OutputDetail detail(DecodedEvent event, int row, boolean hasFailed, long issued, long now) {
        OutputDetail detail = hasFailed ? OutputDetail.FAILED : detail(event, row, issued, now);
        int pass = superPasses.pass(row);
        return pass == SuperPassFold.NONE ? detail : detail.inSuperPass(pass, superPasses.sinceFirst(row, now));
    }

    private OutputDetail detail(DecodedEvent event, int row, long issued, long now) {
        long word = labels.of(row);
        long conversation = conversations.of(row);
        boolean times = chunks.isSeen() || usage.isSeen();
        if (!times && word == LabelFold.NO_LABELS && conversation == ConversationFold.NONE) {
            return OutputDetail.NONE;
        }
        boolean received = times && table.hasFirstReceived(row) && series.streaming() != null;
        boolean spans = received && TimestampMath.fits(table.firstReceived(row), table.lastReceived(row));
        return new OutputDetail(
                event.hasUsage() ? event.usage().count(UsageKey.COMPLETION_TOKENS) : OutputDetail.ABSENT,
                event.hasUsage() ? event.usage().count(UsageKey.REASONING_TOKENS) : OutputDetail.ABSENT,
                (times || conversation != ConversationFold.NONE) && TimestampMath.fits(issued, now)
                        ? now - issued
                        : OutputDetail.NO_TIME,
                spans ? table.lastReceived(row) - table.firstReceived(row) : OutputDetail.NO_TIME,
                word,
                chunks.hasParts(row),
                OutputDetail.ABSENT,
                OutputDetail.NO_TIME,
                conversation,
                OutputDetail.Outcome.SUCCEEDED,
                event.hasUsage() ? event.usage().count(UsageKey.PROMPT_TOKENS) : OutputDetail.ABSENT);
    }

    /** Updates counters that are derived from other state; to be called before a snapshot is taken. */
    public void refresh() {
        usage.refresh();
    }

    /**
     * Copies the figures.
     *
     * @param newestNanos timestamp of the newest event
     * @param window the steady window of a run that has ended; null for none
     */
    public OptionalFigures figures(long newestNanos, @Nullable SteadyWindow window) {
        ReportedUsage reported = usage.summary();
        LabelBreakdown byLabel = labels.summary();
        Conversations conversed = conversations.summary(newestNanos);
        Interactivity rates = interactivity.summary();
        Progress waits = progress.summary();
        ServerTimeFigures times = server.summary();
        Jobs worked = jobs.summary(window);
        return reported == null
                        && byLabel == null
                        && conversed == null
                        && rates == null
                        && waits == null
                        && times == null
                        && worked == null
                ? OptionalFigures.NONE
                : new OptionalFigures(reported, null, byLabel, null, conversed, rates, waits, times, worked, null);
    }
}
