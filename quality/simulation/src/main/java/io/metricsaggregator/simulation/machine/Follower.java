package io.metricsaggregator.simulation.machine;

/** Who follows the processes of a machine. */
public interface Follower {

    /** At every step of the first process, before a fault can strike. */
    default void step(String label) {}

    /** The first process gets SIGTERM. */
    default void terminated() {}

    /** A fault starts another process. */
    default void duplicated(Fault fault) {}

    /** A thread of the first process stands still for ever. */
    default void hung() {}

    /** From now on threads of the other process run, or again those of the first. */
    default void switched() {}
}
