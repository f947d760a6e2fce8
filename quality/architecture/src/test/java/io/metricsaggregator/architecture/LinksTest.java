package io.metricsaggregator.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The links between the pages of the documentation. */
class LinksTest {
    private static final Path TOP = Path.of("../..");

    @Test
    void everyLinkBetweenPagesPointsToAFile() throws IOException {
        Pattern link = Pattern.compile("\\]\\((?!https?:|#)([^)#]+)(#[^)]*)?\\)");
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of("docs", "core", "views", "tools", "clients", "quality", "dist")) {
            try (Stream<Path> files = Files.walk(TOP.resolve(folder), 3)) {
                files.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        pages.add(TOP.resolve("README.md"));
        assertThat(pages).hasSizeGreaterThan(20);
        List<String> broken = new ArrayList<>();
        for (Path page : pages) {
            link.matcher(Files.readString(page)).results().forEach(found -> {
                if (!Files.exists(page.resolveSibling(found.group(1)))) {
                    broken.add(page.getFileName() + " -> " + found.group(1));
                }
            });
        }
        assertThat(broken).isEmpty();
    }
}
