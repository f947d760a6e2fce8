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
        "http://h/metrics?api_key=abc&x=1, http://h/metrics?api_key=***&x=***",
        "http://h/m?password=a%20b and more, http://h/m?password=*** and more",
        "http://h/m?X-Amz-Credential=a&sas=b, http://h/m?X-Amz-Credential=***&sas=***",
        "http://bob:SE#CRET@host/metrics, http://***@host/metrics",
        "http://bob:SE/CRET@host/m?a=b, http://***@host/m?a=***",
        "URL \"http://bob:SE CRET@host/m?jwt=x y\": no, URL \"http://***@host/m?jwt=***\": no",
        "URL \"bob:SECRET@host/metrics\": no, URL \"***@host/metrics\": no",
        "ipc://@name is an abstract socket, ipc://@name is an abstract socket",
        "http://h/path, http://h/path",
        "mail me@example.org, mail me@example.org"
    })
    void secretsInUrlsAreMasked(String text, String shown) {
        assertThat(UrlSecrets.mask(text)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "http://bob:SE CRET@host/metrics, http://***@host/metrics",
        "bob:SECRET@host/metrics, ***@host/metrics",
        "http://host/m?auth_token=SE%CRET, http://host/m?auth_token=***",
        "ipc://@name, ipc://@name"
    })
    void a_value_that_is_a_url_is_masked_as_a_whole(String value, String shown) {
        assertThat(UrlSecrets.maskValue(value)).isEqualTo(shown);
    }
}
