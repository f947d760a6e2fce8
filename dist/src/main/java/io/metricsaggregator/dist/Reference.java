package io.metricsaggregator.dist;

import io.metricsaggregator.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes completion for bash, zsh and fish, and the AsciiDoc sources of the man pages, from the commands themselves. */
final class Reference {
    private static final Pattern VALUES = Pattern.compile("local \\w+_option_args=\\((.*)\\) # (-[\\w-]+) values");
    /** The case of an option, by its last name, and the list that it completes. */
    private static final Pattern USE = Pattern.compile("((?:'-[\\w-]+'\\|)*'(-[\\w-]+)'\\)\\n"
            + " *local IFS=\\$'\\\\n'\\n *COMPREPLY=\\( \\$\\( compReplyArray \"\\$\\{)(\\w+_option_args)(\\[@])");

    private Reference() {}

    /** Takes two folders, created if missing: of the completion files, and of the sources of the man pages. */
    public static void main(String[] arguments) throws IOException {
        Path completion = Files.createDirectories(Path.of(arguments[0]));
        CommandLine commands = Main.commands("");
        String name = commands.getCommandName();
        String bash = withOwnValues(AutoComplete.bash(name, commands));
        Files.writeString(completion.resolve(name), withoutInterpreter(bash));
        Files.writeString(completion.resolve("_" + name), zsh(name, bash));
        Files.writeString(completion.resolve(name + ".fish"), FishCompletion.of(commands));
        Path man = Path.of(arguments[1]);
        int status = ManPageGenerator.generateManPage(
                man.toFile(), null, new boolean[0], false, Main.documentation().getCommandSpec());
        if (status != 0) {
            throw new IOException("cannot generate the sources of the man pages in " + man + ": status " + status);
        }
        // picocli breaks lines at commas, and an opening bracket at the end of a line begins a block.
        Path run = man.resolve(name + "-run.adoc");
        Files.writeString(run, Files.readString(run).replaceAll("URL\\[,_?\\s*_?\\s*OPTION…\\]", "URL,OPTION…"));
    }

    /** The text without its first line {@code #!…}: shells source the file, and packages refuse scripts that cannot be executed. */
    private static String withoutInterpreter(String script) {
        return script.startsWith("#!") ? script.substring(script.indexOf('\n') + 1) : script;
    }

    /**
     * Gives each option the values of its own, written as the help writes them. picocli names the list of an option's values by the label of
     * its parameter, so that of two options with the label FORMAT the later one wins, and takes the names of Java's constants.
     */
    private static String withOwnValues(String bash) {
        String named = VALUES.matcher(bash)
                .replaceAll(found -> Matcher.quoteReplacement("local %s=(%s) # %s values"
                        .formatted(list(found.group(2)), found.group(1).toLowerCase(Locale.ROOT), found.group(2))));
        return USE.matcher(named)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1) + list(found.group(2)) + found.group(4)));
    }

    private static String list(String option) {
        return option.replaceAll("^-+", "").replace('-', '_') + "_values";
    }

    /** Bash's completion through zsh's emulation. zsh has no {@code compopt}, which the script calls. */
    private static String zsh(String name, String bash) {
        return "#compdef " + name
                + "\nautoload -U +X bashcompinit && bashcompinit\n(( $+functions[compopt] )) || compopt() { : }\n"
                + withoutInterpreter(bash);
    }
}
