package io.metricsaggregator.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.Outcomes;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.FailureLimit;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks of what became of the tracked samples: failures, objectives, and their number. */
class OutcomeChecksTest {

    /** The example with other counters, settings and objectives. */
    static MetricsSnapshot run(Map<String, Long> counters, Map<String, String> settings, @Nullable Goodput goodput) {
        return ExampleRuns.hostile(counters, settings, goodput);
    }

    private static MetricsSnapshot failed(long failed, long of, Map<String, String> settings) {
        return run(
                Map.of(
                        "tracked_samples_completed", of,
                        "tracked_samples_succeeded", of - failed,
                        "tracked_samples_errored", failed,
                        "tracked_samples_failed", failed),
                settings,
                null);
    }

    private static Finding finding(MetricsSnapshot snapshot, String what) {
        return Verdict.of(snapshot).findings().stream()
                .filter(each -> each.what().equals(what))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"0, GOOD", "9, GOOD", "10, NOTE", "49, NOTE", "50, REMARK", "499, REMARK", "500, BAD", "1000, BAD"})
    void theShareOfFailedSamplesIsANoteThenARemarkThenInvalid(long failed, Finding.Weight weight) {
        MetricsSnapshot snapshot = failed(failed, 1000, Map.of());
        assertThat(finding(snapshot, "failed samples").weight()).isEqualTo(weight);
        assertThat(Verdict.of(snapshot).validity() == Verdict.Validity.INVALID).isEqualTo(failed >= 500);
        assertThat(Verdict.of(snapshot).isFailing()).isEqualTo(failed >= 50);
    }

    @Test
    void aFindingOnFailuresSaysTheirNumberAndTheLimit() {
        assertThat(finding(failed(60, 1000, Map.of()), "failed samples").evidence())
                .isEqualTo("60 of 1,000 tracked samples failed (6.00%); the limit is 5.00% (--max-failed)");
        MetricsSnapshot none = failed(200, 200, Map.of());
        assertThat(finding(none, "failed samples").evidence())
                .isEqualTo("no tracked sample succeeded: 200 of 200 tracked samples failed (100.00%)");
        assertThat(Verdict.of(none).summary()).isEqualTo("INVALID. Limiting factor: unknown (see failed samples).");
    }

    private static MetricsSnapshot speculative(@Nullable Long accepted, String golden) {
        MetricsSnapshot run = run(Map.of(), Map.of(ReportedUsage.Speculation.GOLDEN, golden), null);
        ReportedUsage usage = accepted == null
                ? null
                : new ReportedUsage(
                        1,
                        0,
                        0,
                        Map.of(),
                        new ReportedUsage.Cache(0, 0, 0),
                        new ReportedUsage.Speculation(1, 100, 300, accepted, Map.of()));
        return new MetricsSnapshot(
                run.counter(),
                run.timestampNanos(),
                run.state(),
                run.pendingTasks(),
                run.metrics(),
                run.extensions().withOptional(new OptionalFigures(usage, null, null, null, null, null, null)));
    }

    @ParameterizedTest
    @CsvSource({
        "200, 3.0, GOOD",
        "205, 3.0, GOOD",
        "207, 3.0, REMARK",
        "193, 3.0, REMARK",
        "195, 3.0, GOOD",
        ", 3.0, UNKNOWN",
        "200, 2.5 / 3.0, UNKNOWN"
    })
    void anAcceptanceLengthTwoPercentFromTheGoldenOneIsQuestionable(
            @Nullable Long accepted, String golden, Finding.Weight weight) {
        assertThat(finding(speculative(accepted, golden), "acceptance length").weight())
                .isEqualTo(weight);
    }

    @Test
    void theFindingOnAcceptanceSaysBothLengths() {
        assertThat(finding(speculative(23L, "2.99"), "acceptance length").evidence())
                .isEqualTo(
                        "synthetic acceptance not in effect: 1.230 tokens per step over 100 steps, golden 2.99 (-58.9%)");
        assertThat(Verdict.of(run(Map.of(), Map.of(), null)).findings())
                .noneMatch(each -> each.what().equals("acceptance length"));
    }

    @Test
    void theSettingOfTheRunMovesTheMiddleLimitOnly() {
        Map<String, String> strict = Map.of(FailureLimit.NAME, "0.001");
        assertThat(finding(failed(1, 1000, strict), "failed samples").weight()).isEqualTo(Finding.Weight.REMARK);
        Map<String, String> lax = Map.of(FailureLimit.NAME, "0.3");
        assertThat(finding(failed(299, 1000, lax), "failed samples").weight()).isEqualTo(Finding.Weight.NOTE);
        assertThat(finding(failed(500, 1000, lax), "failed samples").weight()).isEqualTo(Finding.Weight.BAD);
        assertThat(finding(failed(0, 1000, Map.of(FailureLimit.NAME, "0.0")), "failed samples")
                        .weight())
                .isEqualTo(Finding.Weight.GOOD);
        assertThat(FailureLimit.of(Map.of(FailureLimit.NAME, "0.3 / 0.1"))).isEqualTo(0.1);
        assertThat(FailureLimit.of(Map.of(FailureLimit.NAME, "0.9"))).isNull();
    }

    @Test
    void failuresThatNeverCompletedCountAndErrorsStandForThemInOtherSnapshots() {
        assertThat(Outcomes.of(run(
                        Map.of(
                                "tracked_samples_completed", 2L,
                                "tracked_samples_succeeded", 2L,
                                "tracked_samples_errored", 2L),
                        Map.of(),
                        null)))
                .isEqualTo(new Outcomes(2, 2));
        MetricsSnapshot foreign = new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                List.of(
                        new CounterMetric("tracked_samples_issued", 10),
                        new CounterMetric("tracked_samples_completed", 10),
                        new CounterMetric("tracked_samples_failed", 25)),
                SnapshotExtensions.NONE);
        assertThat(Outcomes.of(foreign)).isEqualTo(new Outcomes(0, 10));
        assertThat(Verdict.of(foreign).validity()).isEqualTo(Verdict.Validity.INVALID);
    }

    @Test
    void objectivesThatAreMissedMakeARunQuestionableAndNameNoLimit() {
        List<Goodput.Constraint> limits = List.of(
                new Goodput.Constraint("ttft", 300_000_000L, 100),
                new Goodput.Constraint("latency", 5_000_000_000L, 990));
        MetricsSnapshot missed = run(Map.of(), Map.of(), new Goodput(limits, 0.95, 1000, 100, 0));
        assertThat(finding(missed, "objectives"))
                .isEqualTo(new Finding(
                        Finding.Weight.REMARK,
                        "objectives",
                        "100 of 1,000 judged samples are good (10.00%); the target of 95.00% is MISSED by 850; ttft within 300.00 ms:"
                                + " 10.00%",
                        Finding.Limit.UNKNOWN));
        assertThat(Verdict.of(missed).limit()).isEqualTo(Finding.Limit.UNKNOWN);
        assertThat(finding(run(Map.of(), Map.of(), new Goodput(limits, 0.95, 1000, 950, 0)), "objectives")
                        .weight())
                .isEqualTo(Finding.Weight.GOOD);
        assertThat(finding(run(Map.of(), Map.of(), new Goodput(limits, 0.95, 0, 0, 0)), "objectives")
                        .weight())
                .isEqualTo(Finding.Weight.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"1, REMARK", "9, REMARK", "10, NOTE", "99, NOTE"})
    void fewSamplesAreTooFewForARateAndThenForP99(long completed, Finding.Weight weight) {
        Finding finding = finding(failed(0, completed, Map.of()), "sample size");
        assertThat(finding.weight()).isEqualTo(weight);
        assertThat(finding.evidence()).startsWith(completed + " tracked sample");
    }

    @Test
    void aHundredSamplesAreEnough() {
        assertThat(Verdict.of(failed(0, 100, Map.of())).findings())
                .noneMatch(each -> each.what().equals("sample size"));
    }

    @ParameterizedTest
    @CsvSource({
        "5m..10m, the window 5m..10m lies outside the run; which lasted 50.000 s",
        "300s..600s, the window 300s..600s lies outside the run; which lasted 50.000 s",
        "1h.., the window 1h.. lies outside the run; which lasted 50.000 s",
        "50s..1m, the window 50s..1m lies outside the run; which lasted 50.000 s",
        "49.5s..1m, no tracked sample was issued in the window 49.5s..1m of the run; which lasted 50.000 s",
        "..250ms, no tracked sample was issued in the window ..250ms of the run; which lasted 50.000 s"
    })
    void aWindowWithoutSamplesSaysWhereItLies(String window, String evidence) {
        MetricsSnapshot empty = run(
                Map.of(
                        "tracked_samples_issued", 0L,
                        "tracked_samples_completed", 0L,
                        "tracked_samples_succeeded", 0L,
                        "tracked_samples_errored", 0L,
                        "tracked_samples_failed", 0L,
                        "total_duration_ns", 50_000_000_000L),
                Map.of(),
                null);
        RunInfo was = empty.extensions().run();
        MetricsSnapshot cut = new MetricsSnapshot(
                1,
                1,
                empty.state(),
                0,
                empty.metrics(),
                empty.extensions()
                        .withRun(new RunInfo(
                                1,
                                was.runId(),
                                was.version(),
                                0,
                                0,
                                List.of(),
                                List.of("only samples issued in " + window + " since the start of the session"),
                                Map.of(),
                                Map.of())));
        assertThat(finding(cut, "samples"))
                .isEqualTo(
                        new Finding(Finding.Weight.BAD, "samples", evidence.replace(';', ','), Finding.Limit.UNKNOWN));
    }
}
