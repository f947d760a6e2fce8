package io.metricsaggregator.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The size of the documentation that people write: readers find a fact sooner in fewer words, and two places of one fact drift apart. */
class WordsTest {
    private static final Path TOP = Path.of("../..");
    /** A page that grows makes another one shorter. */
    private static final int WORDS_MAX = 26_500;
    /** Pages that are generated, and the history of the project. */
    private static final Set<String> LEFT_OUT = Set.of("cli.md", "reference.md", "CHANGELOG.md", "RATIONALE.md");
    /** A generated table between its markers. */
    private static final Pattern GENERATED =
            Pattern.compile("<!-- (?:\\w+: generated|columns) -->.*?<!-- end of \\w+ -->", Pattern.DOTALL);

    /** A page with its words, as {@code wc -w} counts them, without generated tables. */
    private record Page(String name, int words) {
        static Page of(Path file) throws IOException {
            String text = GENERATED.matcher(Files.readString(file)).replaceAll(" ");
            String[] words = text.strip().split("\\s+");
            return new Page(TOP.relativize(file).toString(), words.length);
        }
    }

    @Test
    void the_documentation_that_people_write_stays_short() throws IOException {
        List<Page> pages = new ArrayList<>(List.of(Page.of(TOP.resolve("README.md"))));
        try (Stream<Path> files = Files.walk(TOP.resolve("docs"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".md"))
                    .filter(each -> !LEFT_OUT.contains(each.getFileName().toString()))
                    .toList()) {
                pages.add(Page.of(file));
            }
        }
        assertThat(pages).hasSizeGreaterThan(20);
        assertThat(pages.stream().mapToInt(Page::words).sum())
                .as(
                        "words of README.md and docs; say each fact once, and link. Pages:%n%s",
                        pages.stream()
                                .sorted(Comparator.comparingInt(Page::words).reversed())
                                .map(each -> each.words() + " " + each.name())
                                .collect(Collectors.joining("\n")))
                .isLessThanOrEqualTo(WORDS_MAX);
    }
}
