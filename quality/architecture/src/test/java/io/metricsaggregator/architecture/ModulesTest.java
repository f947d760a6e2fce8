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

    private static final Pattern DESCRIPTION = Pattern.compile("<description>([^<]+)</description>");
    private static final String BEGIN = "<!-- modules: generated -->\n";
    private static final String END = "<!-- end of modules -->";
    /** More dependencies say no more than that a module assembles the others. */
    private static final int MANY = 12;

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");

    private static List<String> allModules() throws IOException {
        return MODULE.matcher(Files.readString(TOP.resolve("pom.xml")))
                .results()
                .map(module -> module.group(1))
                .toList();
    }

    private static List<String> modules() throws IOException {
        return allModules().stream()
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
        for (String module : allModules()) {
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
        StringBuilder table = new StringBuilder("| Module | Role | Depends on |\n|---|---|---|\n");
        for (String module : allModules()) {
            String pom = Files.readString(TOP.resolve(module).resolve("pom.xml"));
            Matcher role = DESCRIPTION.matcher(pom);
            assertThat(role.find())
                    .as("description in the pom.xml of %s", module)
                    .isTrue();
            Set<String> dependencies = dependencies(module);
            table.append(String.format(
                    "| `%s` | %s | %s |%n",
                    module,
                    role.group(1),
                    NOT_SHIPPED.contains(name(module)) || dependencies.size() > MANY
                            ? "all that it uses"
                            : dependencies.isEmpty() ? "–" : String.join(", ", dependencies)));
        }
        Path file = TOP.resolve("docs/architecture.md");
        String page = Files.readString(file);
        int start = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        if (Boolean.getBoolean("modules.write")) {
            Files.writeString(file, page.substring(0, start) + table + page.substring(end));
            return;
        }
        assertThat(page.substring(start, end))
                .as("the modules in docs/architecture.md; the option -Dmodules.write=true of this test writes them")
                .isEqualTo(table.toString());
    }

    @Test
    void everyArtifactHasTheNameOfTheProjectBeforeThatOfItsModule() throws IOException {
        List<String> modules = allModules();
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
