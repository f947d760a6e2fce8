package io.metricsaggregator.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The links between the pages of the documentation. */
class LinksTest {
    private static final Path TOP = Path.of("../..");

    /** The target of a link: a file, a heading of it, or both. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+?) *$");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of("docs", "core", "views", "tools", "clients", "quality", "dist")) {
            try (Stream<Path> files = Files.walk(TOP.resolve(folder), 3)) {
                files.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        pages.add(TOP.resolve("README.md"));
        assertThat(pages).hasSizeGreaterThan(20);
        return pages;
    }

    /** The anchors of a page's headings, as GitHub makes them. */
    private static Set<String> anchors(Path page) throws IOException {
        return HEADING.matcher(CODE_BLOCK.matcher(Files.readString(page)).replaceAll(""))
                .results()
                .map(found -> found.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void everyLinkBetweenPagesPointsToAFileAndAHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (MatchResult found :
                    LINK.matcher(Files.readString(page)).results().toList()) {
                Path target = found.group(1).isEmpty() ? page : page.resolveSibling(found.group(1));
                String heading = found.group(2);
                if (!Files.exists(target)
                        || (heading != null
                                && target.toString().endsWith(".md")
                                && !anchors(target).contains(heading))) {
                    broken.add(page.getFileName() + " -> " + found.group(1) + (heading == null ? "" : "#" + heading));
                }
            }
        }
        assertThat(broken).isEmpty();
    }
}
