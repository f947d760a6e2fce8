package io.metricsaggregator.flink.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.flink.FlinkCluster;
import io.metricsaggregator.flink.Journals;
import io.metricsaggregator.flink.SnapshotLeaves;
import io.metricsaggregator.flink.journal.RunFolders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fold of runs on a cluster whose tasks fail. */
class FailingFoldTest {
    private static final int RUNS = 6;
    private static final AtomicInteger FAILURES = new AtomicInteger();

    @TempDir
    Path folder;

    /** Fails in three of its calls, after the results of a run are written. The tasks are in this process. */
    private static final class FailsThrice implements MapFunction<FoldedRun, FoldedRun> {
        private static final long serialVersionUID = 1;

        @Override
        public FoldedRun map(FoldedRun run) throws IOException {
            int failures = FAILURES.get();
            if (failures < 3 && FAILURES.compareAndSet(failures, failures + 1)) {
                throw new IOException("scripted failure");
            }
            return run;
        }
    }

    private FoldSettings settings(String results, List<org.apache.flink.core.fs.Path> runs) {
        return new FoldSettings(
                "test",
                folder.resolve(results).toString(),
                folder.resolve(results).resolve("rows").toString(),
                runs.stream().map(Object::toString).toList(),
                runs.stream().map(each -> each.getName().split("-", 3)[2]).toList(),
                List.of(),
                1 << 20);
    }

    /** The files below a folder, by path: leaves of snapshots, and the bytes of others. */
    private static Map<String, Object> files(Path results) throws IOException {
        Map<String, Object> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(results)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                String name = results.relativize(each).toString();
                files.put(
                        name,
                        name.endsWith(".json") ? SnapshotLeaves.of(each) : ByteBuffer.wrap(Files.readAllBytes(each)));
            }
        }
        return files;
    }

    @Test
    void a_job_that_fails_three_times_leaves_the_same_files_as_one_that_does_not() throws Exception {
        Path journals = Files.createDirectory(folder.resolve("journals"));
        for (int i = 0; i < RUNS; i++) {
            Journals.synthetic("run" + i, Journals.shape(i, 5, i % 2 == 0), journals, i != 3);
        }
        List<org.apache.flink.core.fs.Path> runs =
                RunFolders.below(new org.apache.flink.core.fs.Path(journals.toString()));

        StreamExecutionEnvironment undisturbed = FlinkCluster.get().environment();
        FoldRunJob.build(undisturbed, settings("undisturbed", runs));
        undisturbed.execute();
        FAILURES.set(0);
        StreamExecutionEnvironment failing = FlinkCluster.get().environment();
        FoldRunJob.build(failing, settings("failing", runs), folded -> folded.map(new FailsThrice()));
        failing.execute();

        assertThat(FAILURES).hasValue(3);
        Map<String, Object> expected = files(folder.resolve("undisturbed"));
        assertThat(expected).hasSize(RUNS * 3 + 1);
        assertThat(files(folder.resolve("failing"))).isEqualTo(expected);
    }

    @Test
    void a_job_does_not_restart_for_ever_unless_it_is_told_to() {
        StreamExecutionEnvironment own = FlinkCluster.get().environment();
        JobSettings.apply(own);
        assertThat(own.getConfiguration().get(RestartStrategyOptions.RESTART_STRATEGY))
                .isEqualTo("failure-rate");
        Configuration given = new Configuration();
        given.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment told = FlinkCluster.get().environment(given);
        JobSettings.apply(told);
        assertThat(told.getConfiguration().get(RestartStrategyOptions.RESTART_STRATEGY))
                .isEqualTo("none");
    }
}
