package io.metricsaggregator.simulation.weave;

import io.metricsaggregator.simulation.machine.Coroutine;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/** Coroutines from the JDK's continuations, which virtual threads are made of: a switch costs no thread of the operating system. */
final class Continuations implements Coroutine.Factory {
    private static final ContinuationScope SCOPE = new ContinuationScope("simulation");

    @Override
    public Coroutine create(Runnable body) {
        return new Continuation(SCOPE, body)::run;
    }

    @Override
    public void suspend() {
        Continuation.yield(SCOPE);
    }
}
