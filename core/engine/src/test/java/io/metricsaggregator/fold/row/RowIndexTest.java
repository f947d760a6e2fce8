package io.metricsaggregator.fold.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.registry.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowIndexTest {

    @Test
    void allRowsOfAHashAreFoundAndNoOthers() {
        Random random = new Random(Seed.next(RowIndexTest.class));
        RowIndex index = new RowIndex();
        Map<Integer, List<Integer>> model = new HashMap<>();
        for (int row = 0; row < 50_000; row++) {
            // Few enough hashes that several rows share one, and runs of neighbours that displace each other.
            int hash = random.nextInt(600) * (random.nextBoolean() ? 1 : 0x01000193);
            List<Integer> rows = model.computeIfAbsent(hash, each -> new ArrayList<>());
            if (rows.size() > random.nextInt(row < 10_000 ? 20 : 4)) {
                index.remove(hash, rows.remove(random.nextInt(rows.size())));
            } else {
                index.insert(hash, row);
                rows.add(row);
            }
            if (row % 7 == 0) {
                int asked = random.nextInt(600);
                assertThat(rows(index, asked))
                        .containsExactlyInAnyOrderElementsOf(model.getOrDefault(asked, List.of()));
            }
        }
        model.forEach((hash, rows) -> assertThat(rows(index, hash)).containsExactlyInAnyOrderElementsOf(rows));
    }

    private static List<Integer> rows(RowIndex index, int hash) {
        List<Integer> rows = new ArrayList<>();
        for (int at = index.first(hash); at != RowIndex.NONE; at = index.next(hash, at + 1)) {
            rows.add(index.row(at));
        }
        return rows;
    }
}
