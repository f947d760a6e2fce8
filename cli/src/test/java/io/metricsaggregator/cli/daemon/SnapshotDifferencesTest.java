package io.metricsaggregator.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotDifferencesTest {
    private static final Path GOLDEN = Path.of("..", "quality", "golden", "endpoints", "02_streaming_chunks");

    private static Map<String, ?> read(String json) throws IOException {
        return JsonTree.readLenient(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String golden() throws IOException {
        return Files.readString(GOLDEN.resolve("expected_final_snapshot.json"));
    }

    private static List<String> differing(String theirs, String ours) throws IOException {
        return SnapshotDifferences.of(read(theirs), read(ours)).differing();
    }

    @Test
    void aSnapshotEqualsItselfInEveryValue() throws IOException {
        SnapshotDifferences same = SnapshotDifferences.of(read(golden()), read(golden()));
        assertThat(same.isEqual()).isTrue();
        assertThat(same.values()).isGreaterThan(400);
        assertThat(same.counters()).isPositive();
        assertThat(same.series()).isPositive();
        assertThat(same.percentiles()).isPositive();
        assertThat(same.summary()).endsWith("percentiles: all equal");
    }

    @Test
    void aCounterThatDiffersIsNamedWithBothValues() throws IOException {
        String ours = golden().replaceFirst("(\"tracked_samples_failed\",\\s+\"value\": )10", "$1" + "11");
        assertThat(differing(golden(), ours)).containsExactly("tracked_samples_failed: tool 10, ours 11");
    }

    @Test
    void aPercentileOfASeriesIsNamed() throws IOException {
        String theirs =
                "{\"metrics\":[{\"type\":\"series\",\"name\":\"ttft_ns\",\"percentiles\":{\"50\":5,\"99\":9}}]}";
        assertThat(differing(theirs, theirs.replace("9}", "8}")))
                .containsExactly("ttft_ns percentiles 99: tool 9, ours 8");
    }

    @Test
    void aMetricThatWeLackDiffers() throws IOException {
        String theirs = "{\"metrics\":[{\"type\":\"counter\",\"name\":\"theirs\",\"value\":1}]}";
        assertThat(differing(theirs, "{\"metrics\":[]}")).containsExactly("theirs: only in the tool's snapshot");
    }

    @Test
    void whatOnlyWeHaveIsNotCompared() throws IOException {
        String theirs = "{\"state\":\"complete\",\"metrics\":[]}";
        assertThat(differing(
                        theirs, "{\"state\":\"complete\",\"run\":{},\"metrics\":[{\"name\":\"ours\",\"value\":1}]}"))
                .isEmpty();
    }

    @Test
    void realsMayDifferInTheirLastBitsAndIntegersMayNot() throws IOException {
        String theirs =
                "{\"metrics\":[{\"type\":\"series\",\"name\":\"tpot_ns\",\"total\":1000000000000.0,\"count\":1}]}";
        assertThat(differing(theirs, theirs.replace("1000000000000.0", "1000000000000.5")))
                .isEmpty();
        assertThat(differing(theirs, theirs.replace("1000000000000.0", "1000000000002.0")))
                .hasSize(1);
        assertThat(differing(theirs, theirs.replace("\"count\":1", "\"count\":1.0")))
                .containsExactly("tpot_ns count: tool 1, ours 1.0");
    }

    @Test
    void listsOfDifferentLengthDiffer() throws IOException {
        String theirs = "{\"metrics\":[{\"type\":\"series\",\"name\":\"osl\",\"histogram\":[[[1,2],3],[[2,4],1]]}]}";
        assertThat(differing(theirs, theirs.replace(",[[2,4],1]", "")))
                .containsExactly("osl histogram size: tool 2, ours 1");
    }

    @Test
    void anEmptySnapshotIsNotEqual() throws IOException {
        assertThat(SnapshotDifferences.of(Map.of(), read(golden())).isEqual()).isFalse();
    }
}
