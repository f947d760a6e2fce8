package io.metricsaggregator.collect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlSecretsTest {
    @ParameterizedTest
    @CsvSource({
        "http://user:hunter2@host:8000/metrics, http://***@host:8000/metrics",
        "http://user:p@ss@host/metrics, http://***@host/metrics",
        "http://token@host/x, http://***@host/x",
        "cannot reach https://u:p@a/ nor https://u:q@b/, cannot reach https://***@a/ nor https://***@b/",
        "http://h/metrics?api_key=abc&x=1, http://h/metrics?api_key=***&x=1",
        "http://h/metrics?x=1&access_token=abc#f, http://h/metrics?x=1&access_token=***#f",
        "http://h/m?password=a%20b, http://h/m?password=***",
        "http://h/m?monkey=a, http://h/m?monkey=a",
        "http://h/path@1, http://h/path@1",
        "mail me@example.org, mail me@example.org"
    })
    void secretsInUrlsAreMasked(String text, String shown) {
        assertThat(UrlSecrets.mask(text)).isEqualTo(shown);
    }
}
