package io.metricsaggregator.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks that the table of docs/reference.md between {@code <!-- snapshot keys -->} and {@code <!-- end of snapshot keys -->} lists every key that the
 * records of a snapshot write. {@code mvn -pl core/snapshot -am test -Dtest=SnapshotKeysDocumentTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dkeys.write=true} rewrites it.
 */
class SnapshotKeysDocumentTest {
    private static final Path ROOT = Path.of(System.getProperty("project.root"));
    private static final Path PAGE = ROOT.resolve("docs/reference.md");
    private static final String START = "<!-- snapshot keys -->\n";
    private static final String END = "<!-- end of snapshot keys -->";

    /** Figures of a role other than the first: the roles have a table of their own. */
    private static final String ROLE = "as `observations.scrape.server.running`";
    /** Figures of servers in a window or of one target: the same keys as those of all servers. */
    private static final Pattern REPEATED = Pattern.compile("observations\\.scrape\\.server\\.(steady|targets\\[])\\.");

    /** Sections whose records add up by their declarations. */
    private static final Pattern ADDED = Pattern.compile(
            "(?!progress\\.stalls)(usage|server_times|conversations|interactivity|progress|by_label|errors|in_flight|goodput)\\b.*");

    /** What a merge of several snapshots has under other keys, and of whole sections: the first rule whose pattern the whole path matches. */
    private static final String MERGES = """
            run\\.schema_version|own version
            run\\.run_id|`merged-` and 16 hex digits of all ids
            run\\.version|first
            run\\.started_wall_ns|min
            run\\.wall_ns|max
            run\\.(exposures|recomputed|imported.*)|all runs'
            run\\.(environment|settings|labels)|up to 8 distinct values
            run\\.(node|wall_offset.*)|absent
            detail\\.exact|false; true of journals and parts
            detail\\.(clamped|negative)|sum
            detail\\.(std_dev|interpolated)|computed from the merged
            detail\\.certification.*|absent
            detail\\.hdr|sum
            rates\\..*|absent
            workers\\[]|all rows; equal names get the run id; 1024, then `other`
            errors\\[]|by event and type; 100, then `other`
            malformed|sum by reason
            slices|from the session start; absent unless runs are side by side
            slices\\.outside|sum
            slices\\.columns|sum; `…max` max; percentiles absent
            slowest|the slowest of all, from each run's start
            goodput|absent unless all runs have the same objectives
            observations\\.[a-z]+|kept if one run has the kind, else absent
            self|absent
            session\\.(started|tracking)|all
            session\\.interrupted|any
            session\\.super_pass_size|same, else nil
            outages\\[]|all rows; 64, then the last grows
            steady|absent
            by_label\\.\\*\\.values\\.\\*\\.(latency_ns|ttft_ns|tpot_ns|idle_ns)|nil; of journals and parts from summed histograms
            by_label\\.\\*\\.values\\.\\*\\.state|`idle`
            by_label\\.\\*\\.values|32, then `other`
            by_label\\.\\*|8 keys, then left out
            energy|absent unless every run has it and no device belongs to two
            energy\\.idle_w|sum
            energy\\.(run|tracked)\\.by_(gpu|zone)\\[]|all rows
            energy\\.steady|absent
            energy\\.not_measured|all runs'
            conversations\\.by_turn\\[]|by `from`
            progress|absent unless every run has it
            progress\\.state|the worst
            progress\\.interrupted_by|first
            progress\\.stalls\\[]|all rows, up to 32
            nodes\\[]|all rows; 1024, then `other`
            nodes_(repeated|discarded)|sum
            nodes_(expected|linger_s)|absent
            limits|absent
            left_out|all runs'
            """;

    private static final Map<String, String> FORMS = Map.of(
            "left_out", "array of str or absent | all runs' | parts missing from this copy, as paths",
            "limits", "map of int or absent | absent | limits that follow from the heap, by name");

    private static String merge(KeyTable.Row row) {
        return MERGES.lines()
                .map(each -> each.split("\\|(?=[^|]*$)", 2))
                .filter(each -> row.path().matches(each[0]))
                .map(each -> each[1])
                .findFirst()
                .orElseGet(() -> ADDED.matcher(row.path()).matches() ? row.merge() : "");
    }

    @Test
    void the_page_lists_every_key_of_a_snapshot() throws Exception {
        String expected = table();
        String page = Files.readString(PAGE);
        int start = page.indexOf(START) + START.length();
        int end = page.indexOf(END);
        assertThat(end).as("markers in %s", PAGE).isGreaterThanOrEqualTo(start);
        if (Boolean.getBoolean("keys.write")) {
            page = page.substring(0, start) + expected + page.substring(end);
            Files.writeString(PAGE, page);
            end = page.indexOf(END);
        }
        assertThat(page.substring(start, end))
                .as("keys in docs/reference.md; the option -Dkeys.write=true of this test writes them")
                .isEqualTo(expected);
    }

    private static String table() throws Exception {
        KeyTable keys = new KeyTable(new RecordMeanings(ROOT.resolve("core/snapshot/src/main/java")));
        keys.within("detail", "map", SeriesDetail.BLANK, SeriesDetail::pass);
        SnapshotExtensions.pass(keys, SnapshotExtensions.NONE);
        for (TelemetryKind kind : TelemetryKind.values()) {
            telemetry(keys, kind);
        }
        List<String> lines = new ArrayList<>(List.of("", "| key | type | merge | meaning |", "|---|---|---|---|"));
        for (KeyTable.Row row : keys.rows()) {
            if (!REPEATED.matcher(row.path()).lookingAt() && !row.type().endsWith(ROLE)) {
                String cells = row.type() + " | " + merge(row) + " | " + row.meaning();
                lines.add("| `" + row.path() + "` | " + FORMS.getOrDefault(row.path(), cells) + " |");
            }
        }
        return String.join("\n", lines) + "\n\n";
    }

    private static void telemetry(KeyTable keys, TelemetryKind kind) throws Exception {
        String name =
                kind.key().substring(0, 1).toUpperCase(Locale.ROOT) + kind.key().substring(1);
        Class<?> type = Class.forName(TelemetryKind.class.getPackageName() + "." + name + "Snapshot");
        var blank = type.getDeclaredField("BLANK");
        blank.setAccessible(true);
        Method pass = type.getDeclaredMethod("pass", Fields.class, type);
        pass.setAccessible(true);
        keys.within("observations." + kind.key(), "map or absent", blank.get(null), (fields, value) -> {
            try {
                return pass.invoke(null, fields, value);
            } catch (ReflectiveOperationException e) {
                throw new MalformedMessageException(String.valueOf(e.getCause()));
            }
        });
    }
}
