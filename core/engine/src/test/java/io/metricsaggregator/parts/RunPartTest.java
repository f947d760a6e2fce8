package io.metricsaggregator.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.registry.Seed;
import io.metricsaggregator.registry.Workers;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.registry.raw.SlabStore;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.storage.ValueStorage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The part of a run is read as it was written. */
class RunPartTest {
    private static SlabStore store() {
        return new RawBudget(Long.MAX_VALUE);
    }

    @Test
    void a_part_is_read_as_it_was_written_and_no_byte_behind_it_is_read() throws IOException {
        Random random = new Random(Seed.next(RunPartTest.class));
        RunPart whole = new RunOfParts("r", 10_000, random).whole();
        ByteArrayOutputStream twice = new ByteArrayOutputStream();
        whole.write(twice);
        whole.write(twice, false);
        ByteArrayInputStream from = new ByteArrayInputStream(twice.toByteArray());
        RunPart first = RunPart.read(from, store());
        RunPart second = RunPart.read(from, store());
        assertThat(from.available()).isZero();
        assertThat(RunOfParts.bytes(first)).isEqualTo(RunOfParts.bytes(whole));
        assertThat(RunOfParts.json(first)).isEqualTo(RunOfParts.json(whole));
        // Without values, everything but the percentiles is still exact.
        MetricsSnapshot exact = first.snapshot(Workers.NONE, () -> false);
        MetricsSnapshot estimated = second.snapshot(Workers.NONE, () -> false);
        SeriesMetric all = exact.series("sample_latency_ns");
        SeriesMetric none = estimated.series("sample_latency_ns");
        assertThat(all.detail().exact()).isTrue();
        assertThat(none.detail().exact()).isFalse();
        assertThat(none.total()).isEqualTo(all.total());
        assertThat(none.detail().stdDev()).isEqualTo(all.detail().stdDev());
        assertThat(none.detail().hdr()).isEqualTo(all.detail().hdr());
        assertThat(estimated.series("tpot_ns").sumSq())
                .isEqualTo(exact.series("tpot_ns").sumSq());
    }

    @Test
    void values_beyond_the_memory_are_spilled_while_a_part_is_read_and_stay_exact(@TempDir Path directory)
            throws IOException {
        Random random = new Random(Seed.next(RunPartTest.class));
        RunPart whole = new RunOfParts("r", 300_000, random).whole();
        try (ValueStorage values = ValueStorage.patient(1 << 20, directory)) {
            RunPart read = RunPart.read(new ByteArrayInputStream(RunOfParts.bytes(whole)), values);
            assertThat(values.spilledBytes()).isPositive();
            assertThat(RunOfParts.json(read)).isEqualTo(RunOfParts.json(whole));
            assertThat(read.snapshot(Workers.NONE, () -> false)
                            .series("tpot_ns")
                            .detail()
                            .exact())
                    .isTrue();
        }
    }

    @Test
    void another_version_is_refused_by_its_number() throws IOException {
        byte[] bytes = RunOfParts.bytes(new RunOfParts("r", 10, new Random(1)).whole());
        bytes[9] = 7;
        assertThat(RunPart.isPart(bytes)).isTrue();
        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(PartFormatException.class)
                .hasMessageContaining("the part has version 7, and this program reads version " + RunPart.VERSION);
        assertThatThrownBy(() -> read(new byte[100])).hasMessageContaining("the bytes are no part of a run");
    }

    @Test
    void a_part_that_was_cut_short_or_altered_anywhere_is_refused() throws IOException {
        Random random = new Random(Seed.next(RunPartTest.class));
        byte[] bytes = RunOfParts.bytes(new RunOfParts("r", 2_000, random).whole());
        for (int i = 0; i < 60; i++) {
            byte[] cut = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
            assertThatThrownBy(() -> read(cut)).isInstanceOf(PartFormatException.class);
            byte[] altered = bytes.clone();
            altered[random.nextInt(altered.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> read(altered)).isInstanceOf(PartFormatException.class);
        }
    }

    /** A forger can make checksums right; every count and length is checked all the same. */
    @Test
    void content_that_was_altered_beneath_right_checksums_is_refused_or_read_without_another_error()
            throws IOException {
        Random random = new Random(Seed.next(RunPartTest.class));
        byte[] bytes = RunOfParts.bytes(new RunOfParts("r", 50, random).whole());
        byte[] content = new PartInputStream(new ByteArrayInputStream(bytes, 10, bytes.length)).readAllBytes();
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            byte[] altered = content.clone();
            int places = 1 + random.nextInt(3);
            for (int k = 0; k < places; k++) {
                int at = random.nextInt(altered.length);
                altered[at] = (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(3) - 1);
            }
            ByteArrayOutputStream forged = new ByteArrayOutputStream();
            forged.write(bytes, 0, 10);
            PartOutputStream chunks = new PartOutputStream(forged);
            chunks.write(altered);
            chunks.close();
            try {
                RunPart read = read(forged.toByteArray());
                RunOfParts.json(read);
            } catch (PartFormatException e) {
                assertThat(e.getMessage()).isNotBlank();
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(200);
    }

    private static RunPart read(byte[] bytes) throws IOException {
        return RunPart.read(new ByteArrayInputStream(bytes), store());
    }
}
