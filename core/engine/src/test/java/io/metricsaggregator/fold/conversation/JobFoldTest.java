package io.metricsaggregator.fold.conversation;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.OptionalKeys;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Jobs;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs of samples and tool calls, from their events, by the worked example and at the limits. */
class JobFoldTest {
    private static final long SECOND = 1_000_000_000L;

    private Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private LoadgenFold fold = fold(100, 1000);

    private LoadgenFold fold(int maxJobs, int maxInFlight) {
        registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        return new LoadgenFold(
                registry,
                new RecordLedger(),
                new FoldOptions(Streaming.ON, maxInFlight, 1 << 20, 1, null, TimeCut.NONE, true)
                        .withConversations(100, maxJobs, false));
    }

    private static EventRecord at(double seconds, EventType type, String id) {
        return EventRecord.sample(type, Math.round(seconds * SECOND), id);
    }

    private void issue(double seconds, String id, String job, boolean last, String... parents) {
        OptionalKeys.Job keys = new OptionalKeys.Job(job, List.of(parents), "planner", last);
        apply(fold, at(seconds, EventType.SAMPLE_ISSUED, id).withJob(keys));
    }

    private void complete(double seconds, String id) {
        apply(fold, at(seconds, EventType.SAMPLE_COMPLETE, id));
    }

    private void tool(double endSeconds, String id, String job, double seconds, boolean ok, String... parents)
            throws TelemetryRecord.Rejected {
        tool(
                endSeconds,
                Map.of(
                        "job_id",
                        job,
                        "id",
                        id,
                        "name",
                        "search",
                        "duration_ns",
                        Math.round(seconds * SECOND),
                        "ok",
                        ok,
                        "parents",
                        List.of(parents)));
    }

    private void tool(double endSeconds, Map<String, Object> fields) throws TelemetryRecord.Rejected {
        fold.tool(new TelemetryRecord("tool.complete", Math.round(endSeconds * SECOND), null, "", "", fields));
    }

    private void end(double seconds) {
        apply(fold, EventRecord.session(EventType.SESSION_ENDED, Math.round(seconds * SECOND)));
    }

    private Jobs jobs() {
        return jobs(null);
    }

    private Jobs jobs(@Nullable SteadyWindow window) {
        return Objects.requireNonNull(fold.optional(window).jobs());
    }

    private Map<String, Long> metrics() {
        Map<String, Long> values = new HashMap<>();
        registry.renderExact(registry.newCopy(), false, () -> false).forEach(each -> {
            if (each instanceof CounterMetric counter) {
                values.put(each.name(), counter.value());
            } else if (each instanceof SeriesMetric series) {
                values.put(each.name(), series.total().longValue());
            }
        });
        return values;
    }

    private void workedExample(boolean losesC) throws TelemetryRecord.Rejected {
        issue(0, "a", "j1", false);
        complete(2, "a");
        tool(5, "t", "j1", 3, true, "a");
        issue(5, "b", "j1", false, "t");
        issue(5, "c", "j1", false, "t");
        if (!losesC) {
            complete(7, "c");
        }
        complete(9, "b");
        issue(9, "d", "j1", true, "b", "c");
        complete(10, "d");
    }

    @Test
    void worked_example_of_two_jobs() throws TelemetryRecord.Rejected {
        workedExample(false);
        issue(3, "x", "j2", true);
        assertThat(jobs().open()).isEqualTo(1);
        complete(9, "x");
        SteadyWindow window = new SteadyWindow(1, 10 * SECOND + 1, 5, 9 * SECOND, 1, null, null, null, null, null);
        Jobs jobs = jobs(window);
        assertThat(jobs.completed()).isEqualTo(2);
        assertThat(jobs.open()).isZero();
        assertThat(jobs.latencyNanos()).isEqualTo(16 * SECOND);
        assertThat(jobs.llmNanos()).isEqualTo(15 * SECOND);
        assertThat(jobs.busyNanos()).isEqualTo(13 * SECOND);
        assertThat(jobs.path()).isEqualTo(new Jobs.Path(13 * SECOND, 3 * SECOND, 0));
        assertThat(jobs.fanOut()).isEqualTo(2);
        assertThat(jobs.perHourAndUser()).isEqualTo(450.0);
        assertThat(jobs.steadyCompleted()).isEqualTo(2);
        assertThat(jobs.perHourAndGpu(window, 8.0)).isEqualTo(90.0);
        assertThat(jobs.perHourAndGpu(window, null)).isNull();
        assertThat(jobs.perHourAndGpu(null, 8.0)).isNull();
        for (double none : new double[] {0, -8, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThat(jobs.perHourAndGpu(window, none)).isNull();
        }
        assertThat(jobs().perHourAndGpu(window, 8.0)).isNull();
        assertThat(jobs.tools()).singleElement().satisfies(each -> {
            assertThat(each.name()).isEqualTo("search");
            assertThat(each.count()).isEqualTo(1);
            assertThat((double) each.percentile(50)).isBetween(2.8e9, 3.2e9);
        });
        assertThat(jobs.agents())
                .singleElement()
                .satisfies(each -> assertThat(each.count()).isEqualTo(5));
        assertThat(metrics())
                .containsEntry("job_latency_ns", 16 * SECOND)
                .containsEntry("job_llm_ns", 15 * SECOND)
                .containsEntry("job_llm_busy_ns", 13 * SECOND)
                .containsEntry("job_critical_path_ns", 16 * SECOND)
                .doesNotContainKeys("job_nodes_open", "job_nodes_dropped", "job_parents_unknown");
    }

    @Test
    void lost_completion_keeps_the_path_and_is_counted() throws TelemetryRecord.Rejected {
        workedExample(true);
        assertThat(jobs().open()).isEqualTo(1);
        end(20);
        assertThat(jobs().completed()).isEqualTo(1);
        assertThat(jobs().latencyNanos()).isEqualTo(10 * SECOND);
        assertThat(jobs().path().nanos()).isEqualTo(10 * SECOND);
        assertThat(metrics()).containsEntry("job_nodes_open", 1L);
    }

    @Test
    void evicted_sample_ends_the_job_whose_last_sample_has_ended() throws TelemetryRecord.Rejected {
        fold = fold(100, 2);
        workedExample(true);
        issue(30, "y", "j3", false);
        issue(31, "z", "j4", false);
        assertThat(jobs().completed()).isEqualTo(1);
        assertThat(metrics()).containsEntry("job_nodes_open", 1L);
    }

    @Test
    void run_without_keys_of_jobs_has_none_though_it_has_conversations() {
        apply(fold, at(0, EventType.SAMPLE_ISSUED, "a").inConversation("c1", 1L));
        complete(1, "a");
        end(2);
        assertThat(fold.optional().jobs()).isNull();
        assertThat(metrics().keySet()).noneMatch(each -> each.startsWith("job"));
    }

    @Test
    void sample_without_job_id_belongs_to_the_job_of_its_conversation() {
        OptionalKeys.Job keys = new OptionalKeys.Job("", List.of(), "planner", false);
        apply(fold, at(0, EventType.SAMPLE_ISSUED, "a").inConversation("c1", 1L).withJob(keys));
        complete(1, "a");
        apply(fold, at(2, EventType.SAMPLE_ISSUED, "b").inConversation("c1", 2L).withLastTurn());
        complete(4, "b");
        issue(4, "c", "c1", false);
        assertThat(jobs().completed()).isEqualTo(1);
        assertThat(jobs().latencyNanos()).isEqualTo(4 * SECOND);
        assertThat(metrics()).containsEntry("job_nodes_dropped", 1L);
    }

    @Test
    void failed_unfinished_and_unmarked_jobs_are_told_apart_at_the_end() throws TelemetryRecord.Rejected {
        issue(0, "a", "failed", false);
        apply(fold, at(1, EventType.ERROR_CLIENT, "a").withData(new ErrorData("Timeout", "")));
        complete(1, "a");
        issue(0, "b", "unfinished", true);
        issue(0, "c", "unmarked", false);
        complete(2, "c");
        tool(3, "t", "only a tool", 1, false);
        end(9);
        assertThat(jobs().completed()).isEqualTo(1);
        assertThat(jobs().failed()).isEqualTo(1);
        assertThat(jobs().unfinished()).isEqualTo(1);
        assertThat(jobs().latencyNanos()).isEqualTo(2 * SECOND);
        assertThat(jobs().tools().get(0).failed()).isEqualTo(1);
    }

    @Test
    void jobs_beyond_the_limit_evict_the_longest_idle() {
        fold = fold(2, 1000);
        issue(0, "a", "j1", false);
        issue(1, "b", "j2", false);
        complete(2, "a");
        issue(3, "c", "j3", true);
        complete(4, "c");
        complete(5, "b");
        assertThat(jobs().unfinished()).isEqualTo(1);
        assertThat(jobs().completed()).isEqualTo(1);
        assertThat(jobs().open()).isEqualTo(1);
        assertThat(metrics()).containsEntry("jobs_evicted", 1L).containsEntry("job_nodes_open", 1L);
    }

    @Test
    void steps_of_all_jobs_are_bounded() {
        fold = fold(300, 20_000);
        for (int i = 0; i < 10_000; i++) {
            issue(i, "s" + i, "j" + i % 200, false);
        }
        assertThat(jobs().open()).isLessThan(200);
        assertThat(metrics().get("jobs_evicted")).isGreaterThan(0);
    }

    @Test
    void names_of_tools_are_bounded() throws TelemetryRecord.Rejected {
        for (int i = 0; i < 100; i++) {
            tool(i, Map.of("job_id", "j", "id", "t" + i, "name", "n" + i, "duration_ns", 1L));
        }
        assertThat(jobs().tools()).hasSize(CallCounts.NAMES_MAX + 1);
        assertThat(jobs().tools())
                .filteredOn(each -> each.name().equals("other"))
                .singleElement()
                .satisfies(each -> assertThat(each.count()).isEqualTo(36));
    }

    @Test
    void tool_call_with_a_field_of_another_type_is_rejected_and_counts_nowhere() {
        Map<String, Object> valid = Map.of("job_id", "j", "id", "t", "name", "n", "duration_ns", 1L);
        Map<String, Object> wrong = Map.of(
                "job_id",
                5L,
                "id",
                "",
                "name",
                "n".repeat(65),
                "duration_ns",
                -1L,
                "ok",
                "yes",
                "parents",
                List.of(1L));
        wrong.forEach((key, value) -> {
            Map<String, Object> fields = new HashMap<>(valid);
            fields.put(key, value);
            assertThatThrownBy(() -> tool(1, fields))
                    .isInstanceOf(TelemetryRecord.Rejected.class)
                    .hasMessageContaining(key);
        });
        assertThat(fold.optional().jobs()).isNull();
    }
}
