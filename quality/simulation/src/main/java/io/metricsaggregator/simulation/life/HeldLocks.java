package io.metricsaggregator.simulation.life;

import io.metricsaggregator.transport.LockFile;
import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Set;

/** The locks that the daemon's process holds: they end with it, however it ends, and lives share the static field that lists them. */
final class HeldLocks {
    private static final Set<Object> HELD = held();
    private static final Set<Object> OTHERS = new HashSet<>();

    private HeldLocks() {}

    @SuppressWarnings("unchecked") // a set of paths
    private static Set<Object> held() {
        try {
            Field field = LockFile.class.getDeclaredField("HELD_HERE");
            field.setAccessible(true);
            return (Set<Object>) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the simulation does not know these locks", e);
        }
    }

    static void forget() {
        HELD.clear();
        OTHERS.clear();
    }

    /** Another process runs from now on: the set has its locks, until the next call. */
    static void swap() {
        Set<Object> ours = new HashSet<>(HELD);
        HELD.clear();
        HELD.addAll(OTHERS);
        OTHERS.clear();
        OTHERS.addAll(ours);
    }
}
