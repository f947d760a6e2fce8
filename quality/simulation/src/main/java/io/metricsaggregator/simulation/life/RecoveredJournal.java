package io.metricsaggregator.simulation.life;

import io.metricsaggregator.run.RunJournal;
import java.lang.reflect.Method;

/**
 * What a process read back of its journal.
 *
 * @param frames frames read back
 * @param missed frames that earlier processes could not write, by their own count
 * @param holes entries that are missing by their numbers
 */
record RecoveredJournal(int frames, long missed, long holes) {

    /** Asks the daemon's objects, of which only the journal itself is public. */
    static RecoveredJournal of(RunJournal journal) {
        try {
            Object recovery = journal.recovery();
            Method access = recovery.getClass().getDeclaredMethod("reader");
            access.setAccessible(true);
            io.metricsaggregator.journal.JournalReader reader =
                    (io.metricsaggregator.journal.JournalReader) access.invoke(recovery);
            return new RecoveredJournal((int) reader.frames(), reader.missedFrames(), reader.missingEntries());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the simulation does not know this journal", e);
        }
    }
}
