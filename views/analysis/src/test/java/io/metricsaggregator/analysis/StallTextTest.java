package io.metricsaggregator.analysis;

import static io.metricsaggregator.analysis.ExampleRuns.endpoint;
import static io.metricsaggregator.analysis.ExampleRuns.stalled;
import static io.metricsaggregator.analysis.ExampleRuns.withWaits;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.runs.SnapshotMerge;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What reports say of stalls, and how the verdict weighs them. The tracked time of the example is 50 s. */
class StallTextTest {
    private final MetricsSnapshot base = ExampleRuns.hostile(1, SessionState.COMPLETE);

    private static Finding finding(MetricsSnapshot snapshot) {
        return Verdict.of(snapshot).findings().stream()
                .filter(each -> each.what().equals("stalls"))
                .findFirst()
                .orElse(null);
    }

    @Test
    void aRunWithoutAStallHasNoFinding() {
        assertThat(finding(base)).isNull();
        Progress ok = new Progress(ProgressState.IDLE, null, null, 30L, 10, 0, 0, List.of(), null);
        assertThat(finding(withWaits(base, ok))).isNull();
    }

    @Test
    void aShortStallIsARemarkThatBlamesTheServer() {
        MetricsSnapshot snapshot = withWaits(base, stalled(ProgressState.IDLE, 2));
        Finding finding = finding(snapshot);
        assertThat(finding.weight()).isEqualTo(Finding.Weight.REMARK);
        assertThat(finding.evidence()).isEqualTo("1 stall, 0:02 in all, the longest wait 0:02");
        assertThat(Verdict.of(snapshot).limit()).isEqualTo(Finding.Limit.SERVER);
    }

    @Test
    void stallsOfMoreThanATwentiethOfTheTrackedTimeInvalidateTheRun() {
        assertThat(finding(withWaits(base, stalled(ProgressState.IDLE, 3))).weight())
                .isEqualTo(Finding.Weight.BAD);
        assertThat(finding(withWaits(base, stalled(ProgressState.IDLE, 3))).evidence())
                .endsWith("that is 6% of the tracked time");
    }

    @Test
    void aStallThatLastsUntilTheEndInvalidatesTheRun() {
        Finding finding = finding(withWaits(base, stalled(ProgressState.STALLED, 2)));
        assertThat(finding.weight()).isEqualTo(Finding.Weight.BAD);
        assertThat(finding.evidence()).contains("no answer came until the end");
        MetricsSnapshot live = ExampleRuns.hostile(1, SessionState.LIVE);
        assertThat(finding(withWaits(live, stalled(ProgressState.STALLED, 2))).weight())
                .as("while the run lasts")
                .isEqualTo(Finding.Weight.REMARK);
    }

    @Test
    void oneSilentEndpointOfTwoIsNamed() {
        Progress ok = new Progress(ProgressState.OK, 10L, null, 30L, 10, 0, 0, List.of(), null);
        MetricsSnapshot snapshot =
                withWaits(base, ok, endpoint("a", ProgressState.OK, 1), endpoint("b", ProgressState.STALLED, 41));
        assertThat(StallText.now(snapshot)).isEqualTo("no answer from endpoint b");
        assertThat(StallText.isStalledNow(snapshot)).isTrue();
        assertThat(finding(snapshot).evidence()).isEqualTo("endpoint b: 1 stall, 0:41");
        assertThat(finding(snapshot).weight()).isEqualTo(Finding.Weight.REMARK);
    }

    @Test
    void theLineOfTheScreenSaysHowLongHowManyAndWhich() {
        MetricsSnapshot snapshot = withWaits(
                base,
                stalled(ProgressState.STALLED, 41),
                endpoint("a", ProgressState.OK, 1),
                endpoint("b", ProgressState.STALLED, 41));
        assertThat(StallText.now(snapshot))
                .isEqualTo("no answer for 0:41, "
                        + snapshot.extensions().inFlight().count() + " in flight, endpoint b");
        assertThat(StallText.now(base)).isNull();
    }

    @Test
    void mergedRunsAddTheirStallsUp() {
        MetricsSnapshot a =
                withWaits(named("a"), stalled(ProgressState.IDLE, 2), endpoint("b", ProgressState.STALLED, 5));
        MetricsSnapshot b =
                withWaits(named("b"), stalled(ProgressState.STALLED, 7), endpoint("b", ProgressState.STALLED, 6));
        MetricsSnapshot merged = SnapshotMerge.merge(List.of(a, b));
        Progress progress = StallText.of(merged);
        assertThat(progress.endpointStalls()).isEqualTo(2);
        assertThat(progress.stalledNanos()).isEqualTo(9_000_000_000L);
        assertThat(progress.longestIdleNanos()).isEqualTo(7_000_000_000L);
        assertThat(progress.state()).isEqualTo(ProgressState.STALLED);
        assertThat(progress.stalls()).hasSize(2);
        assertThat(StallText.byEndpoint(merged)).containsExactly("endpoint b: 2 stalls, 0:11");
        assertThat(merged.extensions()
                        .optional()
                        .labels()
                        .keys()
                        .get(0)
                        .values()
                        .get(0)
                        .good())
                .isEqualTo(16);
        assertThat(StallText.of(SnapshotMerge.merge(List.of(a, named("c")))))
                .as("one run does not know")
                .isNull();
    }

    private MetricsSnapshot named(String id) {
        SnapshotExtensions a = base.extensions();
        RunInfo run = a.run();
        return new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                base.metrics(),
                SnapshotExtensions.of(
                                new RunInfo(
                                        run.schemaVersion(), id, "1", 1, 2, List.of(), List.of(), Map.of(), Map.of()),
                                a.inFlight(),
                                a.slices())
                        .build());
    }
}
