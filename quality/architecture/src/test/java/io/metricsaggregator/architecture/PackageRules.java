package io.metricsaggregator.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What each package may use, for {@link PackagesTest}. */
final class PackageRules {
    /** A package, and the packages of this project that it may use besides itself; those below come first. */
    private static final String RULES = """
            codec:
            http:
            json:
            journal:
            registry.raw:
            registry.sum:
            steady:
            template:
            transport:
            event: codec event.server
            event.server: codec
            event.frame: codec event
            snapshot.fields: codec
            synthetic: codec http
            transport.jeromq: transport
            transport.zmtp: transport
            answer: codec event event.server
            imports.json: json
            catalogue: event
            collect: codec event event.frame
            conformance: codec event event.frame transport
            otlp: codec event event.frame event.server http json
            producer: event event.frame event.server transport
            snapshot.figures: codec event snapshot.fields snapshot.percentile
            snapshot.telemetry.server: codec snapshot.fields
            text: event
            imports: answer event event.server imports.json json
            snapshot.percentile: catalogue
            snapshot.telemetry: codec snapshot.fields snapshot.telemetry.server
            tokens: codec event template text
            imports.follow:
            imports.endpoints: codec imports imports.json json
            imports.read: answer codec event imports imports.json json
            samples: catalogue codec event event.frame event.server journal tokens
            snapshot: catalogue codec event snapshot.fields snapshot.figures snapshot.percentile snapshot.telemetry
            snapshot.histogram: codec snapshot snapshot.percentile
            telemetry.fold: codec event event.frame snapshot.telemetry
            analysis: catalogue codec event snapshot snapshot.figures snapshot.percentile snapshot.telemetry \
                snapshot.telemetry.server
            export: catalogue event http snapshot snapshot.figures snapshot.telemetry snapshot.telemetry.server
            imports.aiperf: answer event imports imports.json imports.read json
            imports.genaibench: imports imports.json imports.read json
            imports.guidellm: event imports imports.json imports.read json
            imports.inferenceperf: answer event imports imports.json imports.read json
            imports.journal: codec event event.frame event.server imports journal snapshot snapshot.figures
            imports.k6: imports imports.json imports.read
            imports.llmd: imports imports.json imports.read json
            imports.llmperf: imports imports.json imports.read json
            imports.loadgen: imports imports.json imports.read json
            imports.locust: codec imports imports.json imports.read json
            imports.perfanalyzer: answer event imports imports.json imports.read json
            imports.sglang: event imports imports.json imports.read json
            imports.vegeta: answer event imports imports.json imports.read
            imports.vllm: event event.server imports imports.json imports.read json
            parquet: journal samples tokens
            registry: catalogue registry.raw registry.sum snapshot snapshot.histogram snapshot.percentile
            subscriber: codec snapshot transport
            telemetry.statistics: codec snapshot.percentile snapshot.telemetry telemetry.fold
            analysis.fleet: analysis snapshot
            flink.output: journal parquet samples snapshot
            imports.format: imports imports.aiperf imports.endpoints imports.genaibench imports.guidellm \
                imports.inferenceperf imports.json imports.k6 imports.llmd imports.llmperf imports.loadgen \
                imports.locust imports.perfanalyzer imports.sglang imports.vegeta imports.vllm
            ledger: catalogue event registry snapshot
            parts: catalogue codec event registry registry.raw snapshot snapshot.figures snapshot.percentile
            report.markup: analysis
            storage: registry registry.raw
            telemetry.metric: codec event event.frame snapshot.telemetry telemetry.fold telemetry.statistics
            telemetry.operation: codec event event.frame snapshot.telemetry telemetry.fold telemetry.statistics
            telemetry.promql: telemetry.fold telemetry.statistics
            telemetry.resource: codec event event.frame snapshot.telemetry telemetry.fold telemetry.statistics
            telemetry.transfer: codec event event.frame snapshot.telemetry telemetry.fold telemetry.statistics
            fold.row: event event.frame ledger parts registry snapshot snapshot.figures
            publish: catalogue codec event event.frame parts registry registry.raw snapshot snapshot.figures steady \
                transport
            report.plot: analysis catalogue codec report.markup snapshot snapshot.figures snapshot.percentile \
                snapshot.telemetry
            report.section: runs analysis analysis.fleet catalogue codec snapshot snapshot.figures snapshot.telemetry \
                snapshot.telemetry.server verdict
            telemetry.server: snapshot.telemetry snapshot.telemetry.server telemetry.fold telemetry.promql \
                telemetry.statistics
            telemetry.triton: codec snapshot.telemetry snapshot.telemetry.server telemetry.fold telemetry.promql
            verdict: analysis analysis.fleet catalogue snapshot snapshot.figures snapshot.telemetry \
                snapshot.telemetry.server
            fold.series: catalogue event fold.row parts registry snapshot snapshot.figures text
            report.dialect: analysis analysis.fleet catalogue codec event report.markup snapshot snapshot.fields \
                snapshot.figures snapshot.percentile snapshot.telemetry snapshot.telemetry.server verdict
            report.text: analysis analysis.fleet catalogue codec event report.plot report.section snapshot \
                snapshot.figures snapshot.telemetry verdict
            runs: snapshot.fields analysis catalogue codec event snapshot snapshot.figures snapshot.histogram steady \
                snapshot.percentile snapshot.telemetry verdict
            sweep: analysis catalogue snapshot snapshot.figures snapshot.percentile verdict
            telemetry.energy: event event.frame snapshot snapshot.figures telemetry.fold telemetry.promql \
                telemetry.triton
            telemetry.scrape: codec event event.frame snapshot snapshot.telemetry snapshot.telemetry.server \
                telemetry.fold telemetry.promql telemetry.server telemetry.statistics telemetry.triton
            web.model: analysis analysis.fleet catalogue report.section snapshot snapshot.figures snapshot.percentile \
                verdict
            fold.conversation: catalogue event event.frame fold.row fold.series parts registry snapshot snapshot.fields \
                snapshot.figures snapshot.percentile text
            fold.label: catalogue event fold.row fold.series ledger parts registry snapshot snapshot.figures
            report.html: analysis catalogue codec report.markup report.plot report.section runs snapshot \
                snapshot.figures snapshot.percentile snapshot.telemetry verdict
            telemetry: codec event event.frame snapshot snapshot.figures snapshot.telemetry telemetry.energy \
                telemetry.fold telemetry.metric telemetry.operation telemetry.promql telemetry.resource \
                telemetry.scrape telemetry.server telemetry.transfer
            web: analysis codec http report.html snapshot web.model
            config: collect fold.row fold.series journal snapshot snapshot.figures telemetry telemetry.promql tokens \
                transport
            fold.steady: event fold.label fold.row fold.series parts registry registry.raw snapshot snapshot.figures \
                snapshot.percentile text
            report: report.section analysis codec report.dialect report.html report.markup report.plot report.text runs snapshot \
                snapshot.percentile verdict
            report.submission: analysis catalogue codec report.dialect snapshot snapshot.figures sweep
            report.sweep: analysis codec report.html report.markup report.plot report.section report.text sweep verdict
            fold.token: catalogue event event.server fold.conversation fold.label fold.row fold.series fold.steady registry \
                snapshot snapshot.figures snapshot.percentile text
            tui: analysis analysis.fleet catalogue event report report.plot report.section report.text snapshot \
                snapshot.figures snapshot.percentile subscriber
            fold: catalogue event event.frame fold.conversation fold.label fold.row fold.series fold.steady fold.token ledger \
                parts registry snapshot snapshot.figures text
            ingest: catalogue codec event event.frame fold fold.label journal ledger registry snapshot snapshot.telemetry \
                telemetry telemetry.fold transport
            run: catalogue codec collect config event fold fold.label fold.row fold.series fold.steady ingest journal \
                ledger parts publish registry snapshot snapshot.figures snapshot.telemetry steady storage telemetry \
                telemetry.energy telemetry.fold telemetry.server tokens transport
            daemon: catalogue codec collect config event export ingest journal otlp publish registry run snapshot \
                snapshot.figures telemetry.fold transport web
            flink.journal: journal run
            options: analysis codec collect config fold.row fold.series publish registry run snapshot snapshot.figures \
                telemetry telemetry.fold telemetry.promql tokens
            cli.console: analysis codec collect journal options publish
            cli.options: collect config fold.series journal options run snapshot subscriber telemetry tokens transport
            fleet: analysis analysis.fleet catalogue codec config daemon event event.frame publish runs snapshot \
                snapshot.figures snapshot.histogram snapshot.percentile transport
            flink.run: config flink.journal flink.output options parts registry run runs snapshot storage
            cli.files: analysis cli.console cli.options codec config daemon imports imports.format imports.journal \
                journal options parquet producer publish report run runs samples snapshot snapshot.figures subscriber \
                tokens transport
            cli.testing: analysis cli.console cli.files cli.options collect codec conformance daemon event event.frame http imports \
                imports.follow imports.format imports.journal options producer publish synthetic transport
            cli.view: analysis analysis.fleet catalogue cli.console cli.options config fold.series options publish \
                report report.dialect report.plot report.submission report.sweep run runs snapshot snapshot.figures \
                subscriber sweep tui verdict web
            flink.stream: codec config flink.output flink.run journal options run snapshot
            cli.daemon: analysis cli.console cli.options cli.view codec collect config daemon fleet fold.series options \
                producer publish report snapshot snapshot.figures subscriber transport verdict
            flink.kafka: flink.stream
            proxy: answer codec event event.server
            cli.live: cli.console cli.options collect daemon event options producer proxy transport
            cli.wrap: catalogue cli.console cli.daemon cli.files cli.live daemon event imports imports.format options \
                producer proxy snapshot subscriber transport
            cli.audit: cli.console cli.wrap codec conformance imports imports.format imports.journal options publish synthetic
            cli: cli.audit cli.console cli.daemon cli.files cli.live cli.options cli.testing cli.view cli.wrap options publish
            flink: config flink.journal flink.kafka flink.output flink.run flink.stream journal options publish run
            """;

    /** Packages of this project that each package may use, besides itself. */
    static final Map<String, List<String>> MAY_KNOW = new TreeMap<>();

    static {
        RULES.lines().forEach(line -> {
            String[] words = line.split("[: ]+");
            MAY_KNOW.put(words[0], Arrays.asList(words).subList(1, words.length));
        });
    }

    /** Third-party packages that each package may use, besides the JDK, JSpecify and SLF4J. */
    static final Map<String, List<String>> LIBRARIES = Map.ofEntries(
            Map.entry("codec", List.of("org.msgpack..", "tools.jackson..")),
            Map.entry("event", List.of("org.msgpack..")),
            Map.entry("snapshot.fields", List.of("tools.jackson..")),
            Map.entry("json", List.of("tools.jackson..")),
            Map.entry("imports.journal", List.of("org.msgpack..")),
            Map.entry("imports.read", List.of("org.snakeyaml.engine..")),
            Map.entry("imports.endpoints", List.of("java.sql..", "org.msgpack..")),
            Map.entry("imports.locust", List.of("org.msgpack..")),
            Map.entry("transport.jeromq", List.of("org.zeromq..", "zmq..")),
            Map.entry("http", List.of("io.netty..")),
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
            Map.entry("report.submission", List.of("org.snakeyaml.engine..")),
            Map.entry("report.plot", List.of("org.HdrHistogram..")),
            Map.entry("runs", List.of("org.HdrHistogram..", "org.apache.commons.numbers..")),
            Map.entry("sweep", List.of("org.HdrHistogram..")),
            Map.entry("export", List.of("org.HdrHistogram..", "io.prometheus..", "io.opentelemetry..")),
            Map.entry("parquet", List.of("org.apache.parquet..", "org.apache.hadoop.conf..")),
            Map.entry("flink", List.of("org.apache.flink..", "picocli..")),
            Map.entry("flink.journal", List.of("org.apache.flink..")),
            Map.entry("flink.kafka", List.of("org.apache.flink..", "org.apache.kafka..")),
            Map.entry("flink.output", List.of("org.apache.flink..")),
            Map.entry("flink.run", List.of("org.apache.flink..")),
            Map.entry("flink.stream", List.of("org.apache.flink..")),
            Map.entry("tui", List.of("org.HdrHistogram..", "org.jline..")),
            Map.entry("web.model", List.of("org.HdrHistogram..")),
            Map.entry("cli.console", List.of("picocli..", "ch.qos.logback..")),
            Map.entry("cli.options", List.of("picocli..")),
            Map.entry("cli.view", List.of("picocli..", "ch.qos.logback..")),
            Map.entry("cli.files", List.of("picocli..")),
            Map.entry("cli.live", List.of("picocli..")),
            Map.entry("cli.audit", List.of("picocli..", "ch.qos.logback..")),
            Map.entry("cli.wrap", List.of("picocli..", "ch.qos.logback..")),
            Map.entry("proxy", List.of("javax.net.ssl..")),
            Map.entry("cli.testing", List.of("picocli..")),
            Map.entry("cli.daemon", List.of("picocli..", "ch.qos.logback..")),
            Map.entry("cli", List.of("picocli..")));

    private PackageRules() {}
}
