package io.metricsaggregator.fold.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowAgesTest {
    @Test
    void a_place_is_valid_until_its_row_is_given_up_and_never_again() {
        RowAges ages = new RowAges();
        assertThat(ages.isAt(0)).isFalse();
        for (int row = 0; row < 3_000; row++) {
            ages.add(row);
        }
        long place = ages.place(2_999);
        assertThat((int) place).isEqualTo(2_999);
        assertThat(ages.isAt(place)).isTrue();
        assertThat(ages.isAt(0)).isFalse();
        assertThat(ages.isAt(place + 2_000)).as("a row that there is not").isFalse();
        assertThat(ages.end(2_999)).isTrue();
        assertThat(ages.isAt(place)).isFalse();
        assertThat(ages.isAt(ages.place(2_999))).isTrue();
    }

    @Test
    void a_row_is_not_used_again_once_its_ages_run_out() {
        RowAges ages = new RowAges(-2);
        ages.add(0);
        assertThat(ages.end(0)).isTrue();
        long last = ages.place(0);
        assertThat(ages.isAt(last)).isTrue();
        assertThat(ages.end(0)).isFalse();
        assertThat(ages.isAt(last)).isFalse();
        assertThat(ages.isAt(0)).as("no place").isFalse();
    }
}
