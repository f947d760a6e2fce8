package io.metricsaggregator.it;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;

/** A debugger attached to a daemon, which suspends a thread or makes it throw an Error, as no input can. */
final class Debugger implements AutoCloseable {
    private final VirtualMachine machine;

    private Debugger(VirtualMachine machine) {
        this.machine = machine;
    }

    /** Returns the JVM options that allow a debugger to attach; with port 0 the JVM chooses and prints a port. */
    static List<String> jvmOptions() {
        return List.of("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0");
    }

    static Debugger attach(RunningProcess process) {
        String marker = "Listening for transport dt_socket at address: ";
        process.awaitOut(marker);
        String port = process.out()
                .lines()
                .filter(line -> line.startsWith(marker))
                .findFirst()
                .map(line -> line.substring(marker.length()).trim())
                .orElseThrow();
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        Objects.requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
        Objects.requireNonNull(arguments.get("port")).setValue(port.substring(port.indexOf(':') + 1));
        try {
            return new Debugger(connector.attach(arguments));
        } catch (IOException | com.sun.jdi.connect.IllegalConnectorArgumentsException e) {
            throw new AssertionError(e);
        }
    }

    private ThreadReference thread(String name) {
        return machine.allThreads().stream()
                .filter(thread -> thread.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("thread " + name + " among " + machine.allThreads()));
    }

    boolean hasThread(String name) {
        return machine.allThreads().stream().anyMatch(thread -> thread.name().equals(name));
    }

    /** Suspends the thread permanently. */
    void hold(String name) {
        thread(name).suspend();
    }

    /**
     * Makes the thread throw an OutOfMemoryError at its current position; the JVM has preallocated instances. Waits until the thread has left
     * the tokenizer, whose native code ends the process where a call back into Java fails.
     */
    void makeThrow(String name) {
        ObjectReference error = machine.classesByName("java.lang.OutOfMemoryError")
                .get(0)
                .instances(1)
                .get(0);
        ThreadReference thread = thread(name);
        Await.until(() -> stop(thread, error), () -> "thread " + name + " outside of the tokenizer");
    }

    /** Returns false, without effect, while the thread is in the tokenizer. */
    private static boolean stop(ThreadReference thread, ObjectReference error) {
        // Newer JVMs require the thread to be suspended for that.
        thread.suspend();
        try {
            if (thread.frames().stream()
                    .anyMatch(frame -> frame.location().declaringType().name().startsWith("ai.djl."))) {
                return false;
            }
            thread.stop(error);
            return true;
        } catch (com.sun.jdi.InvalidTypeException | com.sun.jdi.IncompatibleThreadStateException e) {
            throw new AssertionError(e);
        } finally {
            thread.resume();
        }
    }

    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (com.sun.jdi.VMDisconnectedException gone) {
            // The daemon has ended, and with it the debugger's connection.
            return;
        }
    }
}
