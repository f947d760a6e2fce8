package io.metricsaggregator.fold.token;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.text.PendingOutput;
import io.metricsaggregator.text.PendingPrompt;
import io.metricsaggregator.text.TextSink;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tokens that servers report beside those that the daemon counts, and in their place. */
class UsageMismatchTest {
    private static final long MILLI = 1_000_000L;

    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final List<PendingPrompt> prompts = new ArrayList<>();
    private final List<PendingOutput> outputs = new ArrayList<>();

    private LoadgenFold fold(TokenSource source, @Nullable Slo objectives) {
        LoadgenFold fold = new LoadgenFold(
                registry,
                new RecordLedger(),
                new FoldOptions(Streaming.ON, 1000, 1 << 20, 1, objectives, TimeCut.NONE, true, source));
        if (source != TokenSource.USAGE) {
            fold.countTexts(new TextSink() {
                @Override
                public boolean prompt(DecodedEvent event, PendingPrompt pending) {
                    return prompts.add(pending);
                }

                @Override
                public boolean output(DecodedEvent event, PendingOutput pending) {
                    return outputs.add(pending);
                }
            });
        }
        return fold;
    }

    private static EventRecord issued(String id) {
        return EventRecord.sample(EventType.SAMPLE_ISSUED, 0, id);
    }

    /** A completion with a text, 135 ms after the first chunk. */
    private static EventRecord completed(String id, Usage usage) {
        return EventRecord.sample(EventType.SAMPLE_COMPLETE, 335 * MILLI, id)
                .withData(new TextModelOutput(new ModelText.Whole("text"), null, null))
                .withUsage(usage);
    }

    private static ReportedUsage.@Nullable Mismatch mismatch(LoadgenFold fold, String kind) {
        return fold.optional().usage().mismatches().stream()
                .filter(each -> each.kind().equals(kind))
                .findFirst()
                .orElse(null);
    }

    private @Nullable SeriesMetric series(String name) {
        for (Metric each : registry.renderExact(registry.newCopy(), false, () -> false)) {
            if (each.name().equals(name)) {
                return (SeriesMetric) each;
            }
        }
        return null;
    }

    @Test
    void aTenthMoreIsWithinTheLimitAndOneTokenBeyondIsAMismatch() {
        UsageMismatch outputs = new UsageMismatch("completion");
        outputs.compare(110, 100);
        assertThat(outputs.summary().mismatched()).isZero();
        outputs.compare(111, 100);
        outputs.compare(89, 100);
        outputs.compare(5, 0);
        outputs.compare(Long.MAX_VALUE, 1);
        ReportedUsage.Mismatch summary = outputs.summary();
        assertThat(summary.mismatched()).isEqualTo(3);
        assertThat(summary.compared()).isEqualTo(4);
        assertThat(summary.skipped()).isEqualTo(1);
    }

    @Test
    void theBiasIsSignedAndOfTheSums() {
        UsageMismatch outputs = new UsageMismatch("completion");
        outputs.compare(105, 100);
        outputs.compare(285, 300);
        assertThat(outputs.summary().biasRatio()).isEqualTo(390.0 / 400 - 1);
        assertThat(outputs.summary().p50()).isCloseTo(0.05, org.assertj.core.data.Offset.offset(0.001));
    }

    @Test
    void outputsAreComparedWhenTheyHaveBeenCounted() {
        LoadgenFold fold = fold(TokenSource.TOKENIZER, null);
        apply(fold, issued("a"), completed("a", Usage.of(10, 12)), issued("b"), completed("b", Usage.of(10, 8)));
        assertThat(mismatch(fold, "completion")).isNull();
        fold.tokenCounts().outputCounted(outputs.get(0), 10, 9);
        fold.tokenCounts().outputNotCounted(outputs.get(1));
        assertThat(mismatch(fold, "completion").reportedTokens()).isEqualTo(12);
        assertThat(mismatch(fold, "completion").countedTokens()).isEqualTo(10);
        assertThat(mismatch(fold, "completion").skipped()).isEqualTo(1);
        assertThat(series("osl").total()).as("counted tokens only").isEqualTo(10L);
    }

    @Test
    void promptsAreComparedWhicheverComesFirstTheirCountOrTheirCompletion() {
        LoadgenFold fold = fold(TokenSource.TOKENIZER, null);
        apply(fold, issued("first"), completed("first", Usage.of(1, 1)));
        for (String id : List.of("counted first", "completed first", "never counted", "issued again")) {
            apply(fold, EventRecord.sample(EventType.SAMPLE_ISSUED, 0, id).withData(PromptData.ofText("prompt")));
        }
        fold.tokenCounts().promptCounted(prompts.get(0), 100);
        for (String id : List.of("counted first", "completed first", "never counted")) {
            apply(fold, completed(id, Usage.of(104, 1)));
        }
        assertThat(mismatch(fold, "prompt").compared()).isEqualTo(1);
        // Other samples take the rows meanwhile.
        apply(fold, issued("y").withData(PromptData.ofTokenIds(List.of(1L, 2L))));
        apply(fold, issued("z").withData(PromptData.ofTokenIds(List.of(1L, 2L))));
        fold.tokenCounts().promptCounted(prompts.get(1), 100);
        fold.tokenCounts().promptNotCounted(prompts.get(2));
        apply(fold, issued("issued again").withData(PromptData.ofText("prompt")));
        fold.tokenCounts().promptCounted(prompts.get(3), 1);
        fold.tokenCounts().promptCounted(prompts.get(4), 100);
        apply(fold, completed("issued again", Usage.of(104, 1)));
        apply(fold, completed("y", Usage.of(2, 1)));
        ReportedUsage.Mismatch found = mismatch(fold, "prompt");
        assertThat(found.reportedTokens()).isEqualTo(3 * 104 + 2);
        assertThat(found.countedTokens()).isEqualTo(3 * 100 + 2);
        assertThat(found.skipped())
                .as("issued before any usage, and never counted")
                .isEqualTo(2);
    }

    @Test
    void theUsageOfAFailedSampleIsNotCompared() {
        LoadgenFold fold = fold(TokenSource.TOKENIZER, null);
        apply(fold, issued("a"), EventRecord.sample(EventType.ERROR_CLIENT, 1, "a"), completed("a", Usage.of(5, 5)));
        fold.tokenCounts().outputCounted(outputs.get(0), 50, 49);
        assertThat(fold.optional().usage().mismatches()).isEmpty();
    }

    @Test
    void withUsageAsTheSourceTheTokenSeriesAreThoseOfTheServer() {
        LoadgenFold fold = fold(TokenSource.USAGE, new Slo(Slo.NONE, 20 * MILLI, Slo.NONE, 0.5));
        apply(
                fold,
                issued("a").withData(PromptData.ofTokenIds(Collections.nCopies(3, 1L))),
                EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 200 * MILLI, "a"),
                completed("a", Usage.of(2000, 8)),
                issued("no usage"),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 335 * MILLI, "no usage"),
                issued("failed"),
                EventRecord.sample(EventType.ERROR_CLIENT, 1, "failed"),
                completed("failed", Usage.of(5, 5)));
        assertThat(series("isl").total()).isEqualTo(2000L);
        assertThat(series("osl").total()).isEqualTo(8L);
        assertThat(series("tpot_ns").max().doubleValue()).isEqualTo(135.0 * MILLI / 7);
        assertThat(series("tpot_by_osl_ns").max().doubleValue()).isEqualTo(135.0 * MILLI / 7);
        assertThat(fold.goodput().good()).as("19.3 ms a token are within 20 ms").isEqualTo(2);
        assertThat(fold.goodput().judged()).isEqualTo(3);
    }
}
