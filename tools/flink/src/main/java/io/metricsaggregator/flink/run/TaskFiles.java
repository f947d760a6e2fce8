package io.metricsaggregator.flink.run;

import java.nio.file.Path;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

/** Folders of a task manager. Stateless. */
final class TaskFiles {
    private TaskFiles() {}

    /** A folder for temporary files of a task; the tasks of a task manager share its folders evenly. */
    static Path temporary(RuntimeContext task) {
        String[] folders =
                ((StreamingRuntimeContext) task).getTaskManagerRuntimeInfo().getTmpDirectories();
        return Path.of(folders[task.getTaskInfo().getIndexOfThisSubtask() % folders.length]);
    }
}
