package io.metricsaggregator.flink.journal;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.RecordAndPosition;
import org.apache.flink.connector.file.src.util.SingletonResultIterator;
import org.jspecify.annotations.Nullable;

/**
 * Gives the folder of each run as one record, for a fold in the same chain that reads the run itself, twice where it has to. A reader
 * belongs to the source's thread.
 */
public final class RunFormat implements BulkFormat<String, FileSourceSplit> {
    private static final long serialVersionUID = 1;

    @Override
    public Reader<String> createReader(Configuration config, FileSourceSplit split) {
        return new RunReader(split.path().toString(), false);
    }

    @Override
    public Reader<String> restoreReader(Configuration config, FileSourceSplit split) {
        boolean isRead = split.getReaderPosition()
                .filter(position -> position.getRecordsAfterOffset() > 0)
                .isPresent();
        return new RunReader(split.path().toString(), isRead);
    }

    @Override
    public boolean isSplittable() {
        return false;
    }

    @Override
    public TypeInformation<String> getProducedType() {
        return Types.STRING;
    }

    private static final class RunReader implements Reader<String> {
        private final String folder;
        private boolean isRead;

        RunReader(String folder, boolean isRead) {
            this.folder = folder;
            this.isRead = isRead;
        }

        @Override
        public @Nullable RecordIterator<String> readBatch() {
            if (isRead) {
                return null;
            }
            isRead = true;
            SingletonResultIterator<String> one = new SingletonResultIterator<>();
            one.set(folder, RecordAndPosition.NO_OFFSET, 1);
            return one;
        }

        @Override
        public void close() {
            // The folder is read elsewhere.
        }
    }
}
