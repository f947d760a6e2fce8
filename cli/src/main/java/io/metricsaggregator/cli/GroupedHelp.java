package io.metricsaggregator.cli;

import io.metricsaggregator.options.OptionGroup;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpFactory;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Help with the options of a command under the headings of {@link OptionGroup}.
 *
 * <p>The groups exist only for help. Options that are parsed within a picocli group reset the whole group when one of them is given twice,
 * and picocli does not check that a required one is there.
 */
final class GroupedHelp implements IHelpFactory {
    @Override
    public Help create(CommandSpec command, Help.ColorScheme colours) {
        group(command);
        return new Help(command, colours);
    }

    /** Moves the options of a command into its groups. The command must not parse arguments afterwards; a second call does nothing. */
    static void group(CommandSpec command) {
        // Groups of the program itself would be added once more to the commands that inherit its options.
        if (!command.argGroups().isEmpty() || !command.subcommands().isEmpty()) {
            return;
        }
        Map<OptionGroup, List<OptionSpec>> groups = new EnumMap<>(OptionGroup.class);
        for (OptionSpec option : List.copyOf(command.options())) {
            OptionGroup group = groupOf(option);
            if (group != null) {
                groups.computeIfAbsent(group, any -> new ArrayList<>()).add(option);
            }
        }
        groups.forEach((group, options) -> {
            ArgGroupSpec.Builder builder = ArgGroupSpec.builder()
                    .validate(false)
                    .order(group.ordinal())
                    .heading("%n" + group.heading() + ":%n");
            for (OptionSpec option : options) {
                command.remove(option);
                builder.addArg(option);
            }
            command.addArgGroup(builder.build());
        });
    }

    private static @Nullable OptionGroup groupOf(OptionSpec option) {
        if (!(option.userObject() instanceof Member member) || !(member instanceof AnnotatedElement element)) {
            return null;
        }
        OptionGroup.In own = element.getAnnotation(OptionGroup.In.class);
        if (own == null) {
            own = member.getDeclaringClass().getAnnotation(OptionGroup.In.class);
        }
        return own == null ? null : own.value();
    }
}
