package io.metricsaggregator.flink.run;

import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Settings of Flink that every job of this module needs. Stateless. */
public final class JobSettings {
    private static final int FAILURES_MAX = 10;
    private static final Duration FAILURES_INTERVAL = Duration.ofMinutes(5);
    private static final Duration RESTART_DELAY = Duration.ofSeconds(1);

    private JobSettings() {}

    /**
     * Refuses types that Flink could only serialize by reflection, and reuses records within a chain. Restarts a job up to
     * {@value #FAILURES_MAX} times in 5 minutes, unless the cluster or the command line names a restart strategy: without one, a job with
     * checkpoints restarts for ever.
     */
    public static void apply(StreamExecutionEnvironment environment) {
        Configuration settings = new Configuration();
        settings.set(PipelineOptions.GENERIC_TYPES, false);
        settings.set(PipelineOptions.OBJECT_REUSE, true);
        if (environment
                .getConfiguration()
                .getOptional(RestartStrategyOptions.RESTART_STRATEGY)
                .isEmpty()) {
            settings.set(
                    RestartStrategyOptions.RESTART_STRATEGY,
                    RestartStrategyOptions.RestartStrategyType.FAILURE_RATE.getMainValue());
            settings.set(RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_MAX_FAILURES_PER_INTERVAL, FAILURES_MAX);
            settings.set(RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_FAILURE_RATE_INTERVAL, FAILURES_INTERVAL);
            settings.set(RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_DELAY, RESTART_DELAY);
        }
        environment.configure(settings);
    }
}
