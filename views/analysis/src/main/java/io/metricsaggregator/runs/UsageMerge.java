package io.metricsaggregator.runs;

import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds up the tokens that servers reported in several runs. A run without usage adds nothing. */
final class UsageMerge {
    private static final String WHAT = "reported usage";

    private final SaturatingSums sums;

    UsageMerge(SaturatingSums sums) {
        this.sums = sums;
    }

    /** The sums of all runs; null if no run has usage. */
    @Nullable
    ReportedUsage merge(List<SnapshotExtensions> all) {
        ReportedUsage sum = null;
        for (SnapshotExtensions each : all) {
            ReportedUsage next = each.optional().usage();
            sum = sum == null ? next : next == null ? sum : add(sum, next);
        }
        return sum;
    }

    private ReportedUsage add(ReportedUsage a, ReportedUsage b) {
        Map<UsageKey, Long> totals = new EnumMap<>(UsageKey.class);
        totals.putAll(a.totals());
        b.totals().forEach((key, total) -> totals.merge(key, total, this::add));
        return new ReportedUsage(
                add(a.reported(), b.reported()),
                add(a.failed(), b.failed()),
                add(a.byClient(), b.byClient()),
                totals,
                new ReportedUsage.Cache(
                        add(a.cache().reported(), b.cache().reported()),
                        add(a.cache().promptTokens(), b.cache().promptTokens()),
                        add(a.cache().hitTokens(), b.cache().hitTokens())),
                new ReportedUsage.Speculation(
                        add(a.speculation().reported(), b.speculation().reported()),
                        add(a.speculation().drafts(), b.speculation().drafts()),
                        add(a.speculation().draftTokens(), b.speculation().draftTokens()),
                        add(a.speculation().acceptedTokens(), b.speculation().acceptedTokens())),
                mismatches(a.mismatches(), b.mismatches()));
    }

    private List<ReportedUsage.Mismatch> mismatches(List<ReportedUsage.Mismatch> a, List<ReportedUsage.Mismatch> b) {
        Map<String, ReportedUsage.Mismatch> byKind = new LinkedHashMap<>();
        a.forEach(each -> byKind.put(each.kind(), each));
        b.forEach(each -> byKind.merge(each.kind(), each, this::add));
        return List.copyOf(byKind.values());
    }

    private ReportedUsage.Mismatch add(ReportedUsage.Mismatch a, ReportedUsage.Mismatch b) {
        return new ReportedUsage.Mismatch(
                a.kind(),
                add(a.compared(), b.compared()),
                add(a.mismatched(), b.mismatched()),
                add(a.skipped(), b.skipped()),
                add(a.reportedTokens(), b.reportedTokens()),
                add(a.countedTokens(), b.countedTokens()),
                null,
                null);
    }

    private long add(long a, long b) {
        return sums.add(WHAT, a, b);
    }
}
