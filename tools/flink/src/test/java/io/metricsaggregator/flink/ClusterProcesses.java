package io.metricsaggregator.flink;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A standalone cluster of real processes from the class path of the tests: a job manager and two task managers, none of which has classes of
 * this project. The job comes to them in its jar.
 */
final class ClusterProcesses implements AutoCloseable {
    /** Libraries that a distribution of Flink has in its folder lib. */
    private static final Pattern FLINK = Pattern.compile(
            "(flink-(?!connector-kafka)|commons-|kryo|minlog|reflectasm|objenesis|javassist"
                    + "|RoaringBitmap|lz4-java|snappy-java|snakeyaml-engine|slf4j-api|logback-|jsr305|async-profiler).*\\.jar");

    private static final List<String> OPENED =
            List.of("java.util", "java.lang", "java.util.concurrent", "java.time", "java.nio");
    private static final String LOGBACK =
            "<configuration><appender name='o' class='ch.qos.logback.core.ConsoleAppender'><encoder><pattern>%d %p %c{0}"
                    + " %m%n</pattern></encoder></appender><root level='INFO'><appender-ref ref='o'/></root></configuration>";

    private final Path folder;
    private final List<Process> taskManagers = new ArrayList<>();
    private final Process jobManager;
    private int started;

    ClusterProcesses(Path folder) throws IOException {
        this.folder = folder;
        Files.writeString(folder.resolve("logback.xml"), LOGBACK);
        Files.createDirectories(folder.resolve("tmp"));
        Files.write(folder.resolve("config.yaml"), configuration(freePort(), freePort()));
        jobManager = start("jobmanager", "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint");
        startTaskManager();
        startTaskManager();
    }

    private List<String> configuration(int rpcPort, int restPort) {
        return List.of(
                "jobmanager.rpc.address: 127.0.0.1",
                "jobmanager.rpc.port: " + rpcPort,
                "rest.address: 127.0.0.1",
                "rest.port: " + restPort,
                "rest.bind-address: 127.0.0.1",
                "taskmanager.bind-host: 127.0.0.1",
                "taskmanager.host: 127.0.0.1",
                "taskmanager.numberOfTaskSlots: 2",
                "taskmanager.cpu.cores: 1.0",
                "taskmanager.memory.framework.heap.size: 128m",
                "taskmanager.memory.framework.off-heap.size: 128m",
                "taskmanager.memory.jvm-metaspace.size: 256m",
                "taskmanager.memory.jvm-overhead.min: 192m",
                "taskmanager.memory.jvm-overhead.max: 192m",
                "taskmanager.memory.task.heap.size: 300m",
                "taskmanager.memory.task.off-heap.size: 128m",
                "taskmanager.memory.network.min: 32m",
                "taskmanager.memory.network.max: 32m",
                "taskmanager.memory.managed.size: 32m",
                "heartbeat.interval: 500",
                "heartbeat.timeout: 4000",
                "io.tmp.dirs: " + folder.resolve("tmp"),
                "execution.checkpointing.interval: 200 ms",
                "restart-strategy.type: fixed-delay",
                "restart-strategy.fixed-delay.attempts: 100",
                "restart-strategy.fixed-delay.delay: 500 ms");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(":"))
                .filter(each ->
                        FLINK.matcher(Path.of(each).getFileName().toString()).matches())
                .collect(Collectors.joining(":"));
    }

    private ProcessBuilder java(String main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx512m",
                "-XX:MaxDirectMemorySize=256m",
                "-Dlogback.configurationFile=" + folder.resolve("logback.xml")));
        OPENED.forEach(each -> command.add("--add-opens=java.base/" + each + "=ALL-UNNAMED"));
        command.addAll(List.of("-cp", classPath(), main));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("FLINK_CONF_DIR", folder.toString());
        return builder;
    }

    private Process start(String name, String main) throws IOException {
        return java(main, "--configDir", folder.toString())
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
    }

    /** Starts one more task manager. */
    void startTaskManager() throws IOException {
        taskManagers.add(start("taskmanager-" + started++, "org.apache.flink.runtime.taskexecutor.TaskManagerRunner"));
    }

    /** Kills a task manager with SIGKILL, and starts another. */
    void killTaskManager(int place) throws IOException, InterruptedException {
        Process killed = taskManagers.remove(place);
        killed.destroyForcibly();
        killed.waitFor();
        startTaskManager();
    }

    /** Submits a job's jar with the command line of Flink; the output is in {@code submit.log}. */
    Process submit(Path jar, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("run", "-p", "4", jar.toString()));
        all.addAll(List.of(arguments));
        return java("org.apache.flink.client.cli.CliFrontend", all.toArray(String[]::new))
                .redirectOutput(folder.resolve("submit.log").toFile())
                .start();
    }

    /** What the processes have said, for the message of a failed test. */
    String logs() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList()) {
                String log = Files.readString(each);
                text.append(each.getFileName())
                        .append(":\n")
                        .append(log, Math.max(0, log.length() - 8000), log.length())
                        .append('\n');
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        List<Process> all = new ArrayList<>(taskManagers);
        all.add(jobManager);
        all.forEach(Process::destroyForcibly);
        all.forEach(each ->
                each.onExit().completeOnTimeout(each, 10, TimeUnit.SECONDS).join());
    }
}
