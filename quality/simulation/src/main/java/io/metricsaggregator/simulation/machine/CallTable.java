package io.metricsaggregator.simulation.machine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The calls that are replaced while the daemon's classes are loaded, and the calls that must not be reached unless they are. */
public final class CallTable {
    private static final String PROJECT = "io.metricsaggregator.";
    private static final String JDK = "io/metricsaggregator/simulation/machine/JdkCalls";
    private static final String QUEUES = "io/metricsaggregator/simulation/machine/QueueCalls";
    private static final String NET = "io/metricsaggregator/simulation/net/NetCalls";
    private static final String DAEMON = "io/metricsaggregator/simulation/life/DaemonCalls";
    /** A stream that is constructed in place of another one. */
    public static final Map<String, String> CONSTRUCTED = Map.of("java/io/FileOutputStream", JDK + "$Console");

    /** Sizes of the memory of values, and the values for which further threads start: those of a life are too few for more than one piece and thread. */
    private static final Map<Object, String> VALUES =
            Map.of(4096, "valuesInBlock", 128, "valuesStaged", 256 << 10, "slabBytes", 1L << 20, "valuesShared");

    private static final Map<String, Target> TARGETS = new HashMap<>();
    /** Calls after which a life is shown their result. */
    private static final Map<String, Target> AFTER = Map.of(
            "io/metricsaggregator/journal/BlockPool.take", new Target(DAEMON, "blockTaken", "(Ljava/lang/Object;)V"));
    /** Calls before which a life is shown their only argument. */
    private static final Map<String, Target> BEFORE = Map.of(
            "io/metricsaggregator/journal/BlockPool.give", new Target(DAEMON, "blockGiven", "(Ljava/lang/Object;)V"));
    /** Waits, starts a thread, reads a clock, draws chance, or leaves the process, as {@code class.method}. */
    private static final Pattern WATCHED = Pattern.compile(
            "java/lang/(System\\.(nanoTime|currentTimeMillis)|Object\\.(wait|notify|notifyAll)|Math\\.random"
                    + "|Thread\\.(start|startVirtualThread|of.*|sleep|yield|join|isAlive|interrupt|currentThread|onSpinWait|setDefault.*)|Process.*|Runtime\\..*[mM]emory"
                    + "|Runtime\\.(exec|availableProcessors))"
                    + "|java/util/concurrent/(locks/|CountDownLatch\\.(await|countDown)|FutureTask\\.get|Semaphore\\.(acquire|tryAcquire|release)"
                    + "|[A-Za-z]*(Queue|Deque)\\.(put|take)|[A-Za-z]*Blocking(Queue|Deque)\\.(add|offer|poll|remove|drainTo|clear)|Executor.*|CompletableFuture\\.|ForkJoin|Phaser|ThreadLocalRandom|CyclicBarrier|Exchanger)"
                    + ".*|java/(time/(Instant|LocalDate|LocalTime|LocalDateTime|ZonedDateTime|OffsetDateTime)\\.now|time/Clock\\..*)"
                    + "|java/util/(Random|Timer|Date)\\.<init>|java/util/Collection\\.parallelStream|java/util/stream/[A-Za-z]*Stream\\.parallel"
                    + "|java/security/SecureRandom\\.next.*|java/util/UUID\\.randomUUID|java/nio/file/(Path\\.of|Paths\\.get|Files\\.createTemp.*)"
                    + "|java/nio/channels/(Selector|SocketChannel|ServerSocketChannel)\\.open|java/net/.*Socket\\..*"
                    + "|java/lang/management/ManagementFactory\\..*");
    /** Watched calls that mean the same in virtual time. */
    private static final List<String> HARMLESS =
            List.of("java/lang/Runtime.freeMemory", "java/lang/ProcessHandle.current");

    /** Beginnings of the names of classes, after the project's own prefix, that make such calls and that no life reaches, with the reason. */
    public static final Map<String, String> NOT_SIMULATED = notSimulated();

    private static Map<String, String> notSimulated() {
        Map<String, String> reasons = new TreeMap<>();
        String collectors = "lives have no collector";
        String exporters = "lives have no exporter";
        String texts = "words take the place of a model's tokens";
        String transport = "SimulatedNetwork takes its place, and lives over ZMTP only bind sockets";
        reasons.put("collect.HttpGet", collectors);
        reasons.put("daemon.Exporters", exporters);
        reasons.put("daemon.ParentProcess", "lives have no parent");
        reasons.put("fleet.FleetState", "fleets keep no state over their end");
        reasons.put("http.", exporters);
        reasons.put("run.ProcessFigures", "it is refused the first figure, and asks for no other");
        reasons.put("template.Globals", texts);
        reasons.put("tokens.HuggingFaceTokenCounter", texts);
        reasons.put("transport.RelayTransport", transport);
        reasons.put("transport.zmtp.", transport);
        reasons.put("web.", exporters);
        return Map.copyOf(reasons);
    }

    /** A static method: its class, name and descriptor, in the form of class files. */
    public record Target(String owner, String name, String descriptor) {}

    private CallTable() {}

    static {
        String thread = "java/lang/Thread";
        String support = "java/util/concurrent/locks/LockSupport";
        ofStatic("java/lang/System", "nanoTime", "()J", "nanoTime");
        ofStatic("java/lang/System", "currentTimeMillis", "()J", "currentTimeMillis");
        ofStatic("java/time/Instant", "now", "()Ljava/time/Instant;", "instantNow");
        ofStatic(support, "park", "()V", "park");
        ofStatic(support, "park", "(Ljava/lang/Object;)V", "park");
        ofStatic(support, "parkNanos", "(J)V", "parkNanos");
        ofStatic(support, "parkNanos", "(Ljava/lang/Object;J)V", "parkNanos");
        ofStatic(support, "unpark", "(Ljava/lang/Thread;)V", "unpark");
        ofStatic(thread, "currentThread", "()Ljava/lang/Thread;", "currentThread");
        ofStatic(
                thread,
                "setDefaultUncaughtExceptionHandler",
                "(Ljava/lang/Thread$UncaughtExceptionHandler;)V",
                "handleUncaught");
        ofMethod(thread, "start", "()V", "start");
        ofMethod(thread, "isAlive", "()Z", "isAlive");
        ofMethod(thread, "join", "()V", "join");
        ofMethod(thread, "interrupt", "()V", "interrupt");
        ofMethod("java/util/concurrent/CountDownLatch", "await", "(JLjava/util/concurrent/TimeUnit;)Z", "await");
        ofMethod("java/util/concurrent/CountDownLatch", "countDown", "()V", "countDown");
        ofMethod(
                "java/util/concurrent/FutureTask",
                "get",
                "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;",
                "get");
        for (String kind : List.of("", "Array", "Linked")) {
            ofQueue(kind, "take", "()Ljava/lang/Object;");
            ofQueue(kind, "put", "(Ljava/lang/Object;)V");
            ofQueue(kind, "add", "(Ljava/lang/Object;)Z");
            ofQueue(kind, "offer", "(Ljava/lang/Object;)Z");
            ofQueue(kind, "poll", "()Ljava/lang/Object;");
            ofQueue(kind, "poll", "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;");
            ofQueue(kind, "drainTo", "(Ljava/util/Collection;)I");
            ofQueue(kind, "clear", "()V");
        }
        String semaphore = "java/util/concurrent/Semaphore";
        ofDaemon(semaphore + ".acquire(I)V", new Target(QUEUES, "acquire", "(L" + semaphore + ";I)V"));
        ofDaemon(semaphore + ".release()V", new Target(QUEUES, "release", "(L" + semaphore + ";)V"));
        ofDaemon(semaphore + ".release(I)V", new Target(QUEUES, "release", "(L" + semaphore + ";I)V"));
        ofMethod("java/security/SecureRandom", "nextLong", "()J", "nextLong");
        ofMethod("java/security/SecureRandom", "nextBytes", "([B)V", "nextBytes");
        ofStatic("java/nio/file/Path", "of", "(Ljava/lang/String;[Ljava/lang/String;)Ljava/nio/file/Path;", "path");
        ofStatic(
                "java/nio/file/Files",
                "createTempFile",
                "(Ljava/nio/file/Path;Ljava/lang/String;Ljava/lang/String;[Ljava/nio/file/attribute/FileAttribute;)Ljava/nio/file/Path;",
                "createTempFile");
        ofMethod("java/lang/ProcessHandle", "pid", "()J", "pid");
        ofMethod("java/lang/Runtime", "availableProcessors", "()I", "availableProcessors");
        ofMethod("java/lang/Runtime", "totalMemory", "()J", "totalMemory");
        ofMethod("java/lang/Runtime", "maxMemory", "()J", "maxMemory");
        ofStatic(
                "java/lang/management/ManagementFactory",
                "getGarbageCollectorMXBeans",
                "()Ljava/util/List;",
                "garbageCollectors");
        String channels = "()Ljava/nio/channels/";
        ofDaemon(
                "java/nio/channels/Selector.open" + channels + "Selector;",
                new Target(NET, "openSelector", channels + "Selector;"));
        ofDaemon(
                "java/nio/channels/ServerSocketChannel.open" + channels + "ServerSocketChannel;",
                new Target(NET, "openServer", channels + "ServerSocketChannel;"));
        String transport = "io/metricsaggregator/transport/Transport";
        ofDaemon(
                transport + "s.open(L" + transport + "Options;)L" + transport + ";",
                new Target(DAEMON, "openTransport", "(L" + transport + "Options;)L" + transport + ";"));
        ofDaemon(
                "io/metricsaggregator/daemon/Signals.handle(Ljava/lang/Runnable;Lio/metricsaggregator/daemon/Signals$Interactive;)V",
                new Target(DAEMON, "handleSignals", "(Ljava/lang/Runnable;Ljava/lang/Object;)V"));
        String ingest = "io/metricsaggregator/ingest/Ingest";
        ofDaemon(ingest + ".close()V", new Target(DAEMON, "closeIngest", "(L" + ingest + ";)V"));
        ofDaemon(
                "io/metricsaggregator/journal/SegmentSpeed.isPacked()Z",
                new Target(DAEMON, "isPacked", "(Ljava/lang/Object;)Z"));
        String run = "io/metricsaggregator/run/";
        ofDaemon(
                run + "RunAssembler.live(JL" + run + "RunJournal;)L" + run + "LiveRun;",
                new Target(DAEMON, "live", "(L" + run + "RunAssembler;JL" + run + "RunJournal;)L" + run + "LiveRun;"));
    }

    private static void ofStatic(String owner, String name, String descriptor, String replacement) {
        TARGETS.put(owner + "." + name + descriptor, new Target(JDK, replacement, descriptor));
    }

    private static void ofMethod(String owner, String name, String descriptor, String replacement) {
        TARGETS.put(
                owner + "." + name + descriptor,
                new Target(JDK, replacement, "(L" + owner + ";" + descriptor.substring(1)));
    }

    /** A method of a queue, replaced by one whose first argument is any {@link java.util.concurrent.BlockingQueue}. */
    private static void ofQueue(String kind, String name, String descriptor) {
        String any = "(Ljava/util/concurrent/BlockingQueue;";
        TARGETS.put(
                "java/util/concurrent/" + kind + "BlockingQueue." + name + descriptor,
                new Target(QUEUES, name, any + descriptor.substring(1)));
    }

    private static void ofDaemon(String call, Target target) {
        TARGETS.put(call, target);
    }

    /** Returns the static method that is called in place of a method; null if the call stays. */
    public static @Nullable Target target(String owner, String name, String descriptor) {
        return TARGETS.get(owner + "." + name + descriptor);
    }

    /** Returns the static method that is shown the result of a method; null for none. */
    public static @Nullable Target after(String owner, String name) {
        return AFTER.get(owner + "." + name);
    }

    /** Returns the static method that is shown the only argument of a method before it is called; null for none. */
    public static @Nullable Target before(String owner, String name) {
        return BEFORE.get(owner + "." + name);
    }

    /** Returns the static method that gives a constant of a class, by the class's internal name; null if the constant stays. */
    public static @Nullable Target constant(String in, Object value) {
        boolean ofValues = in.startsWith("io/metricsaggregator/registry/raw/")
                || in.endsWith("/storage/ValueStorage")
                || in.endsWith("/registry/ExactPass");
        String smaller = ofValues ? VALUES.get(value) : null;
        return smaller == null ? null : new Target(DAEMON, smaller, value instanceof Long ? "()J" : "()I");
    }

    /** Whether a life that reaches this call, which is not replaced, must fail. */
    public static boolean isWatched(String owner, String name) {
        String call = owner + "." + name;
        return WATCHED.matcher(call).matches() && !HARMLESS.contains(call);
    }

    /** Why no life reaches a class, by its name with dots; null if lives may reach it. */
    public static @Nullable String notSimulated(String className) {
        return NOT_SIMULATED.entrySet().stream()
                .filter(each -> className.startsWith(PROJECT + each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }
}
