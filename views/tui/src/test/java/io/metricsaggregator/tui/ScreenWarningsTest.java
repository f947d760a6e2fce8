package io.metricsaggregator.tui;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Completeness;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.snapshot.figures.ProgressState;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Warnings of the screen about an incomplete run. */
class ScreenWarningsTest extends ScreenFixture {
    @Test
    void theHeaderNamesTheOutagesOfAResumedRunOnly() {
        history.add(0, snapshot(1, SessionState.LIVE));
        assertThat(draw(0, 120, 40)).doesNotContain("resumed");

        long noon = Instant.parse("2026-03-01T12:00:00Z").getEpochSecond() * SECOND;
        Outage first = new Outage(noon, noon + 1500 * MILLI, 9, 3, 1);
        Outage last = new Outage(noon + 60 * SECOND, noon + 62 * SECOND, 4, 1234, 0);
        history.add(SECOND, withOutages(snapshot(2, SessionState.LIVE), first));
        assertThat(draw(SECOND, 120, 40))
                .contains("resumed outage 2026-03-01T12:00:00Z to 2026-03-01T12:00:01.500Z, orphaned 3");
        assertThat(styleOf("outage 2026", SECOND)).isEqualTo(Style.BAD);

        history.add(2 * SECOND, withOutages(snapshot(3, SessionState.LIVE), first, last));
        assertThat(draw(2 * SECOND, 120, 40))
                .contains("resumed 2 outages, the last 2026-03-01T12:01:00Z to 2026-03-01T12:01:02Z, orphaned 1,237");
        // A narrow screen truncates this line and loses no other: drawing checks the widths.
        assertThat(draw(2 * SECOND, 40, 24)).contains("resumed 2 outages");
    }

    private static MetricsSnapshot withOutages(MetricsSnapshot plain, Outage... outages) {
        SnapshotExtensions of = plain.extensions();
        assertThat(of).isNotNull();
        return new MetricsSnapshot(
                plain.counter(),
                plain.counter() * SECOND,
                plain.state(),
                0,
                plain.metrics(),
                of.toBuilder()
                        .outages(List.of(outages))
                        .optional(OptionalFigures.NONE)
                        .completeness(Completeness.UNKNOWN)
                        .build());
    }

    @Test
    void anEndpointThatDoesNotAnswerHasARedLine() {
        history.add(0, snapshot(1, SessionState.LIVE));
        assertThat(draw(0, 120, 40)).doesNotContain("STALLED", "no answer");
        history.add(
                SECOND,
                ExampleRuns.withWaits(
                        snapshot(2, SessionState.LIVE),
                        ExampleRuns.stalled(ProgressState.STALLED, 41),
                        ExampleRuns.endpoint("a", ProgressState.OK, 1),
                        ExampleRuns.endpoint("b", ProgressState.STALLED, 41)));
        assertThat(draw(SECOND, 120, 40)).containsPattern("STALLED no answer for 0:41, [\\d,]+ in flight, endpoint b");
        assertThat(styleOf("no answer for", SECOND)).isEqualTo(Style.BAD);
    }

    @Test
    void aHeatMapWithoutValuesHasNoRows() {
        MetricsSnapshot plain = snapshot(1, SessionState.LIVE);
        for (int i = 0; i <= 5; i++) {
            history.add(i * SECOND, new MetricsSnapshot(i, i, SessionState.LIVE, 0, List.of(), plain.extensions()));
        }
        view.preset(ViewState.Preset.LATENCY);
        List<String> drawn = draw(5 * SECOND, 100, 44).lines().toList();
        assertThat(drawn).noneMatch(line -> line.contains("heat map of"));
        assertThat(drawn).noneMatch(line -> line.matches(" +[\\d.]+ ns *"));
    }

    @Test
    void theScreenShowsAMissedSessionStartWithARemedy() {
        MetricsSnapshot plain = snapshot(1, SessionState.INITIALIZE);
        SnapshotExtensions a = plain.extensions();
        history.add(
                0,
                new MetricsSnapshot(
                        1,
                        SECOND,
                        SessionState.INITIALIZE,
                        0,
                        plain.metrics(),
                        a.toBuilder()
                                .session(new SessionInfo(false, false, false, null))
                                .outages(List.of())
                                .optional(OptionalFigures.NONE)
                                .completeness(Completeness.UNKNOWN)
                                .build()));
        assertThat(screen.text(history, view, 0, 120, 40))
                .contains("NOT TRACKED")
                .contains("session.started was missed: start the daemon before the producer");
    }
}
