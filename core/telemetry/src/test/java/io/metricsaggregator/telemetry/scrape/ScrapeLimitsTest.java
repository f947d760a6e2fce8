package io.metricsaggregator.telemetry.scrape;

import static io.metricsaggregator.telemetry.Golden.observation;
import static io.metricsaggregator.telemetry.scrape.ScrapeFoldTest.sample;
import static io.metricsaggregator.telemetry.scrape.ScrapeFoldTest.scrape;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.telemetry.TelemetryFolds;
import io.metricsaggregator.telemetry.TelemetryOptions;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ScrapeLimitsTest {
    private static Map<String, Object> requests(double seconds, int models, double value) {
        List<Object> samples = new ArrayList<>();
        for (int i = 0; i < models; i++) {
            samples.add(List.of("nv_inference_request_success", Map.of("model", "m" + i), "counter", value * i));
        }
        Map<String, Object> scrape = scrape(seconds, sample("g", "gauge", 1L));
        scrape.put("samples", samples);
        return scrape;
    }

    @Test
    @Timeout(60)
    void closingWindowsOfManyModelsTakesLinearTimeAndSendsHeartbeats() {
        TelemetryFolds telemetry = new TelemetryFolds(TelemetryOptions.DEFAULT, TelemetryLimits.of(4L << 30));
        AtomicInteger signs = new AtomicInteger();
        telemetry.signsTo(signs::incrementAndGet);
        // A quadratic algorithm takes more than 100 s for these 200 windows of 20,000 models.
        for (int i = 0; i < 20; i++) {
            assertThat(telemetry.apply(observation(requests(1_700_000_000 + 590 * i, 20_000, i))))
                    .isTrue();
        }
        assertThat(signs.get()).isGreaterThan(180);
        Map<?, ?> scrape = (Map<?, ?>) telemetry.freeze(0, true).tree().get("scrape");
        assertThat((Map<?, ?>) scrape.get("windows")).hasSizeGreaterThan(30);
        assertThat(scrape.get("windows_without_idle_models")).isEqualTo(true);
    }

    @Test
    void anEmptyWindowHasARowWithoutValuesForEveryModel() {
        TelemetryFolds telemetry = new TelemetryFolds();
        for (int i = 0; i < 3; i++) {
            telemetry.apply(observation(requests(1_700_000_000 + 590 * i, 2, i)));
        }
        Map<?, ?> windows =
                (Map<?, ?>) ((Map<?, ?>) telemetry.freeze(0, true).tree().get("scrape")).get("windows");
        List<Object> measured = new ArrayList<>();
        windows.values().forEach(window -> {
            Map<?, ?> models = (Map<?, ?>) ((Map<?, ?>) window).get("models");
            assertThat(models).hasSize(2);
            measured.add(((Map<?, ?>) models.get("m1/")).get("requests"));
        });
        // The first value has no predecessor: its target had not been scraped before.
        assertThat(measured.stream().filter(Objects::nonNull).toList()).isEmpty();
        assertThat(measured).hasSizeGreaterThan(15);
    }

    @Test
    void nothingIsKeptOfASeriesBeyondTheLimit() {
        TelemetryLimits limits = TelemetryLimits.of(16 << 20);
        Allowance allowance = new Allowance(limits.bytes());
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT, limits, allowance, () -> {});
        long full = 0;
        for (int i = 0; i < 20; i++) {
            List<Object> samples = new ArrayList<>();
            for (int k = 0; k < 1000; k++) {
                samples.add(List.of("name" + i + "_" + k, Map.of("l", "v"), "gauge", 1.0));
            }
            Map<String, Object> scrape = scrape(1_700_000_000 + i, sample("g", "gauge", 1L));
            scrape.put("samples", samples);
            try {
                fold.apply(observation(scrape));
            } catch (TelemetryRecord.Rejected e) {
                throw new AssertionError(e);
            }
            full = i == 9 ? allowance.used() : full;
        }
        assertThat(allowance.used()).isEqualTo(full);
        assertThat((Long) fold.snapshot(false).tree().get("series")).isLessThanOrEqualTo(limits.scrapeSeries());
    }
}
