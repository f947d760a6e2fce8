package io.metricsaggregator.cli.files;

import io.metricsaggregator.analysis.ImportedText;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.snapshot.figures.Imported;
import java.util.Locale;

/** What an import took over, skipped and could not know, as lines of text. Stateless. */
final class ImportText {
    private static final int TEXT_MAX = 200;

    private ImportText() {}

    static String of(Imported imported) {
        StringBuilder out = new StringBuilder();
        line(
                out,
                "imported %s%s, format %s, kind %s%s: %,d requests",
                escape(imported.tool()),
                imported.toolVersion() == null ? "" : " " + escape(imported.toolVersion()),
                imported.format(),
                imported.kind(),
                imported.part() == null ? "" : ", part " + escape(imported.part()),
                imported.requests());
        if (imported.interrupted() != null) {
            line(out, "  interrupted: %s", escape(imported.interrupted()));
        }
        ImportedText.stages(imported).forEach(each -> line(out, "  %s", each));
        if (imported.open() > 0) {
            line(out, "  cancelled by the tool, without an end: %,d", imported.open());
        }
        if (imported.startUnknown() > 0) {
            line(out, "  failed, issued at an unknown time: %,d", imported.startUnknown());
        }
        if (imported.endUnknown() > 0) {
            line(out, "  failed at an unknown time: %,d", imported.endUnknown());
        }
        if (!imported.skipped().isEmpty()) {
            line(out, "  skipped: %s", ImportCommand.counts(imported.skipped()));
        }
        imported.unknowable().forEach((name, reason) -> line(out, "  unknown: %s (%s)", escape(name), escape(reason)));
        verify(out, imported);
        return out.toString();
    }

    private static void verify(StringBuilder out, Imported imported) {
        if (imported.verify().isEmpty()) {
            return;
        }
        long apart = imported.disagreements();
        line(
                out,
                "  verified: %,d of %,d figures of the tool follow from its requests",
                imported.verify().size() - apart,
                imported.verify().size());
        for (Imported.Verification each : imported.verify()) {
            if (!each.agrees()) {
                line(
                        out,
                        "  warning: %s is %s in the file, %s",
                        escape(each.name()),
                        each.expected(),
                        each.computed() == null
                                ? "and cannot be recomputed from the requests"
                                : each.computed() + " recomputed from the requests");
            }
        }
    }

    private static String escape(String text) {
        return Printable.escape(text, TEXT_MAX);
    }

    private static void line(StringBuilder out, String format, Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
