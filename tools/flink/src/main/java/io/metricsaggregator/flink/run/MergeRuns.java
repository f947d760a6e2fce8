package io.metricsaggregator.flink.run;

import io.metricsaggregator.flink.output.ResultFile;
import io.metricsaggregator.parts.PartMerge;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.registry.Workers;
import io.metricsaggregator.runs.SnapshotMerge;
import io.metricsaggregator.storage.ValueStorage;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Merges the parts of all runs once the last one is written. It hands nothing on: what an operator hands on at the end of its input
 * would reach timers behind it too late. One task, whose thread owns it.
 */
final class MergeRuns extends AbstractStreamOperator<FoldedRun>
        implements OneInputStreamOperator<FoldedRun, FoldedRun>, BoundedOneInput {
    private static final long serialVersionUID = 1;
    private static final int BUFFER_BYTES = 256 << 10;

    private final FoldSettings settings;
    private transient List<FoldedRun> runs = new ArrayList<>();

    MergeRuns(FoldSettings settings) {
        this.settings = settings;
    }

    @Override
    public void open() throws Exception {
        super.open();
        runs = new ArrayList<>();
    }

    @Override
    public void processElement(StreamRecord<FoldedRun> element) {
        runs.add(element.getValue());
    }

    @Override
    public void endInput() throws IOException {
        if (runs.isEmpty()) {
            return;
        }
        // Tasks end in any order; the result must not depend on it.
        runs.sort(Comparator.comparingInt(each -> settings.folders().indexOf(each.folder())));
        try (ValueStorage values =
                ValueStorage.patient(settings.valuesMaxBytes(), TaskFiles.temporary(getRuntimeContext()))) {
            List<RunPart> parts = new ArrayList<>();
            for (FoldedRun each : runs) {
                Path file = new Path(new Path(settings.output(), each.id()), ResultFile.PART);
                try (InputStream in =
                        new BufferedInputStream(file.getFileSystem().open(file), BUFFER_BYTES)) {
                    parts.add(RunPart.read(in, values));
                }
            }
            PartMerge merge = new PartMerge(parts, values);
            ResultFile.write(
                    merge.complete(SnapshotMerge.of(merge.snapshots()).snapshot(), Workers.NONE),
                    new Path(settings.output(), ResultFile.MERGED));
        }
    }
}
