package io.metricsaggregator.cli.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolCommandTest {
    private static ToolCommand of(String line) {
        return ToolCommand.of(Arrays.asList(line.split(" ")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            aiperf profile                             | aiperf
            /usr/local/bin/aiperf profile              | aiperf
            python -m sglang.bench_serving             | sglang.bench_serving
            python3.12 -u -X dev bench.py --n 3        | bench
            uv run --with x --python 3.12 locust       | locust
            uvx guidellm run                           | guidellm
            uv pip install x                           | uv
            timeout --signal INT 60s k6 run            | k6
            timeout 60 env -u HOME A=1 B=2 nice -n 5 curl | curl
            nohup stdbuf -oL ./bench                   | bench
            env                                        | env
            python                                     | python
            """)
    void theToolIsTheFirstWordThatRunsNoOther(String line, String name) {
        assertThat(of(line).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "vllm bench serve --model m, true",
        "vllm --debug bench serve, true",
        "vllm serve m, false",
        "vllm bench latency, false",
        "vllm, false"
    })
    void subcommandsDecide(String line, boolean expected) {
        assertThat(of(line).beginsWith(List.of("vllm", "bench", "serve"))).isEqualTo(expected);
    }
}
