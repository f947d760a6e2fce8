package io.metricsaggregator.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.row.OutageTable;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.storage.ValueStorage;
import org.junit.jupiter.api.Test;

class OutageTest {
    private final Registry registry = new Registry(3, 30, new ValueStorage(1 << 20, null));
    private final RecordLedger ledger = new RecordLedger();
    private final LoadgenFold fold = new LoadgenFold(registry, ledger, new FoldOptions(false, 10, 1 << 20, 1));

    private void issue(String... ids) {
        for (String id : ids) {
            Events.apply(fold, EventRecord.sample(EventType.SAMPLE_ISSUED, 5, id));
        }
    }

    private void complete(String... ids) {
        for (String id : ids) {
            Events.apply(fold, EventRecord.sample(EventType.SAMPLE_COMPLETE, 9, id));
        }
    }

    @Test
    void each_outage_counts_the_samples_that_were_first_in_flight_during_it_and_never_completed() {
        issue("a", "b", "c");
        fold.outage(100, 200, 0);
        issue("d");
        complete("a", "never issued");
        fold.outage(300, 400, 0);
        complete("b", "d", "nor this", "nor that");
        assertThat(fold.outages()).containsExactly(new Outage(100, 200, 3, 1, 1), new Outage(300, 400, 1, 0, 2));
    }

    @Test
    void an_outage_with_the_same_start_replaces_the_earlier_end() {
        issue("a");
        fold.outage(100, 200, 0);
        issue("b");
        fold.outage(100, 250, 0);
        assertThat(fold.outages()).containsExactly(new Outage(100, 250, 1, 1, 0));
    }

    @Test
    void a_sample_that_is_reissued_or_evicted_is_not_an_orphan() {
        issue("a", "b");
        fold.outage(100, 200, 0);
        issue("a");
        issue("1", "2", "3", "4", "5", "6", "7", "8", "9");
        assertThat(ledger.inFlightEvicted.value()).isEqualTo(1);
        issue("10");
        assertThat(fold.outages()).singleElement().extracting(Outage::orphaned).isEqualTo(0L);
    }

    @Test
    void beyond_the_limit_the_last_outage_is_extended() {
        for (int i = 0; i < 100; i++) {
            issue("s" + i % 10);
            fold.outage(1000 + 10 * i, 1005 + 10 * i, 0);
            complete("s" + i % 10);
        }
        assertThat(fold.outages()).hasSize(OutageTable.MAX);
        Outage last = fold.outages().get(OutageTable.MAX - 1);
        assertThat(last.toWallNanos()).isEqualTo(1995);
        assertThat(last.inFlight()).isEqualTo(100 - OutageTable.MAX + 1);
        assertThat(last.orphaned()).isZero();
    }
}
