package io.metricsaggregator.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.figures.Outage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageTextTest {
    private static final long SECOND = 1_000_000_000L;

    private static List<Outage> outages(int count) {
        List<Outage> outages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            outages.add(new Outage(10 * i * SECOND, (10 * i + 1) * SECOND, 3, 2, 1));
        }
        return outages;
    }

    @Test
    void the_first_outages_are_listed_and_the_others_counted() {
        assertThat(OutageText.clauses(outages(5))).hasSize(5).allMatch(each -> each.startsWith("from 1970-"));
        assertThat(OutageText.clauses(outages(33)))
                .hasSize(6)
                .last()
                .isEqualTo("and 28 more until 1970-01-01T00:05:21Z, 56 samples orphaned");
    }
}
