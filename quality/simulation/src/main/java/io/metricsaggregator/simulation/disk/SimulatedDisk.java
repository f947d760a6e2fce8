package io.metricsaggregator.simulation.disk;

import io.metricsaggregator.simulation.machine.Fault;
import io.metricsaggregator.simulation.machine.Machine;
import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The disk of a simulated machine. Every call that changes it is a step, at which a fault can strike. */
public final class SimulatedDisk extends FileSystem {
    private static final int PAGE = 4096;

    private final Machine machine;
    private final FolderNode root = new FolderNode();
    private final DiskProvider provider = new DiskProvider(this);
    private final List<String> failures = new ArrayList<>();
    private final Map<DiskChannel, Long> open = new LinkedHashMap<>();
    /** Locked files, and whether the second process holds the lock: it loses it as soon as it closes any channel of the file. */
    private final IdentityHashMap<Node, Boolean> locks = new IdentityHashMap<>();

    /** Files that the first process has locked since it began, also if it has lost the lock. */
    private final Set<Node> lockedByFirst = Collections.newSetFromMap(new IdentityHashMap<>());

    private final List<Touch> touched = new ArrayList<>();
    private Consumer<Path> whenLockedByOther = path -> {};
    private long fullUntilNanos;
    private long lyingUntilNanos;
    private boolean lied;

    /** A call of the other process that changes the disk, such as {@code write}. */
    public record Touch(String call, Path path) {}

    /** An empty disk. */
    public SimulatedDisk(Machine machine) {
        this.machine = machine;
    }

    /** Adds a folder to the root that no power cut removes. */
    public void addDurableFolder(String name) {
        root.add(name, new FolderNode());
        root.force();
    }

    /** Cuts the power: any part of what was not fsynced is lost. */
    public void cutPower() {
        root.cutPower(machine.chance());
    }

    /** Forgets the mappings of a process that has ended. */
    public void endProcess() {
        root.killProcess();
        open.clear();
        locks.clear();
        lockedByFirst.clear();
        touched.clear();
        fullUntilNanos = 0;
    }

    void opened(DiskChannel channel) {
        if (!machine.isOther()) {
            open.put(channel, machine.now());
        }
    }

    void closed(DiskChannel channel, Node node) {
        open.remove(channel);
        locks.remove(node, machine.isOther());
    }

    /** Takes the lock of a file for the process that runs; false if the other one holds it. */
    boolean lock(Node node, Path path) {
        Boolean held = locks.putIfAbsent(node, machine.isOther());
        if (held != null && held == machine.isOther()) {
            throw new OverlappingFileLockException();
        }
        if (held == null && machine.isOther()) {
            whenLockedByOther.accept(path);
        } else if (held == null) {
            lockedByFirst.add(node);
        }
        return held == null;
    }

    /** Whether the first process has locked a file since it began: it may have given the lock up, by mistake or at its end. */
    public boolean wasLocked(String path) {
        Node node = find(new DiskPath(this, path));
        return node != null && lockedByFirst.contains(node);
    }

    /** Sets what is called when the second process on the machine takes the lock of a file. */
    public void whenLockedByOther(Consumer<Path> check) {
        whenLockedByOther = check;
    }

    /** Calls of the second process that runs, in order. */
    public List<Touch> touched() {
        return touched;
    }

    /** Sets the content of a file that no process writes, and makes its folders. */
    public void put(String path, byte[] content) {
        FolderNode folder = root;
        List<String> names = new DiskPath(this, path).names();
        for (String name : names.subList(0, names.size() - 1)) {
            if (!(folder.entry(name) instanceof FolderNode)) {
                folder.add(name, new FolderNode());
            }
            folder = (FolderNode) Objects.requireNonNull(folder.entry(name));
        }
        FileNode file = new FileNode();
        file.write(content, 0);
        folder.add(names.get(names.size() - 1), file);
    }

    /** The files and folders that the process has open, in the order of opening. */
    public List<Open> open() {
        return open.entrySet().stream()
                .map(each -> new Open(each.getKey().path().toString(), each.getValue()))
                .toList();
    }

    /**
     * An open file or folder.
     *
     * @param sinceNanos virtual time at which it was opened
     */
    public record Open(String path, long sinceNanos) {}

    /** The calls that have failed by a fault, in order, such as {@code force segment-00000001.journal}. */
    public List<String> failures() {
        return failures;
    }

    /** Whether a call has failed by a fault. */
    public boolean hasFailed() {
        return !failures.isEmpty();
    }

    /** Content of a file as the process sees it; null if it is missing. */
    public byte @Nullable [] content(String path) {
        return find(new DiskPath(this, path)) instanceof FileNode file ? file.content() : null;
    }

    /** Content of a file that a power cut leaves for certain; null if it may be lost with its entry or that of a folder above it. */
    public byte @Nullable [] durableContent(String path) {
        Node node = root;
        for (String name : new DiskPath(this, path).names()) {
            node = node instanceof FolderNode folder ? folder.durableEntry(name) : null;
        }
        return node instanceof FileNode file ? file.durableContent() : null;
    }

    /** Whether a power cut could leave a file under this name whose bytes are not those that were written. */
    public boolean isTearable(Path path) {
        return find(path) instanceof FileNode file && file.isDirty();
    }

    /** Names in a folder, sorted; empty if it is missing. */
    public List<String> names(String path) {
        return find(new DiskPath(this, path)) instanceof FolderNode folder ? folder.names() : List.of();
    }

    @Nullable
    Node find(Path path) {
        Node node = root;
        for (String name : DiskPath.of(path).names()) {
            node = node instanceof FolderNode folder ? folder.entry(name) : null;
        }
        return node;
    }

    Node require(Path path) throws NoSuchFileException {
        Node node = find(path);
        if (node == null) {
            throw new NoSuchFileException(path.toString());
        }
        return node;
    }

    FolderNode parent(Path path) throws NoSuchFileException {
        Path parent = path.toAbsolutePath().normalize().getParent();
        if (parent != null && find(parent) instanceof FolderNode folder) {
            return folder;
        }
        throw new NoSuchFileException(path.toString());
    }

    /** A step of the disk; fails if a fault strikes it. */
    void attempt(String call, Path path) throws IOException {
        Fault fault = step(call, path);
        if (fault != null && fault.kind() == Fault.Kind.IO_ERROR) {
            fail(call, path, "Input/output error");
        }
    }

    /** Whether the fsync that was just attempted has to keep nothing. */
    boolean lies() {
        boolean now = machine.now() < lyingUntilNanos;
        lied |= now;
        return now;
    }

    /** Whether an fsync was reported as done that was not. */
    public boolean hasLied() {
        return lied;
    }

    private @Nullable Fault step(String call, Path path) {
        Path name = path.getFileName();
        if (machine.isOther()) {
            touched.add(new Touch(call, path.toAbsolutePath().normalize()));
        }
        Fault fault = machine.step(call + " " + (name == null ? "/" : name));
        if (fault != null && fault.kind() == Fault.Kind.LYING_DISK) {
            lyingUntilNanos = machine.now() + fault.nanos();
        }
        if (fault != null && fault.kind() == Fault.Kind.DISK_FULL) {
            fullUntilNanos = machine.now() + fault.nanos();
        }
        return fault;
    }

    private void fail(String call, Path path, String reason) throws IOException {
        failures.add(call + " " + path.getFileName());
        throw new FileSystemException(path.toString(), null, reason + " (simulated)");
    }

    /**
     * A step of a write.
     *
     * @param wanted bytes to write
     * @return bytes that are written
     */
    int writable(Path path, int wanted, boolean direct) throws IOException {
        Fault fault = step("write", path);
        if (fault != null && fault.kind() == Fault.Kind.IO_ERROR) {
            fail("write", path, "Input/output error");
        }
        if (machine.now() < fullUntilNanos) {
            fail("write", path, "No space left on device");
        }
        int least = direct ? PAGE : 1;
        if (fault == null || fault.kind() != Fault.Kind.SHORT_WRITE || wanted <= least) {
            return wanted;
        }
        int some = machine.chance().nextInt(least, wanted);
        return direct ? some / PAGE * PAGE : some;
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public Path getPath(String first, String... more) {
        String joined = more.length == 0 ? first : first + "/" + String.join("/", more);
        return new DiskPath(this, joined);
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(getPath("/"));
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic", "posix", "unix");
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
        throw new UnsupportedOperationException("getPathMatcher");
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new UnsupportedOperationException("getUserPrincipalLookupService");
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException("newWatchService");
    }
}
