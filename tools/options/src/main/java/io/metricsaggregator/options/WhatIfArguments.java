package io.metricsaggregator.options;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@link WhatIfOptions} as text, for programs whose computation runs in another process than their command line. Stateless. */
public final class WhatIfArguments {
    private WhatIfArguments() {}

    /**
     * The options that a command line has, each as one argument such as {@code --window=steady}.
     *
     * @param parsed a parsed command of which {@link WhatIfOptions} are a part
     * @return arguments for {@link #parse}, in the order of the options; empty without any
     */
    public static List<String> given(ParseResult parsed) {
        CommandSpec options = CommandSpec.forAnnotatedObject(new WhatIfOptions());
        List<String> arguments = new ArrayList<>();
        for (OptionSpec each : parsed.matchedOptions()) {
            String name = each.longestName();
            if (!options.optionsMap().containsKey(name)) {
                continue;
            }
            if (each.arity().max() == 0) {
                arguments.add(name);
            } else {
                each.originalStringValues().forEach(value -> arguments.add(name + "=" + value));
            }
        }
        return arguments;
    }

    /**
     * The options of arguments.
     *
     * @param arguments result of {@link #given}
     * @throws IllegalArgumentException if an argument is none of these options, or its value is malformed
     */
    public static WhatIfOptions parse(List<String> arguments) {
        WhatIfOptions options = new WhatIfOptions();
        try {
            new CommandLine(CommandSpec.forAnnotatedObject(options))
                    .setCaseInsensitiveEnumValuesAllowed(true)
                    .setExpandAtFiles(false)
                    .registerConverter(Duration.class, new DurationConverter())
                    .parseArgs(arguments.toArray(String[]::new));
        } catch (CommandLine.ParameterException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return options;
    }
}
