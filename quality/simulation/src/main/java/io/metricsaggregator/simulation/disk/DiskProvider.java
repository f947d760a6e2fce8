package io.metricsaggregator.simulation.disk;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.spi.FileSystemProvider;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Brings the calls of {@link java.nio.file.Files} and {@link FileChannel} to a simulated disk. */
final class DiskProvider extends FileSystemProvider {
    private final SimulatedDisk disk;

    DiskProvider(SimulatedDisk disk) {
        this.disk = disk;
    }

    private static String name(Path path) {
        Path name = path.getFileName();
        return name == null ? "/" : name.toString();
    }

    @Override
    public SeekableByteChannel newByteChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... with)
            throws IOException {
        return newFileChannel(path, options, with);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... with)
            throws IOException {
        Node node = disk.find(path);
        boolean append = options.contains(StandardOpenOption.APPEND);
        boolean writes = append || options.contains(StandardOpenOption.WRITE);
        boolean createsNew = options.contains(StandardOpenOption.CREATE_NEW);
        if (node != null && createsNew && writes) {
            throw new FileAlreadyExistsException(path.toString());
        }
        if (node == null) {
            if (!writes || !(createsNew || options.contains(StandardOpenOption.CREATE))) {
                throw new NoSuchFileException(path.toString());
            }
            disk.parent(path);
            disk.attempt("create", path);
            node = new FileNode();
            setPermissions(node, with);
            disk.parent(path).add(name(path), node);
        } else if (writes && options.contains(StandardOpenOption.TRUNCATE_EXISTING) && node instanceof FileNode file) {
            disk.attempt("truncate", path);
            file.truncate(0);
        }
        return new DiskChannel(disk, node, path, append, options.contains(ExtendedOpenOption.DIRECT));
    }

    private static void setPermissions(Node node, FileAttribute<?>... with) {
        for (FileAttribute<?> each : with) {
            if (each.name().equals("posix:permissions") && each.value() instanceof Set<?> wanted) {
                Set<PosixFilePermission> permissions = new HashSet<>();
                wanted.forEach(one -> permissions.add((PosixFilePermission) one));
                node.permissions(permissions);
            }
        }
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        if (!(disk.require(path) instanceof FolderNode folder)) {
            throw new NotDirectoryException(path.toString());
        }
        List<Path> entries = folder.names().stream().map(path::resolve).toList();
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return entries.iterator();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void createDirectory(Path path, FileAttribute<?>... with) throws IOException {
        if (disk.find(path) != null) {
            throw new FileAlreadyExistsException(path.toString());
        }
        disk.attempt("create-folder", path);
        FolderNode folder = new FolderNode();
        setPermissions(folder, with);
        disk.parent(path).add(name(path), folder);
    }

    @Override
    public void delete(Path path) throws IOException {
        if (disk.require(path) instanceof FolderNode folder && !folder.names().isEmpty()) {
            throw new DirectoryNotEmptyException(path.toString());
        }
        disk.attempt("delete", path);
        disk.parent(path).remove(name(path));
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        disk.require(from);
        disk.attempt("rename", to);
        disk.parent(from).move(name(from), disk.parent(to), name(to));
    }

    @Override
    public void copy(Path from, Path to, CopyOption... options) {
        throw new UnsupportedOperationException("copy");
    }

    @Override
    public boolean isSameFile(Path one, Path other) {
        return one.equals(other);
    }

    @Override
    public boolean isHidden(Path path) {
        return false;
    }

    @Override
    public FileStore getFileStore(Path path) {
        throw new UnsupportedOperationException("getFileStore");
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        disk.require(path);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        Node node = disk.find(path);
        return type == PosixFileAttributeView.class && node != null ? type.cast(new NodeAttributes(node)) : null;
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return type.cast(new NodeAttributes(disk.require(path)));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) throws IOException {
        disk.require(path);
        if (names.equals("unix:mode")) {
            return Map.of("mode", 040700);
        }
        throw new UnsupportedOperationException(names);
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options) {
        throw new UnsupportedOperationException(name);
    }

    @Override
    public String getScheme() {
        return "simulated";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        return disk;
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return disk;
    }

    @Override
    public Path getPath(URI uri) {
        return disk.getPath(uri.getSchemeSpecificPart());
    }
}
