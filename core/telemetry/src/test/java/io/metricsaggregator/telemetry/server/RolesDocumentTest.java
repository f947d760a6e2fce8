package io.metricsaggregator.telemetry.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks that the table of docs/reference.md between {@code <!-- roles -->} and {@code <!-- end of roles -->} lists every role of {@link ServerRole} with
 * the series of {@link RoleTable}. {@code mvn -pl core/telemetry -am test -Dtest=RolesDocumentTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Droles.write=true} rewrites it.
 */
class RolesDocumentTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path PAGE = ROOT.resolve("docs/reference.md");
    private static final String START = "<!-- roles -->\n";
    private static final String END = "<!-- end of roles -->";

    @Test
    void the_page_lists_every_role_of_inference_servers() throws IOException {
        String expected = table();
        String page = Files.readString(PAGE);
        int start = page.indexOf(START) + START.length();
        int end = page.indexOf(END);
        assertThat(end).as("markers in %s", PAGE).isGreaterThanOrEqualTo(start);
        if (Boolean.getBoolean("roles.write")) {
            page = page.substring(0, start) + expected + page.substring(end);
            Files.writeString(PAGE, page);
            end = page.indexOf(END);
        }
        assertThat(page.substring(start, end))
                .as("roles in docs/reference.md; the option -Droles.write=true of this test writes them")
                .isEqualTo(expected);
    }

    private static String table() throws IOException {
        String source = Files.readString(ROOT.resolve(
                "core/snapshot/src/main/java/" + ServerRole.class.getName().replace('.', '/') + ".java"));
        List<String> lines = new ArrayList<>(List.of("", "| role | meaning | series |", "|---|---|---|"));
        for (ServerRole role : ServerRole.values()) {
            Matcher meaning = Pattern.compile("/\\*\\* ((?:(?!\\*/).)+?)\\.? \\*/\\s+" + role.name() + "\\(")
                    .matcher(source);
            assertThat(meaning.find()).as("the Javadoc of %s", role).isTrue();
            String series = RoleTable.aliases(role).stream()
                    .map(RolesDocumentTest::series)
                    .collect(Collectors.joining(", "));
            lines.add("| `" + role.wireName() + "` | " + meaning.group(1) + " | " + series + " |");
        }
        return String.join("\n", lines) + "\n\n";
    }

    private static String series(RoleAlias alias) {
        return alias.sources().stream()
                .map(each -> "`" + each.name()
                        + (each.label() == null
                                ? ""
                                : "{" + each.label() + (each.except() ? "!=" : "=")
                                        + each.values().stream().sorted().collect(Collectors.joining("/")) + "}")
                        + "`")
                .collect(Collectors.joining(alias.quotient() ? " / " : " + "));
    }
}
