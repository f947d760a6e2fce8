package io.metricsaggregator.daemon;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Handlers of POSIX signals.
 *
 * <p>The JDK has no public way to handle a signal and continue; {@code sun.misc.Signal} is the supported unofficial one (module
 * jdk.unsupported), reached by reflection because the compiler's warning about it cannot be suppressed.
 */
public final class UnixSignals {
    private UnixSignals() {}

    /**
     * Replaces the handler of a signal.
     *
     * @param name the signal without its prefix, such as {@code TERM}
     * @param action called on a thread of the JVM for each delivery; must return soon
     * @throws IllegalStateException if the JVM runs with {@code -Xrs} or has no {@code sun.misc.Signal}
     */
    public static void handle(String name, Runnable action) {
        try {
            Class<?> signalClass = Class.forName("sun.misc.Signal");
            Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
            Object handler = Proxy.newProxyInstance(
                    UnixSignals.class.getClassLoader(), new Class<?>[] {handlerClass}, (proxy, method, arguments) -> {
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
