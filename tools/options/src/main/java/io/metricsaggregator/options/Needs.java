package io.metricsaggregator.options;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The options without which an option, or each option of a mixin, has no effect. A command refuses the option unless at least one of them
 * is given.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface Needs {
    /** Each a long option, such as {@code --journal}, or one with its value, such as {@code --kind=load}, which may be the default. */
    String[] value();
}
