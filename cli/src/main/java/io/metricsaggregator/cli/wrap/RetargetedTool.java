package io.metricsaggregator.cli.wrap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A tool's command line that can be sent to another server, for commands that start the server themselves. Immutable. */
public final class RetargetedTool {
    private final TargetPlan plan;

    private RetargetedTool(TargetPlan plan) {
        this.plan = plan;
    }

    /**
     * Finds the tool and its target.
     *
     * @param words the command line
     * @param target URL of the server that it names; null to find it
     * @param setUrls flags and variables that take the URL, {@code FLAG} or {@code ENV:NAME}
     * @throws IllegalArgumentException if the target is not known or cannot be replaced; the text says what to change
     * @throws IOException if a file of the tool cannot be read
     */
    public static RetargetedTool of(List<String> words, @Nullable String target, List<String> setUrls)
            throws IOException {
        TargetPlan plan = TargetPlan.of(words, target, setUrls, System.getenv());
        RewrittenCommand.of(plan, "http://127.0.0.1:9000", null);
        return new RetargetedTool(plan);
    }

    /** Name of the tool. */
    public String name() {
        return plan.tool();
    }

    /** A command line with the variables that it needs in the environment. */
    public record Command(List<String> words, Map<String, String> variables) {
        public Command {
            words = List.copyOf(words);
            variables = Map.copyOf(variables);
        }
    }

    /**
     * The command line with another target.
     *
     * @param url of the server, without a path
     * @param scratch folder for copies of the tool's files
     * @throws IOException if a copy cannot be written
     */
    public Command at(String url, Path scratch) throws IOException {
        RewrittenCommand rewritten = RewrittenCommand.of(plan, url, scratch);
        return new Command(rewritten.words(), rewritten.variables());
    }

    /**
     * The files with results that the tool has written and an import reads.
     *
     * @param sinceMillis start of the tool, milliseconds since 1970
     */
    public List<Path> results(long sinceMillis) throws IOException {
        return ToolResults.find(plan, sinceMillis);
    }
}
