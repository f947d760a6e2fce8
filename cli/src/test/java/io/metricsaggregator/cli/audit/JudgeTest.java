package io.metricsaggregator.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.cli.audit.Figure.Verdict;
import io.metricsaggregator.cli.audit.Served.Chunk;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.synthetic.ServerQuirks.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ten requests: a role after 1 ms, a token of reasoning after 40 ms, then 10 chunks of 3 tokens, 10 ms apart; and each way to lie about them. */
class JudgeTest {
    private static final long MILLI = 1_000_000;

    private final ToolClaims claims = new ToolClaims();
    private double noiseNanos;
    private Usage usage = Usage.SENT;

    private static Served request(int number, String end) {
        List<Chunk> chunks = new ArrayList<>(List.of(new Chunk(MILLI, 0, false), new Chunk(40 * MILLI, 1, true)));
        for (int i = 0; i < 10; i++) {
            chunks.add(new Chunk((50 + 10 * i) * MILLI, 3, false));
        }
        return new Served(number * 200 * MILLI, 141 * MILLI, 31, 1, end, chunks);
    }

    private static List<Served> log(int failed) {
        List<Served> log = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            log.add(request(i, i < failed ? "abort" : "stop"));
        }
        return log;
    }

    private Figure judged(String series, double unit, Statistic statistic, double value) {
        claims.check(new ToolCheck("figure", value, series, statistic, unit, ToolCheck.EXACT));
        return figures(log(0)).stream()
                .filter(each -> each.name().equals("figure"))
                .findFirst()
                .orElseThrow();
    }

    private List<Figure> figures(List<Served> log) {
        ServedLoad load = ServedLoad.of(log, claims, 0, null, 0);
        return Judge.figures(usage, claims, load, null, false, statistic -> noiseNanos);
    }

    private Figure mean(String series, double millis) {
        return judged(series, MILLI, Statistic.Simple.MEAN, millis);
    }

    @Test
    void the_truth_to_the_last_digit_is_exact() {
        assertThat(mean("ttft_ns", 40).verdict()).isEqualTo(Verdict.EXACT);
        assertThat(mean("ttft_ns", 40.4).verdict()).as("one digit more").isEqualTo(Verdict.WITHIN);
    }

    @Test
    void a_file_of_whole_milliseconds_is_exact_to_half_of_one() {
        List<Served> log = List.of(new Served(0, 141_400_000, 1, 1, "stop", List.of()));
        claims.check(new ToolCheck("figure", 141, "sample_latency_ns", Statistic.Simple.MAX, MILLI, ToolCheck.EXACT));
        assertThat(figures(log).get(figures(log).size() - 1).verdict()).isEqualTo(Verdict.EXACT);
    }

    @Test
    void a_millisecond_or_two_percent_is_within() {
        assertThat(mean("ttft_ns", 40.99).verdict()).isEqualTo(Verdict.WITHIN);
        assertThat(mean("sample_latency_ns", 143.8).verdict()).isEqualTo(Verdict.WITHIN);
        assertThat(mean("sample_latency_ns", 143.9).verdict()).isEqualTo(Verdict.WRONG);
    }

    @Test
    void a_wrong_figure_says_what_it_is_instead() {
        assertThat(mean("ttft_ns", 1).note())
                .isEqualTo("it is the time to the first event of the stream, which holds no token");
        assertThat(mean("ttft_ns", 50).note()).isEqualTo("it is the time to the first token behind the reasoning");
        assertThat(AuditedRun.verdict(mean("ttft_ns", 50))).isEqualTo("wrong by +10.00 ms");
        assertThat(mean("ttft_ns", 47.5).note()).isEmpty();
        assertThat(mean("sample_latency_ns", 40).note()).isEqualTo("it is the time to the first chunk with a token");
        assertThat(judged("usage_completion_tokens", 1, Statistic.Simple.SUM, 110)
                        .note())
                .isEqualTo("it is the chunks that were sent");
    }

    @Test
    void a_figure_by_a_definition_of_its_own_is_right_and_ours_stands_beside_it() {
        Figure figure = judged("itls", 1e-3, Statistic.Simple.MEAN, 100 / 30.0);
        assertThat(figure.verdict()).isEqualTo(Verdict.EXACT);
        assertThat(figure.ours()).isEqualTo(10);
        assertThat(figure.note()).isEqualTo("by its own definition; ours is the time between chunks with tokens");
    }

    @Test
    void a_usage_that_lies_is_the_tools_definition_not_ours() {
        usage = Usage.DOUBLED;
        Figure figure = judged("usage_completion_tokens", 1, Statistic.Simple.SUM, 620);
        assertThat(figure.verdict()).isEqualTo(Verdict.EXACT);
        assertThat(figure.ours()).isEqualTo(310);
        assertThat(judged("usage_completion_tokens", 1, Statistic.Simple.SUM, 310)
                        .note())
                .isEqualTo("by the tokens that were sent, not by the usage");
    }

    @Test
    void chunks_that_were_read_together_are_no_fault_on_a_late_machine() {
        noiseNanos = 20 * MILLI;
        assertThat(judged("chunk_delta_ns", MILLI, Statistic.Simple.MIN, 1).verdict())
                .isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void tokens_that_the_tool_counts_by_itself_are_unknown_and_none_is_wrong() {
        usage = Usage.ABSENT;
        assertThat(judged("usage_completion_tokens", 1, Statistic.Simple.SUM, 400)
                        .verdict())
                .isEqualTo(Verdict.UNKNOWN);
        assertThat(judged("usage_completion_tokens", 1, Statistic.Simple.SUM, 0).verdict())
                .isEqualTo(Verdict.WRONG);
        assertThat(judged("usage_completion_tokens", 1, Statistic.Simple.SUM, 310)
                        .verdict())
                .isEqualTo(Verdict.EXACT);
    }

    @Test
    void a_difference_that_the_machine_explains_is_unknown_also_if_another_reading_explains_it() {
        noiseNanos = 20 * MILLI;
        assertThat(mean("ttft_ns", 47.5).verdict()).isEqualTo(Verdict.UNKNOWN);
        Figure figure = mean("ttft_ns", 50);
        assertThat(figure.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(figure.note())
                .isEqualTo("it is the time to the first token behind the reasoning,"
                        + " or this machine was up to 20.0 ms late");
        assertThat(mean("chunk_delta_ns", 0).verdict()).isEqualTo(Verdict.WRONG);
        assertThat(mean("ttft_ns", 70.5).verdict()).isEqualTo(Verdict.WRONG);
        assertThat(mean("ttft_ns", 35).verdict())
                .as("before the server sent it")
                .isEqualTo(Verdict.WRONG);
    }

    private void claim(int number, @Nullable String error) {
        ImportedRequest request = ImportedRequest.issuedAt(number * 200 * MILLI + 1);
        claims.request(
                error == null
                        ? request.succeededAt(number * 200 * MILLI + 141 * MILLI)
                        : request.failedAt(null, error, ""));
    }

    @Test
    void failures_are_counted_and_hidden_ones_are_wrong() {
        for (int i = 0; i < 10; i++) {
            claim(i, i < 2 ? "reset" : null);
        }
        assertThat(figures(log(2)).subList(0, 2)).allMatch(each -> each.verdict() == Verdict.EXACT);
        List<Figure> hidden = figures(log(3)).subList(0, 2);
        assertThat(hidden).allMatch(each -> each.verdict() == Verdict.WRONG);
        assertThat(AuditedRun.verdict(hidden.get(0))).isEqualTo("wrong by +1.00");
    }

    @Test
    void an_answer_under_way_at_the_end_may_be_counted_or_not() {
        for (int i = 0; i < 9; i++) {
            claim(i, null);
        }
        assertThat(figures(log(0)).get(0).verdict()).isEqualTo(Verdict.WITHIN);
        claim(9, null);
        assertThat(figures(log(0)).get(0).verdict()).isEqualTo(Verdict.EXACT);
    }

    @Test
    void requests_before_the_load_are_left_out_by_their_times() {
        for (int i = 3; i < 10; i++) {
            claim(i, null);
        }
        ServedLoad load = ServedLoad.of(log(0), claims, 0, null, 0);
        assertThat(load.before()).isEqualTo(3);
        assertThat(load.complete()).hasSize(7);
    }

    @Test
    void a_warning_is_an_exit_status_a_count_or_a_line_that_is_not_always_there() {
        Warnings warnings = new Warnings();
        warnings.usual(List.of("WARNING: 12 threads", "done"));
        assertThat(warnings.shown("2 requests failed", false, 0, List.of("WARNING: 8 threads", "Failed: 0", "done"))
                        .verdict())
                .isEqualTo(Verdict.SILENT);
        assertThat(warnings.shown("x", false, 0, List.of("Failed: 2")).verdict())
                .isEqualTo(Verdict.EXACT);
        assertThat(warnings.shown("x", false, 130, List.of()).note()).isEqualTo("x: exit status 130");
        assertThat(warnings.shown("x", true, 0, List.of()).verdict()).isEqualTo(Verdict.EXACT);
    }
}
