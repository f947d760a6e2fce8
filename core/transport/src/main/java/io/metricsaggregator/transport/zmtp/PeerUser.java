package io.metricsaggregator.transport.zmtp;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.HashSet;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/** Checks the user of a Unix domain socket's peer: this process's own user, root and the allowed user ids pass. */
final class PeerUser {
    private final Set<UserPrincipal> allowed = new HashSet<>();

    PeerUser(Set<Integer> uids) throws IOException {
        allowed.add(byUid(0));
        allowed.add(byUid(ownUid()));
        for (int uid : uids) {
            allowed.add(byUid(uid));
        }
    }

    /** The user id of this process. */
    static int ownUid() throws IOException {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    /** Looks a user up by id: the JDK's lookup takes a number for an unknown name. */
    private static UserPrincipal byUid(int uid) throws IOException {
        return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(Integer.toString(uid));
    }

    /** Whether the process at the other end may be a peer. */
    boolean isAllowed(SocketChannel channel) throws IOException {
        UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
        return allowed.contains(peer.user());
    }
}
