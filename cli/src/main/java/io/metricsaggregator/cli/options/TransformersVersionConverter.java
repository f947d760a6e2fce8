package io.metricsaggregator.cli.options;

import io.metricsaggregator.tokens.TransformersVersion;
import picocli.CommandLine;

/** Parses a version of transformers, such as {@code 5.5.0}. */
final class TransformersVersionConverter implements CommandLine.ITypeConverter<TransformersVersion> {
    @Override
    public TransformersVersion convert(String text) {
        try {
            return TransformersVersion.parse(text.trim());
        } catch (IllegalArgumentException e) {
            throw new CommandLine.TypeConversionException(e.getMessage());
        }
    }
}
