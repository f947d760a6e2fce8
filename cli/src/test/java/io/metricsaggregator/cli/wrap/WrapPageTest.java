package io.metricsaggregator.cli.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.ParseResult;

/** The commands of docs/wrap.md are ones that the rules understand. */
class WrapPageTest {
    private static final Path PAGE = Path.of("..", "docs", "wrap.md");
    private static final String COMMAND = "metrics-aggregator wrap ";

    static Stream<String> commands() throws IOException {
        return Files.readString(PAGE).lines().filter(line -> line.startsWith(COMMAND));
    }

    private static TargetPlan plan(String line) {
        List<String> words = Arrays.asList(line.split(" +"));
        ParseResult parsed = Main.commands("wrap")
                .parseArgs(words.subList(1, words.size()).toArray(new String[0]))
                .subcommand();
        return TargetPlan.of(
                parsed.matchedPositionalValue(0, List.of()),
                parsed.matchedOptionValue("--upstream", null),
                parsed.matchedOptionValue("--set-url", List.of()),
                Map.of());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandOfThePageIsRewritten(String line) throws IOException {
        TargetPlan plan = plan(line);
        assertThat(plan.upstream().host()).isIn("localhost", "127.0.0.1");
        RewrittenCommand rewritten = RewrittenCommand.of(plan, "http://127.0.0.1:9", null);
        assertThat(rewritten.changes()).isNotEmpty();
        assertThat(rewritten.line() + rewritten.variables()).containsPattern("127[.]0[.]0[.]1:9|--port 9( |$|\\{)");
    }

    @Test
    void everyRuleHasItsCommandOnThePage() throws IOException {
        List<String> shown = commands().map(line -> plan(line).tool()).toList();
        assertThat(TargetPlan.rules()).allSatisfy(rule -> assertThat(shown).contains(rule.tool()));
    }
}
