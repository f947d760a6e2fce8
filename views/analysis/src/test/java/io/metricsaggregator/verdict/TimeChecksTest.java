package io.metricsaggregator.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.JournalText;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks of durations, of the end of the tracked window, and of the journal. */
class TimeChecksTest {
    private static final long SECOND = 1_000_000_000L;

    private static List<Finding> findings(MetricsSnapshot snapshot, String what) {
        return Verdict.of(snapshot).findings().stream()
                .filter(each -> each.what().equals(what))
                .toList();
    }

    private static MetricsSnapshot with(SeriesMetric... series) {
        MetricsSnapshot base = ExampleRuns.hostile(1, SessionState.COMPLETE);
        List<Metric> metrics = new ArrayList<>(base.metrics());
        for (SeriesMetric each : series) {
            metrics.removeIf(old -> old.name().equals(each.name()));
            metrics.add(each);
        }
        return new MetricsSnapshot(1, 1, base.state(), 0, metrics, base.extensions());
    }

    private static SeriesMetric series(String name, long count, long negative, long clamped) {
        return new SeriesMetric(
                name,
                count,
                count,
                1L,
                2L,
                1.0,
                Map.of("50.0", 1.0, "99.0", 2.0),
                List.of(),
                null,
                new SeriesDetail(true, clamped, negative, 1.0, Map.of(), null));
    }

    @ParameterizedTest
    @CsvSource({"1, REMARK", "10, REMARK", "11, BAD", "500, BAD"})
    void negativeDurationsAreARemarkAndInvalidAboveOnePercent(long negative, Finding.Weight weight) {
        List<Finding> found = findings(with(series("ttft_ns", 1000, negative, negative)), "durations");
        assertThat(found).singleElement().satisfies(each -> {
            assertThat(each.weight()).isEqualTo(weight);
            assertThat(each.evidence())
                    .startsWith(negative + " of 1,000 values of ttft_ns are negative")
                    .contains("the clocks of the producers differ");
            assertThat(each.limit()).isEqualTo(Finding.Limit.UNKNOWN);
        });
    }

    @Test
    void earlySamplesAreNoImpossibleDurationsAndClampedValuesAreANote() {
        assertThat(findings(with(series("schedule_slip_ns", 1000, 400, 400)), "durations"))
                .isEmpty();
        assertThat(findings(with(series("sample_latency_ns", 1000, 0, 3)), "durations"))
                .containsExactly(new Finding(
                        Finding.Weight.NOTE,
                        "durations",
                        "3 of 1,000 values of sample_latency_ns are outside the range of the histogram and count at its"
                                + " edge"));
    }

    /** A run of a sample a second, each 0.5 s long, whose last ones complete late. */
    private static MetricsSnapshot late(int samples, long... lateSeconds) {
        int length = samples + 1;
        for (long each : lateSeconds) {
            length = (int) Math.max(length, each + 1);
        }
        long[] issued = new long[length];
        long[] completed = new long[length];
        List<SlowSample> slow = new ArrayList<>();
        for (int i = 0; i < samples; i++) {
            int late = i - (samples - lateSeconds.length);
            long end = late >= 0 ? lateSeconds[late] * SECOND : i * SECOND + SECOND / 2;
            issued[i]++;
            completed[(int) (end / SECOND)]++;
            if (i >= samples - 10) {
                slow.add(new SlowSample(
                        SlowSample.LATENCY, "s" + i, "", end - i * SECOND, false, null, i * SECOND, null, null, end));
            }
        }
        MetricsSnapshot base = ExampleRuns.hostile(1, SessionState.COMPLETE);
        List<Metric> metrics = new ArrayList<>();
        for (String name : List.of(
                "total_samples_issued",
                "total_samples_completed",
                "tracked_samples_issued",
                "tracked_samples_completed",
                "tracked_samples_succeeded")) {
            metrics.add(new CounterMetric(name, samples));
        }
        metrics.add(new CounterMetric("tracked_samples_errored", 0));
        metrics.add(new CounterMetric(
                "tracked_duration_ns",
                slow.stream().mapToLong(SlowSample::completedNanos).max().orElseThrow()));
        SnapshotExtensions of = base.extensions();
        return new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                metrics,
                SnapshotExtensions.of(
                                of.run(),
                                of.inFlight(),
                                new Slices(
                                        0,
                                        SECOND,
                                        0,
                                        List.of(
                                                new Slices.Column("issued", issued),
                                                new Slices.Column("completed", completed))))
                        .rates(of.rates())
                        .slowest(slow)
                        .telemetry(of.telemetry())
                        .build());
    }

    @Test
    void oneStragglerIsNamedWithTheTimeItHeldTheWindowOpenAndTheRateUntilThen() {
        assertThat(findings(late(11, 900), "stragglers")).singleElement().satisfies(each -> {
            assertThat(each.weight()).isEqualTo(Finding.Weight.REMARK);
            assertThat(each.evidence())
                    .isEqualTo(
                            "1 of 11 samples held the tracked window open for 0:14:49 of 0:15:00; until then the rate was"
                                    + " about 0.909 req/s, over the whole window it is 0.012 req/s");
        });
        assertThat(findings(late(400, 600, 700, 800), "stragglers"))
                .singleElement()
                .satisfies(each -> assertThat(each.evidence()).startsWith("3 of 400 samples held"));
    }

    @Test
    void aWindowThatEndsSoonAfterTheLastIssueHasNoStraggler() {
        assertThat(findings(late(100, 110), "stragglers")).isEmpty();
        assertThat(findings(late(100, 200, 200, 200), "stragglers"))
                .as("3 of 100 samples are more than few")
                .isEmpty();
    }

    private static MetricsSnapshot journal(Map<String, Long> counters) {
        return OutcomeChecksTest.run(counters, Map.of(), null);
    }

    @ParameterizedTest
    @CsvSource({
        "journal_entries_missing, '547 entries missing from the journal'",
        "journal_bytes_skipped, '547 bytes behind a damaged place of the journal'",
        "journal_frames_skipped, '547 journal frames skipped because they crashed the daemon'",
        "journal_frames_missed, '547 frames that an earlier process received and could not write to the journal'",
        "journal_frames_lost, '547 frames that an earlier process received and could not write to the journal'"
    })
    void recordsThatAJournalLacksMakeARunThatWasReadFromItInvalid(String counter, String evidence) {
        assertThat(findings(journal(Map.of(counter, 547L, "journal_frames_recovered", 3L)), "journal"))
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.weight()).isEqualTo(Finding.Weight.BAD);
                    assertThat(each.evidence()).startsWith(evidence);
                });
    }

    @Test
    void framesMissingFromTheJournalOfALiveRunAreANote() {
        assertThat(findings(journal(Map.of("journal_frames_missed", 2000L, "journal_errors", 2L)), "journal"))
                .containsExactly(new Finding(
                        Finding.Weight.NOTE,
                        "journal",
                        "2 writes failed; 2,000 frames of these records missing from the journal: the figures have them, a"
                                + " replay does not"));
        assertThat(findings(journal(Map.of("journal_frames_recovered", 30L)), "journal"))
                .isEmpty();
    }

    @Test
    void aResumedRunIsInvalidOnlyByTheFramesThatItDidNotReceiveItself() {
        Map<String, Long> own = Map.of(
                "journal_frames_recovered", 30L,
                "journal_frames_missed", 7L,
                "journal_frames_lost", 0L,
                "journal_errors", 1L);
        assertThat(findings(journal(own), "journal"))
                .extracting(Finding::weight, Finding::evidence)
                .containsExactly(tuple(
                        Finding.Weight.NOTE,
                        "1 write failed; 7 frames of these records missing from the journal: the figures have them, a replay"
                                + " does not"));
        assertThat(JournalText.besideLedger(journal(own)))
                .containsExactly("7 frames of these records missing from the journal");
        Map<String, Long> both = Map.of(
                "journal_frames_recovered", 30L,
                "journal_frames_missed", 7L,
                "journal_frames_lost", 5L,
                "journal_bytes_torn", 40L);
        assertThat(findings(journal(both), "journal"))
                .extracting(Finding::weight)
                .containsExactly(Finding.Weight.BAD, Finding.Weight.REMARK, Finding.Weight.NOTE);
        assertThat(findings(journal(both), "journal").get(2).evidence())
                .isEqualTo(
                        "2 frames of these records missing from the journal: the figures have them, a replay does not");
        assertThat(JournalText.besideLedger(journal(both)))
                .containsExactly(
                        "not among them: 5 frames that an earlier process received and could not write to the journal;"
                                + " 40 bytes of a frame that a killed daemon was writing to the journal",
                        "2 frames of these records missing from the journal");
    }

    @Test
    void refusedConnectionsAreANoteAndDroppedTextsARemark() {
        assertThat(findings(journal(Map.of("peers_rejected", 2L)), "refused connections"))
                .extracting(Finding::weight)
                .containsExactly(Finding.Weight.NOTE);
        assertThat(findings(journal(Map.of("texts_dropped", 2L, "texts_enqueued", 9L)), "token counts"))
                .extracting(Finding::evidence)
                .containsExactly("2 of 9 texts were not counted: --max-text-memory was reached");
    }
}
