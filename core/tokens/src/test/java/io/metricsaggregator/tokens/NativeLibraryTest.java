package io.metricsaggregator.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The native tokenizers in a virtual machine that loads the program several times, as a task manager of Flink does for each job. */
class NativeLibraryTest {
    private static final Path TOKENIZER = Path.of(
            System.getProperty("golden.dir", "../../quality/golden"), "endpoints/tokenizers/char/tokenizer.json");

    private static URLClassLoader isolated() throws IOException {
        List<URL> places = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            places.add(Path.of(each).toUri().toURL());
        }
        return new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static long count(ClassLoader program, String text) throws ReflectiveOperationException {
        Class<?> type = program.loadClass(HuggingFaceTokenCounter.class.getName());
        assertThat(type.getClassLoader()).isSameAs(program);
        Object counter = type.getMethod("open", Path.class).invoke(null, TOKENIZER);
        Method count = type.getMethod("count", String.class);
        return (Long) count.invoke(counter, text);
    }

    private static List<Path> copies() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(each -> each.getFileName().toString().startsWith("metrics-aggregator-tokenizers-"))
                    .toList();
        }
    }

    @Test
    void each_class_loader_of_a_process_counts_with_a_library_of_its_own_and_leaves_no_copy() throws Exception {
        String text = "Two jobs of one task manager.";
        long expected = HuggingFaceTokenCounter.open(TOKENIZER).count(text);
        assertThat(expected).isPositive();
        List<Path> before = copies();
        try (URLClassLoader second = isolated();
                URLClassLoader third = isolated()) {
            assertThat(count(second, text)).isEqualTo(expected);
            assertThat(count(third, text)).isEqualTo(expected);
            assertThat(count(second, text + text)).isEqualTo(2 * expected);
        }
        assertThat(copies()).isEqualTo(before);
    }
}
