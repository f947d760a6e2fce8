package io.metricsaggregator.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.cli.audit.Figure.Verdict;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.journal.Values;
import io.metricsaggregator.synthetic.ServerQuirks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The worked example of a freeze: 1000 requests at 25/s, answered one after the other in 20 ms, frozen from 10 s to 12 s. */
class OmissionTest {
    private static final long MILLI = 1_000_000;
    private static final long GAP = 40 * MILLI;
    private static final long SERVICE = 20 * MILLI;
    private static final long FROZEN = 10_000 * MILLI;
    private static final long THAWED = 12_000 * MILLI;
    private static final ServerQuirks QUIRKS =
            new ServerQuirks(0, ServerQuirks.Usage.SENT, false, false, FROZEN, THAWED - FROZEN);

    /** The log of the server for a tool with one connection at a rate, without waiting for answers, or as fast as it can. */
    private static List<Served> served(boolean isOpen, long gap) {
        List<Served> log = new ArrayList<>();
        long free = 0;
        for (int i = 0; i < 1000; i++) {
            long arrived = isOpen ? i * gap : Math.max(i * gap, free);
            long begun = Math.max(arrived, free);
            free = QUIRKS.frozenUntil(begun, begun + SERVICE);
            log.add(new Served(arrived, free - arrived, 1, 1, "stop", List.of()));
        }
        return log;
    }

    private static double millis(Values values, Statistic statistic) {
        return values.statistic(statistic) / MILLI;
    }

    private static Statistic percentile(double percent) {
        return new Statistic.FirstReached(percent);
    }

    private static Values fromDispatch(List<Served> log) {
        Values values = new Values();
        log.forEach(each -> values.add(each.latencyNanos()));
        return values;
    }

    private static ToolCheck claim(String name, double millis, Statistic statistic) {
        return new ToolCheck(name, millis, "sample_latency_ns", statistic, MILLI, ToolCheck.EXACT);
    }

    private static Figure judged(List<Served> log, Omission omission, double p99Millis) {
        ToolClaims claims = new ToolClaims();
        claims.check(claim("p99_e2el_ms", p99Millis, percentile(99)));
        ServedLoad load = new ServedLoad(log, log, 0, log.size());
        List<Figure> figures = Judge.figures(ServerQuirks.Usage.SENT, claims, load, omission, false, statistic -> 0);
        return Judge.coordinatedOmission(figures, claims.figures(), omission);
    }

    @Test
    void timed_from_dispatch_the_freeze_is_one_slow_request() {
        Values dispatch = fromDispatch(served(false, GAP));
        assertThat(millis(dispatch, percentile(50))).isEqualTo(20);
        assertThat(millis(dispatch, percentile(95))).isEqualTo(20);
        assertThat(millis(dispatch, percentile(99))).isEqualTo(20);
        assertThat(millis(dispatch, Statistic.Simple.MAX)).isEqualTo(2020);
    }

    @Test
    void timed_from_the_schedule_a_tenth_of_the_requests_is_late() {
        Omission omission = Omission.of(served(false, GAP), FROZEN, THAWED, 0);
        assertThat(omission.isHeldBack()).isTrue();
        assertThat(omission.late()).isEqualTo(100);
        Values schedule = omission.fromSchedule();
        assertThat(millis(schedule, percentile(50))).isEqualTo(20);
        assertThat(millis(schedule, percentile(90))).isEqualTo(20);
        assertThat(millis(schedule, percentile(95))).isEqualTo(1020);
        assertThat(millis(schedule, percentile(99))).isEqualTo(1820);
        assertThat(millis(schedule, Statistic.Simple.MAX)).isEqualTo(2020);
    }

    @Test
    void a_tool_that_prints_a_p99_of_20_ms_fails_coordinated_omission_and_one_that_prints_1820_passes() {
        List<Served> log = served(false, GAP);
        Omission omission = Omission.of(log, FROZEN, THAWED, 0);
        Figure lying = judged(log, omission, 20);
        assertThat(lying.name()).isEqualTo("coordinated_omission");
        assertThat(lying.verdict()).isEqualTo(Verdict.WRONG);
        assertThat(AuditedRun.verdict(lying)).isEqualTo("wrong by -1,800.00 ms");
        assertThat(judged(log, omission, 1820).verdict()).isEqualTo(Verdict.EXACT);
    }

    @Test
    void a_tool_that_sends_on_time_omits_nothing() {
        List<Served> log = served(true, GAP);
        Omission omission = Omission.of(log, FROZEN, THAWED, 0);
        assertThat(omission.isHeldBack()).isFalse();
        assertThat(omission.late()).isEqualTo(100);
        assertThat(millis(omission.fromSchedule(), percentile(99))).isEqualTo(1820);
        assertThat(judged(log, omission, 1820).verdict()).isEqualTo(Verdict.EXACT);
    }

    @Test
    void a_tool_that_sends_after_each_answer_is_judged_by_a_given_rate_only() {
        List<Served> log = served(false, SERVICE + MILLI);
        assertThat(Omission.of(log, FROZEN, THAWED, 0)).isNull();
        assertThat(judged(log, null, 20).verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(Omission.of(log, FROZEN, THAWED, 1e9 / (SERVICE + MILLI)).isHeldBack())
                .isTrue();
    }

    @Test
    void too_few_requests_before_the_freeze_show_no_schedule() {
        assertThat(Omission.of(served(true, GAP), 3 * GAP, 5 * GAP, 0)).isNull();
    }
}
