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

/** Which users' processes may be on the other side of a Unix domain socket: our own, root's, and those allowed by number. */
final class PeerUser {
    private final Set<UserPrincipal> allowed = new HashSet<>();

    PeerUser(Set<Integer> uids) throws IOException {
        allowed.add(byUid(0));
        allowed.add(byUid(ownUid()));
        for (int uid : uids) {
            allowed.add(byUid(uid));
        }
    }

    /** This process's user number. */
    static int ownUid() throws IOException {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    /** The lookup takes a number for a name it does not know, and gives the user of that number. */
    private static UserPrincipal byUid(int uid) throws IOException {
        return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(Integer.toString(uid));
    }

    /** Whether the process that made the other end of the socket may be a peer. */
    boolean isAllowed(SocketChannel channel) throws IOException {
        UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
        return allowed.contains(peer.user());
    }
}
