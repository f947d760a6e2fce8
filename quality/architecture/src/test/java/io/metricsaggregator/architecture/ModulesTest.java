package io.metricsaggregator.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The modules of the build: their sizes, and the page that describes them. */
class ModulesTest {
    private static final Path TOP = Path.of("../..");
    private static final double SHARE_MAX = 0.15;
    private static final long FILES_MAX = 33;
    private static final Set<String> NOT_SHIPPED = Set.of("architecture", "benchmarks", "fuzz", "integration-tests");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern OURS = Pattern.compile(
            "<groupId>io.metricsaggregator</groupId>\\s*<artifactId>metrics-aggregator-([^<]+)</artifactId>\\s*(?!<version>)[^\\s]");

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");

    private static List<String> modules() throws IOException {
        return MODULE.matcher(Files.readString(TOP.resolve("pom.xml")))
                .results()
                .map(module -> module.group(1))
                .filter(module -> !NOT_SHIPPED.contains(name(module)))
                .toList();
    }

    /** The name of a module in a folder, such as {@code snapshot} of {@code core/snapshot}. */
    private static String name(String module) {
        return module.substring(module.lastIndexOf('/') + 1);
    }

    /** The folders that hold main classes, with the number of their files. */
    private static Map<String, Long> packages() throws IOException {
        Map<String, Long> files = new TreeMap<>();
        for (String module : MODULE.matcher(Files.readString(TOP.resolve("pom.xml")))
                .results()
                .map(module -> module.group(1))
                .toList()) {
            Path sources = TOP.resolve(module).resolve("src/main/java");
            if (Files.isDirectory(sources)) {
                try (Stream<Path> found = Files.walk(sources)) {
                    found.filter(each -> each.toString().endsWith(".java"))
                            .forEach(each ->
                                    files.merge(TOP.relativize(each.getParent()).toString(), 1L, Long::sum));
                }
            }
        }
        return files;
    }

    private static long lines(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            long lines = 0;
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                lines += Files.readAllLines(file).size();
            }
            return lines;
        }
    }

    @Test
    void noModuleHoldsMoreThanFifteenPercentOfTheMainLines() throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        for (String module : modules()) {
            sizes.put(module, lines(TOP.resolve(module).resolve("src/main/java")));
        }
        long all = sizes.values().stream().mapToLong(Long::longValue).sum();
        assertThat(all).isPositive();
        assertThat(sizes)
                .allSatisfy((module, size) -> assertThat((double) size / all)
                        .as("share of %s: %d of %d lines", module, size, all)
                        .isLessThan(SHARE_MAX));
    }

    @Test
    void noPackageHasMoreThanThirtyThreeFiles() throws IOException {
        Map<String, Long> files = packages();
        assertThat(files).hasSizeGreaterThan(100);
        assertThat(files)
                .allSatisfy((folder, count) ->
                        assertThat(count).as("files in %s", folder).isLessThanOrEqualTo(FILES_MAX));
    }

    @Test
    void thePageOfTheArchitectureListsEveryModuleWithItsDependencies() throws IOException {
        String page = Files.readString(TOP.resolve("docs/architecture.md"));
        for (String module : modules()) {
            List<String[]> rows = page.lines()
                    .filter(line -> line.startsWith("| `" + module + "` |"))
                    .map(line -> line.split(" *\\| *"))
                    .filter(row -> row.length == 5)
                    .toList();
            assertThat(rows).as("rows of %s", module).hasSize(1);
            if (Set.of("cli", "dist", "bom").contains(name(module))) {
                continue;
            }
            String listed = rows.get(0)[3];
            Set<String> expected = listed.equals("–") ? Set.of() : Set.of(listed.split(", "));
            assertThat(dependencies(module)).as("dependencies of %s", module).isEqualTo(new TreeSet<>(expected));
        }
    }

    @Test
    void everyArtifactHasTheNameOfTheProjectBeforeThatOfItsModule() throws IOException {
        List<String> modules = MODULE.matcher(Files.readString(TOP.resolve("pom.xml")))
                .results()
                .map(module -> module.group(1))
                .toList();
        assertThat(modules).contains("codec", "dist/bom", "integration-tests");
        for (String module : modules) {
            String pom =
                    Files.readString(TOP.resolve(module).resolve("pom.xml")).replaceAll("(?s)<parent>.*?</parent>", "");
            Matcher first = ARTIFACT.matcher(pom);
            assertThat(first.find()).isTrue();
            assertThat(first.group(1)).as("artifactId of %s", module).isEqualTo("metrics-aggregator-" + name(module));
        }
    }

    /** The modules that a module's main code depends on, from its pom.xml. */
    private static Set<String> dependencies(String module) throws IOException {
        String pom = Files.readString(TOP.resolve(module).resolve("pom.xml"))
                .replaceAll(
                        "(?s)<profile>.*?</profile>|<exclusions>.*?</exclusions>|<dependencyManagement>.*?</dependencyManagement>",
                        "");
        int start = pom.indexOf("<dependencies>");
        String list = start < 0 ? "" : pom.substring(start, pom.indexOf("</dependencies>"));
        return Stream.of(list.split("</dependency>"))
                .filter(each -> !each.contains("<scope>test</scope>"))
                .flatMap(each -> OURS.matcher(each + "<").results())
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
