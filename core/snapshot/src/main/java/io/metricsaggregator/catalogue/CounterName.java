package io.metricsaggregator.catalogue;

import io.metricsaggregator.event.FinishReason;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every counter of a snapshot. A constant is its wire name in capitals. The order is that of docs/reference.md; a snapshot has the order in
 * which the counters were registered.
 */
public enum CounterName {
    TOTAL_SAMPLES_ISSUED(
            "total_samples_issued",
            CounterGroup.SAMPLES,
            "sample.issued events with a sample id, tracked or not, repeats included"),
    TOTAL_SAMPLES_COMPLETED(
            "total_samples_completed",
            CounterGroup.SAMPLES,
            "sample.complete events with a sample id, tracked or not, repeats included"),
    TOTAL_SAMPLES_FAILED(
            "total_samples_failed",
            CounterGroup.SAMPLES,
            "error.* events, and records that were malformed or of an unknown type"),
    TRACKED_SAMPLES_ISSUED(
            "tracked_samples_issued",
            CounterGroup.SAMPLES,
            "sample.issued events of tracked samples; a retry counts again"),
    TRACKED_SAMPLES_COMPLETED("tracked_samples_completed", CounterGroup.SAMPLES, "completions of tracked samples"),
    TRACKED_SAMPLES_FAILED(
            "tracked_samples_failed", CounterGroup.SAMPLES, "error.* events whose sample is in flight and tracked"),
    TRACKED_FINISH_REASON_STOP(
            "tracked_finish_reason_stop",
            CounterGroup.SAMPLES,
            "completions of tracked samples with finish_reason stop"),
    TRACKED_FINISH_REASON_LENGTH(
            "tracked_finish_reason_length",
            CounterGroup.SAMPLES,
            "completions of tracked samples with finish_reason length"),
    TRACKED_FINISH_REASON_TOOL_CALLS(
            "tracked_finish_reason_tool_calls",
            CounterGroup.SAMPLES,
            "completions of tracked samples with finish_reason tool_calls"),
    TRACKED_FINISH_REASON_CONTENT_FILTER(
            "tracked_finish_reason_content_filter",
            CounterGroup.SAMPLES,
            "completions of tracked samples with finish_reason content_filter"),
    TRACKED_FINISH_REASON_FUNCTION_CALL(
            "tracked_finish_reason_function_call",
            CounterGroup.SAMPLES,
            "completions of tracked samples with finish_reason function_call"),
    TRACKED_FINISH_REASON_OTHER(
            "tracked_finish_reason_other",
            CounterGroup.SAMPLES,
            "completions of tracked samples with any other finish_reason"),
    TRACKED_DURATION_NS(
            "tracked_duration_ns",
            CounterGroup.SAMPLES,
            "sum over the tracked windows of the time from the start of the window to the last completion among its samples"),
    LEGACY_LOADGEN_WINDOW_DURATION_NS(
            "legacy_loadgen_window_duration_ns",
            CounterGroup.SAMPLES,
            "from the first tracked issue to the completion of the last issued sample among the completed ones"),
    TOTAL_DURATION_NS(
            "total_duration_ns", CounterGroup.SAMPLES, "from session.started to the largest timestamp of any event"),

    TRACKED_SAMPLES_SUCCEEDED(
            "tracked_samples_succeeded", CounterGroup.OUTCOMES, "tracked samples that completed without an error"),
    TRACKED_SAMPLES_SUCCEEDED_WITH_FIRST_CHUNK(
            "tracked_samples_succeeded_with_first_chunk",
            CounterGroup.OUTCOMES,
            "tracked samples that completed without an error and had a first chunk"),
    TRACKED_SAMPLES_ERRORED(
            "tracked_samples_errored",
            CounterGroup.OUTCOMES,
            "tracked samples that had an error since they were last issued; several errors of a sample count once"),
    TRACKED_SAMPLES_ERRORED_WITH_CHUNKS(
            "tracked_samples_errored_with_chunks",
            CounterGroup.OUTCOMES,
            "tracked samples that completed after an error and had several chunks"),
    TRACKED_SAMPLES_ERRORED_WITH_TEXT(
            "tracked_samples_errored_with_text",
            CounterGroup.OUTCOMES,
            "tracked samples that completed after an error and had a text"),
    SUCCEEDED_DURATION_NS(
            "succeeded_duration_ns",
            CounterGroup.OUTCOMES,
            "from the first issue of a sample that succeeded to the last completion of one"),

    RECORDS_RECEIVED("records_received", CounterGroup.LEDGER, "records received, single or within batches"),
    RECORDS_APPLIED("records_applied", CounterGroup.LEDGER, "records that took effect in full"),
    RECORDS_MALFORMED(
            "records_malformed",
            CounterGroup.LEDGER,
            "malformed records, by reason under malformed; a record whose application failed with an internal error counts here too,"
                    + " without a reason"),
    RECORDS_UNKNOWN(
            "records_unknown", CounterGroup.LEDGER, "well-formed records of a type that this version does not know"),
    EVENTS_DUPLICATE(
            "events_duplicate",
            CounterGroup.LEDGER,
            "repeats of a step that the sample or session had already made, and ends of tracking while no window was open; they count in"
                    + " the reference's counters by the reference's rules"),
    EVENTS_ORPHAN(
            "events_orphan",
            CounterGroup.LEDGER,
            "events of a sample that is not in flight; they count in totals (total_…, slices, workers, rates) and in nothing tracked"),
    EVENTS_LATE(
            "events_late",
            CounterGroup.LEDGER,
            "events between session.ended and the last snapshot; apart from this counter only workers includes them. Frames that arrive"
                    + " later are in no figure: the log counts them, and --strict ends with 6"),
    EVENTS_ANONYMOUS("events_anonymous", CounterGroup.LEDGER, "sample events without a sample id"),
    SESSION_INTERRUPTS(
            "session_interrupts",
            CounterGroup.LEDGER,
            "session.interrupted events before the end of the session; above 0 the run ends interrupted"),
    FRAMES_RECEIVED("frames_received", CounterGroup.LEDGER, "frames received, empty ones included"),
    FRAME_BYTES_RECEIVED(
            "frame_bytes_received", CounterGroup.LEDGER, Unit.BYTES, "bytes of the frames received, topic included"),
    FRAMES_EMPTY("frames_empty", CounterGroup.LEDGER, "frames without a payload"),
    BATCHES_RECEIVED("batches_received", CounterGroup.LEDGER, "batches received, malformed ones included"),
    BATCHES_MALFORMED(
            "batches_malformed", CounterGroup.LEDGER, "batches lost whole; how many records they held is unknown"),
    BATCH_ELEMENTS_EMPTY("batch_elements_empty", CounterGroup.LEDGER, "empty elements of batches"),
    VALUES_CLAMPED("values_clamped", CounterGroup.LEDGER, "values outside a histogram's range, over all series"),
    DURATIONS_OVERFLOWED(
            "durations_overflowed", CounterGroup.LEDGER, "durations beyond 64 bits, which no series records"),
    RECORDS_WITHOUT_TIMESTAMP(
            "records_without_timestamp",
            CounterGroup.LEDGER,
            "well-formed records without timestamp_ns: they get the time of their receipt, which includes the daemon's own delay"),
    INFLIGHT_EVICTED(
            "inflight_evicted",
            CounterGroup.LEDGER,
            "samples evicted, oldest first, because more than --max-in-flight were in flight; their later records are orphans unless they"
                    + " are issued again"),
    SAMPLES_REISSUED("samples_reissued", CounterGroup.LEDGER, "samples issued again while they were in flight"),
    COMPLETIONS_ORPHAN(
            "completions_orphan",
            CounterGroup.LEDGER,
            "completions of samples that were not in flight; also in events_orphan"),

    TICKS_PUBLISHED("ticks_published", CounterGroup.DAEMON, "snapshots that were due and taken"),
    TICKS_SKIPPED(
            "ticks_skipped",
            CounterGroup.DAEMON,
            "snapshots that were due and skipped; a skipped tick is not caught up"),
    SNAPSHOTS_DROPPED_TO_SLOW_SUBSCRIBERS(
            "snapshots_dropped_to_slow_subscribers",
            CounterGroup.DAEMON,
            "snapshots replaced by a later one before a subscriber took them"),
    TRANSPORT_BYTES_RECEIVED(
            "transport_bytes_received", CounterGroup.DAEMON, Unit.BYTES, "bytes read from sockets, framing included"),
    PEERS_ACCEPTED("peers_accepted", CounterGroup.DAEMON, "connections accepted"),
    PEERS_REJECTED(
            "peers_rejected", CounterGroup.DAEMON, "connections refused because of their user or because of the limit"),
    PEERS_TIMED_OUT("peers_timed_out", CounterGroup.DAEMON, "handshakes that took over 5 s"),
    HANDSHAKES_ABORTED("handshakes_aborted", CounterGroup.DAEMON, "handshakes that the peer ended"),
    PEERS_STALLED("peers_stalled", CounterGroup.DAEMON, "subscribers disconnected after taking nothing for 10 s"),
    PEERS_RECONNECTED("peers_reconnected", CounterGroup.DAEMON, "connections that were lost and made again"),
    PROTOCOL_ERRORS("protocol_errors", CounterGroup.DAEMON, "connections closed because of what they sent"),
    FRAMES_TRUNCATED("frames_truncated", CounterGroup.DAEMON, "connections that ended within a frame"),
    COLLECTED_RECORDS_DROPPED(
            "collected_records_dropped",
            CounterGroup.DAEMON,
            "records of --host and --scrape that found their queue full, or were in it when the session ended"),
    COLLECTOR_FAILURES(
            "collector_failures",
            CounterGroup.DAEMON,
            "rounds of --host and --scrape that failed; an exporter that does not answer is not a failed round"),
    OTLP_PUSHES("otlp_pushes", CounterGroup.DAEMON, "OTLP pushes that the receiver took"),
    OTLP_FAILURES("otlp_failures", CounterGroup.DAEMON, "OTLP pushes that failed"),
    PROMETHEUS_SCRAPES("prometheus_scrapes", CounterGroup.DAEMON, "requests for /metrics answered with metrics"),
    PROMETHEUS_FAILURES("prometheus_failures", CounterGroup.DAEMON, "requests for /metrics answered with status 500"),
    EXPORT_LABEL_CONFLICTS(
            "export_label_conflicts",
            CounterGroup.DAEMON,
            "the most label sets that collided in one export: counters are added up, gauges and own metrics get the label conflict"),
    EXPORT_METRICS_LEFT_OUT(
            "export_metrics_left_out",
            CounterGroup.DAEMON,
            "the most values that one export left out: beyond its limits, below zero for a counter, or refused by the format"),

    WEB_EVENTS_DROPPED(
            "web_events_dropped",
            CounterGroup.DAEMON,
            "events of the live page (--web) replaced by a later one before a slow browser took them; from the first one on"),
    WEB_FAILURES(
            "web_failures",
            CounterGroup.DAEMON,
            "events of the live page that could not be rendered because of an internal error; from the first one on"),
    SPAN_REQUESTS(
            "span_requests",
            CounterGroup.DAEMON,
            "requests of --otlp-listen answered with status 200; this counter and the next nine exist only with that option"),
    SPAN_REQUESTS_REFUSED(
            "span_requests_refused",
            CounterGroup.DAEMON,
            "requests of --otlp-listen that were refused: malformed, too large, of another encoding, or too many spans waiting"),
    SPANS_RECEIVED(
            "spans_received",
            CounterGroup.DAEMON,
            "spans of span_requests: the next six, and those that wait to be applied"),
    SPANS_SAMPLED("spans_sampled", CounterGroup.DAEMON, "spans that became samples"),
    SPANS_OTHER("spans_other", CounterGroup.DAEMON, "spans that are not a client's request to a model"),
    SPANS_JOINED("spans_joined", CounterGroup.DAEMON, "spans of requests that were samples already"),
    SPANS_REPEATED("spans_repeated", CounterGroup.DAEMON, "spans that were received before"),
    SPANS_REJECTED(
            "spans_rejected",
            CounterGroup.DAEMON,
            "spans without ids or times, beyond 65,536 in one request, or that end an hour away from the time of receipt"),
    SPANS_DROPPED("spans_dropped", CounterGroup.DAEMON, "spans that waited when the session ended"),
    SPAN_VALUES_REJECTED(
            "span_values_rejected",
            CounterGroup.DAEMON,
            "attributes left out of samples: a first chunk outside its span, a negative count, a part above its whole, a text too long"),

    TEXTS_ENQUEUED("texts_enqueued", CounterGroup.TOKENS, "prompts without token_ids, and outputs, of tracked samples"),
    TEXTS_COUNTED(
            "texts_counted", CounterGroup.TOKENS, "texts of texts_enqueued that were counted or had nothing to count"),
    TEXTS_APPROXIMATE(
            "texts_approximate",
            CounterGroup.TOKENS,
            "texts of texts_counted that were counted without the chat template they need (missing or failed), or cut within a word"),
    TEXTS_FAILED(
            "texts_failed",
            CounterGroup.TOKENS,
            "texts that could not be counted: the tokenizer failed or stalled, or memory ran out; the log has the first reason"),
    TEXTS_DROPPED("texts_dropped", CounterGroup.TOKENS, "texts beyond --max-text-memory; they stay pending"),

    JOURNAL_BYTES("journal_bytes", CounterGroup.JOURNAL, Unit.BYTES, "bytes written by this process"),
    JOURNAL_ERRORS("journal_errors", CounterGroup.JOURNAL, "writes and syncs that failed"),
    JOURNAL_FRAMES_MISSED(
            "journal_frames_missed",
            CounterGroup.JOURNAL,
            "frames of this run that could not be written to the journal, by earlier processes too as far as one of them could write"
                    + " again"),
    JOURNAL_FRAMES_LOST(
            "journal_frames_lost",
            CounterGroup.JOURNAL,
            "frames of journal_frames_missed that another process received: no figure includes their records"),
    JOURNAL_FRAMES_RECOVERED("journal_frames_recovered", CounterGroup.JOURNAL, "frames read back at the start"),
    JOURNAL_BYTES_SKIPPED(
            "journal_bytes_skipped", CounterGroup.JOURNAL, Unit.BYTES, "bytes behind a damaged place, not read back"),
    JOURNAL_BYTES_TORN(
            "journal_bytes_torn",
            CounterGroup.JOURNAL,
            Unit.BYTES,
            "bytes of frames that killed processes did not finish writing, not read back; no snapshot had shown those"),
    JOURNAL_ENTRIES_MISSING(
            "journal_entries_missing", CounterGroup.JOURNAL, "entries whose numbers are missing from the journal"),
    JOURNAL_FRAMES_SKIPPED(
            "journal_frames_skipped",
            CounterGroup.JOURNAL,
            "frames read back and not applied, because applying them killed a process or failed"),

    TTFO_UNKNOWN(
            "ttfo_unknown",
            CounterGroup.OPTIONAL,
            "tracked samples that succeeded with reasoning and without a part at any chunk: they have no ttfo_ns"),
    ANSWERS_MISSING(
            "answers_missing",
            CounterGroup.OPTIONAL,
            "tracked samples that succeeded with chunks of reasoning only, such as those cut by their length"),
    CHUNK_KEYS_REJECTED(
            "chunk_keys_rejected",
            CounterGroup.OPTIONAL,
            "chunks whose part or tokens broke a rule: the key is ignored, the chunk counts"),
    CHUNK_FRAMES_RECEIVED("chunk_frames_received", CounterGroup.OPTIONAL, "frames of chunks, malformed ones included"),
    CHUNK_FRAMES_MALFORMED("chunk_frames_malformed", CounterGroup.OPTIONAL, "frames of chunks discarded as a whole"),
    CHUNKS_RECEIVED("chunks_received", CounterGroup.OPTIONAL, "chunks in frames; records_received includes them"),
    CHUNK_HANDLES_UNKNOWN(
            "chunk_handles_unknown", CounterGroup.OPTIONAL, "chunks of no known handle: events_anonymous"),
    CHUNK_HANDLES_REJECTED("chunk_handles_rejected", CounterGroup.OPTIONAL, "handles that broke a rule or a limit"),
    LABELS_REJECTED(
            "labels_rejected",
            CounterGroup.OPTIONAL,
            "issues whose labels broke a rule: the labels are ignored, the issue counts"),
    LABELS_OVER_LIMIT(
            "labels_over_limit",
            CounterGroup.OPTIONAL,
            "labels of tracked issues beyond 8 keys, which are ignored, or beyond 32 values of a key, which count as other"),
    LAST_TURN_REJECTED(
            "last_turn_rejected",
            CounterGroup.OPTIONAL,
            "issues whose last_turn is not a boolean: the key is ignored, the issue counts"),
    TURNS_OVERLAPPING(
            "turns_overlapping",
            CounterGroup.OPTIONAL,
            "turns issued while another turn of their conversation was in flight: they have no think_time_ns"),
    CONVERSATIONS_EVICTED(
            "conversations_evicted",
            CounterGroup.OPTIONAL,
            "conversations evicted, the longest idle first, because more than --max-conversations were known"),
    CONVERSATIONS_RESUMED(
            "conversations_resumed",
            CounterGroup.OPTIONAL,
            "evicted conversations that had a further turn, which begins them anew with turn 2; within one in 80,000"),
    ENDPOINT_STALLS(
            "endpoint_stalls",
            CounterGroup.OPTIONAL,
            "spans without any answer, with samples in flight, as long as --endpoint-idle; in a snapshot from the first one on"),
    STALLED_NS(
            "stalled_ns", CounterGroup.OPTIONAL, "sum of the whole lengths of those spans, the present one included"),
    USAGE_MISSING(
            "usage_missing",
            CounterGroup.OPTIONAL,
            "tracked samples that completed without an error and without a valid usage; in a snapshot once any usage was received"),
    USAGE_REJECTED(
            "usage_rejected",
            CounterGroup.OPTIONAL,
            "completions whose usage broke a rule: the usage is ignored, the completion counts"),
    SPEC_HISTOGRAM_REJECTED(
            "spec_histogram_rejected",
            CounterGroup.OPTIONAL,
            "completions whose spec_histogram broke a rule: the histogram is ignored, the rest of the usage counts; in a snapshot from the first one on"),
    SERVER_REJECTED(
            "server_rejected",
            CounterGroup.OPTIONAL,
            "completions whose server times broke a rule: they are ignored, the completion counts; in a snapshot from the first one on"),
    TRANSFERS_UNJOINED(
            "transfers_unjoined",
            CounterGroup.OPTIONAL,
            "transfer.complete records with a request_id that no sample in flight has, in a run with samples; in a snapshot from the first one on"),
    JOB_KEYS_REJECTED(
            "job_keys_rejected",
            CounterGroup.OPTIONAL,
            "issues with a job_id, parents, agent or last_of_job that broke a rule: that key is ignored, the issue counts"),
    JOBS_EVICTED("jobs_evicted", CounterGroup.OPTIONAL, "jobs evicted, the longest idle first, by --max-jobs"),
    JOB_NODES_OPEN(
            "job_nodes_open",
            CounterGroup.OPTIONAL,
            "samples without a completion in jobs that ended: in no time of them"),
    JOB_NODES_COLLAPSED("job_nodes_collapsed", CounterGroup.OPTIONAL, "nodes beyond 4,096 a job, kept as a path"),
    JOB_NODES_DROPPED(
            "job_nodes_dropped",
            CounterGroup.OPTIONAL,
            "nodes, samples and tool calls, whose job had ended or had one of their id: in no job"),
    JOB_PARENTS_UNKNOWN("job_parents_unknown", CounterGroup.OPTIONAL, "parents not in the job, or circular: ignored");

    private static final Map<String, CounterName> BY_WIRE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(CounterName::wire, Function.identity()));

    private final String wire;
    private final CounterGroup group;
    private final Unit unit;
    private final String meaning;

    CounterName(String wire, CounterGroup group, String meaning) {
        this(wire, group, Unit.isNanoseconds(wire) ? Unit.NANOSECONDS : Unit.COUNT, meaning);
    }

    CounterName(String wire, CounterGroup group, Unit unit, String meaning) {
        this.wire = wire;
        this.group = group;
        this.unit = unit;
        this.meaning = meaning;
    }

    /** The name in snapshots. */
    public String wire() {
        return wire;
    }

    /** The group whose table in docs/reference.md lists the counter. */
    public CounterGroup group() {
        return group;
    }

    /** The unit of the value. */
    public Unit unit() {
        return unit;
    }

    /** What the counter counts: a noun phrase without a full stop. */
    public String meaning() {
        return meaning;
    }

    /** The counter of that wire name; null for a name of another version or daemon. */
    public static @Nullable CounterName ofWire(String wire) {
        return BY_WIRE.get(wire);
    }

    /** The counters of a group, in the order of the catalogue. */
    public static List<CounterName> of(CounterGroup group) {
        return Arrays.stream(values()).filter(each -> each.group == group).toList();
    }

    /** The counter of tracked completions with that finish reason. */
    public static CounterName ofFinishReason(FinishReason reason) {
        return valueOf("TRACKED_FINISH_REASON_" + reason.name());
    }
}
