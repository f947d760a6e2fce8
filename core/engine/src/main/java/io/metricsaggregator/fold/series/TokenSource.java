package io.metricsaggregator.fold.series;

import org.jspecify.annotations.Nullable;

/** Where the token series of a run ({@code isl}, {@code osl}, {@code tpot_ns}, {@code tpot_by_osl_ns}) come from. */
public enum TokenSource {
    /** From token ids and the tokenizer; what servers report is shown beside them. */
    TOKENIZER("tokenizer"),
    /** From the usage that servers report with completions; no text is counted. */
    USAGE("usage"),
    /** As {@link #TOKENIZER}, and the run is to have both: a run whose servers report no usage is questionable. */
    BOTH("both");

    private final String setting;

    TokenSource(String setting) {
        this.setting = setting;
    }

    /** Its name in the settings of a run. */
    public String setting() {
        return setting;
    }

    /** Returns the constant of a setting; {@link #TOKENIZER} for an absent or unknown one. */
    public static TokenSource ofSetting(@Nullable String setting) {
        for (TokenSource each : values()) {
            if (each.setting.equals(setting)) {
                return each;
            }
        }
        return TOKENIZER;
    }
}
