package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.config.SteadySettings;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.fold.Events;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.fold.steady.SuperPassSamples;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.registry.raw.SlabStore;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SuperPassJudgeTest {
    private static final long HEAP = 1L << 30;
    /** So many samples fill slabs, whose content is spilled. */
    private static final int SAMPLES = 60_000;

    private boolean readable = true;

    /** Slabs on a disk that may not give them back. A fake that keeps them in memory. */
    private final class Disk implements SlabStore {
        private final RawBudget memory = new RawBudget(Long.MAX_VALUE);

        @Override
        public boolean take(long bytes) {
            return memory.take(bytes);
        }

        @Override
        public void giveBack(long bytes) {
            memory.giveBack(bytes);
        }

        @Override
        public Slab newSlab() {
            Slab slab = Objects.requireNonNull(memory.newSlab());
            return new Slab() {
                @Override
                public ByteBuffer buffer() {
                    return slab.buffer();
                }

                @Override
                public void seal() {
                    slab.seal();
                }

                @Override
                public @Nullable ByteBuffer read(ByteBuffer scratch) {
                    return readable ? slab.read(scratch) : null;
                }

                @Override
                public void release() {
                    slab.release();
                }
            };
        }
    }

    private SuperPassSamples samples() {
        LoadgenFold fold = new LoadgenFold(
                new Registry(3, 30, new Disk()),
                new RecordLedger(),
                new FoldOptions(
                        Streaming.ON,
                        1_000_000,
                        1 << 20,
                        1,
                        null,
                        TimeCut.NONE,
                        false,
                        TokenSource.USAGE,
                        SAMPLES / 3));
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Events.apply(
                fold,
                EventRecord.session(EventType.SESSION_STARTED, 0),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
        for (int i = 0; i < SAMPLES; i++) {
            String id = "sample-" + i;
            long issued = i * 1_000_000L;
            long first = issued + random.nextLong(1L << 48);
            Events.apply(
                    fold,
                    EventRecord.sample(EventType.SAMPLE_ISSUED, issued, id),
                    EventRecord.sample(EventType.SAMPLE_RECV_FIRST, first, id),
                    EventRecord.sample(EventType.SAMPLE_COMPLETE, first + random.nextLong(1L << 48), id)
                            .withUsage(Usage.of(1, 5)));
        }
        return Objects.requireNonNull(fold.superPasses());
    }

    @Test
    void spilledValuesThatCannotBeReadBackCostTheJudgementOfSuperPassesAloneAndItSaysWhy() {
        SuperPassSamples samples = samples();
        assertThat(SuperPassJudge.judge(samples, SteadySettings.DEFAULT, HEAP)
                        .summary()
                        .notJudged())
                .isNull();
        readable = false;
        assertThatThrownBy(samples::passes).isInstanceOf(UncheckedIOException.class);
        SuperPassJudge judged = SuperPassJudge.judge(samples, SteadySettings.DEFAULT, HEAP);
        assertThat(judged.summary().notJudged()).contains("--spill-dir");
        assertThat(judged.window()).isNull();
        assertThat(judged.diagnostics()).isNull();
    }
}
