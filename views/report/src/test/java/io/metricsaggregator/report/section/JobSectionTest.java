package io.metricsaggregator.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.figures.Jobs;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs of agents in reports. */
class JobSectionTest {
    private static final long SECOND = 1_000_000_000L;

    private static String rendered(ReportFormat format, @Nullable Jobs jobs) {
        MetricsSnapshot plain = ExampleRuns.hostile(1, SessionState.COMPLETE);
        return format.render(
                Report.of(new MetricsSnapshot(
                        1,
                        1,
                        plain.state(),
                        0,
                        plain.metrics(),
                        plain.extensions().withOptional(OptionalFigures.NONE.withJobs(jobs)))),
                false);
    }

    @Test
    void rates_critical_path_and_tools_are_shown_in_every_form() {
        Jobs jobs = new Jobs(
                0,
                2,
                1,
                0,
                2,
                16 * SECOND,
                15 * SECOND,
                13 * SECOND,
                new Jobs.Path(13 * SECOND, 3 * SECOND, 0),
                null,
                List.of(new Jobs.Calls("search", 1, Map.of(Jobs.Calls.bucket(3 * SECOND), 4L))),
                List.of());
        for (ReportFormat format : List.of(ReportFormat.FULL, ReportFormat.MD, ReportFormat.HTML)) {
            assertThat(rendered(format, jobs))
                    .contains("2 jobs completed, 1 failed", "450.0 jobs/h/user", "parallelism 1.154", "tool search")
                    .doesNotContain("jobs/h/GPU");
        }
        assertThat(rendered(ReportFormat.JSON, jobs).replaceAll("\\s", ""))
                .contains(
                        "\"per_h_user\":450.0,\"per_h_gpu\":null",
                        "\"critical_path_s\":{\"llm\":13.0,\"tool\":3.0,\"wait\":0.0}",
                        "{\"name\":\"search\",\"calls\":4,\"failed\":1,");
    }

    @Test
    void a_name_cannot_control_the_terminal() {
        Jobs.Calls hostile = new Jobs.Calls("\u001b[2J\u202egnp", 0, Map.of(Jobs.Calls.bucket(SECOND), 1L));
        Jobs jobs = new Jobs(0, 1, 0, 0, 0, 1, 1, 1, Jobs.Path.BLANK, null, List.of(hostile), List.of(hostile));
        for (ReportFormat format : List.of(ReportFormat.FULL, ReportFormat.MD, ReportFormat.HTML)) {
            assertThat(rendered(format, jobs)).contains("tool ", "agent ").doesNotContain("\u001b", "\u202e");
        }
    }

    @Test
    void run_without_jobs_or_without_an_ended_one_is_shown_too() {
        assertThat(rendered(ReportFormat.FULL, null)).doesNotContain("jobs completed");
        Jobs open = new Jobs(3, 0, 0, 0, 0, 0, 0, 0, Jobs.Path.BLANK, null, List.of(), List.of());
        assertThat(rendered(ReportFormat.FULL, open))
                .contains("0 jobs completed", "3 open")
                .doesNotContain("jobs/h");
    }
}
