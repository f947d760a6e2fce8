package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An {@code open} without a preceding {@code settled} is a start after one that died. */
class RecoveryMarkerTest {
    @TempDir
    Path run;

    private RecoveryMarker startThatDiesAt(long entry) throws IOException {
        RecoveryMarker marker = RecoveryMarker.open(run);
        for (long each = 0; each <= entry; each++) {
            marker.applies(each);
        }
        return marker;
    }

    @Test
    void a_frame_at_which_two_starts_died_is_skipped_by_later_starts_and_by_replays() throws IOException {
        startThatDiesAt(7);
        startThatDiesAt(7);
        RecoveryMarker third = RecoveryMarker.open(run);
        assertThat(third.applies(6)).isTrue();
        assertThat(third.applies(7)).isFalse();
        assertThat(third.applies(8)).isTrue();
        third.applied();
        third.settled();
        assertThat(RecoveryMarker.open(run).applies(7)).isFalse();
        assertThat(RecoveryMarker.readOnly(RunFiles.local(run)).applies(7)).isFalse();
        assertThat(RecoveryMarker.readOnly(RunFiles.local(run)).applies(8)).isTrue();
    }

    @Test
    void a_start_that_is_killed_once_at_a_frame_skips_nothing() throws IOException {
        startThatDiesAt(7);
        assertThat(RecoveryMarker.open(run).applies(7)).isTrue();
    }

    @Test
    void a_frame_that_verifiably_crashed_the_process_is_skipped_after_one_death() throws IOException {
        startThatDiesAt(7).fatal();
        assertThat(RecoveryMarker.open(run).applies(7)).isFalse();
    }

    @Test
    void deaths_at_different_frames_skip_none_and_are_counted_until_a_start_settles() throws IOException {
        assertThat(startThatDiesAt(3).failedStarts()).isZero();
        assertThat(startThatDiesAt(5).failedStarts()).isEqualTo(1);
        RecoveryMarker third = startThatDiesAt(9);
        assertThat(third.failedStarts()).isEqualTo(2);
        third.applied();
        third.settled();
        assertThat(startThatDiesAt(9).failedStarts()).isZero();
        assertThat(RecoveryMarker.open(run).applies(9)).isTrue();
    }

    @Test
    void an_exit_by_an_internal_error_counts_as_two_deaths() throws IOException {
        RecoveryMarker first = startThatDiesAt(3);
        first.applied();
        first.broken();
        assertThat(RecoveryMarker.open(run).failedStarts()).isEqualTo(2);
    }

    @Test
    void a_torn_marker_is_ignored() throws IOException {
        Files.write(run.resolve("recovering"), new byte[5]);
        Files.writeString(run.resolve("skipped-frames"), "not a number\n12\n");
        RecoveryMarker marker = RecoveryMarker.open(run);
        assertThat(marker.failedStarts()).isZero();
        assertThat(marker.applies(12)).isFalse();
        assertThat(marker.applies(13)).isTrue();
    }

    @Test
    void a_frame_is_listed_once_although_the_start_that_listed_it_was_killed_before_it_noted_so() throws IOException {
        Files.write(
                run.resolve("recovering"),
                ByteBuffer.allocate(24).putLong(7).putLong(2).putLong(1).array());
        Files.writeString(run.resolve("skipped-frames"), "7\n");
        RecoveryMarker marker = RecoveryMarker.open(run);
        assertThat(marker.failedStarts()).isEqualTo(2);
        assertThat(marker.applies(7)).isFalse();
        assertThat(run.resolve("skipped-frames")).hasContent("7\n");
    }

    @Test
    void a_marker_that_cannot_be_created_marks_nothing_and_the_run_is_resumed_all_the_same() throws IOException {
        Files.createDirectory(run.resolve("recovering"));
        Files.writeString(run.resolve("skipped-frames"), "12\n");
        RecoveryMarker marker = RecoveryMarker.open(run);
        assertThat(marker.failedStarts()).isZero();
        assertThat(marker.applies(12)).isFalse();
        assertThat(marker.applies(13)).isTrue();
        marker.fatal();
        marker.broken();
        marker.applied();
        marker.settled();
        assertThat(run.resolve("recovering")).isEmptyDirectory();
    }

    @Test
    void the_first_frame_of_all_is_skipped_like_any_other_and_a_settled_marker_is_gone() throws IOException {
        startThatDiesAt(0);
        startThatDiesAt(0);
        RecoveryMarker third = RecoveryMarker.open(run);
        assertThat(third.applies(0)).isFalse();
        third.settled();
        assertThat(run.resolve("recovering")).doesNotExist();
        assertThat(run.resolve("skipped-frames")).hasContent("0\n");
    }

    @Test
    void a_death_behind_the_frames_is_that_of_none() throws IOException {
        for (int i = 0; i < 3; i++) {
            startThatDiesAt(7).applied();
        }
        assertThat(RecoveryMarker.open(run).applies(7)).isTrue();
        startThatDiesAt(3);
        assertThat(RecoveryMarker.open(run).failedStarts()).isEqualTo(5);
        assertThat(RecoveryMarker.open(run).applies(3))
                .as("the start before died at none")
                .isTrue();
    }
}
