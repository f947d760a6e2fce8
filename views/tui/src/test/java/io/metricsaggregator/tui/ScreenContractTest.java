package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.ContractRun;
import io.metricsaggregator.analysis.ExampleFleet;
import io.metricsaggregator.analysis.ViewContract;
import io.metricsaggregator.analysis.ViewContract.Medium;
import io.metricsaggregator.analysis.ViewContract.Scope;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every page of the screen keeps the contract of views. */
class ScreenContractTest {
    private static void check(ContractRun run, MetricsSnapshot snapshot, Scope whole) {
        for (ViewState.Preset page : ViewState.Preset.values()) {
            for (int width : List.of(40, 80, 200)) {
                for (boolean unicode : width == 80 ? List.of(false, true) : List.of(true)) {
                    History history = new History();
                    history.add(snapshot.timestampNanos(), snapshot);
                    ViewState view = new ViewState();
                    view.preset(page);
                    Screen screen = new Screen(unicode, snapshot, new Screen.Expectation(0, 1000));
                    // The end of a run is its summary on the first page; no page of it is higher than this.
                    boolean first = page == ViewState.Preset.values()[0];
                    Scope most = whole == Scope.WHOLE && !snapshot.state().isTerminal() ? Scope.FIGURES : whole;
                    ViewContract.check(
                            run,
                            "page " + page,
                            Medium.TEXT,
                            first && width >= 80 ? most : Scope.PART,
                            width,
                            () -> screen.text(history, view, snapshot.timestampNanos(), width, 400));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ContractRun.class)
    void theScreen(ContractRun run) {
        check(run, run.snapshot(), run == ContractRun.NOTHING ? Scope.PART : Scope.WHOLE);
    }

    @ParameterizedTest
    @EnumSource(ContractRun.class)
    void theScreenOfAFleet(ContractRun run) {
        check(run, ExampleFleet.with(run.snapshot(), ExampleFleet.large(60)), Scope.PART);
    }
}
