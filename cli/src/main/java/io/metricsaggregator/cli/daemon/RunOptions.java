package io.metricsaggregator.cli.daemon;

import io.metricsaggregator.cli.options.OptionTable;

/** The options of {@code run} as {@link OptionTable} reads them, made from their annotations by a test. A resource would cost a start the opening of a jar. */
final class RunOptions {
    static final String TABLE = """
            --in;endpoints.inputs;true;true;ENDPOINT;-;-;false;-
            --out;endpoints.outputs;true;true;ENDPOINT;-;-;false;-
            --output-dir --metrics-output-dir;output.directory;true;false;DIR;-;-;true;-
            --fallback-dir;output.fallback;true;false;DIR;-;-;false;-
            --output-mode;output.mode;true;false;MODE;-;600;false;-
            --publish-interval;output.publishInterval;true;false;SECONDS;io.metricsaggregator.options.DurationConverter$Seconds;0.25;false;-
            --hdr-sig-figs;metrics.significantFigures;true;false;N;-;3;false;-
            --n-histogram-buckets;metrics.displayBuckets;true;false;N;-;30;false;-
            --streaming;metrics.tracking.streaming;false;false;<streaming>;-;-;false;-
            --no-streaming;metrics.tracking.noStreaming;false;false;<noStreaming>;-;-;false;-
            --track;metrics.tracking.track;true;false;SAMPLES;-;events;false;-
            --early-stopping;metrics.earlyStopping;false;false;<earlyStopping>;-;-;false;-
            --slo;metrics.objectives;true;false;LIMITS;io.metricsaggregator.options.SloConverter;-;false;-
            --slo-key;metrics.classKey;true;false;KEY;-;-;false;-
            --endpoint-idle;metrics.targets.endpointIdle;true;false;TIME;-;-;false;-
            --expect-label;metrics.targets.expected;true;true;KEY=V,…;-;-;false;-
            --superpass-size;metrics.steady.superPassSize;true;false;N;-;-;false;-
            --steady-min;metrics.steady.min;true;false;TIME;-;-;false;-
            --warmup-blocks;metrics.steady.warmup;true;false;N;-;-;false;-
            --price;energy.price;true;false;USD/h;-;-;false;-
            --provisioned-power-kw;energy.provisionedKilowatts;true;false;KW;-;-;false;-
            --nodes;energy.nodes;true;false;Y/N;-;-;false;-
            --idle-power;energy.idleWatts;true;false;W;-;-;false;-
            --max-failed;failures.maxFailed;true;false;SHARE;-;-;false;-
            --golden-al;golden.goldenAl;true;false;FILE;-;-;false;-
            --label;labels.labels;true;true;NAME=VALUE;-;-;false;-
            --node;labels.node;true;false;NAME;-;-;false;-
            --tokenizer;tokens.tokenizer;true;false;PATH;-;-;false;-
            --token-source;tokens.source;true;false;SOURCE;-;tokenizer;false;-
            --count-untracked;tokens.countUntracked;false;false;<countUntracked>;-;-;false;-
            --tokenizer-workers;tokens.workers;true;false;N;-;1;false;--tokenizer --socket-dir
            --transformers-version;tokens.transformersVersion;true;false;VERSION;io.metricsaggregator.cli.options.TransformersVersionConverter;5.5.0;false;--tokenizer --socket-dir
            --max-text-memory;tokens.textMaxBytes;true;false;SIZE;io.metricsaggregator.cli.options.SizeConverter;-;false;--tokenizer --socket-dir
            --drain-timeout;tokens.drainTimeout;true;false;SECONDS;io.metricsaggregator.cli.options.TokenOptions$NoneOrSeconds;none;false;--tokenizer --socket-dir
            --journal;journal.directory;true;false;DIR;-;-;false;-
            --journal-sync;journal.sync;true;false;TIME;-;100ms;false;--journal
            --journal-segment;journal.segmentMaxBytes;true;false;SIZE;io.metricsaggregator.cli.options.SizeConverter;256m;false;--journal
            --host;collect.host;false;false;<host>;-;-;false;-
            --host-interval;collect.hostInterval;true;false;TIME;-;1s;false;--host
            --scrape;collect.scrapes;true;true;URL[,OPTION…];-;-;false;-
            --otlp-listen;collect.otlpListen;true;false;HOST:PORT;-;-;false;-
            --expect-node;collect.telemetry.expectedNodes;true;true;NODE;-;-;false;-
            --max-keys;collect.telemetry.keysMax;true;false;N;-;-;false;-
            --scrape-window;collect.telemetry.window;true;false;TIME;-;-;false;-
            --scrape-staleness;collect.telemetry.staleness;true;false;TIME;-;-;false;-
            --promql;collect.telemetry.promql;true;false;VERSION;-;-;false;-
            --scrape-from;collect.telemetry.from;true;false;TIME;-;-;false;-
            --scrape-to;collect.telemetry.to;true;false;TIME;-;-;false;-
            --scrape-select;collect.telemetry.selectors;true;true;PREFIX{L=V,…};-;-;false;-
            --scrape-model;collect.telemetry.models;true;true;MODEL;-;-;false;-
            --prometheus;exports.prometheus;true;false;HOST:PORT;-;-;false;-
            --otlp;exports.otlp;true;false;URL;-;-;false;-
            --otlp-interval;exports.otlpInterval;true;false;TIME;-;10s;false;--otlp
            --otel-genai;exports.otelGenai;false;false;<otelGenai>;-;-;false;--otlp --prometheus
            --web;exports.web;true;false;HOST:PORT;-;-;false;-
            --linger-page;exports.lingerPage;true;false;TIME;-;60s;false;-
            --max-in-flight;limits.maxInFlight;true;false;N;-;-;false;-
            --max-conversations;limits.maxConversations;true;false;N;-;-;false;-
            --max-jobs;limits.maxJobs;true;false;N;-;20000;false;-
            --max-values-memory;limits.valuesMaxBytes;true;false;SIZE;io.metricsaggregator.cli.options.SizeConverter;-;false;-
            --spill-dir;limits.spillDirectory;true;false;DIR;-;-;false;-
            --print-limits;-;false;false;<printLimits>;-;-;false;-
            --strict;lifecycle.strict;false;false;<strict>;-;-;false;-
            --foreground;lifecycle.foreground;false;false;<foreground>;-;-;false;-
            --exit-with-parent;lifecycle.exitWithParent;false;false;<exitWithParent>;-;-;false;-
            --after-end;lifecycle.afterEnd;true;false;ACTION;-;exit;false;-
            --profile;lifecycle.profile;true;false;PROFILE;-;balanced;false;-
            --stall-timeout;lifecycle.stallTimeout;true;false;TIME;-;30s;false;-
            --interrupt-on-stall;lifecycle.interruptOnStall;true;false;TIME;-;-;false;-
            --max-frame;sockets.maxFrameBytes;true;false;SIZE;io.metricsaggregator.cli.options.SizeConverter;128MiB;false;-
            --allow-uid;sockets.allowedUids;true;true;UID;-;-;false;-
            --socket-mode;sockets.socketMode;true;false;MODE;-;600;false;-
            --insecure-socket-dir;sockets.insecureSocketDir;false;false;<insecureSocketDir>;-;-;false;-
            --insecure-bind;sockets.insecureBind;false;false;<insecureBind>;-;-;false;-
            --curve-key;sockets.curveKey;true;false;FILE;-;-;false;-
            --curve-allow;sockets.curveAllow;true;false;FILE;-;-;false;-
            --curve-server-key;sockets.curveServerKey;true;false;KEY;-;-;false;-
            --socket-dir;mlcommons.directory;true;false;DIR;-;-;false;-
            --socket-name;mlcommons.events;true;false;NAME;-;-;false;-
            --metrics-socket;mlcommons.metrics;true;false;NAME;-;-;false;-
            --readiness-path;mlcommons.readiness;true;false;NAME;-;-;false;-
            --readiness-id;mlcommons.readinessId;true;false;N;-;0;false;--readiness-path
            --config;configuration.file;true;false;FILE;-;-;false;-
            --print-config;-;false;false;<print>;-;-;false;-
            -h --help;-;false;false;<helpRequested>;-;-;false;-
            -V --version;-;false;false;<versionRequested>;-;-;false;-
            --log-format;-;true;false;FORMAT;-;-;false;-
            --log-level;-;true;false;LEVEL;-;-;false;-
            -v --verbose;-;false;false;<verbose>;-;-;false;-
            -q --quiet;-;false;false;<quiet>;-;-;false;-
            --help-all;-;false;false;<isEverythingShown>;-;-;false;-
            """;

    private RunOptions() {}
}
