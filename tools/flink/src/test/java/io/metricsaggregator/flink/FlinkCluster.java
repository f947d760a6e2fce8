package io.metricsaggregator.flink;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.LoggerFactory;

/** The one cluster of this module's tests, in this process: two task managers of two slots each. Starts with its first use. */
public final class FlinkCluster {
    private static final class Holder {
        static final FlinkCluster CLUSTER = start();
    }

    private final MiniCluster cluster;
    private final URI rest;
    private final Path temporary;

    private FlinkCluster(MiniCluster cluster, URI rest, Path temporary) {
        this.cluster = cluster;
        this.rest = rest;
        this.temporary = temporary;
    }

    /** Returns the cluster, which runs until the process ends. */
    public static FlinkCluster get() {
        return Holder.CLUSTER;
    }

    private static FlinkCluster start() {
        if (LoggerFactory.getLogger("org.apache.flink") instanceof ch.qos.logback.classic.Logger logger) {
            logger.setLevel(ch.qos.logback.classic.Level.ERROR);
        }
        try {
            Path temporary = Files.createTempDirectory("flink-cluster");
            Configuration configuration = new Configuration();
            configuration.set(CoreOptions.TMP_DIRS, temporary.toString());
            configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(16));
            configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(16));
            configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(32));
            MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                    .setConfiguration(configuration)
                    .setNumTaskManagers(2)
                    .setNumSlotsPerTaskManager(2)
                    .withRandomPorts()
                    .build());
            cluster.start();
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> cluster.closeAsync().join()));
            return new FlinkCluster(cluster, cluster.getRestAddress().get(), temporary);
        } catch (Exception e) {
            throw new IllegalStateException("the cluster does not start", e);
        }
    }

    /** The folder for temporary files of the task managers. */
    public Path temporary() {
        return temporary;
    }

    /** The cluster itself, to stop and start task managers. */
    public MiniCluster cluster() {
        return cluster;
    }

    /** A new environment whose jobs run on this cluster, on all its slots. */
    public StreamExecutionEnvironment environment() {
        return environment(new Configuration());
    }

    /** A new environment with settings of a job. */
    public StreamExecutionEnvironment environment(Configuration settings) {
        return StreamExecutionEnvironment.createRemoteEnvironment(rest.getHost(), rest.getPort(), settings);
    }

    /** The outcome of a command line. */
    public record Outcome(int status, String out, String err) {}

    /** Runs the job as its main method does. */
    public Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.execute(this::environment, new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Outcome(status, out.toString(), err.toString());
    }
}
