package io.metricsaggregator.simulation.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One machine for one life: a virtual clock, chance from a seed, and the threads of the process that runs on it. At each step another
 * thread may run, a fault may strike, and time passes. Everything runs on the thread that calls {@link #run}; nothing here is thread-safe.
 */
public final class Machine {
    /** Wall clock at virtual time 0, in nanoseconds since 1970 UTC. */
    private static final long WALL_START_NANOS = 1_790_000_000_000_000_000L;

    /** At so many times fewer readings of the clock than steps another thread may run. */
    private static final int CLOCK_SWITCHES = 4;

    private static @Nullable Machine active;

    private final Coroutine.Factory coroutines;
    private final SplittableRandom chance;
    private final FaultPlan faults;
    private final Trace trace;
    private final int switchOneIn;
    private long nowNanos;
    private long wallOffsetNanos;
    private final Map<Fault.Kind, Integer> struck = new EnumMap<>(Fault.Kind.class);
    private long steps;

    // State of the process that runs.
    private Tasks tasks = new Tasks();
    private List<String> deaths = new ArrayList<>();
    private @Nullable Task current;
    private @Nullable End killed;
    /** Of the process, and of another one beside it. */
    private final @Nullable Runnable[] terminate = new Runnable[2];

    private final Thread.@Nullable UncaughtExceptionHandler[] uncaught = new Thread.UncaughtExceptionHandler[2];
    private boolean otherRan;
    private Follower follower = new Follower() {};

    /** How a process ended. */
    public enum End {
        /** Its first thread returned. */
        EXITED,
        KILLED,
        POWER_LOST,
        /** No thread can ever run again. */
        DEADLOCKED,
        /** It still ran at the deadline of {@link Machine#run}. */
        TIMED_OUT
    }

    /**
     * A machine that is switched on; woven code uses it from now on.
     *
     * @param seed source of all chance of the machine
     * @param startNanos virtual time at which it begins
     * @param switchOneIn at one step of so many another thread may run
     */
    public Machine(
            Coroutine.Factory coroutines, long seed, long startNanos, int switchOneIn, FaultPlan faults, Trace trace) {
        this.coroutines = coroutines;
        this.chance = new SplittableRandom(seed);
        this.nowNanos = startNanos;
        this.switchOneIn = switchOneIn;
        this.faults = faults;
        this.trace = trace;
        active = this;
    }

    /** The machine that was made last. */
    public static Machine active() {
        Machine machine = active;
        if (machine == null) {
            throw new IllegalStateException("no machine is simulated");
        }
        return machine;
    }

    /** Virtual time in nanoseconds, which reading does not move. */
    public long now() {
        return nowNanos;
    }

    /** Wall clock in nanoseconds since 1970 UTC. */
    public long wallNanos() {
        return WALL_START_NANOS + wallOffsetNanos + nowNanos;
    }

    /** Lets time pass while no process runs. */
    public void pass(long nanos) {
        nowNanos += nanos;
    }

    /** A reading of the clock by the process, which takes 20 to 400 ns, and after which another thread may run. */
    long readClock() {
        if (current != null) {
            nowNanos += chance.nextInt(20, 400);
            Fault fault = faults.isAtClock() && !current.other ? faults.at(FaultPlan.CLOCK + current.name()) : null;
            if (fault != null) {
                strike(fault);
            }
            if (chance.nextInt(switchOneIn * CLOCK_SWITCHES) == 0) {
                coroutines.suspend();
            }
        }
        return nowNanos;
    }

    /** The machine's source of chance. */
    public SplittableRandom chance() {
        return chance;
    }

    public Trace trace() {
        return trace;
    }

    /** Number of steps since the machine was switched on. */
    public long steps() {
        return steps;
    }

    /** Threads that ended by an exception, in words. */
    public List<String> deaths() {
        return List.copyOf(deaths);
    }

    /** Sets who follows the processes of the machine. */
    public void followedBy(Follower by) {
        follower = by;
    }

    /** Whether the thread that runs belongs to the second process on the machine. */
    public boolean isOther() {
        return current != null && current.other;
    }

    /** Sets the handler of SIGTERM of the process that runs. */
    public void onTerminate(Runnable handler) {
        terminate[isOther() ? 1 : 0] = handler;
    }

    void onUncaught(Thread.UncaughtExceptionHandler handler) {
        uncaught[isOther() ? 1 : 0] = handler;
    }

    /**
     * Runs a process until its first thread ends, it is killed or stands still.
     *
     * @param main body of its first thread, called {@code main}
     * @param untilNanos virtual time at which it is given up
     */
    public End run(Runnable main, long untilNanos) {
        tasks = new Tasks();
        deaths = new ArrayList<>();
        killed = null;
        Arrays.fill(terminate, null);
        Arrays.fill(uncaught, null);
        otherRan = false;
        faults.beginProcess();
        Task first = spawn(new Thread(main, "main"), false);
        List<Task> ready = new ArrayList<>();
        while (!first.ended && killed == null) {
            ready.clear();
            long next = tasks.ready(nowNanos, ready);
            if (ready.isEmpty() && next == Task.NEVER) {
                return End.DEADLOCKED;
            }
            if (ready.isEmpty()) {
                nowNanos = next;
            }
            if (nowNanos > untilNanos) {
                return End.TIMED_OUT;
            }
            if (!ready.isEmpty()) {
                resume(ready.get(ready.size() == 1 ? 0 : chance.nextInt(ready.size())));
            }
        }
        End end = killed == null ? End.EXITED : killed;
        note("process ended: " + end);
        return end;
    }

    private void resume(Task task) {
        if (task.parked) {
            task.wake();
        }
        if (task.other != otherRan) {
            otherRan = task.other;
            follower.switched();
        }
        current = task;
        if (!task.hasRun) {
            task.hasRun = true;
            trace.thread(task.name());
        }
        try {
            task.resume();
        } finally {
            current = null;
        }
    }

    /** Adds a line to the trace's hash. */
    public void note(String what) {
        trace.step(nowNanos, current == null ? "-" : current.name(), what);
    }

    /** Adds a line to the trace that is not part of its hash. */
    public void remark(String what) {
        trace.line(nowNanos, current == null ? "-" : current.name(), what);
    }

    /** Adds bytes that the process made to the trace's hash. */
    public void made(byte[] bytes) {
        trace.bytes(bytes);
    }

    /**
     * A point at which another thread may run, the process may stand still, get a signal or end. Does nothing outside a process.
     *
     * @return the fault that the caller has to carry out; null for none
     */
    public @Nullable Fault step(String label) {
        if (current == null) {
            return null;
        }
        note(label);
        steps++;
        Fault fault = null;
        if (!current.other) {
            follower.step(label);
            fault = faults.at(label);
            if (fault != null) {
                strike(fault);
            }
        }
        nowNanos += chance.nextInt(200, 20_000);
        if (chance.nextInt(switchOneIn) == 0) {
            coroutines.suspend();
        }
        return fault;
    }

    /** How often faults of each kind have struck. */
    public Map<Fault.Kind, Integer> struck() {
        return struck;
    }

    private void strike(Fault fault) {
        struck.merge(fault.kind(), 1, Integer::sum);
        note("FAULT " + fault.kind());
        switch (fault.kind()) {
            case KILL -> die(End.KILLED);
            case POWER_CUT -> die(End.POWER_LOST);
            case PAUSE -> nowNanos += fault.nanos();
            case STALL -> {
                running().stalledNanos = nowNanos + fault.nanos();
                coroutines.suspend();
            }
            case HANG -> {
                follower.hung();
                running().stalledNanos = Task.NEVER;
                coroutines.suspend();
            }
            case CLOCK_JUMP -> wallOffsetNanos += fault.nanos();
            case SIGTERM -> terminate();
            case DUPLICATE_START -> follower.duplicated(fault);
            case IO_ERROR, SHORT_WRITE, DISK_FULL, LYING_DISK -> {
                // The disk carries them out.
            }
        }
    }

    private void die(End how) {
        killed = how;
        coroutines.suspend();
        throw new IllegalStateException("a thread of a killed process was resumed");
    }

    /** Sends SIGTERM to the process; one that has no handler yet is killed. */
    public void terminate() {
        Runnable handler = terminate[0];
        if (handler == null) {
            die(End.KILLED);
        } else {
            follower.terminated();
            spawn(new Thread(handler, "signal"), false);
        }
    }

    /** Waits in the running thread until {@code untilNanos}, or until it is woken. */
    public void parkUntil(long untilNanos) {
        Task task = running();
        if (task.permit) {
            task.permit = false;
            step("permit");
            return;
        }
        task.parked = true;
        task.wakeNanos = untilNanos;
        coroutines.suspend();
        task.permit = false;
    }

    /** Waits until {@code untilNanos} at most, or until {@link #release} is called for the same object. */
    void await(Object awaited, long untilNanos) {
        Task task = running();
        task.awaited = awaited;
        parkUntil(untilNanos);
        task.awaited = null;
    }

    /** Wakes the threads that wait for an object; returns whether any does. */
    boolean release(Object awaited) {
        return tasks.release(awaited);
    }

    /** As {@link java.util.concurrent.locks.LockSupport#unpark}. */
    public void unpark(Thread thread) {
        Task task = tasks.of(thread);
        if (task == null) {
            return;
        }
        if (task.parked) {
            task.wake();
        } else {
            task.permit = true;
        }
        step("unpark " + task.name());
    }

    /** The thread that runs. */
    public Thread currentThread() {
        return current == null ? Thread.currentThread() : current.thread;
    }

    boolean isAlive(Thread thread) {
        Task task = tasks.of(thread);
        return task != null && !task.ended;
    }

    private Task running() {
        Task task = current;
        if (task == null) {
            throw new IllegalStateException("no thread of a process runs");
        }
        return task;
    }

    /** Starts a thread of the process; it runs its own body. */
    public void start(Thread thread) {
        spawn(thread, isOther());
        step("start " + thread.getName());
    }

    /** Starts the first thread of another process beside the one that runs. */
    public void startOther(Thread thread) {
        spawn(thread, true);
    }

    private Task spawn(Thread thread, boolean other) {
        Task task = new Task(thread, other, coroutines.create(() -> body(thread)));
        tasks.add(task);
        return task;
    }

    @SuppressWarnings("DoNotCall") // the thread is never started: this coroutine stands for it
    private void body(Thread thread) {
        try {
            thread.run();
        } catch (Throwable e) {
            died(thread, e);
        }
        Task task = tasks.of(thread);
        if (task != null) {
            task.ended = true;
        }
        release(thread);
    }

    private void died(Thread thread, Throwable cause) {
        deaths.add(thread.getName() + ": " + cause);
        remark("thread died: " + cause);
        Thread.UncaughtExceptionHandler own = thread.getUncaughtExceptionHandler();
        Thread.UncaughtExceptionHandler handler =
                own == null || own instanceof ThreadGroup ? uncaught[isOther() ? 1 : 0] : own;
        if (handler != null) {
            handler.uncaughtException(thread, cause);
        }
    }
}
