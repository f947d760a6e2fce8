package io.metricsaggregator.run;

import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.ingest.FrameLog;
import io.metricsaggregator.registry.Registry;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The journal of a run that keeps none: it recovers nothing, writes nothing and registers no counter. */
final class NoJournal implements RunJournal {
    private final JournalRecovery nothingRecovered = new JournalRecovery();

    @Override
    public EventDecoder decoder() {
        return new EventDecoder();
    }

    @Override
    public void register(Registry registry) {}

    @Override
    public void settle(long nowNanos) {}

    @Override
    public void refreshCounters() {}

    @Override
    public void recover(RunParts parts) {}

    @Override
    public JournalRecovery recovery() {
        return nothingRecovered;
    }

    @Override
    public FrameLog write(RunIdentity identity) {
        return FrameLog.NONE;
    }

    @Override
    public boolean isResumed() {
        return false;
    }

    @Override
    public boolean isSettling() {
        return false;
    }

    @Override
    public void settled() {}

    @Override
    public void broken() {}

    @Override
    public void outage(long fromWallNanos, long toWallNanos) {}

    @Override
    public void finish(long nanos, long wallNanos) {}

    @Override
    public @Nullable Path folder() {
        return null;
    }

    @Override
    public RunJournal next() {
        throw new IllegalStateException("a run without a journal is never resumed, so no run follows it");
    }

    @Override
    public void leave() {}

    @Override
    public void close() {}

    @Override
    public void abandon() {}
}
