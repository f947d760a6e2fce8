package io.metricsaggregator.fold.conversation;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.OutputDetail;
import io.metricsaggregator.text.PendingOutput;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Conversations and their turns, by the worked example of two conversations and at the limits. */
class ConversationFoldTest {
    private static final long SECOND = 1_000_000_000L;

    private Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private LoadgenFold fold = fold(1_000_000, 1000);

    private LoadgenFold fold(int maxConversations, int maxInFlight) {
        return new LoadgenFold(
                registry,
                new RecordLedger(),
                new FoldOptions(
                        Streaming.ON,
                        maxInFlight,
                        1 << 20,
                        1,
                        null,
                        TimeCut.NONE,
                        true,
                        TokenSource.USAGE,
                        0,
                        maxConversations,
                        false));
    }

    private static EventRecord at(double seconds, EventType type, String id) {
        return EventRecord.sample(type, Math.round(seconds * SECOND), id);
    }

    private void issue(double seconds, String id, String conversation) {
        apply(fold, at(seconds, EventType.SAMPLE_ISSUED, id).inConversation(conversation, null));
    }

    private void first(double seconds, String id) {
        apply(fold, at(seconds, EventType.SAMPLE_RECV_FIRST, id));
    }

    private void complete(double seconds, String id, int tokens) {
        apply(fold, at(seconds, EventType.SAMPLE_COMPLETE, id).withUsage(Usage.of(100, tokens)));
    }

    private void fail(double seconds, String id) {
        apply(fold, at(seconds, EventType.ERROR_CLIENT, id).withData(new ErrorData("Timeout", "")));
        apply(fold, at(seconds, EventType.SAMPLE_COMPLETE, id));
    }

    private void end(double seconds) {
        apply(fold, EventRecord.session(EventType.SESSION_ENDED, Math.round(seconds * SECOND)));
    }

    private Conversations conversations() {
        Conversations conversations = fold.optional().conversations();
        assertThat(conversations).isNotNull();
        return conversations;
    }

    private Conversations.Turns turn(String place) {
        return conversations().byTurn().stream()
                .filter(each -> each.place().equals(place))
                .findFirst()
                .orElseThrow();
    }

    private @Nullable Metric metric(String name) {
        return registry.renderExact(registry.newCopy(), false, () -> false).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private SeriesMetric series(SeriesName name) {
        assertThat(metric(name.wire())).as(name.wire()).isInstanceOf(SeriesMetric.class);
        return (SeriesMetric) Objects.requireNonNull(metric(name.wire()));
    }

    private long counter(String name) {
        return metric(name) instanceof CounterMetric counter ? counter.value() : 0;
    }

    /** Conversations c1 and c2 of the specification; {@code fails}: the second turn of c2 fails. */
    private void workedExample(boolean fails) {
        issue(0, "c1-1", "c1");
        first(0.5, "c1-1");
        issue(1, "c2-1", "c2");
        first(1.25, "c2-1");
        complete(4, "c1-1", 200);
        complete(6, "c2-1", 300);
        issue(6, "c1-2", "c1");
        first(6.1, "c1-2");
        issue(6.5, "c2-2", "c2");
        first(6.6, "c2-2");
        complete(8, "c1-2", 100);
        if (fails) {
            fail(9.5, "c2-2");
        } else {
            complete(9.5, "c2-2", 60);
        }
        issue(12, "c2-3", "c2");
        first(12.1, "c2-3");
        complete(13, "c2-3", 40);
    }

    @Test
    void theWorkedExampleToTheLastDigit() {
        workedExample(false);
        assertThat(metric("conversation_turns")).as("conversations are open").isNull();
        assertThat(conversations().open()).isEqualTo(2);
        end(13);
        Interactivity rates = fold.optional().interactivity();
        assertThat(rates).isEqualTo(new Interactivity(5, 700, 15 * SECOND));
        assertThat(rates.tokensPerSecond()).isCloseTo(700.0 / 15, within(1e-12));
        SeriesMetric rate = series(SeriesName.CONVERSATION_TOK_PER_S);
        assertThat(rate.count()).isEqualTo(2);
        assertThat(rate.max()).isEqualTo(50.0);
        assertThat(rate.min().doubleValue()).isCloseTo(400.0 / 9, within(1e-12));
        SeriesMetric duration = series(SeriesName.CONVERSATION_DURATION_NS);
        assertThat(duration.min()).isEqualTo(8 * SECOND);
        assertThat(duration.max()).isEqualTo(12 * SECOND);
        SeriesMetric think = series(SeriesName.THINK_TIME_NS);
        assertThat(think.count()).isEqualTo(3);
        assertThat(think.min()).isEqualTo(SECOND / 2);
        assertThat(think.percentile(Percentile.P50)).isEqualTo(2.0 * SECOND);
        assertThat(think.max()).isEqualTo(5 * SECOND / 2);
        assertThat(series(SeriesName.TTFT_FIRST_TURN_NS).count()).isEqualTo(2);
        assertThat(series(SeriesName.TTFT_LATER_TURN_NS).count()).isEqualTo(3);
        assertThat(series(SeriesName.TTFT_LATER_TURN_NS).max()).isEqualTo(SECOND / 10);
        SeriesMetric turns = series(SeriesName.CONVERSATION_TURNS);
        assertThat(List.of(turns.min(), turns.max())).isEqualTo(List.of(2L, 3L));
        SeriesMetric perToken = series(SeriesName.LATENCY_PER_TOKEN_NS);
        assertThat(perToken.detail().interpolated().get("90.0")).isCloseTo(0.04 * SECOND, within(1e-3));
        assertThat(perToken.detail().interpolated().get("50.0")).isCloseTo(0.02 * SECOND, within(1e-3));
        Conversations all = conversations();
        assertThat(all.activeMean()).isCloseTo(15.0 / 13, within(1e-12));
        assertThat(List.of(all.seen(), all.open(), all.active(), all.activePeak(), all.completed(), all.failed()))
                .isEqualTo(List.of(2L, 0L, 0L, 2L, 2L, 0L));
        assertThat(all.perSecond()).isCloseTo(2.0 / 13, within(1e-12));
        assertThat(counter("turns_overlapping")).isZero();
    }

    @Test
    void aFailedTurnIsOnNeitherSideOfTheRatio() {
        workedExample(true);
        end(13);
        Interactivity rates = fold.optional().interactivity();
        assertThat(rates).isEqualTo(new Interactivity(4, 640, 12 * SECOND));
        assertThat(rates.tokensPerSecond()).isCloseTo(53.333333333, within(1e-8));
        double compat = series(SeriesName.OSL).total().doubleValue()
                / (series(SeriesName.SAMPLE_LATENCY_NS).total().doubleValue() / 1e9);
        assertThat(compat).isCloseTo(640.0 / 15, within(1e-9));
        assertThat(conversations().completed()).isEqualTo(1);
        assertThat(conversations().failed()).isEqualTo(1);
        assertThat(turn("2").failed()).isEqualTo(1);
        assertThat(turn("2").latency()).isNotNull();
        assertThat(turn("2").latency().count()).as("latencies of successes").isEqualTo(1);
        assertThat(series(SeriesName.CONVERSATION_TURNS).max())
                .as("completed, failed too")
                .isEqualTo(3L);
    }

    @Test
    void a_conversation_with_a_turn_in_flight_at_the_end_is_neither_completed_nor_failed() {
        issue(0, "a", "c1");
        fail(2, "a");
        issue(0, "b", "c2");
        fail(2, "b");
        issue(3, "c", "c1");
        assertThat(conversations().failed()).as("no conversation has ended").isZero();
        end(13);
        assertThat(conversations().active()).isEqualTo(1);
        assertThat(conversations().completed()).isZero();
        assertThat(conversations().failed()).isEqualTo(1);
    }

    @Test
    void aTextOfAFailedSampleThatIsCountedIsOnNeitherSideEither() {
        fold.tokenCounts()
                .outputCounted(
                        new PendingOutput(
                                PendingOutput.NO_FIRST_CHUNK, 0, SECOND, LimitsMet.JUDGED, OutputDetail.FAILED),
                        100,
                        100);
        assertThat(series(SeriesName.OSL).total()).isEqualTo(100L);
        assertThat(fold.optional().interactivity()).isNull();
        fold.tokenCounts()
                .outputCounted(new PendingOutput(PendingOutput.NO_FIRST_CHUNK, 0, SECOND, LimitsMet.JUDGED), 7, 7);
        assertThat(fold.optional().interactivity()).isEqualTo(new Interactivity(1, 7, SECOND));
    }

    @Test
    void turnsAreCountedByTheirPlaceAndARetryIsNoNewTurn() {
        for (int turn = 1; turn <= 70; turn++) {
            String id = "s" + turn;
            apply(
                    fold,
                    at(turn, EventType.SAMPLE_ISSUED, id)
                            .inConversation("c", turn * 2L - 1)
                            .withData(PromptData.ofTokenIds(List.of(1L, 2L, 3L))));
            issue(turn + 0.1, id, "c");
            complete(turn + 0.5, id, turn);
        }
        assertThat(conversations().byTurn()).hasSize(19);
        assertThat(turn("1").issued()).isEqualTo(1);
        assertThat(turn("16").output()).isEqualTo(new Conversations.Tokens(1, 16));
        assertThat(turn("17-32").completed()).isEqualTo(16);
        assertThat(turn("33-64").completed()).isEqualTo(32);
        assertThat(turn("65+").completed()).isEqualTo(6);
        assertThat(turn("65+").output().mean()).isEqualTo((65 + 66 + 67 + 68 + 69 + 70) / 6.0);
        assertThat(series(SeriesName.THINK_TIME_NS).count()).isEqualTo(69);
        assertThat(counter("turns_overlapping")).isZero();
    }

    @Test
    void aSampleWithoutConversationTakesNoPartEvenInARowThatHadOne() {
        issue(0, "a", "c");
        complete(1, "a", 10);
        issue(2, "b", "");
        complete(3, "b", 10);
        assertThat(turn("1").completed()).isEqualTo(1);
        assertThat(conversations().byTurn()).hasSize(1);
    }

    @Test
    void aRunWithoutConversationsHasNone() {
        issue(0, "a", "");
        complete(1, "a", 10);
        end(2);
        assertThat(fold.optional().conversations()).isNull();
        assertThat(fold.optional().interactivity()).isEqualTo(new Interactivity(1, 10, SECOND));
        for (SeriesName name : List.of(SeriesName.CONVERSATION_TURNS, SeriesName.TTFT_FIRST_TURN_NS)) {
            assertThat(metric(name.wire())).isNull();
        }
    }

    @Test
    void theLastTurnEndsAConversationAndAnotherTurnBeginsANewOne() {
        apply(fold, at(0, EventType.SAMPLE_ISSUED, "a").inConversation("c", 1L).withLastTurn());
        assertThat(metric("conversation_turns")).isNull();
        complete(2, "a", 10);
        assertThat(series(SeriesName.CONVERSATION_DURATION_NS).max()).isEqualTo(2 * SECOND);
        assertThat(series(SeriesName.CONVERSATION_TOK_PER_S).max()).isEqualTo(5.0);
        assertThat(conversations().open()).isZero();
        issue(3, "b", "c");
        assertThat(conversations().seen()).isEqualTo(2);
        assertThat(turn("1").issued()).isEqualTo(2);
    }

    @Test
    void aConversationThatWasIdleForFiveMinutesIsNotOpenAnyMoreAndOpensAgain() {
        issue(0, "a", "c");
        complete(1, "a", 10);
        issue(1, "other", "d");
        first(300.9, "other");
        assertThat(conversations().open()).isEqualTo(2);
        complete(301, "other", 10);
        assertThat(conversations().open()).isEqualTo(1);
        issue(302, "b", "c");
        assertThat(conversations().open()).isEqualTo(2);
        assertThat(series(SeriesName.THINK_TIME_NS).max()).isEqualTo(301 * SECOND);
    }

    @Test
    void parallelTurnsOverlapAndHaveNoThinkTime() {
        issue(0, "a", "c");
        issue(1, "b", "c");
        complete(2, "a", 10);
        issue(3, "d", "c");
        complete(4, "b", 10);
        complete(5, "d", 10);
        assertThat(counter("turns_overlapping")).isEqualTo(2);
        assertThat(metric("think_time_ns")).isNull();
        assertThat(conversations().activePeak()).isEqualTo(1);
        assertThat(conversations().activeMean()).isEqualTo(1.0);
    }

    @Test
    void beyondTheLimitTheLongestIdleIsEvictedAndResumedByItsNextTurn() {
        registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        fold = fold(2, 1000);
        issue(0, "a", "a");
        complete(1, "a", 10);
        issue(1, "b", "b");
        complete(2, "b", 10);
        issue(3, "c", "c");
        assertThat(counter("conversations_evicted")).isEqualTo(1);
        assertThat(series(SeriesName.CONVERSATION_DURATION_NS).max()).as("of a").isEqualTo(SECOND);
        first(3.5, "c");
        issue(4, "a2", "a");
        first(4.5, "a2");
        assertThat(counter("conversations_evicted")).as("b").isEqualTo(2);
        assertThat(counter("conversations_resumed")).isEqualTo(1);
        assertThat(turn("2").issued()).isEqualTo(1);
        assertThat(conversations().seen()).isEqualTo(3);
        issue(5, "d", "d");
        assertThat(counter("conversations_evicted")).as("c, although in flight").isEqualTo(3);
        complete(6, "c", 10);
        complete(7, "a2", 10);
        complete(8, "d", 10);
        end(8);
        assertThat(conversations().completed()).as("d: the others were evicted").isEqualTo(2);
        assertThat(conversations().active()).isZero();
    }

    @Test
    void aSampleThatIsEvictedLeavesItsConversationIncomplete() {
        registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        fold = fold(10, 1);
        issue(0, "a", "c");
        issue(1, "b", "d");
        complete(2, "b", 10);
        end(3);
        assertThat(conversations().active()).isZero();
        assertThat(conversations().completed()).as("d alone").isEqualTo(1);
        assertThat(series(SeriesName.CONVERSATION_TURNS).count()).isEqualTo(1);
    }

    @Test
    void cachedTokensByConversationAndByTurn() {
        long[][] prompts = {{1000, 0}, {1200, 1024}, {800, -1}, {2000, 1536}};
        for (int i = 0; i < prompts.length; i++) {
            issue(i, "s" + i, i < 2 ? "c1" : "c2");
            Usage usage = Usage.of((int) prompts[i][0], 10);
            apply(
                    fold,
                    at(i + 0.5, EventType.SAMPLE_COMPLETE, "s" + i)
                            .withUsage(prompts[i][1] < 0 ? usage : usage.with(UsageKey.CACHED_TOKENS, prompts[i][1])));
        }
        end(5);
        Conversations.CacheHits cache = conversations().cache();
        assertThat(cache).isNotNull();
        assertThat(cache.count()).isEqualTo(2);
        assertThat(cache.mean()).isCloseTo((1024.0 / 2200 + 0.768) / 2, within(1e-12));
        assertThat(cache.p10()).isCloseTo(0.465 + 0.1 * (0.768 - 0.465), within(1e-12));
        assertThat(turn("1").cachedShare()).isEqualTo(0.0);
        assertThat(turn("2").cachedShare()).isCloseTo(2560.0 / 3200, within(1e-12));
    }

    @Test
    void rowsAreReusedAndLookedUpAmongManyConversations() {
        registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        fold = fold(700, 1000);
        int last = 5000;
        for (int i = 0; i < last; i++) {
            issue(i, "s" + i, "conversation number " + i % 900);
            complete(i + 0.5, "s" + i, 10);
        }
        assertThat(conversations().seen()).isEqualTo(900);
        assertThat(counter("conversations_evicted")).isEqualTo(last - 700);
        assertThat(counter("conversations_resumed")).isEqualTo(last - 900);
        end(last);
        assertThat(series(SeriesName.CONVERSATION_TURNS).count()).isEqualTo(last);
    }
}
