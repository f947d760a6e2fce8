package io.metricsaggregator.options;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A heading of help, man pages and docs/cli.md. Groups appear in this order; options without a group come before them. */
public enum OptionGroup {
    ENDPOINTS("Endpoints"),
    OUTPUT("Output"),
    LOAD("Load"),
    METRICS("Metrics"),
    TOKENS("Tokens"),
    RECOMPUTATION("Recomputation of a journal"),
    JOURNAL("Journal"),
    COLLECTION("Collection"),
    EXPORT("Export"),
    LIMITS("Limits"),
    LIFECYCLE("Lifecycle"),
    SECURITY("Security"),
    MLCOMMONS("MLCommons compatibility"),
    CONFIGURATION("Configuration"),
    LOGGING("Logging");

    private final String heading;

    OptionGroup(String heading) {
        this.heading = heading;
    }

    /** The heading without a colon, such as {@code Limits}. */
    public String heading() {
        return heading;
    }

    /** The group of an option, or of all options of a class; the annotation of the option takes precedence. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.FIELD, ElementType.METHOD})
    public @interface In {
        /** The group. */
        OptionGroup value();
    }
}
