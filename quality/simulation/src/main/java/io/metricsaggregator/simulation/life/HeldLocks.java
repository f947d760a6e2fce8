package io.metricsaggregator.simulation.life;

import io.metricsaggregator.transport.LockFile;
import java.lang.reflect.Field;
import java.util.Set;

/** The locks that the daemon's process holds: they end with it, however it ends, and lives share the static field that lists them. */
final class HeldLocks {
    private static final Set<?> HELD = held();

    private HeldLocks() {}

    private static Set<?> held() {
        try {
            Field field = LockFile.class.getDeclaredField("HELD_HERE");
            field.setAccessible(true);
            return (Set<?>) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the simulation does not know these locks", e);
        }
    }

    static void forget() {
        HELD.clear();
    }
}
