package io.metricsaggregator.simulation.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A folder: its entries as the process sees them, and those that a power cut leaves, by the order of the changes. */
final class FolderNode extends Node {
    private final TreeMap<String, Node> entries = new TreeMap<>();
    private final TreeMap<String, Node> durable = new TreeMap<>();
    /** Changes since the last fsync, which a power cut keeps up to any one of them. */
    private final List<Runnable> changes = new ArrayList<>();

    @Nullable
    Node entry(String name) {
        return entries.get(name);
    }

    /** The entry that a power cut leaves for certain; null for none. */
    @Nullable
    Node durableEntry(String name) {
        return durable.get(name);
    }

    List<String> names() {
        return List.copyOf(entries.keySet());
    }

    void add(String name, Node node) {
        entries.put(name, node);
        changes.add(() -> durable.put(name, node));
    }

    void remove(String name) {
        entries.remove(name);
        changes.add(() -> durable.remove(name));
    }

    /** Moves an entry into a folder, replacing what has the new name there. */
    void move(String name, FolderNode into, String newName) {
        Node node = entries.remove(name);
        if (node != null) {
            into.entries.put(newName, node);
            // One step of the journal of the file system, kept with the folder that receives the entry.
            into.changes.add(() -> {
                durable.remove(name);
                into.durable.put(newName, node);
            });
        }
    }

    @Override
    void force() {
        changes.forEach(Runnable::run);
        changes.clear();
    }

    @Override
    void forceFailed() {
        // The changes stay in the journal of the file system, and a later fsync may bring them to the disk.
    }

    @Override
    void cutPower(SplittableRandom chance) {
        int kept = changes.isEmpty() ? 0 : chance.nextInt(changes.size() + 1);
        changes.subList(0, kept).forEach(Runnable::run);
        changes.clear();
        entries.clear();
        entries.putAll(durable);
        entries.values().forEach(each -> each.cutPower(chance));
    }

    @Override
    void killProcess() {
        entries.values().forEach(Node::killProcess);
    }
}
