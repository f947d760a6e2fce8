package io.metricsaggregator.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class PlotTest {
    private static double[] times(int count, double start) {
        return DoubleStream.iterate(start, x -> x + 1).limit(count).toArray();
    }

    private static Plot overTime(String title, double[] xs, double... ys) {
        return TimePlot.linear(title, title, AxisUnit.of("W"), List.of(new Plot.Curve("one", Plot.Mark.LINE, xs, ys)));
    }

    private static String path(Plot plot) {
        return new CurvePath(new PlotScale(plot), 0, 100, 1000, 100)
                .line(plot.curves().get(0));
    }

    @Test
    void a_long_run_loses_no_peak() {
        double[] ys = new double[50_000];
        Arrays.fill(ys, 1);
        ys[31_415] = 100;
        ys[31_416] = 0;
        String path = path(overTime("power", times(ys.length, 0), ys));
        assertThat(path.chars().filter(c -> c == 'L').count()).isBetween(400L, 1000L);
        // The frame ends 5 % above the highest value.
        assertThat(path).contains(" 4.8").contains(" 100L");
    }

    @Test
    void a_value_between_two_gaps_is_a_dot() {
        Plot plot = overTime("power", times(5, 0), 1, Double.NaN, 4, Double.NaN, 2);
        assertThat(path(plot)).isEqualTo("M0 76.2h0M500 4.8h0M1000 52.4h0");
    }

    @Test
    void bands_cover_the_whole_plot_and_carry_values_with_units() {
        Plot plot = overTime("power", times(5, 0), 1, Double.NaN, 471.96, 3, 2);
        List<Readout> bands = Readout.of(plot, new PlotScale(plot));
        assertThat(bands).extracting(Readout::lines).contains(List.of("0:02", "472 W"));
        assertThat(bands).hasSize(4);
        assertThat(bands.get(0).from()).isZero();
        assertThat(bands.get(3).to()).isEqualTo(1);
        assertThat(bands.get(2).from()).isEqualTo(bands.get(1).to());
        assertThat(bands).allSatisfy(each -> assertThat(each.to() - each.from()).isGreaterThan(0.1));
    }

    @Test
    void a_band_of_many_points_shows_their_range() {
        double[] ys = DoubleStream.iterate(0, y -> y + 1).limit(1000).toArray();
        Plot plot = overTime("power", times(1000, 0), ys);
        List<Readout> bands = Readout.of(plot, new PlotScale(plot));
        assertThat(bands).hasSize(100);
        assertThat(bands.get(1).lines()).containsExactly("0:10 to 0:19", "10 W to 19 W");
    }

    @Test
    void curves_with_points_of_their_own_are_read_between_them() {
        Plot plot = new Plot(
                "cdf",
                "cdf",
                new Plot.Axis("", AxisUnit.MILLIS, Plot.Scale.LINEAR),
                new Plot.Axis("", AxisUnit.PERCENT, Plot.Scale.LINEAR, 0, 100),
                List.of(
                        new Plot.Curve("a", Plot.Mark.LINE, new double[] {0, 100}, new double[] {0, 100}),
                        new Plot.Curve("b", Plot.Mark.LINE, new double[] {50, 100}, new double[] {0, 100})));
        List<Readout> bands = Readout.of(plot, new PlotScale(plot));
        assertThat(bands.get(0).lines()).containsExactly("at 1 ms", "a: 1 %");
        assertThat(bands.get(37).lines()).containsExactly("at 75 ms", "a: 75 %", "b: 50 %");
    }

    @Test
    void more_series_than_colours_become_their_highest_mean_and_lowest() {
        Curves curves = new Curves();
        for (int gpu = 0; gpu < 64; gpu++) {
            curves.add("gpu " + gpu, times(2, 0), new double[] {gpu, gpu == 7 ? 1000 : Double.NaN});
        }
        assertThat(curves.note()).isEqualTo(" (64 series)");
        List<Plot.Curve> drawn = curves.drawn(2);
        assertThat(drawn).extracting(Plot.Curve::name).containsExactly("highest of 64", "mean", "lowest");
        assertThat(drawn.get(0).ys()).containsExactly(126, 2000);
        assertThat(drawn.get(1).ys()).containsExactly(63, 2000);
        assertThat(drawn.get(2).ys()).containsExactly(0, 2000);
    }

    @Test
    void back_filled_records_of_another_day_keep_an_axis_of_their_own() {
        Plot load = overTime("load", times(20, 0), times(20, 1));
        Plot near = overTime("near", times(30, -5), times(30, 1));
        Plot yesterday = overTime("yesterday", times(30, -86_400), times(30, 1));
        CommonTime common = CommonTime.of(List.of(load), List.of(load, near, yesterday));
        assertThat(common).isEqualTo(new CommonTime(-5, 24));
        List<Plot> aligned = common.align(List.of(load, near, yesterday));
        assertThat(aligned.get(0).x().from()).isEqualTo(-5);
        assertThat(aligned.get(1).x().to()).isEqualTo(24);
        PlotScale scale = new PlotScale(aligned.get(2));
        assertThat(scale.x(-86_400)).isZero();
        assertThat(scale.x(-86_371)).isEqualTo(1);
    }

    @Test
    void a_maximum_is_drawn_behind_the_percentile_that_equals_it() {
        Curves curves = new Curves();
        curves.add("p99", times(2, 0), new double[] {1, 2});
        curves.addBehind("max", times(2, 0), new double[] {1, 2});
        Plot plot = TimePlot.logarithmic("latency", "latency", AxisUnit.MILLIS, curves.drawn(1));
        assertThat(plot.drawingOrder()).containsExactly(1, 0);
    }

    @Test
    void every_axis_has_ticks_between_its_ends_however_narrow_it_is() {
        for (double width : new double[] {0.001, 0.02, 0.3, 2, 9}) {
            List<Double> ticks = Ticks.of(new Plot.Axis("", AxisUnit.MILLIS, Plot.Scale.LOG), 1.38, 1.38 + width);
            assertThat(ticks)
                    .as("%s decades", width)
                    .hasSizeBetween(2, 8)
                    .allSatisfy(tick -> assertThat(Math.log10(tick)).isBetween(1.38 - 1e-9, 1.38 + width + 1e-9));
        }
        for (double length : new double[] {0.5, 5, 45, 3000, 100_000, 3e6}) {
            List<Double> ticks = Ticks.of(new Plot.Axis("", AxisUnit.CLOCK, Plot.Scale.LINEAR), -1, length);
            assertThat(ticks).as("%s s", length).hasSizeBetween(2, 8).contains(0.0);
        }
    }
}
