package io.metricsaggregator.fold.series;

import org.jspecify.annotations.Nullable;

/** Whether a run has the series of streamed answers: time to first token, time between chunks, time per output token. */
public enum Streaming {
    /** The series exist from the start, and stay empty if no chunk is received. */
    ON("true"),
    /** The series never exist; chunks are counted and not recorded. */
    OFF("false"),
    /** The series exist from the first chunk of a tracked sample on. */
    AUTO("auto");

    private final String setting;

    Streaming(String setting) {
        this.setting = setting;
    }

    /** Its name in the settings of a run. */
    public String setting() {
        return setting;
    }

    /** Returns the constant of a setting; {@link #OFF} for an absent or unknown one, as in runs before there was a choice. */
    public static Streaming ofSetting(@Nullable String setting) {
        for (Streaming each : values()) {
            if (each.setting.equals(setting)) {
                return each;
            }
        }
        return OFF;
    }
}
