package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.ContractRun;
import io.metricsaggregator.analysis.ExampleFleet;
import io.metricsaggregator.analysis.ViewContract;
import io.metricsaggregator.analysis.ViewContract.Medium;
import io.metricsaggregator.analysis.ViewContract.Scope;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The documents of the live page keep the contract of views. */
class PageContractTest {
    private static String json(Map<String, Object> document) {
        return new String(JsonTree.writeLine(document), StandardCharsets.UTF_8).stripTrailing();
    }

    @ParameterizedTest
    @EnumSource(ContractRun.class)
    void theLivePage(ContractRun run) {
        RecentRun recent = new RecentRun();
        MetricsSnapshot snapshot = run.snapshot();
        recent.add(snapshot);
        Scope most = snapshot.state().isTerminal() ? Scope.WHOLE : Scope.FIGURES;
        Scope scope = run == ContractRun.NOTHING ? Scope.PART : most;
        ViewContract.check(run, "figures now", Medium.PAGE, scope, 0, () -> json(PageModel.now(snapshot, recent, 10)));
        ViewContract.check(run, "history", Medium.PAGE, Scope.PART, 0, () -> json(PageModel.history(snapshot, recent)));
    }

    @ParameterizedTest
    @EnumSource(ContractRun.class)
    void theLivePageOfAFleet(ContractRun run) {
        RecentRun recent = new RecentRun();
        MetricsSnapshot fleet = ExampleFleet.with(run.snapshot(), ExampleFleet.large(60));
        recent.add(fleet);
        ViewContract.check(run, "fleet now", Medium.PAGE, Scope.PART, 0, () -> json(PageModel.now(fleet, recent, 10)));
        ViewContract.check(
                run, "history of a fleet", Medium.PAGE, Scope.PART, 0, () -> json(PageModel.history(fleet, recent)));
    }
}
