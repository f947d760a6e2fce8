package io.metricsaggregator.imports.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventOrderTest {
    @TempDir
    private Path folder;

    private record Pair(long time, long tag) {}

    @Test
    void pairs_of_any_number_come_out_in_order_from_memory_and_from_the_file() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int count : new int[] {0, 1, 2, 63, 64, 65, 640, 1000}) {
            List<Pair> expected = new ArrayList<>();
            try (EventOrder order = new EventOrder(folder, 64)) {
                for (int i = 0; i < count; i++) {
                    Pair pair = new Pair(random.nextInt(50) - 25L, i);
                    expected.add(pair);
                    order.add(pair.time(), pair.tag());
                }
                expected.sort(Comparator.comparingLong(Pair::time).thenComparingLong(Pair::tag));
                for (int pass = 0; pass < 2; pass++) {
                    List<Pair> seen = new ArrayList<>();
                    order.forEach((time, tag) -> seen.add(new Pair(time, tag)));
                    assertThat(seen).as("%d pairs, seed %d", count, seed).isEqualTo(expected);
                }
            }
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }
}
