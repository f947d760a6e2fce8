package io.metricsaggregator.fold;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.steady.SliceTable;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Behaviour of the fold beyond that of the reference. */
class LoadgenFoldTest {
    private static final long SECOND = 1_000_000_000L;

    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final RecordLedger ledger = new RecordLedger();
    private LoadgenFold fold = new LoadgenFold(registry, ledger, new FoldOptions(true, 1_000_000, Long.MAX_VALUE, 1));

    private static EventRecord at(double seconds, EventType type, String id) {
        return EventRecord.sample(type, (long) (seconds * SECOND), id);
    }

    private static EventRecord session(double seconds, EventType type) {
        return EventRecord.session(type, (long) (seconds * SECOND));
    }

    private void start() {
        apply(
                fold,
                session(100, EventType.SESSION_STARTED),
                session(100, EventType.SESSION_START_PERFORMANCE_TRACKING));
    }

    private MetricsSnapshot snapshot() {
        fold.refresh();
        return new MetricsSnapshot(
                1,
                1,
                SessionState.LIVE,
                0,
                registry.renderExact(registry.newCopy(), false, () -> false),
                SnapshotExtensions.NONE);
    }

    @Test
    void samplesInFlightAreCountedWithUntrackedOnesAndTheOldestHasAnAge() {
        apply(fold, session(100, EventType.SESSION_STARTED), at(101, EventType.SAMPLE_ISSUED, "warm-up"));
        apply(fold, session(102, EventType.SESSION_START_PERFORMANCE_TRACKING));
        apply(fold, at(103, EventType.SAMPLE_ISSUED, "a"), at(104, EventType.SAMPLE_ISSUED, "b"));
        apply(fold, at(105, EventType.ERROR_CLIENT, "b"));
        assertThat(fold.inFlight(2 * SECOND)).isEqualTo(new SnapshotExtensions.InFlight(3, 2, 1, 3, 6 * SECOND));
        apply(fold, at(106, EventType.SAMPLE_COMPLETE, "warm-up"), at(107, EventType.SAMPLE_COMPLETE, "b"));
        assertThat(fold.inFlight(0)).isEqualTo(new SnapshotExtensions.InFlight(1, 1, 0, 3, 4 * SECOND));
    }

    @Test
    void oneImplausibleTimestampDoesNotDistortTheOldestAge() {
        start();
        apply(fold, at(101, EventType.SAMPLE_ISSUED, "a"));
        apply(fold, EventRecord.sample(EventType.SAMPLE_RECV_FIRST, Long.MAX_VALUE - 5, "a"));
        assertThat(fold.inFlight(0).oldestAgeNanos()).isZero();
        apply(fold, at(103, EventType.SAMPLE_ISSUED, "b"));
        assertThat(fold.inFlight(0).oldestAgeNanos()).isEqualTo(2 * SECOND);
    }

    @Test
    void durationsOfFailedSamplesAreAlsoRecordedSeparately() {
        start();
        apply(
                fold,
                at(101, EventType.SAMPLE_ISSUED, "good"),
                at(101, EventType.SAMPLE_ISSUED, "bad"),
                at(102, EventType.SAMPLE_RECV_FIRST, "bad"),
                at(103, EventType.ERROR_CLIENT, "bad"),
                at(103, EventType.SAMPLE_COMPLETE, "bad"),
                at(111, EventType.SAMPLE_COMPLETE, "good"));
        MetricsSnapshot snapshot = snapshot();
        assertThat(snapshot.series("sample_latency_ns").count()).isEqualTo(2);
        assertThat(snapshot.series("failed_sample_latency_ns").total()).isEqualTo(2 * SECOND);
        assertThat(snapshot.series("failed_ttft_ns").total()).isEqualTo(SECOND);
    }

    @Test
    void durationsOfSuccessesAreAllDurationsMinusThoseOfFailures() {
        start();
        for (int i = 0; i < 1000; i++) {
            String id = "s" + i;
            boolean bad = i % 10 == 9;
            apply(
                    fold,
                    at(101, EventType.SAMPLE_ISSUED, id),
                    at(101.5 + i * 0.001, EventType.SAMPLE_RECV_FIRST, id),
                    at(102 + i * 0.002, bad ? EventType.ERROR_CLIENT : EventType.SAMPLE_RECV_NON_FIRST, id),
                    at(102 + i * 0.002, EventType.SAMPLE_COMPLETE, id));
        }
        MetricsSnapshot snapshot = snapshot();
        SeriesMetric latency = Objects.requireNonNull(snapshot.series("succeeded_sample_latency_ns"));
        assertThat(latency.count()).isEqualTo(900);
        assertThat(latency.min()).isEqualTo(SECOND);
        assertThat(latency.max()).isEqualTo(SECOND + 998 * 2_000_000L);
        // The value at index floor(0.99 * 899) = 890 of the samples whose number does not end in 9: number 988.
        assertThat(latency.percentiles().get("99.0")).isEqualTo(SECOND + 988 * 2e6);
        // The next one has number 990: 0.01 of the way to it.
        assertThat(latency.percentile("99.0")).isEqualTo(SECOND + 988.02 * 2e6);
        assertThat(latency.histogram().stream().mapToLong(each -> each.count()).sum())
                .isEqualTo(900);
        assertThat(Objects.requireNonNull(snapshot.series("succeeded_ttft_ns")).max())
                .isEqualTo(1_498_000_000L);
        assertThat(snapshot.counterValue("tracked_samples_succeeded")).isEqualTo(900);
        assertThat(snapshot.counterValue("tracked_samples_errored")).isEqualTo(100);
        assertThat(snapshot.counterValue("succeeded_duration_ns")).isEqualTo(SECOND + 998 * 2_000_000L);
        // A series that is not recorded takes no memory; otherwise the daemon would allocate one for every snapshot.
        assertThat(registry.newCopy().size()).isEqualTo(registry.size());
    }

    @Test
    void theSeriesOfSuccessesHasNoFirstChunksOfSamplesInFlight() {
        start();
        apply(
                fold,
                at(101, EventType.SAMPLE_ISSUED, "open"),
                at(102, EventType.SAMPLE_RECV_FIRST, "open"),
                at(101, EventType.SAMPLE_ISSUED, "bad"),
                at(102, EventType.SAMPLE_RECV_FIRST, "bad"),
                at(103, EventType.ERROR_CLIENT, "bad"),
                at(103, EventType.SAMPLE_COMPLETE, "bad"),
                at(101, EventType.SAMPLE_ISSUED, "good"),
                at(102, EventType.SAMPLE_RECV_FIRST, "good"),
                at(104, EventType.SAMPLE_COMPLETE, "good"));
        SeriesMetric ttft = Objects.requireNonNull(snapshot().series("succeeded_ttft_ns"));
        assertThat(ttft.count()).isEqualTo(1);
        assertThat(ttft.total()).isEqualTo(SECOND);
        assertThat(Objects.requireNonNull(snapshot().series("succeeded_sample_latency_ns"))
                        .total())
                .isEqualTo(3 * SECOND);
    }

    @Test
    void aFailedSampleThatIsIssuedAgainIsNoLongerFailed() {
        start();
        apply(
                fold,
                at(101, EventType.SAMPLE_ISSUED, "a"),
                at(102, EventType.ERROR_CLIENT, "a"),
                at(103, EventType.SAMPLE_ISSUED, "a"),
                at(104, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(snapshot().series("failed_sample_latency_ns").count()).isZero();
        assertThat(fold.inFlight(0).failed()).isZero();
    }

    @Test
    void atTheLimitOfSamplesInFlightTheOldestIsEvictedAndCounted() {
        Registry small = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        fold = new LoadgenFold(small, ledger, new FoldOptions(true, 10, Long.MAX_VALUE, 1));
        start();
        for (int i = 0; i < 1000; i++) {
            apply(fold, at(101 + i, EventType.SAMPLE_ISSUED, "s" + i));
        }
        assertThat(fold.inFlight(0).count()).isEqualTo(10);
        assertThat(fold.inFlight(0).tracked()).isEqualTo(10);
        assertThat(ledger.inFlightEvicted.value()).isEqualTo(990);
        apply(fold, at(2000, EventType.SAMPLE_COMPLETE, "s0"), at(2000, EventType.SAMPLE_COMPLETE, "s999"));
        assertThat(ledger.eventsOrphan.value()).isEqualTo(1);
        assertThat(fold.inFlight(0).count()).isEqualTo(9);
    }

    @Test
    void repeatedStepsAreCountedAsDuplicates() {
        start();
        apply(fold, session(100, EventType.SESSION_STARTED));
        apply(fold, session(100, EventType.SESSION_START_PERFORMANCE_TRACKING));
        apply(fold, at(101, EventType.SAMPLE_ISSUED, "a"), at(102, EventType.SAMPLE_ISSUED, "a"));
        apply(fold, at(103, EventType.SAMPLE_RECV_FIRST, "a"), at(103, EventType.SAMPLE_RECV_FIRST, "a"));
        apply(fold, at(103, EventType.ERROR_CLIENT, "a"), at(103, EventType.ERROR_CLIENT, "a"));
        apply(fold, session(104, EventType.SESSION_STOP_PERFORMANCE_TRACKING));
        apply(fold, session(104, EventType.SESSION_STOP_PERFORMANCE_TRACKING));
        assertThat(ledger.eventsDuplicate.value()).isEqualTo(6);
        assertThat(ledger.recordsApplied.value()).isEqualTo(6);
    }

    @Test
    void recordsOfUnknownTypesAndWithoutASampleIdAreSetAside() {
        start();
        apply(fold, at(101, EventType.SAMPLE_ISSUED, ""), at(101, EventType.SAMPLE_COMPLETE, ""));
        assertThat(ledger.eventsAnonymous.value()).isEqualTo(2);
        assertThat(fold.malformed()).isTrue();
        apply(fold, session(102, EventType.SESSION_ENDED), at(103, EventType.SAMPLE_ISSUED, "a"));
        assertThat(fold.malformed()).isFalse();
        assertThat(ledger.eventsLate.value()).isEqualTo(1);
        assertThat(snapshot().counterValue("total_samples_failed")).isEqualTo(1);
    }

    @Test
    void aDurationBeyond64BitsIsCountedAndNotRecorded() {
        start();
        apply(fold, EventRecord.sample(EventType.SAMPLE_ISSUED, Long.MIN_VALUE, "a"));
        apply(fold, EventRecord.sample(EventType.SAMPLE_RECV_FIRST, Long.MAX_VALUE, "a"));
        apply(fold, EventRecord.sample(EventType.SAMPLE_COMPLETE, Long.MAX_VALUE, "a"));
        assertThat(ledger.durationsOverflowed.value()).isEqualTo(2);
        assertThat(snapshot().series("sample_latency_ns").count()).isZero();
        assertThat(snapshot().counterValue("total_duration_ns")).isPositive();
    }

    @Test
    void workersAreDistinguishedAndGapsInTheirNumbersAreLosses() {
        start();
        long[] numbers = {0, 1, 2, 5, 6, 4, 9};
        for (long number : numbers) {
            apply(fold, at(101, EventType.SAMPLE_ISSUED, "a" + number).from(7, number));
        }
        apply(fold, at(102, EventType.SAMPLE_COMPLETE, "a0").from(8, 100));
        apply(fold, at(102, EventType.SAMPLE_COMPLETE, "a1").from(8, 101));
        assertThat(ledger.workers())
                .contains(
                        new SnapshotExtensions.WorkerRow("", 2, 0, 0, 0, 0, 0, 0),
                        new SnapshotExtensions.WorkerRow("7", 7, 7, 0, 0, 2, 4, 1),
                        new SnapshotExtensions.WorkerRow("8", 2, 0, 2, 0, 0, 0, 0, 100, 0));
    }

    @Test
    void aWorkerThatRestartsFromZeroHasLostNothing() {
        start();
        for (long number : new long[] {0, 1, 2, 3, 0, 1, 2}) {
            apply(fold, at(101, EventType.SAMPLE_ISSUED, "a").from(7, number));
        }
        assertThat(ledger.workers()).contains(new SnapshotExtensions.WorkerRow("7", 7, 7, 0, 0, 0, 0, 0, 0, 1));
    }

    @Test
    void workersBeyondTheLimitShareARow() {
        start();
        for (int worker = 0; worker < 3000; worker++) {
            apply(fold, at(101, EventType.SAMPLE_ISSUED, "a" + worker).from(worker, 0));
        }
        List<SnapshotExtensions.WorkerRow> rows = ledger.workers();
        assertThat(rows).hasSize(1024 + 2);
        assertThat(rows.get(rows.size() - 1).worker()).isEqualTo("other");
        assertThat(rows.stream().mapToLong(SnapshotExtensions.WorkerRow::issued).sum())
                .isEqualTo(3000);
    }

    @Test
    void errorTypesKeepTheirFirstMessageAndTheirNumberIsLimited() {
        start();
        for (int i = 0; i < 3; i++) {
            apply(fold, at(101 + i, EventType.ERROR_CLIENT, "").withData(new ErrorData("Timeout", "message " + i)));
        }
        apply(fold, at(110, EventType.ERROR_SESSION, ""));
        assertThat(fold.errors())
                .containsExactly(
                        new SnapshotExtensions.ErrorRow(
                                "error.client", "Timeout", 3, "message 0", 101 * SECOND, 103 * SECOND),
                        new SnapshotExtensions.ErrorRow("error.session", "", 1, "", 110 * SECOND, 110 * SECOND));
        for (int i = 0; i < 500; i++) {
            apply(fold, at(120, EventType.ERROR_GENERIC, "").withData(new ErrorData("kind " + i, "x".repeat(10_000))));
        }
        List<SnapshotExtensions.ErrorRow> rows = fold.errors();
        assertThat(rows).hasSize(ErrorTable.MAX_KINDS + 1);
        assertThat(rows.get(rows.size() - 1).event()).isEqualTo("other");
        assertThat(rows.stream().mapToLong(SnapshotExtensions.ErrorRow::count).sum())
                .isEqualTo(504);
        assertThat(rows.stream().mapToInt(row -> row.message().length()))
                .allMatch(length -> length <= ErrorTable.TEXT_MAX_BYTES);
    }

    @Test
    void longErrorTypesWithTheSamePrefixAreOneType() {
        start();
        String prefix = "é".repeat(200);
        apply(fold, at(101, EventType.ERROR_CLIENT, "").withData(new ErrorData(prefix + "1", "")));
        apply(fold, at(101, EventType.ERROR_CLIENT, "").withData(new ErrorData(prefix + "2", "")));
        assertThat(fold.errors()).hasSize(1);
        assertThat(fold.errors().get(0).type()).isEqualTo("é".repeat(128));
    }

    @Test
    void applyingAMixedStreamAllocatesNothing() {
        start();
        List<DecodedEvent> stream = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String id = String.format("%032x", i * 0x9e3779b97f4a7c15L);
            stream.add(Events.decoded(at(101, EventType.SAMPLE_ISSUED, id).from(i % 8, i)));
            stream.add(Events.decoded(at(101.1, EventType.SAMPLE_RECV_FIRST, id).from(i % 8, i)));
            stream.add(Events.decoded(
                    at(101.2, EventType.SAMPLE_RECV_NON_FIRST, id).from(i % 8, i)));
            stream.add(Events.decoded(at(101.3, EventType.ERROR_CLIENT, id).withData(new ErrorData("E", "m"))));
            stream.add(Events.decoded(at(101.4, EventType.SAMPLE_COMPLETE, id)
                    .withFinishReason("stop")
                    .from(i % 8, i)));
        }
        DecodedEvent[] block = stream.toArray(new DecodedEvent[0]);
        Registry bounded = new Registry(3, 30, new RawBudget(0));
        fold = new LoadgenFold(bounded, ledger, new FoldOptions(true, 1_000_000, Long.MAX_VALUE, 1));
        start();
        // Values from which on each series has room for recent counts, and changes of the level from which on as many
        // are kept.
        for (int round = 0; round < 100; round++) {
            fold.apply(block, block.length);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int round = 0; round < 500; round++) {
            fold.apply(block, block.length);
        }
        assertThat((threads.getCurrentThreadAllocatedBytes() - before) / (500L * block.length))
                .isZero();
    }

    @Test
    void slicesCountTheEventsOfEachSecond() {
        start();
        apply(fold, at(100.5, EventType.SAMPLE_ISSUED, "a"), at(100.6, EventType.SAMPLE_ISSUED, "b"));
        apply(fold, at(103.5, EventType.SAMPLE_RECV_FIRST, "a"), at(103.6, EventType.ERROR_CLIENT, "b"));
        apply(fold, at(103.7, EventType.SAMPLE_COMPLETE, "b"), at(104.0, EventType.SAMPLE_COMPLETE, "a"));
        Slices slices = fold.slices();
        assertThat(slices.startNanos()).isEqualTo(100 * SECOND);
        assertThat(slices.widthNanos()).isEqualTo(SECOND);
        assertThat(slices.column("issued")).containsExactly(2, 0, 0, 0, 0);
        assertThat(slices.column("completed")).containsExactly(0, 0, 0, 1, 1);
        assertThat(slices.column("failed")).containsExactly(0, 0, 0, 1, 0);
        assertThat(slices.column("in_flight")).containsExactly(2, 2, 2, 1, 0);
        assertThat(slices.column("in_flight_max")).containsExactly(2, 2, 2, 2, 1);
        assertThat(slices.column("latency_max_ns"))
                .containsExactly(
                        Slices.NOT_MEASURED,
                        Slices.NOT_MEASURED,
                        Slices.NOT_MEASURED,
                        Slices.NOT_MEASURED,
                        3_500_000_000L);
        assertThat(slices.column("ttft_p50_ns")[3]).isBetween(2_900_000_000L, 3_100_000_000L);
    }

    @Test
    void aRunOfAnyLengthHasALimitedNumberOfSlicesAndLosesNoCount() {
        start();
        int hours = 10;
        for (int second = 0; second < hours * 3600; second++) {
            apply(fold, at(100 + second, EventType.SAMPLE_ISSUED, "s" + second));
            apply(fold, at(100.5 + second, EventType.SAMPLE_COMPLETE, "s" + second));
        }
        Slices slices = fold.slices();
        assertThat(slices.length()).isBetween(SliceTable.MAX_SLICES / 2, SliceTable.MAX_SLICES);
        assertThat(slices.widthNanos()).isEqualTo(128 * SECOND);
        long issued = 0;
        for (long value : slices.column("issued")) {
            issued += value;
        }
        assertThat(issued).isEqualTo(hours * 3600);
        assertThat(slices.outside()).isZero();
        for (long value : slices.column("latency_p50_ns")) {
            assertThat(value).isBetween(484_000_000L, 516_000_000L);
        }
    }

    @Test
    void implausibleTimestampsAreCountedOutsideTheSlices() {
        start();
        apply(fold, EventRecord.sample(EventType.SAMPLE_ISSUED, Long.MAX_VALUE, "a"));
        apply(fold, EventRecord.sample(EventType.SAMPLE_ISSUED, Long.MIN_VALUE, "b"));
        apply(fold, at(99, EventType.SAMPLE_ISSUED, "c"), at(101, EventType.SAMPLE_ISSUED, "d"));
        Slices slices = fold.slices();
        assertThat(slices.outside()).isEqualTo(3);
        assertThat(slices.length()).isEqualTo(2);
    }

    @Test
    void a_second_stop_of_tracking_is_a_duplicate() {
        start();
        long before = ledger.recordsApplied.value();
        apply(fold, EventRecord.session(EventType.SESSION_STOP_LOADGEN, 200));
        apply(fold, EventRecord.session(EventType.SESSION_STOP_LOADGEN, 201));
        assertThat(ledger.recordsApplied.value() - before).isEqualTo(1);
        assertThat(ledger.eventsDuplicate.value()).isEqualTo(1);
    }
}
