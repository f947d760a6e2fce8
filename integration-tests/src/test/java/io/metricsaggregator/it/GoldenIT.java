package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The golden cases end to end: a real libzmq PUB over ipc, the daemon as a process, the final file. */
class GoldenIT {
    @TempDir
    Path directory;

    @BeforeEach
    void needsPython() {
        Python.require();
    }

    private MetricsSnapshot run(GoldenCase golden) throws IOException {
        String events = "ipc://" + directory.resolve("events");
        Path output = directory.resolve("out");
        List<String> arguments = new ArrayList<>(List.of("--in", "connect:" + events));
        if (golden.streaming()) {
            arguments.add("--streaming");
        }
        if (golden.earlyStopping()) {
            arguments.add("--early-stopping");
        }
        if (golden.tokenizer() != null) {
            arguments.addAll(List.of("--tokenizer", String.valueOf(golden.tokenizer())));
        }
        try (RunningProcess publisher = Python.start(
                        "publish_frames.py", events, "bind", golden.framesFile().toString());
                RunningProcess daemon = Cli.start(Cli.run(output, arguments.toArray(new String[0])))) {
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(publisher.awaitExit()).as("%s", publisher).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(Ledger.of(last).balanced()).isTrue();
        return last;
    }

    @ParameterizedTest
    @MethodSource("io.metricsaggregator.run.GoldenCase#completed")
    void theFinalFileEqualsThatOfTheReference(String name) throws IOException {
        GoldenCase golden = new GoldenCase(name);
        golden.assertMatches(run(golden), "expected_final_snapshot.json", Set.of());
    }

    @Test
    void framesThatHangTheReferenceCompleteTheRun() throws IOException {
        GoldenCase golden = new GoldenCase("08b_poison");
        MetricsSnapshot last = run(golden);
        golden.assertMatches(last, "expected_final_snapshot.json", Set.of("total_samples_failed"));
        assertThat(last.counterValue("records_malformed"))
                .isPositive()
                .isEqualTo(last.counterValue("total_samples_failed"));
    }
}
