package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.registry.Workers;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.registry.raw.SlabStore;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The part of each golden case, written and read again, renders the snapshot of the run to the last byte. */
class GoldenPartTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "01_minimal",
                "02_streaming_chunks",
                "03_windows_in_flight",
                "04_duplicates_out_of_order",
                "05a_tokens_text",
                "05b_tokens_chat_template",
                "05c_tokens_template_missing",
                "05d_no_tokenizer_token_ids",
                "06a_early_stopping_700",
                "06b_early_stopping_7000",
                "07_odd_encodings",
                "08a_malformed",
                "08b_poison",
                "09a_empty_run",
                "10a_hdr_bounds",
                "10b_total_beyond_int64"
            })
    void a_part_renders_the_snapshot_of_its_run(String name) throws IOException {
        GoldenCase golden = new GoldenCase(name);
        LiveRun run = GoldenFoldTest.newRun(golden);
        MetricsSnapshot last = GoldenFoldTest.fold(run, golden.frames());
        RunPart part = run.part(last);
        assertThat(json(part.snapshot(Workers.NONE, () -> false))).isEqualTo(json(last));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        part.write(bytes);
        RunPart read = RunPart.read(new ByteArrayInputStream(bytes.toByteArray()), store());
        assertThat(json(read.snapshot(Workers.NONE, () -> false))).isEqualTo(json(last));
        ByteArrayOutputStream again = new ByteArrayOutputStream();
        read.write(again);
        assertThat(again.toByteArray()).isEqualTo(bytes.toByteArray());
        assertThat(read.header().runId()).isEqualTo(run.id());
        assertThat(read.header().state()).isEqualTo(last.state());
    }

    private static SlabStore store() {
        return new RawBudget(Long.MAX_VALUE);
    }

    private static String json(MetricsSnapshot snapshot) {
        return new String(new JsonSnapshotCodec().encode(snapshot), StandardCharsets.UTF_8);
    }
}
