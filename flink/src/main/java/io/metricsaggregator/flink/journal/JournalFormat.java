package io.metricsaggregator.flink.journal;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;

/**
 * Gives the entries of runs in order; a split is the folder of a run, see {@link RunEnumerator}. The position in a checkpoint is the
 * sequence number of an entry. A restored reader reads its run from the start, without handing on what was read before, so that
 * what it says of damage is that of the whole run. A reader belongs to the source's thread.
 */
public final class JournalFormat implements BulkFormat<JournalEntry, FileSourceSplit> {
    private static final long serialVersionUID = 1;

    @Override
    public Reader<JournalEntry> createReader(Configuration config, FileSourceSplit split) throws IOException {
        return restoreReader(config, split);
    }

    @Override
    public Reader<JournalEntry> restoreReader(Configuration config, FileSourceSplit split) throws IOException {
        long from = 0;
        long skipped = 0;
        CheckpointedPosition position = split.getReaderPosition().orElse(null);
        if (position != null) {
            from = position.getOffset();
            skipped = position.getRecordsAfterOffset();
        }
        return new EntryReader(StoredRun.list(split.path()), from, skipped);
    }

    @Override
    public boolean isSplittable() {
        return false;
    }

    @Override
    public TypeInformation<JournalEntry> getProducedType() {
        return TypeInformation.of(JournalEntry.class);
    }
}
