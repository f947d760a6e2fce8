package io.metricsaggregator.architecture;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What each package may use, for {@link PackagesTest}. */
final class PackageRules {
    /** Packages of this project that each package may use, besides itself. */
    static final Map<String, List<String>> MAY_KNOW = new TreeMap<>(Map.ofEntries(
            Map.entry("codec", List.of()),
            Map.entry("event", List.of("codec")),
            Map.entry("catalogue", List.of("event")),
            Map.entry(
                    "snapshot",
                    List.of(
                            "snapshot.percentile",
                            "catalogue",
                            "codec",
                            "event",
                            "snapshot.fields",
                            "snapshot.telemetry")),
            Map.entry("snapshot.fields", List.of("codec")),
            Map.entry("snapshot.telemetry", List.of("codec")),
            Map.entry("snapshot.percentile", List.of("catalogue")),
            Map.entry("verdict", List.of("analysis", "catalogue", "snapshot", "snapshot.telemetry")),
            Map.entry("transport", List.of()),
            Map.entry("transport.zmtp", List.of("transport")),
            Map.entry("transport.jeromq", List.of("transport")),
            Map.entry("producer", List.of("event", "transport")),
            Map.entry("steady", List.of()),
            Map.entry("registry", List.of("snapshot.percentile", "catalogue", "snapshot")),
            Map.entry("text", List.of("event")),
            Map.entry("ledger", List.of("catalogue", "event", "registry", "snapshot")),
            Map.entry("parts", List.of("snapshot.percentile", "catalogue", "codec", "event", "registry", "snapshot")),
            Map.entry("fold.row", packages("event ledger parts registry snapshot")),
            Map.entry("fold.series", packages("catalogue event fold.row parts registry snapshot text")),
            Map.entry("fold.label", packages("catalogue event fold.row fold.series ledger parts registry snapshot")),
            Map.entry(
                    "fold.steady",
                    packages("event fold.label fold.row fold.series parts registry snapshot snapshot.percentile text")),
            Map.entry(
                    "fold.conversation",
                    packages("catalogue event fold.row fold.series parts registry snapshot snapshot.percentile text")),
            Map.entry(
                    "fold.token",
                    packages("catalogue event fold.conversation fold.label fold.row fold.series fold.steady registry "
                            + "snapshot snapshot.percentile text")),
            Map.entry(
                    "fold",
                    packages("catalogue event fold.conversation fold.label fold.row fold.series fold.steady fold.token "
                            + "ledger parts registry snapshot text")),
            Map.entry("storage", List.of("registry")),
            Map.entry("template", List.of()),
            Map.entry("tokens", List.of("codec", "event", "template", "text")),
            Map.entry("journal", List.of()),
            Map.entry("export", List.of("catalogue", "event", "snapshot", "snapshot.telemetry")),
            Map.entry("synthetic", List.of("codec")),
            Map.entry("samples", List.of("catalogue", "codec", "event", "journal", "tokens")),
            Map.entry("parquet", List.of("journal", "samples", "tokens")),
            Map.entry("answer", List.of("codec", "event")),
            Map.entry("imports", List.of("answer", "event", "imports.json")),
            Map.entry("imports.json", List.of()),
            Map.entry("imports.read", packages("answer codec event imports imports.json")),
            Map.entry("imports.format", packages("imports imports.json")),
            Map.entry("imports.journal", List.of("codec", "event", "imports", "journal", "snapshot")),
            Map.entry(
                    "telemetry",
                    List.of(
                            "codec",
                            "event",
                            "snapshot",
                            "snapshot.telemetry",
                            "telemetry.energy",
                            "telemetry.fold",
                            "telemetry.metric",
                            "telemetry.operation",
                            "telemetry.promql",
                            "telemetry.resource",
                            "telemetry.scrape",
                            "telemetry.server",
                            "telemetry.transfer")),
            Map.entry("telemetry.fold", List.of("codec", "event", "snapshot.telemetry")),
            Map.entry(
                    "telemetry.statistics",
                    List.of("snapshot.percentile", "codec", "snapshot.telemetry", "telemetry.fold")),
            Map.entry(
                    "telemetry.transfer",
                    List.of("codec", "event", "snapshot.telemetry", "telemetry.fold", "telemetry.statistics")),
            Map.entry(
                    "telemetry.resource",
                    List.of("codec", "event", "snapshot.telemetry", "telemetry.fold", "telemetry.statistics")),
            Map.entry(
                    "telemetry.operation",
                    List.of("codec", "event", "snapshot.telemetry", "telemetry.fold", "telemetry.statistics")),
            Map.entry(
                    "telemetry.metric",
                    List.of("codec", "event", "snapshot.telemetry", "telemetry.fold", "telemetry.statistics")),
            Map.entry(
                    "telemetry.energy",
                    List.of("event", "snapshot", "telemetry.fold", "telemetry.promql", "telemetry.triton")),
            Map.entry("telemetry.promql", List.of("telemetry.fold", "telemetry.statistics")),
            Map.entry(
                    "telemetry.server",
                    List.of("snapshot.telemetry", "telemetry.fold", "telemetry.promql", "telemetry.statistics")),
            Map.entry("telemetry.triton", List.of("codec", "snapshot.telemetry", "telemetry.fold", "telemetry.promql")),
            Map.entry(
                    "telemetry.scrape",
                    List.of(
                            "codec",
                            "event",
                            "snapshot",
                            "snapshot.telemetry",
                            "telemetry.fold",
                            "telemetry.promql",
                            "telemetry.server",
                            "telemetry.statistics",
                            "telemetry.triton")),
            Map.entry("collect", List.of("codec", "event")),
            Map.entry("conformance", List.of("codec", "event", "transport")),
            Map.entry(
                    "ingest",
                    packages("codec event fold fold.label journal ledger telemetry telemetry.fold registry snapshot "
                            + "snapshot.telemetry transport")),
            Map.entry("publish", packages("catalogue codec event parts registry snapshot steady transport")),
            Map.entry(
                    "config",
                    List.of(
                            "collect",
                            "fold.row",
                            "fold.series",
                            "journal",
                            "snapshot",
                            "telemetry",
                            "telemetry.promql",
                            "tokens",
                            "transport")),
            Map.entry(
                    "run",
                    packages(
                            "catalogue codec collect config event fold fold.label fold.row fold.series fold.steady ingest journal ledger telemetry "
                                    + "telemetry.energy telemetry.fold telemetry.server parts publish registry snapshot "
                                    + "snapshot.telemetry steady storage tokens transport")),
            Map.entry(
                    "daemon",
                    List.of(
                            "catalogue",
                            "codec",
                            "collect",
                            "config",
                            "export",
                            "ingest",
                            "journal",
                            "publish",
                            "registry",
                            "run",
                            "snapshot",
                            "telemetry.fold",
                            "transport",
                            "web")),
            Map.entry(
                    "options",
                    packages(
                            "analysis collect config publish fold.row fold.series registry run snapshot telemetry telemetry.fold telemetry.promql tokens")),
            Map.entry("subscriber", List.of("codec", "snapshot", "transport")),
            Map.entry(
                    "analysis",
                    List.of("snapshot.percentile", "catalogue", "codec", "event", "snapshot", "snapshot.telemetry")),
            Map.entry(
                    "runs",
                    List.of(
                            "snapshot.percentile",
                            "verdict",
                            "analysis",
                            "catalogue",
                            "codec",
                            "event",
                            "snapshot",
                            "snapshot.telemetry")),
            Map.entry("sweep", List.of("verdict", "analysis", "catalogue", "snapshot", "snapshot.percentile")),
            Map.entry("report.markup", List.of("analysis")),
            Map.entry(
                    "report.plot",
                    List.of(
                            "snapshot.percentile",
                            "analysis",
                            "catalogue",
                            "codec",
                            "report.markup",
                            "snapshot",
                            "snapshot.telemetry")),
            Map.entry("report.section", List.of("analysis", "catalogue", "snapshot", "snapshot.telemetry")),
            Map.entry(
                    "report.text",
                    List.of(
                            "verdict",
                            "analysis",
                            "catalogue",
                            "codec",
                            "event",
                            "report.plot",
                            "report.section",
                            "snapshot",
                            "snapshot.telemetry")),
            Map.entry(
                    "report.html",
                    List.of(
                            "snapshot.percentile",
                            "verdict",
                            "analysis",
                            "catalogue",
                            "codec",
                            "report.markup",
                            "report.plot",
                            "report.section",
                            "runs",
                            "snapshot",
                            "snapshot.telemetry")),
            Map.entry(
                    "report.dialect",
                    List.of(
                            "verdict",
                            "analysis",
                            "catalogue",
                            "codec",
                            "event",
                            "report.markup",
                            "snapshot",
                            "snapshot.telemetry")),
            Map.entry(
                    "report",
                    List.of(
                            "snapshot.percentile",
                            "verdict",
                            "analysis",
                            "report.dialect",
                            "report.html",
                            "report.markup",
                            "report.plot",
                            "report.text",
                            "runs",
                            "snapshot")),
            Map.entry(
                    "report.sweep",
                    List.of(
                            "verdict",
                            "analysis",
                            "codec",
                            "report.html",
                            "report.markup",
                            "report.plot",
                            "report.section",
                            "sweep")),
            Map.entry(
                    "tui",
                    List.of(
                            "snapshot.percentile",
                            "analysis",
                            "catalogue",
                            "event",
                            "report",
                            "report.plot",
                            "report.section",
                            "report.text",
                            "snapshot",
                            "subscriber")),
            Map.entry("web", List.of("codec", "snapshot", "web.model")),
            Map.entry(
                    "fleet",
                    packages(
                            "analysis snapshot.percentile catalogue codec config daemon event publish runs snapshot transport")),
            Map.entry(
                    "web.model",
                    List.of("snapshot.percentile", "verdict", "analysis", "catalogue", "report.section", "snapshot")),
            Map.entry(
                    "flink",
                    packages("config publish flink.journal flink.kafka flink.output flink.run flink.stream"
                            + " journal options run")),
            Map.entry("flink.journal", packages("journal run")),
            Map.entry("flink.kafka", packages("flink.stream")),
            Map.entry("flink.output", packages("journal parquet samples snapshot")),
            Map.entry(
                    "flink.run",
                    packages("config flink.journal flink.output options parts registry run runs snapshot storage")),
            Map.entry("flink.stream", packages("codec config flink.output flink.run journal options run snapshot")),
            Map.entry("cli.console", packages("analysis codec collect journal options publish")),
            Map.entry(
                    "cli.options",
                    packages(
                            "collect config fold.series journal options run snapshot subscriber telemetry tokens transport")),
            Map.entry(
                    "cli.view",
                    packages(
                            "analysis catalogue cli.console cli.options config fold.series options publish report "
                                    + "report.dialect report.plot report.sweep run runs snapshot subscriber sweep tui verdict web")),
            Map.entry(
                    "cli.files",
                    packages(
                            "analysis cli.console cli.options codec config daemon imports imports.format imports.journal "
                                    + "journal options parquet producer publish report run runs samples snapshot subscriber tokens "
                                    + "transport")),
            Map.entry(
                    "cli.testing",
                    packages(
                            "cli.console cli.options collect conformance event options producer publish synthetic transport")),
            Map.entry(
                    "cli.daemon",
                    packages(
                            "analysis cli.console cli.options cli.view collect config daemon fleet fold.series options "
                                    + "producer publish report snapshot subscriber transport")),
            Map.entry(
                    "cli",
                    packages("cli.console cli.daemon cli.files cli.options cli.testing cli.view options publish"))));

    /** Packages of {@code imports}, one for each tool whose results can be imported. */
    private static final List<String> TOOLS =
            packages("aiperf endpoints genaibench guidellm inferenceperf k6 llmperf loadgen locust "
                    + "perfanalyzer sglang vegeta vllm");

    static {
        for (String tool : TOOLS) {
            MAY_KNOW.put("imports." + tool, packages("answer codec event imports imports.json imports.read"));
            MAY_KNOW.compute("imports.format", (room, known) -> plus(known, "imports." + tool));
        }
    }

    private static List<String> plus(List<String> some, String other) {
        return Stream.concat(some.stream(), Stream.of(other)).toList();
    }

    private static List<String> packages(String separatedBySpaces) {
        return List.of(separatedBySpaces.split(" "));
    }

    /** Third-party packages that each package may use, besides the JDK, JSpecify and SLF4J. */
    static final Map<String, List<String>> LIBRARIES = Map.ofEntries(
            Map.entry("codec", List.of("org.msgpack..", "tools.jackson..")),
            Map.entry("event", List.of("org.msgpack..")),
            Map.entry("snapshot.fields", List.of("tools.jackson..")),
            Map.entry("imports.json", List.of("tools.jackson..")),
            Map.entry("imports.journal", List.of("org.msgpack..")),
            Map.entry("imports.read", List.of("org.snakeyaml.engine..")),
            Map.entry("imports.endpoints", List.of("java.sql..", "org.msgpack..")),
            Map.entry("imports.locust", List.of("org.msgpack..")),
            Map.entry("transport.jeromq", List.of("org.zeromq..", "zmq..")),
            Map.entry("steady", List.of("org.apache.commons.numbers..")),
            Map.entry("fold.token", List.of("org.HdrHistogram..")),
            Map.entry("registry", List.of("org.HdrHistogram..", "org.apache.commons.numbers..")),
            Map.entry("telemetry.statistics", List.of("org.HdrHistogram..")),
            Map.entry("collect", List.of("org.msgpack..", "javax.net.ssl..")),
            Map.entry("journal", List.of("com.sun.nio.file..")),
            Map.entry("run", List.of("com.sun.management..")),
            Map.entry("daemon", List.of("org.msgpack..")),
            Map.entry("options", List.of("picocli..")),
            Map.entry("tokens", List.of("ai.djl..")),
            Map.entry("analysis", List.of("org.HdrHistogram..")),
            Map.entry("report.dialect", List.of("org.HdrHistogram..", "org.snakeyaml.engine..")),
            Map.entry("report.plot", List.of("org.HdrHistogram..")),
            Map.entry("runs", List.of("org.HdrHistogram..", "org.apache.commons.numbers..")),
            Map.entry("sweep", List.of("org.HdrHistogram..")),
            Map.entry(
                    "export",
                    List.of("org.HdrHistogram..", "io.prometheus..", "io.opentelemetry..", "com.sun.net.httpserver..")),
            Map.entry("parquet", List.of("org.apache.parquet..", "org.apache.hadoop.conf..")),
            Map.entry("flink", List.of("org.apache.flink..", "picocli..")),
            Map.entry("flink.journal", List.of("org.apache.flink..")),
            Map.entry("flink.kafka", List.of("org.apache.flink..", "org.apache.kafka..")),
            Map.entry("flink.output", List.of("org.apache.flink..")),
            Map.entry("flink.run", List.of("org.apache.flink..")),
            Map.entry("flink.stream", List.of("org.apache.flink..")),
            Map.entry("synthetic", List.of("com.sun.net.httpserver..")),
            Map.entry("tui", List.of("org.HdrHistogram..", "org.jline..")),
            Map.entry("web.model", List.of("org.HdrHistogram..")),
            Map.entry("cli.console", List.of("picocli..", "ch.qos.logback..")),
            Map.entry("cli.options", List.of("picocli..")),
            Map.entry("cli.view", List.of("picocli..", "ch.qos.logback..")),
            Map.entry("cli.files", List.of("picocli..")),
            Map.entry("cli.testing", List.of("picocli..", "com.sun.net.httpserver..")),
            Map.entry("cli.daemon", List.of("picocli..", "ch.qos.logback..")),
            Map.entry("cli", List.of("picocli..")));

    private PackageRules() {}
}
