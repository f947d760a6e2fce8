package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.telemetry.ScrapeHighlight;
import io.metricsaggregator.snapshot.telemetry.ScrapeHighlight.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** GPUs of DCGM and hosts of node_exporter among the highlights of scraped series. */
class ScrapedHostsTest {
    private static String host(int second, double busy) {
        return """
                # TYPE node_cpu_seconds_total counter
                node_cpu_seconds_total{cpu="0",mode="idle"} %1$s
                node_cpu_seconds_total{cpu="0",mode="iowait"} 5
                node_cpu_seconds_total{cpu="0",mode="user"} %2$s
                # TYPE node_memory_MemAvailable_bytes gauge
                node_memory_MemAvailable_bytes 1024
                # TYPE node_pressure_cpu_waiting_seconds_total counter
                node_pressure_cpu_waiting_seconds_total %2$s
                # TYPE node_network_receive_bytes_total counter
                node_network_receive_bytes_total{device="lo"} %1$s
                node_network_receive_bytes_total{device="eth0"} %1$s
                node_network_receive_bytes_total{device="eth1"} %2$s
                """.formatted(second - busy, busy);
    }

    @Test
    void aHostHasItsBusyShareAndTheGrowthOfItsCounters() {
        ScrapedExposition scraped = new ScrapedExposition();
        scraped.scrape("h:9100", 1000, host(100, 10));
        scraped.scrape("h:9100", 1010, host(110, 14));
        assertThat(scraped.fold.snapshot(false).hosts())
                .containsExactly(new ScrapeHighlight(
                        "h:9100",
                        Map.of(
                                Figure.CPU_RATIO, 0.4,
                                Figure.MEMORY_AVAILABLE_BYTES, 1024.0,
                                Figure.WAITED_CPU_SECONDS, 4.0,
                                Figure.RECEIVED_BYTES, 10.0)));
        assertThat(scraped.fold.snapshot(false).server()).isNull();
    }

    @Test
    void aGpuOfDcgmHasItsClocksItsMemoryAndItsLastError() throws IOException {
        ScrapedExposition scraped = new ScrapedExposition();
        scraped.scrape(
                "g:9400",
                1000,
                Files.readString(
                        Path.of(System.getProperty("golden.dir", "../quality/golden"), "prometheus", "dcgm_9400.txt")));
        ScrapeHighlight first = scraped.fold.snapshot(false).gpus().get(0);
        assertThat(first.figures())
                .containsEntry(Figure.SM_CLOCK_MHZ, 1410.0)
                .containsEntry(Figure.MEMORY_CLOCK_MHZ, 1593.0)
                .containsEntry(Figure.MEMORY_TEMPERATURE_CELSIUS, 54.0)
                .containsKeys(Figure.XID, Figure.ENGINE_ACTIVE);
    }
}
