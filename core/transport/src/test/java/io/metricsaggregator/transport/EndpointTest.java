package io.metricsaggregator.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointTest {

    @ParameterizedTest
    @CsvSource({
        "ipc:///run/x.sock,            connect:ipc:///run/x.sock",
        "bind:ipc:///run/x.sock,       bind:ipc:///run/x.sock",
        "connect:tcp://host:5555,      connect:tcp://host:5555",
        "bind:tcp://*:5555,            bind:tcp://*:5555",
        "bind:tcp://127.0.0.1:*,       bind:tcp://127.0.0.1:0",
        "tcp://[::1]:80,               connect:tcp://[::1]:80",
        "ipc://relative/name,          connect:ipc://relative/name"
    })
    void parsesZeroMqEndpoints(String text, String meaning) {
        Endpoint endpoint = Endpoint.parse(text, false);
        assertThat(endpoint).hasToString(meaning);
        assertThat(Endpoint.parse(endpoint.toString(), false)).isEqualTo(endpoint);
    }

    @ParameterizedTest
    @CsvSource({
        "ipc://@name,           abstract socket name",
        "ipc://,                no path",
        "tcp://host,            lacks a port",
        "tcp://host:x,          'x'",
        "tcp://host:70000,      70000",
        "tcp://*:5555,          can be bound but not connected to",
        "tcp://host:0,          can be bound but not connected to",
        "udp://host:1,          udp://host:1",
        "/run/x.sock,           /run/x.sock"
    })
    void namesTheErrorInAnInvalidEndpoint(String text, String reason) {
        assertThatThrownBy(() -> Endpoint.parse(text, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void namesTheLengthOfAnOverlongPath() {
        String path = "/" + "x".repeat(106);
        assertThatThrownBy(() -> Endpoint.parse("ipc://" + path, true))
                .hasMessageContaining("107")
                .hasMessageContaining("106");
        assertThat(Endpoint.parse("ipc://" + path.substring(1), true).address()).hasSize(106);
    }
}
