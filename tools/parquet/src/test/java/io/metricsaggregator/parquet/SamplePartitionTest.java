package io.metricsaggregator.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SamplePartitionTest {
    @Test
    void plain_ids_and_names_are_folders_as_they_are() {
        assertThat(SamplePartition.path("3f2a", "gpu-1.example_2")).isEqualTo("run=3f2a/node=gpu-1.example_2");
    }

    @Test
    void an_unknown_node_is_the_null_of_hive() {
        assertThat(SamplePartition.path("3f2a", null)).isEqualTo("run=3f2a/node=__HIVE_DEFAULT_PARTITION__");
        assertThat(SamplePartition.path(null, ""))
                .isEqualTo("run=__HIVE_DEFAULT_PARTITION__/node=__HIVE_DEFAULT_PARTITION__");
    }

    @Test
    void separators_percent_signs_and_other_bytes_are_encoded() {
        assertThat(SamplePartition.path("a/b=c", "../x\0%\n\u00e9"))
                .isEqualTo("run=a%2Fb%3Dc/node=..%2Fx%00%25%0A%C3%A9");
    }

    @Test
    void long_values_are_cut_and_kept_apart() {
        String start = "n".repeat(300);
        String one = SamplePartition.path("r", start + "1");
        assertThat(one).isNotEqualTo(SamplePartition.path("r", start + "2"));
        assertThat(one.length()).isLessThan(255);
        assertThat(SamplePartition.path("r", "\u00e9".repeat(200))).matches("run=r/node=(%[0-9A-F]{2})+-[0-9a-f]{1,8}");
    }

    @Test
    void no_name_leaves_its_folder() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Path top = Path.of("/top");
        for (int i = 0; i < 2000; i++) {
            String node = text(random);
            Path partition = top.resolve(SamplePartition.path(text(random), node));
            assertThat(partition.normalize()).as(node).isEqualTo(partition);
            assertThat(partition.getNameCount()).as(node).isEqualTo(3);
            assertThat(partition.getFileName().toString().length()).isLessThan(256);
        }
    }

    private static @Nullable String text(Random random) {
        if (random.nextInt(20) == 0) {
            return null;
        }
        String signs = "./\\%=\0~:*\n ab\u00e9\ud800\u4e00";
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(400); text.length() < length; ) {
            text.append(signs.charAt(random.nextInt(signs.length())));
        }
        return text.toString();
    }
}
