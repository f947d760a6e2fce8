package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.disk.SimulatedDisk;
import java.nio.file.Path;

/** The folder with the journals of a life's runs, of which the newest is measured. */
final class JournalFolder {
    private final SimulatedDisk disk;
    private final String path;
    /** Name of the folder of the run before; empty during the first. */
    private String earlierRun = "";

    JournalFolder(SimulatedDisk disk, String path) {
        this.disk = disk;
        this.path = path;
    }

    String path() {
        return path;
    }

    /** The next run begins. */
    void nextRun() {
        earlierRun = lastRun();
    }

    /** Whether the run is marked as done. */
    boolean isDone() {
        String run = lastRun();
        return !run.equals(earlierRun) && disk.content(path + "/" + run + "/done") != null;
    }

    /** The newest run's folder. */
    Path run() {
        return disk.getPath(path, lastRun());
    }

    private String lastRun() {
        return disk.names(path).stream().filter(name -> name.startsWith("run-")).reduce("", (one, other) -> other);
    }
}
