package io.metricsaggregator.cli.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How each tool's target is found and replaced; the proxy is at 127.0.0.1:9. */
class TargetRulesTest {
    private static final String PROXY = "http://127.0.0.1:9";

    @TempDir
    Path directory;

    private static RewrittenCommand rewrite(
            String line, @Nullable String upstream, Map<String, String> environment, String... setUrls)
            throws IOException {
        List<String> words = Arrays.asList(line.split(" "));
        return RewrittenCommand.of(TargetPlan.of(words, upstream, List.of(setUrls), environment), PROXY, null);
    }

    private static TargetPlan plan(String line) {
        return TargetPlan.of(Arrays.asList(line.split(" ")), null, List.of(), Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # AIPerf
            aiperf profile --url http://s:8000 -m x          | http://s:8000 | aiperf profile --url http://127.0.0.1:9 -m x
            aiperf profile -u s:8000                         | http://s:8000 | aiperf profile -u http://127.0.0.1:9
            aiperf profile --url=http://s:8000/llm           | http://s:8000 | aiperf profile --url=http://127.0.0.1:9/llm
            aiperf profile -u http://s:1,http://s:1          | http://s:1 | aiperf profile -u http://127.0.0.1:9,http://127.0.0.1:9
            aiperf profile --url s:1 --url s:1               | http://s:1 | aiperf profile --url http://127.0.0.1:9 --url http://127.0.0.1:9
            # GuideLLM
            guidellm run --backend kind=openai_http,target=http://s:8000,model=m | http://s:8000 | guidellm run --backend kind=openai_http,target=http://127.0.0.1:9,model=m
            guidellm benchmark --target http://s:8000        | http://s:8000 | guidellm benchmark --target http://127.0.0.1:9
            # vLLM
            vllm bench serve --base-url http://s:80/x        | http://s | vllm bench serve --base-url http://127.0.0.1:9/x
            vllm bench serve --base_url http://s:80/x        | http://s | vllm bench serve --base_url http://127.0.0.1:9/x
            vllm bench serve --host gpu --port 8001          | http://gpu:8001 | vllm bench serve --host 127.0.0.1 --port 9
            vllm bench serve --port=8001                     | http://127.0.0.1:8001 | vllm bench serve --port=9 --host 127.0.0.1
            vllm bench serve --model m                       | http://127.0.0.1:8000 | vllm bench serve --model m --host 127.0.0.1 --port 9
            python3 benchmark_serving.py --host ::1          | http://[::1]:8000 | python3 benchmark_serving.py --host 127.0.0.1 --port 9
            # SGLang
            python -m sglang.bench_serving --backend sglang  | http://127.0.0.1:30000 | python -m sglang.bench_serving --backend sglang --host 127.0.0.1 --port 9
            python -m sglang.benchmark.serving --backend vllm | http://127.0.0.1:8000 | python -m sglang.benchmark.serving --backend vllm --host 127.0.0.1 --port 9
            python -m sglang.bench_serving --backend lmdeploy --host h | http://h:23333 | python -m sglang.bench_serving --backend lmdeploy --host 127.0.0.1 --port 9
            # inference-perf
            inference-perf --server.base_url http://s:8000   | http://s:8000 | inference-perf --server.base_url http://127.0.0.1:9
            # Locust
            locust -f x.py --host http://s:8000              | http://s:8000 | locust -f x.py --host http://127.0.0.1:9
            locust -f x.py -H http://s:8000 -u 3             | http://s:8000 | locust -f x.py -H http://127.0.0.1:9 -u 3
            # oha, curl: the URL stays
            oha -n 10 http://s:8000/v1/models                | http://s:8000 | oha -n 10 http://s:8000/v1/models --connect-to s:8000:127.0.0.1:9
            curl -N http://s/v1/chat/completions             | http://s | curl -N http://s/v1/chat/completions --connect-to s:80:127.0.0.1:9
            curl --url http://s:1/x                          | http://s:1 | curl --url http://s:1/x --connect-to s:1:127.0.0.1:9
            curl https://s/v1/models                         | https://s | curl http://127.0.0.1:9/v1/models
            oha https://s/v1/models                          | https://s | oha http://127.0.0.1:9/v1/models
            # genai-bench
            genai-bench benchmark --api-base http://s:8000   | http://s:8000 | genai-bench benchmark --api-base http://127.0.0.1:9
            # MLCommons endpoints
            inference-endpoint benchmark offline --endpoints http://s:8000 | http://s:8000 | inference-endpoint benchmark offline --endpoints http://127.0.0.1:9
            inference-endpoint benchmark online --endpoint-config.endpoints http://s:8000,http://s:8000 | http://s:8000 | inference-endpoint benchmark online --endpoint-config.endpoints http://127.0.0.1:9,http://127.0.0.1:9
            # In front of the tool
            uvx --from aiperf aiperf profile --url s:1       | http://s:1 | uvx --from aiperf aiperf profile --url http://127.0.0.1:9
            uv run --with aiperf aiperf profile --url s:1    | http://s:1 | uv run --with aiperf aiperf profile --url http://127.0.0.1:9
            timeout -k 5 60 env A=b vllm bench serve         | http://127.0.0.1:8000 | timeout -k 5 60 env A=b vllm bench serve --host 127.0.0.1 --port 9
            /opt/venv/bin/python3.12 -m locust --host http://s:1 | http://s:1 | /opt/venv/bin/python3.12 -m locust --host http://127.0.0.1:9
            # Tools without a rule
            ./bench --endpoint=http://s:8000/v1 --n 3        | http://s:8000 | ./bench --endpoint=http://127.0.0.1:9/v1 --n 3
            env OPENAI_BASE_URL=http://s:8000/v1 python a.py | http://s:8000 | env OPENAI_BASE_URL=http://127.0.0.1:9/v1 python a.py
            sh -c curl${IFS}https://s/v1/models              | https://s | sh -c curl${IFS}http://127.0.0.1:9/v1/models
            """)
    void targetsAreFoundAndReplaced(String line, String server, String expected) throws IOException {
        assertThat(plan(line).upstream().url()).isEqualTo(server);
        assertThat(String.join(" ", rewrite(line, null, Map.of()).words())).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            aiperf profile --url http://a:1 --url http://b:1 | names two servers, http://a:1 and http://b:1
            aiperf profile -m x                              | neither the arguments nor the environment of AIPerf name a server: add --upstream URL
            guidellm run --rate 4                            | of GuideLLM name a server
            python -m sglang.bench_serving --backend gserver | it speaks gRPC
            genai-bench benchmark --api-backend oci-cohere --api-base http://s | cannot be measured: its requests go to a cloud
            ./bench --a http://a:1 --b http://b:1            | names 2 servers, http://a:1 and http://b:1
            python agent.py                                  | of agent name a server
            """)
    void whatCannotBeMeasuredIsRefusedWithTheReason(String line, String reason) {
        assertThatThrownBy(() -> rewrite(line, null, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void aToolWithoutARuleGetsTheVariablesOfTheLibraries() throws IOException {
        RewrittenCommand agent = rewrite("python agent.py", "https://h/openai/v1", Map.of());
        assertThat(agent.words()).containsExactly("python", "agent.py");
        assertThat(agent.variables())
                .containsEntry("OPENAI_BASE_URL", PROXY + "/openai/v1")
                .containsEntry("OPENAI_API_BASE", PROXY + "/openai/v1")
                .containsEntry("ANTHROPIC_BASE_URL", PROXY + "/openai")
                .containsEntry("LOCUST_HOST", PROXY)
                .hasSize(6);
    }

    @Test
    void variablesNameTheServerAndThoseOfAnotherStay() throws IOException {
        RewrittenCommand agent = rewrite(
                "python agent.py",
                null,
                Map.of("OPENAI_BASE_URL", "http://s:8000/v1", "ANTHROPIC_BASE_URL", "https://api.anthropic.com"));
        assertThat(agent.variables())
                .containsEntry("OPENAI_BASE_URL", PROXY + "/v1")
                .doesNotContainKey("ANTHROPIC_BASE_URL");
        assertThat(agent.warnings()).anyMatch(each -> each.contains("ANTHROPIC_BASE_URL names another server"));
    }

    @Test
    void locustTakesItsHostFromTheClassOrTheEnvironment() throws IOException {
        RewrittenCommand ofClass = rewrite("locust -f x.py", "http://s:8000", Map.of());
        assertThat(ofClass.words()).containsExactly("locust", "-f", "x.py", "--host", PROXY);
        RewrittenCommand ofVariable = rewrite("locust -f x.py", null, Map.of("LOCUST_HOST", "http://s:8000"));
        assertThat(ofVariable.words()).endsWith("--host", PROXY);
    }

    @Test
    void llmperfTakesTheVariable() throws IOException {
        RewrittenCommand rewritten =
                rewrite("python token_benchmark_ray.py --model m", null, Map.of("OPENAI_API_BASE", "http://s:8000/v1"));
        assertThat(rewritten.variables()).isEqualTo(Map.of("OPENAI_API_BASE", PROXY + "/v1"));
    }

    @Test
    void inferencePerfOverridesItsFile() throws IOException {
        Path file = directory.resolve("config.yml");
        Files.writeString(file, "load:\n  type: constant\nserver:\n  type: vllm\n  base_url: http://s:8000/base\n");
        RewrittenCommand rewritten = rewrite("inference-perf -c " + file, null, Map.of());
        assertThat(rewritten.words())
                .containsExactly("inference-perf", "-c", file.toString(), "--server.base_url", PROXY + "/base");
    }

    @Test
    void endpointsGetACopyOfTheirFile() throws IOException {
        Path file = directory.resolve("run.yaml");
        String yaml = "endpoint_config:\n  endpoints:\n    - ${SERVER}\nmodel: m # http://elsewhere/\n";
        Files.writeString(file, yaml);
        TargetPlan plan = TargetPlan.of(
                List.of("inference-endpoint", "benchmark", "from-config", "--config", file.toString()),
                null,
                List.of(),
                Map.of("SERVER", "http://s:8000"));
        Path scratch = Files.createDirectory(directory.resolve("scratch"));
        RewrittenCommand rewritten = RewrittenCommand.of(plan, PROXY, scratch);
        Path copy = scratch.resolve("copy-of-run.yaml");
        assertThat(rewritten.words()).endsWith("--config", copy.toString());
        assertThat(copy).hasContent(yaml.replace("${SERVER}", PROXY));
        assertThat(file).hasContent(yaml);
        assertThat(rewritten.warnings()).anyMatch(each -> each.contains("mlcommons --shadow"));
    }

    @Test
    void vegetaConnectsElsewhereAndRefusesHttps() throws IOException {
        Path targets = directory.resolve("targets");
        Files.writeString(targets, "GET http://s:8000/health\n");
        assertThat(rewrite("vegeta attack -targets " + targets, null, Map.of()).words())
                .endsWith("-connect-to", "s:8000:127.0.0.1:9");
        assertThatThrownBy(() -> rewrite("vegeta attack", "https://s", Map.of()))
                .hasMessageContaining("because its targets name https")
                .hasMessageContaining("proxy --upstream https://s");
    }

    @Test
    void aScriptOfK6IsRefusedWithTheLineToChange() throws IOException {
        Path script = directory.resolve("load.js");
        Files.writeString(
                script,
                "import http from 'k6/http';\nimport x from 'https://jslib.k6.io/x.js';\nhttp.post('http://s:8000/v1/completions');\n");
        assertThatThrownBy(() -> rewrite("k6 run " + script, null, Map.of()))
                .hasMessageContaining("load.js:3: http.post('http://s:8000/v1/completions');")
                .hasMessageContaining("write __ENV.BASE_URL there, and add --set-url ENV:BASE_URL");
        Files.writeString(script, "const base = __ENV.TARGET || 'http://s:8000';\n");
        assertThatThrownBy(() -> rewrite("k6 run " + script, null, Map.of()))
                .hasMessageContaining("add --set-url ENV:TARGET");
        RewrittenCommand rewritten = rewrite("k6 run " + script, null, Map.of(), "ENV:TARGET");
        assertThat(rewritten.words()).endsWith("-e", "TARGET=" + PROXY);
        assertThat(rewritten.variables()).containsEntry("TARGET", PROXY);
    }

    @Test
    void setUrlNamesAFlagOrAVariable() throws IOException {
        assertThat(rewrite("./bench --server s", "http://s:8000/v1", Map.of(), "--server")
                        .words())
                .containsExactly("./bench", "--server", PROXY);
        assertThat(rewrite("./bench", "http://s:8000/v1", Map.of(), "--server").words())
                .containsExactly("./bench", "--server", PROXY + "/v1");
        assertThat(rewrite("./bench", "http://s:8000", Map.of(), "ENV:TARGET").variables())
                .containsEntry("TARGET", PROXY);
        assertThatThrownBy(() -> rewrite("./bench", "http://s", Map.of(), "server"))
                .hasMessageContaining("--set-url 'server' is neither a flag nor ENV:NAME");
    }

    @Test
    void namesOfTheLoopbackAddressAreOneServer() throws IOException {
        assertThat(rewrite("./bench --url http://127.0.0.1:8000/v1", "http://localhost:8000", Map.of())
                        .words())
                .containsExactly("./bench", "--url", PROXY + "/v1");
    }

    @Test
    void aServerWhoseNameOrPortBeginsAlikeStays() throws IOException {
        assertThat(rewrite("./bench --a http://s:80001/x --b http://s.example/x --c http://s/x", "http://s", Map.of())
                        .words())
                .containsExactly(
                        "./bench", "--a", "http://s:80001/x", "--b", "http://s.example/x", "--c", PROXY + "/x");
    }

    @Test
    void whatIsMeasuredOtherwiseIsSaid() throws IOException {
        assertThat(rewrite("aiperf profile --url http://s --network-latency-automatic", null, Map.of())
                        .warnings())
                .anyMatch(each -> each.startsWith("--network-latency-automatic: "));
    }
}
