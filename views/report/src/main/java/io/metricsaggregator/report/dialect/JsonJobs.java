package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.figures.Jobs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part {@code jobs} of the JSON report: jobs of agents, and calls by tool and by agent. */
final class JsonJobs {
    private static final double NANOS_PER_SECOND = 1e9;

    private JsonJobs() {}

    static Map<String, @Nullable Object> of(Jobs jobs, Report report) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("open", jobs.open());
        tree.put("completed", jobs.completed());
        tree.put("failed", jobs.failed());
        tree.put("unfinished", jobs.unfinished());
        tree.put("per_h_user", jobs.perHourAndUser());
        tree.put("per_h_gpu", report.jobsPerHourAndGpu());
        tree.put("parallelism", jobs.parallelism());
        tree.put("fanout_max", jobs.fanOut());
        Jobs.Path path = jobs.path();
        Map<String, @Nullable Object> critical = new LinkedHashMap<>();
        critical.put("llm", path.llmNanos() / NANOS_PER_SECOND);
        critical.put("tool", path.toolNanos() / NANOS_PER_SECOND);
        critical.put("wait", path.waitNanos() / NANOS_PER_SECOND);
        tree.put("critical_path_s", critical);
        tree.put("tools", calls(jobs.tools()));
        tree.put("agents", calls(jobs.agents()));
        return tree;
    }

    private static List<Object> calls(List<Jobs.Calls> all) {
        return List.copyOf(all.stream().map(JsonJobs::row).toList());
    }

    private static Map<String, @Nullable Object> row(Jobs.Calls calls) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("name", calls.name());
        row.put("calls", calls.count());
        row.put("failed", calls.failed());
        row.put("p50_ms", millis(calls.percentile(50)));
        row.put("p99_ms", millis(calls.percentile(99)));
        return row;
    }

    private static @Nullable Double millis(@Nullable Long nanos) {
        return nanos == null ? null : (Double) (nanos / 1e6);
    }
}
