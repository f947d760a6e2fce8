package io.metricsaggregator.fold;

import org.jspecify.annotations.Nullable;

/** Whether a run has the series of streamed answers: time to first token, between chunks, and for an output token. */
public enum Streaming {
    /** It has them from the start, empty if no chunk ever comes. */
    ON("true"),
    /** It never has them, whatever comes. */
    OFF("false"),
    /** It has them from their first value on. */
    AUTO("auto");

    private final String setting;

    Streaming(String setting) {
        this.setting = setting;
    }

    /** The word for it in the settings of a run. */
    public String setting() {
        return setting;
    }

    /** What a setting says; {@link #OFF} for a run that does not say. */
    public static Streaming ofSetting(@Nullable String setting) {
        for (Streaming each : values()) {
            if (each.setting.equals(setting)) {
                return each;
            }
        }
        return OFF;
    }
}
