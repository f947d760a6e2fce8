package io.metricsaggregator.cli.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolResultsTest {
    private static final String RECORD = "{\"metadata\":{\"request_start_ns\":1},\"metrics\":{}}\n";
    private static final long START = 1_000_000_000_000L;

    @TempDir
    Path directory;

    private Path write(String name, String text, long millis) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(millis));
        return file;
    }

    private List<Path> find(String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("aiperf", "profile", "--url", "http://s"));
        words.addAll(List.of(more));
        return ToolResults.find(TargetPlan.of(words, null, List.of(), Map.of()), START);
    }

    @Test
    void theNewestFolderThatTheToolWroteCounts() throws IOException {
        write("a/profile_export.jsonl", RECORD, START + 1);
        Path records = write("b/profile_export.jsonl", RECORD, START + 5_000);
        write("b/profile_export_raw.jsonl", RECORD, START + 5_000);
        write("b/other.txt", "nothing", START + 6_000);
        assertThat(find("--artifact-dir", directory.toString())).containsExactly(records);
    }

    @Test
    void filesOfEarlierRunsAndOfNoFormatAreLeftOut() throws IOException {
        write("a/profile_export.jsonl", RECORD, START - 60_000);
        write("a/profile_export_aiperf.json", "{}", START + 1);
        assertThat(find("--artifact-dir", directory.toString())).isEmpty();
    }

    @Test
    void aToolWithoutARuleHasNoResults() throws IOException {
        TargetPlan plan = TargetPlan.of(List.of("./bench", "http://s"), null, List.of(), Map.of());
        assertThat(ToolResults.find(plan, START)).isEmpty();
    }
}
