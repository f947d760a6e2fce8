package io.metricsaggregator.simulation.disk;

import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/** Attributes of a file or folder. Its times are 0, and its owner is the user of the process. */
final class NodeAttributes implements PosixFileAttributes, PosixFileAttributeView {
    private static final FileTime NO_TIME = FileTime.fromMillis(0);

    private static final class Owner implements GroupPrincipal {
        @Override
        public String getName() {
            return "simulated";
        }
    }

    private static final Owner OWNER = new Owner();

    private final Node node;

    NodeAttributes(Node node) {
        this.node = node;
    }

    @Override
    public String name() {
        return "posix";
    }

    @Override
    public PosixFileAttributes readAttributes() {
        return this;
    }

    @Override
    public void setPermissions(Set<PosixFilePermission> wanted) {
        node.permissions(wanted);
    }

    @Override
    public Set<PosixFilePermission> permissions() {
        return node.permissions();
    }

    @Override
    public void setTimes(FileTime modified, FileTime accessed, FileTime created) {}

    @Override
    public void setGroup(GroupPrincipal group) {}

    @Override
    public void setOwner(UserPrincipal owner) {}

    @Override
    public UserPrincipal getOwner() {
        return OWNER;
    }

    @Override
    public UserPrincipal owner() {
        return OWNER;
    }

    @Override
    public GroupPrincipal group() {
        return OWNER;
    }

    @Override
    public FileTime lastModifiedTime() {
        return NO_TIME;
    }

    @Override
    public FileTime lastAccessTime() {
        return NO_TIME;
    }

    @Override
    public FileTime creationTime() {
        return NO_TIME;
    }

    @Override
    public boolean isRegularFile() {
        return node instanceof FileNode;
    }

    @Override
    public boolean isDirectory() {
        return node instanceof FolderNode;
    }

    @Override
    public boolean isSymbolicLink() {
        return false;
    }

    @Override
    public boolean isOther() {
        return false;
    }

    @Override
    public long size() {
        return node instanceof FileNode file ? file.size() : 0;
    }

    @Override
    public Object fileKey() {
        return node;
    }
}
