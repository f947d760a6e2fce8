package io.metricsaggregator.simulation.disk;

import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.SplittableRandom;

/** A file or a folder of the disk. */
abstract class Node {
    private Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("rwx------");

    Set<PosixFilePermission> permissions() {
        return permissions;
    }

    void permissions(Set<PosixFilePermission> wanted) {
        permissions = Set.copyOf(wanted);
    }

    /** Makes everything durable that the process sees of it. */
    abstract void force();

    /** An fsync failed. */
    abstract void forceFailed();

    /** Leaves what is durable, and any part of the rest. */
    abstract void cutPower(SplittableRandom chance);

    /** The process that used it is gone; what it wrote stays. */
    abstract void killProcess();
}
