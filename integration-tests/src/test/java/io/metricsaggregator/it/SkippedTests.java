package io.metricsaggregator.it;

import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Prints one line at the end of a test run with the number of skipped tests and the reasons, so that a passing build does not hide them. */
public final class SkippedTests implements TestExecutionListener {
    private final Map<String, Integer> reasons = new TreeMap<>();

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        count(test, reason);
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            count(test, result.getThrowable().map(Throwable::getMessage).orElse("no reason"));
        }
    }

    private void count(TestIdentifier test, String reason) {
        if (test.isTest() || test.getType().isContainer()) {
            reasons.merge(reason.replace("Assumption failed: ", ""), 1, Integer::sum);
        }
    }

    @Override
    public synchronized void testPlanExecutionFinished(TestPlan plan) {
        int sum = reasons.values().stream().mapToInt(Integer::intValue).sum();
        if (sum > 0) {
            System.out.println("Skipped " + sum + " of the integration tests: " + reasons);
            reasons.clear();
        }
    }
}
