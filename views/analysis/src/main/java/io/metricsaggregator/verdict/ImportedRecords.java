package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.ImportedText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Imported;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether the files of an imported run were read whole, and agree with the figures of the tool that wrote them. */
final class ImportedRecords implements Check {
    /** Reasons that name records left out on purpose. */
    private static final Set<String> INTENDED = Set.of("warmup_dropped", "context_overflow_skip");

    @Override
    public String name() {
        return "import";
    }

    @Override
    public String effect() {
        return "records of imported files skipped as damaged, or figures of the tool that do not follow from its requests: questionable";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        List<Finding> findings = new ArrayList<>();
        Imported imported = ImportedText.of(snapshot);
        if (imported == null) {
            return findings;
        }
        Map<String, Long> damaged = imported.skipped().entrySet().stream()
                .filter(each -> !INTENDED.contains(each.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        if (!damaged.isEmpty()) {
            findings.add(new Finding(
                    Finding.Weight.REMARK,
                    "import",
                    "records of the files were skipped: " + ImportedText.counts(damaged)
                            + "; no figure includes them"));
        }
        if (imported.disagreements() > 0) {
            findings.add(new Finding(
                    Finding.Weight.REMARK,
                    "verification",
                    String.format(
                            Locale.ROOT,
                            "%,d of %,d figures of the tool do not follow from its requests; see the notes",
                            imported.disagreements(),
                            imported.verify().size())));
        } else if (!imported.verify().isEmpty()) {
            findings.add(new Finding(
                    Finding.Weight.GOOD,
                    "verification",
                    String.format(
                            Locale.ROOT,
                            "%,d figures of the tool follow from its requests",
                            imported.verify().size())));
        }
        if (imported.endUnknown() > 0) {
            findings.add(new Finding(
                    Finding.Weight.GOOD,
                    "failures without a time",
                    String.format(
                            Locale.ROOT,
                            "%,d failed requests have no end in the file%s; no latency includes them",
                            imported.endUnknown(),
                            imported.startUnknown() == 0
                                    ? ""
                                    : String.format(Locale.ROOT, ", %,d of them no start", imported.startUnknown()))));
        }
        return findings;
    }
}
