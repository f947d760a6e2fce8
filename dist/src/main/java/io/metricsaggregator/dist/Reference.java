package io.metricsaggregator.dist;

import io.metricsaggregator.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes completion for bash, zsh and fish, and the AsciiDoc sources of the man pages, from the commands themselves. */
final class Reference {
    private Reference() {}

    /** Takes two folders, created if missing: of the completion files, and of the sources of the man pages. */
    public static void main(String[] arguments) throws IOException {
        Path completion = Files.createDirectories(Path.of(arguments[0]));
        CommandLine commands = Main.commands("");
        String name = commands.getCommandName();
        String bash = AutoComplete.bash(name, commands);
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

    /** Bash's completion through zsh's emulation. zsh has no {@code compopt}, which the script calls. */
    private static String zsh(String name, String bash) {
        return "#compdef " + name
                + "\nautoload -U +X bashcompinit && bashcompinit\n(( $+functions[compopt] )) || compopt() { : }\n"
                + withoutInterpreter(bash);
    }
}
