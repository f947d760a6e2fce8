package io.metricsaggregator.simulation.weave;

import io.metricsaggregator.simulation.machine.Coroutine;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import jdk.internal.misc.Unsafe;

/** Starts the simulation: {@code quality/simulation/run} calls it with its own arguments. */
public final class Simulate {
    private static final String COMMAND = "io.metricsaggregator.simulation.life.SimulateCommand";

    private Simulate() {}

    /** Runs the command within the class loader that weaves. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        pinOrderOfImmutableCollections();
        Weaver weaver = new Weaver(Simulate.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(weaver);
        try {
            weaver.loadClass(COMMAND)
                    .getMethod("run", Coroutine.Factory.class, String[].class)
                    .invoke(null, new Continuations(), arguments);
        } catch (InvocationTargetException e) {
            e.getCause().printStackTrace();
            System.exit(2);
        }
    }

    /** Each JVM iterates over {@code Set.of} and {@code Map.of} by a salt of its own: the same life would write other bytes in another JVM. */
    private static void pinOrderOfImmutableCollections() throws ReflectiveOperationException {
        Unsafe unsafe = Unsafe.getUnsafe();
        Class<?> collections = Class.forName("java.util.ImmutableCollections");
        Field salt = collections.getDeclaredField("SALT32L");
        Field reverse = collections.getDeclaredField("REVERSE");
        unsafe.putLong(unsafe.staticFieldBase(salt), unsafe.staticFieldOffset(salt), 0x1234567L);
        unsafe.putBoolean(unsafe.staticFieldBase(reverse), unsafe.staticFieldOffset(reverse), false);
    }
}
