package io.metricsaggregator.journal;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The operating system's files, except that direct I/O is refused behind the creation of the file, as by some file systems, and that fsyncs of folders are noted. */
final class ScriptedFiles extends FileSystemProvider {
    /** The folders that were fsynced and closed, in order. */
    final List<String> synced = new ArrayList<>();

    /** Number of files that were to be opened for direct I/O. */
    int refused;

    /** The same path with the files of this provider. */
    Path here(Path path) {
        ClassLoader loader = ScriptedFiles.class.getClassLoader();
        return (Path) Proxy.newProxyInstance(loader, new Class<?>[] {Path.class}, (self, method, arguments) -> {
            if (method.getName().equals("getFileSystem")) {
                return new Leading(this);
            }
            Object[] plain = arguments == null ? new Object[0] : arguments.clone();
            for (int i = 0; i < plain.length; i++) {
                plain[i] = plain[i] instanceof Path each ? plain(each) : plain[i];
            }
            try {
                Object result = method.invoke(path, plain);
                return result instanceof Path each ? here(each) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private static Path plain(Path path) {
        return Path.of(path.toString());
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        if (Files.isDirectory(plain(path))) {
            ScriptedChannel folder = new ScriptedChannel();
            folder.whenForced = () -> synced.add(path.getFileName().toString());
            return folder;
        }
        if (options.contains(ExtendedOpenOption.DIRECT)) {
            refused++;
            Files.createFile(plain(path));
            throw new FileSystemException(path.toString(), null, "Invalid argument");
        }
        return FileChannel.open(plain(path), options, attributes);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return Files.newByteChannel(plain(path), options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> entries = Files.newDirectoryStream(plain(path), filter);
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                List<Path> all = new ArrayList<>();
                entries.forEach(each -> all.add(here(each)));
                return all.iterator();
            }

            @Override
            public void close() throws IOException {
                entries.close();
            }
        };
    }

    @Override
    public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
        Files.createDirectory(plain(path), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.delete(plain(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        plain(path).getFileSystem().provider().checkAccess(plain(path), modes);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return Files.readAttributes(plain(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return Files.readAttributes(plain(path), attributes, options);
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("a journal does not call this");
    }

    @Override
    public String getScheme() {
        throw unsupported();
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
        throw unsupported();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw unsupported();
    }

    @Override
    public Path getPath(URI uri) {
        throw unsupported();
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
        throw unsupported();
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) {
        throw unsupported();
    }

    @Override
    public boolean isSameFile(Path path, Path other) {
        throw unsupported();
    }

    @Override
    public boolean isHidden(Path path) {
        throw unsupported();
    }

    @Override
    public FileStore getFileStore(Path path) {
        throw unsupported();
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        throw unsupported();
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
        throw unsupported();
    }

    /** Leads to the provider, and to nothing else. */
    private static final class Leading extends FileSystem {
        private final FileSystemProvider provider;

        Leading(FileSystemProvider provider) {
            this.provider = provider;
        }

        @Override
        public FileSystemProvider provider() {
            return provider;
        }

        @Override
        public void close() {
            throw unsupported();
        }

        @Override
        public boolean isOpen() {
            throw unsupported();
        }

        @Override
        public boolean isReadOnly() {
            throw unsupported();
        }

        @Override
        public String getSeparator() {
            throw unsupported();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            throw unsupported();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            throw unsupported();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            throw unsupported();
        }

        @Override
        public Path getPath(String first, String... more) {
            throw unsupported();
        }

        @Override
        public java.nio.file.PathMatcher getPathMatcher(String pattern) {
            throw unsupported();
        }

        @Override
        public java.nio.file.attribute.UserPrincipalLookupService getUserPrincipalLookupService() {
            throw unsupported();
        }

        @Override
        public java.nio.file.WatchService newWatchService() {
            throw unsupported();
        }
    }
}
