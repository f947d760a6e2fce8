package io.metricsaggregator.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeriesUnitTest {
    private static String shown(String name, boolean rate, double value) {
        SeriesUnit unit = SeriesUnit.of(name, rate, value);
        return unit.axis().value(value * unit.factor());
    }

    @Test
    void series_of_gpus_have_the_units_that_dcgm_documents() {
        assertThat(shown("DCGM_FI_DEV_POWER_USAGE", false, 472)).isEqualTo("472 W");
        assertThat(shown("DCGM_FI_DEV_GPU_TEMP", false, 61)).isEqualTo("61 °C");
        assertThat(shown("DCGM_FI_DEV_FB_USED", false, 68_079)).isEqualTo("68,079 MiB");
        assertThat(shown("DCGM_FI_PROF_DRAM_ACTIVE", false, 0.6)).isEqualTo("60 %");
        assertThat(shown("DCGM_FI_DEV_GPU_UTIL", false, 76)).isEqualTo("76 %");
        assertThat(shown("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", true, 500_000)).isEqualTo("500 W");
        assertThat(shown("DCGM_FI_PROF_PCIE_TX_BYTES", false, 3 << 20)).isEqualTo("3 MiB/s");
    }

    @Test
    void names_of_prometheus_end_with_their_unit() {
        assertThat(shown("vllm:generation_tokens_total", true, 1250)).isEqualTo("1,250 tokens/s");
        assertThat(shown("vllm:kv_cache_usage_perc", false, 0.83)).isEqualTo("83 %");
        assertThat(shown("http_request_duration_seconds_sum", true, 0.5)).isEqualTo("0.5 s/s");
        assertThat(shown("http_request_duration_seconds_count", true, 20)).isEqualTo("20 values/s");
        assertThat(shown("nv_inference_request_duration_us", true, 115_000)).isEqualTo("0.115 s/s");
        assertThat(shown("nv_inference_count", true, 80)).isEqualTo("80 inferences/s");
        assertThat(shown("process_resident_memory_bytes", false, 5.0 * (1 << 30)))
                .isEqualTo("5 GiB");
        assertThat(shown("gc_pause_seconds", false, 0.000_000_4)).isEqualTo("400 ns");
        assertThat(shown("process_watts", false, 12)).isEqualTo("12 W");
        assertThat(shown("a_counter_total", true, 2)).isEqualTo("2 events/s");
        assertThat(shown("a_gauge", false, 2)).isEqualTo("2");
    }
}
