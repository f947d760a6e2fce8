package io.metricsaggregator.imports.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.guidellm.GuideLlmFormat;
import io.metricsaggregator.imports.inferenceperf.InferencePerfFormat;
import io.metricsaggregator.imports.vegeta.VegetaFormat;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Formats of one record after another hold one record in memory: what stays on the heap does not grow with the file. */
class LargeFilesTest {
    private static final int REQUESTS = 60_000;
    private static final String TEXT = "x".repeat(4000);
    private static final long GROWTH_MAX_BYTES = 24L << 20;

    /** A file of many requests, made while it is read. */
    record Large(ImportFormat format, String before, String record, String between, String after) {
        @Override
        public String toString() {
            return format.name();
        }
    }

    static Stream<Large> files() {
        return Stream.of(
                new Large(
                        new GuideLlmFormat(),
                        "{\"metadata\":{\"guidellm_version\":\"0.8.1\"},\"benchmarks\":[{\"scheduler_metrics\":{},\"requests\":{\"successful\":[",
                        "{\"output\":\"" + TEXT
                                + "\",\"info\":{\"timings\":{\"request_start\":1.0,\"request_end\":2.0}}}",
                        ",",
                        "]}}]}"),
                new Large(
                        new InferencePerfFormat(),
                        "[",
                        "{\"start_time\":1.0,\"end_time\":2.0,\"request\":\"{\\\"prompt\\\":\\\"" + TEXT
                                + "\\\"}\",\"info\":{\"response_metrics\":{\"chunk_times\":[1.5]}},\"error\":null}",
                        ",",
                        "]"),
                new Large(
                        new VegetaFormat(),
                        "",
                        "{\"attack\":\"" + TEXT
                                + "\",\"seq\":1,\"timestamp\":\"2023-11-14T22:13:20Z\",\"latency\":1,\"error\":\"\"}",
                        "\n",
                        "\n"));
    }

    @ParameterizedTest
    @MethodSource("files")
    void memory_does_not_grow_with_the_file(Large file) throws Exception {
        AtomicLong requests = new AtomicLong();
        AtomicLong largest = new AtomicLong();
        long before = used();
        ImportSink sink = (ImportSink) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ImportSink.class}, (proxy, method, arguments) -> {
                    if (arguments[0] instanceof ImportedRequest && requests.incrementAndGet() % 20_000 == 0) {
                        largest.accumulateAndGet(used(), Math::max);
                    }
                    return method.getReturnType() == boolean.class ? Boolean.TRUE : null;
                });
        file.format().reader(ImportOptions.DEFAULT).read(ImportSource.of("large", content(file)), sink);

        assertThat(requests).hasValue(REQUESTS);
        assertThat(largest.get() - before).isLessThan(GROWTH_MAX_BYTES);
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static InputStream content(Large file) {
        Iterator<String> parts = Stream.concat(
                        Stream.concat(
                                Stream.of(file.before() + file.record()),
                                IntStream.range(1, REQUESTS).mapToObj(i -> file.between() + file.record())),
                        Stream.of(file.after()))
                .iterator();
        Enumeration<InputStream> streams = new Enumeration<>() {
            @Override
            public boolean hasMoreElements() {
                return parts.hasNext();
            }

            @Override
            public InputStream nextElement() {
                return new ByteArrayInputStream(parts.next().getBytes(StandardCharsets.UTF_8));
            }
        };
        return new SequenceInputStream(streams);
    }
}
