package io.metricsaggregator.flink;

import io.metricsaggregator.flink.journal.FoundRuns;
import io.metricsaggregator.flink.output.ResultFile;
import io.metricsaggregator.flink.run.FoldRunJob;
import io.metricsaggregator.flink.run.FoldSettings;
import io.metricsaggregator.options.WhatIfArguments;
import io.metricsaggregator.options.WhatIfOptions;
import io.metricsaggregator.publish.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command line of the job. */
@Command(
        name = "metrics-aggregator-flink",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpWidth = 110,
        version = "metrics-aggregator-flink",
        description = {"Recompute the runs of many journals on a Flink cluster, as metrics-aggregator replay does.", ""
        },
        footer = {
            "",
            "Example: flink run -p 64 metrics-aggregator-flink.jar --input s3://bench/journals --output s3://bench/results",
            "",
            "Exit status: 0 all runs are written; 2 wrong arguments; 4 a folder cannot be read or results exist already;"
                    + " 6 some runs were refused, the others are written; 70 the job failed."
        })
final class JobCommand implements Callable<Integer> {
    private static final String NAME = "metrics-aggregator-flink: ";

    private final Supplier<StreamExecutionEnvironment> environment;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--input",
            paramLabel = "PATH",
            arity = "1..*",
            description =
                    "Folder of a run's journal, or a folder that holds some at any depth up to 8, in any file system of"
                            + " the cluster. Repeatable.")
    private List<String> inputs = List.of();

    @Option(
            names = "--output",
            paramLabel = "PATH",
            required = true,
            description = "Folder for the results: RUN_ID/final_snapshot.json and RUN_ID/run.part for each run, and"
                    + " merged/final_snapshot.json.")
    private String output = "";

    @Option(
            names = "--rows",
            paramLabel = "PATH|none",
            description = "Folder for the rows of samples, as export --format parquet writes them:"
                    + " run=ID/node=NAME/part-0.parquet. none: no rows. Default: rows in the folder of --output; none with"
                    + " --kafka.")
    private @Nullable String rows;

    @Option(
            names = "--max-values-memory",
            paramLabel = "MIB",
            defaultValue = "16",
            description =
                    "Memory for the values of the run in a task, outside the heap, in MiB; later values are spilled to the"
                            + " task manager's folder for temporary files. Count it, and 32 MiB more, for each slot in"
                            + " taskmanager.memory.task.off-heap.size. Default: ${DEFAULT-VALUE}.")
    private int valuesMebibytes = 16;

    @Option(names = "--overwrite", description = "Replace results that exist. Default: end with status 4.")
    private boolean overwrite;

    @Option(
            names = "--skip-repeated",
            description = "Read a run that is found twice from the first folder. Default: end with status 2.")
    private boolean skipRepeated;

    @Mixin
    private final WhatIfOptions whatIf = new WhatIfOptions();

    @ArgGroup(validate = false, heading = "%nStreams from Kafka:%n")
    private final StreamOptions stream = new StreamOptions();

    JobCommand(Supplier<StreamExecutionEnvironment> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter err = spec.commandLine().getErr();
        whatIf.requireUsable();
        if (stream.isGiven()) {
            whatIf.requireOnePass("--kafka");
        }
        String wantedRows = rows == null || rows.equals("none") ? null : rows;
        stream.requireUsable(!inputs.isEmpty());
        if (stream.isGiven()) {
            stream.execute(environment.get(), output, overwrite, WhatIfArguments.given(parsed()), wantedRows);
            return 0;
        }
        if (inputs.isEmpty()) {
            throw new IllegalArgumentException("no input. Use --input PATH, or --kafka BROKERS and --topic TOPIC");
        }
        if (valuesMebibytes < 1) {
            throw new IllegalArgumentException("--max-values-memory " + valuesMebibytes + " is below 1 MiB");
        }
        FoundRuns found = FoundRuns.find(inputs.stream().map(Path::new).toList(), skipRepeated);
        found.skipped().forEach(each -> err.println(NAME + "skipped " + each));
        found.refused().forEach(each -> err.println(NAME + "refused " + each));
        if (found.runs().isEmpty()) {
            return ExitStatus.NOT_CLEAN.code();
        }
        requireNoResults(found);
        FoldSettings settings = new FoldSettings(
                Version.text(),
                output,
                rowsFolder(),
                found.runs().stream().map(each -> each.folder().toString()).toList(),
                found.runs().stream().map(FoundRuns.FoundRun::id).toList(),
                WhatIfArguments.given(parsed()),
                (long) valuesMebibytes << 20);
        StreamExecutionEnvironment job = environment.get();
        FoldRunJob.build(job, settings);
        List<String> refused = FoldRunJob.refused(job.execute("metrics-aggregator"));
        refused.forEach(each -> err.println(NAME + "refused " + each));
        return refused.isEmpty() && found.refused().isEmpty() ? 0 : ExitStatus.NOT_CLEAN.code();
    }

    private ParseResult parsed() {
        return spec.commandLine().getParseResult();
    }

    private @Nullable String rowsFolder() {
        if (rows == null) {
            return new Path(output, "rows").toString();
        }
        return rows.equals("none") ? null : rows;
    }

    private void requireNoResults(FoundRuns found) throws IOException {
        for (FoundRuns.FoundRun each : found.runs()) {
            Path file = new Path(new Path(output, each.id()), ResultFile.SNAPSHOT);
            if (!overwrite && file.getFileSystem().exists(file)) {
                throw new FileAlreadyExistsException(file + " exists. Use --overwrite to replace it");
            }
        }
    }
}
