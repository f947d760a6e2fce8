package io.metricsaggregator.transport.zmtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.transport.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The address of a host that is replaced by another one of the same name. */
class PeerAddressTest {
    private static final Endpoint NAMED = Endpoint.parse("connect:tcp://gpu-1:5601", false);

    private final AtomicReference<String> answer = new AtomicReference<>("127.0.0.1");
    private final SynchronousQueue<String> asked = new SynchronousQueue<>();

    private InetAddress now(String host) throws IOException {
        return answer(answer.get(), host);
    }

    private static InetAddress answer(String address, String host) throws IOException {
        if (address.isEmpty()) {
            throw new UnknownHostException(host);
        }
        return InetAddress.getByName(address);
    }

    /** Answers on the resolving thread, and hands over that it was asked. */
    private InetAddress later(String host) throws IOException {
        String address = answer.get();
        try {
            asked.offer(host, 10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return answer(address, host);
    }

    private static void await(PeerAddress address, String expected) {
        long start = System.nanoTime();
        while (!address.current().equals(new InetSocketAddress(expected, 5601))) {
            assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
            Thread.onSpinWait();
        }
    }

    @Test
    void a_name_is_resolved_again_after_a_failure_and_at_most_once_in_two_seconds() throws Exception {
        AtomicReference<PeerAddress.Resolver> resolver = new AtomicReference<>(this::now);
        PeerAddress address = new PeerAddress(NAMED, host -> resolver.get().resolve(host), 0);
        assertThat(address.isLocal()).isTrue();
        resolver.set(this::later);
        answer.set("10.0.0.7");
        address.refresh(PeerAddress.REFRESH_NANOS - 1);
        assertThat(asked.poll(50, TimeUnit.MILLISECONDS)).isNull();
        address.refresh(PeerAddress.REFRESH_NANOS);
        assertThat(asked.poll(10, TimeUnit.SECONDS)).isEqualTo("gpu-1");
        await(address, "10.0.0.7");
        assertThat(address.isLocal()).isFalse();
    }

    @Test
    void the_former_address_stays_while_the_name_cannot_be_resolved() throws Exception {
        AtomicReference<PeerAddress.Resolver> resolver = new AtomicReference<>(this::now);
        PeerAddress address = new PeerAddress(NAMED, host -> resolver.get().resolve(host), 0);
        resolver.set(this::later);
        answer.set("");
        address.refresh(PeerAddress.REFRESH_NANOS);
        assertThat(asked.poll(10, TimeUnit.SECONDS)).isEqualTo("gpu-1");
        answer.set("10.0.0.8");
        long at = PeerAddress.REFRESH_NANOS;
        String host = null;
        while (host == null) {
            assertThat(address.current()).isEqualTo(new InetSocketAddress("127.0.0.1", 5601));
            at += PeerAddress.REFRESH_NANOS;
            address.refresh(at);
            host = asked.poll(100, TimeUnit.MILLISECONDS);
        }
        await(address, "10.0.0.8");
    }

    @Test
    void a_host_that_is_unknown_at_the_start_is_an_error() {
        answer.set("");
        assertThatThrownBy(() -> new PeerAddress(NAMED, this::now, 0)).isInstanceOf(UnknownHostException.class);
    }

    @Test
    void addresses_in_digits_and_sockets_in_the_file_system_are_never_looked_up_again() throws Exception {
        for (String endpoint : new String[] {"tcp://10.0.0.1:5601", "tcp://[::1]:5601", "ipc:///tmp/x"}) {
            AtomicReference<PeerAddress.Resolver> resolver = new AtomicReference<>(InetAddress::getByName);
            PeerAddress address = new PeerAddress(
                    Endpoint.parse(endpoint, false), host -> resolver.get().resolve(host), 0);
            resolver.set(this::later);
            address.refresh(10 * PeerAddress.REFRESH_NANOS);
            assertThat(asked.poll(50, TimeUnit.MILLISECONDS)).as(endpoint).isNull();
        }
    }
}
