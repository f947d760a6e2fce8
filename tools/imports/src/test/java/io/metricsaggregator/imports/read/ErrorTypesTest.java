package io.metricsaggregator.imports.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorTypesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "RemoteProtocolError('peer closed connection (incomplete chunked read)') | RemoteProtocolError",
                "HTTPStatusError(\"Server error '500 Internal Server Error' for url 'http://h/v1'\") | HTTPStatusError 500",
                "HTTPStatusError(\"Client error '429 Too Many Requests' for url 'http://h/v1'\") | HTTPStatusError 429",
                "ReadTimeout('') | ReadTimeout",
                "httpx.ConnectError: refused | httpx.ConnectError",
                "aiohttp.client_exceptions.ClientPayloadError: x | aiohttp.client_exceptions.ClientPayloadError",
                "TimeoutError | TimeoutError",
                "Internal Server Error | Internal Server Error",
                "Too Many Requests: {'a': 1} | Too Many Requests",
                "Bad Gateway: | Bad Gateway",
                "500 Internal Server Error | 500",
                "HTTP 503: busy | 503",
                "Error code: 429 - {'error': 'x'} | 429",
                "status 502 | 502",
                "{\"error\":{\"message\":\"m\",\"type\":\"BadRequestError\"}} | BadRequestError",
                "refused | refused",
                "5000 tokens is more than the model can take, which is 4096 at most: shorten the prompt | ``",
            })
    void a_text_has_the_type_that_it_names(String text, String type) {
        assertThat(ErrorTypes.of(text)).isEqualTo(type);
    }

    @Test
    void a_traceback_has_the_type_of_its_last_line() {
        assertThat(ErrorTypes.of("Traceback (most recent call last):\n  File \"x\"\nasyncio.TimeoutError: late\n"))
                .isEqualTo("asyncio.TimeoutError");
        assertThat(ErrorTypes.of("Traceback (most recent call last):\n  File \"x\"\nTimeoutError\n"))
                .isEqualTo("TimeoutError");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Post \"http://127.0.0.1:1/v1\": EOF | EOF",
                "Get \"http://h\": dial tcp 127.0.0.1:1: connect: connection refused | connection refused",
                "Get \"http://h\": context deadline exceeded (Client.Timeout exceeded while awaiting headers) | context deadline exceeded",
            })
    void an_error_of_go_has_its_cause_as_type(String text, String type) {
        assertThat(ErrorTypes.ofGo(text)).isEqualTo(type);
    }
}
