package io.metricsaggregator.daemon;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What signals do. TERM and HUP interrupt the run. INT reaches the whole process group when somebody types ^C, so a sidecar
 * leaves it to its parent to end the run; a second one within two seconds, or any in the foreground, interrupts.
 *
 * <p>The JDK has no public way to handle a signal and go on; {@code sun.misc.Signal} is the supported unofficial one (module
 * jdk.unsupported), reached by reflection because compilers warn of it in a way that cannot be silenced.
 */
final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);
    private static final long SECOND_INT_NANOS = 2_000_000_000L;

    private final Runnable interrupt;
    private final boolean foreground;
    private long lastIntNanos;
    private boolean intSeen;

    private Signals(Runnable interrupt, boolean foreground) {
        this.interrupt = interrupt;
        this.foreground = foreground;
    }

    /**
     * Starts handling them.
     *
     * @param interrupt called on a thread of the JVM's; must only set a flag
     * @throws IllegalStateException if the JVM was told to keep signals to itself ({@code -Xrs})
     */
    static void handle(Runnable interrupt, boolean foreground) {
        Signals signals = new Signals(interrupt, foreground);
        install("TERM", signals::terminate);
        install("HUP", signals::terminate);
        install("INT", signals::interactive);
    }

    private void terminate() {
        interrupt.run();
    }

    private synchronized void interactive() {
        long now = System.nanoTime();
        boolean second = intSeen && now - lastIntNanos < SECOND_INT_NANOS;
        intSeen = true;
        lastIntNanos = now;
        if (foreground || second) {
            interrupt.run();
        } else {
            LOG.warn("SIGINT ignored: the end of the session ends the run. Once more within 2 s interrupts it");
        }
    }

    private static void install(String name, Runnable action) {
        try {
            Class<?> signalClass = Class.forName("sun.misc.Signal");
            Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
            Object handler = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handlerClass}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                            return null;
                        }
                        return switch (method.getName()) {
                            case "hashCode" -> System.identityHashCode(proxy);
                            case "equals" -> arguments != null && proxy == arguments[0];
                            default -> "handler of SIG" + name;
                        };
                    });
            Object signal = signalClass.getConstructor(String.class).newInstance(name);
            Method handle = signalClass.getMethod("handle", signalClass, handlerClass);
            handle.invoke(null, signal, handler);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(
                    "cannot handle SIG" + name + " (" + e.getCause() + "); is the JVM run with -Xrs?", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM has no sun.misc.Signal", e);
        }
    }
}
