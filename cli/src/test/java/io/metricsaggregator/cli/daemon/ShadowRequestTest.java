package io.metricsaggregator.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ShadowRequestTest {
    private static final Path OURS = Path.of("/ours");

    private static ShadowRequest request(String arguments) throws IOException {
        return ShadowRequest.parse("{\"folder\":\"/tool\",\"arguments\":[" + arguments + "]}\n");
    }

    @Test
    void theDaemonGetsItsOwnFolderAndSocketAndNoReadiness() throws IOException {
        ShadowRequest request = request(
                "\"--socket-dir\",\"/s\",\"--socket-name\",\"ev\",\"--metrics-socket\",\"m\",\"--metrics-output-dir\",\"out\","
                        + "\"--streaming\",\"--readiness-path\",\"ready\",\"--readiness-id\",\"0\"");
        assertThat(request.output()).isEqualTo(Path.of("/tool/out"));
        assertThat(request.daemonArguments(OURS))
                .containsExactly(
                        "--socket-dir",
                        "/s",
                        "--socket-name",
                        "ev",
                        "--metrics-socket",
                        "m_shadow",
                        "--metrics-output-dir",
                        "/ours",
                        "--streaming",
                        "--exit-with-parent");
    }

    @Test
    void valuesAfterAnEqualsSignAreReplacedToo() throws IOException {
        ShadowRequest request = request(
                "\"--metrics-output-dir=/out\",\"--metrics-socket=m\",\"--readiness-id=0\",\"--drain-timeout=60\"");
        assertThat(request.output()).isEqualTo(Path.of("/out"));
        assertThat(request.daemonArguments(OURS))
                .containsExactly(
                        "--metrics-output-dir",
                        "/ours",
                        "--metrics-socket",
                        "m_shadow",
                        "--drain-timeout=60",
                        "--exit-with-parent");
    }

    @Test
    void aLineOfSomethingElseIsRefused() {
        assertThatThrownBy(() -> ShadowRequest.parse("[]")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ShadowRequest.parse("{\"folder\":1}")).isInstanceOf(IOException.class);
    }
}
