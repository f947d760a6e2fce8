package io.metricsaggregator.conformance;

/** The rules for producers. Names are stable: scripts and lists of known failures refer to them. */
public enum Rule {
    COMMAND_ENDS(
            Level.WIRE,
            "wire.command-ends",
            "The command ends by itself with exit status 0 within the time limit of the case.",
            "Close the socket and end the context after the last step. Do not wait for input."),
    ONE_FRAME(
            Level.WIRE,
            "wire.one-frame",
            "A message is one ZeroMQ frame: topic and payload together, more than 40 bytes.",
            "Concatenate topic and payload; do not use send_multipart or SNDMORE."),
    TOPIC_PADDED(
            Level.WIRE,
            "wire.topic-padded",
            "The topic has exactly 40 bytes: a name, then NUL bytes.",
            "Pad the name on the right with NUL bytes to 40 bytes, not with spaces, and do not shorten it."),
    TOPIC_KNOWN(
            Level.WIRE,
            "wire.topic-known",
            "The topic is batch, chunks, an event type of the load generator, or a telemetry type (transfer., resource., perf., operation., scrape., metric., tool.).",
            "Use a topic from the table in protocol.md."),
    TOPIC_MATCHES(
            Level.WIRE,
            "wire.topic-matches",
            "A record that is sent alone has its event_type as topic.",
            "Build the topic from the record's event_type."),
    BATCH_FORM(
            Level.WIRE,
            "wire.batch-form",
            "The payload of a batch is one msgpack array of bin, with no bytes after it.",
            "Encode each record to bytes, then encode the list of bytes. Strings or maps as elements lose the whole batch."),
    BATCH_FILLED(
            Level.WIRE,
            "wire.batch-filled",
            "A batch has at least one element, and no element is empty.",
            "Do not flush an empty buffer."),
    RECORD_MAP(
            Level.WIRE,
            "wire.record-map",
            "A record is one msgpack map with string keys that fills its payload.",
            "Encode a map (not an array of fields), write keys as str, and send exactly the encoder's bytes, not its whole buffer."),
    KEYS_UNIQUE(
            Level.WIRE,
            "wire.keys-unique",
            "A record has each key once.",
            "Build the record as a map; some streaming encoders do not detect duplicates."),
    EVENT_TYPE(
            Level.WIRE,
            "wire.event-type",
            "A record has event_type, a string from the table in protocol.md.",
            "Correct the spelling; types are lower case with one dot."),
    TIMESTAMP_INTEGER(
            Level.WIRE,
            "wire.timestamp-integer",
            "timestamp_ns is an integer of at most 64 bits, never a float.",
            "Convert to an integer. In JavaScript use BigInt: a Number above 2^53 is encoded as float or rounded."),
    KEY_TYPES(
            Level.WIRE,
            "wire.key-types",
            "All other keys have the types in protocol.md.",
            "Send integers as integers, text as UTF-8 str (not bin), and data as an array whose first element is the tag."),
    SAMPLE_ID(
            Level.WIRE,
            "wire.sample-id",
            "Each sample.* record has a sample_uuid that is not empty, at most 256 bytes long.",
            "Create the id once, at the issue, and send it with every record of the sample."),
    ID_STABLE(
            Level.WIRE,
            "wire.id-stable",
            "All records of a sample have the same sample_uuid, and different samples have different ones.",
            "Keep the id with the request; do not derive it again from an index or an object address."),
    STARTED_FIRST(
            Level.LIFE,
            "life.started-first",
            "session.started is the first record and is sent once.",
            "Publish session.started after the subscriber is there and before any other record."),
    ENDED_LAST(
            Level.LIFE,
            "life.ended-last",
            "session.ended is the last record and is sent once.",
            "Wait for all senders, then publish session.ended."),
    TRACKED(
            Level.LIFE,
            "life.tracking-before-issue",
            "A sample is issued after session.start_performance_tracking; otherwise none counts.",
            "Publish session.start_performance_tracking before the first sample that counts."),
    ISSUED_FIRST(
            Level.LIFE,
            "life.issued-before-chunks",
            "sample.issued precedes all other records of its sample.",
            "Publish sample.issued before the request is sent, from the same ordered publisher."),
    ISSUED_ONCE(Level.LIFE, "life.issued-once", "A sample is issued once.", "Give a retry an id of its own."),
    ONE_RECV_FIRST(
            Level.LIFE,
            "life.one-recv-first",
            "A sample has at most one sample.recv_first.",
            "Use sample.recv_first for the first chunk with content and sample.recv_non_first for all later ones."),
    RECV_FIRST_FIRST(
            Level.LIFE,
            "life.recv-first-before-others",
            "sample.recv_first precedes every sample.recv_non_first of its sample.",
            "Start each sample with sample.recv_first."),
    ERROR_FIRST(
            Level.LIFE,
            "life.error-before-complete",
            "An error of a sample precedes its sample.complete.",
            "Publish the error first: after sample.complete the sample is no longer in flight and cannot fail."),
    NOTHING_AFTER(
            Level.LIFE,
            "life.nothing-after-complete",
            "sample.complete is sent once and no chunk follows it.",
            "Publish sample.complete when the stream is closed."),
    FINISH_REASON(
            Level.LIFE,
            "life.finish-reason",
            "finish_reason is on sample.complete only, and is stop, length, tool_calls, content_filter or function_call.",
            "Map the server's reason to the list, or leave the key out."),
    AS_SCRIPTED(
            Level.LIFE,
            "life.as-scripted",
            "The received records are those of the script: types, number, prompts, texts and reasons.",
            "Compare the steps of the case with the message."),
    TIME_PRESENT(
            Level.TIME,
            "time.present",
            "Each record has timestamp_ns.",
            "Take the time when the event happens, not when the record is sent."),
    NOT_EPOCH(
            Level.TIME,
            "time.not-epoch",
            "timestamp_ns is not a wall-clock time since 1970.",
            "Read CLOCK_MONOTONIC: time.monotonic_ns in Python, process.hrtime.bigint in Node, clock_gettime in C, Go and Rust."
                    + " Go's UnixNano, Rust's SystemTime and Date.now are wall clocks."),
    MONOTONIC_CLOCK(
            Level.TIME,
            "time.monotonic-clock",
            "timestamp_ns is CLOCK_MONOTONIC in nanoseconds: at least one record arrives within 10 ms of its time (1 s in cases of other levels), and none before it.",
            "Send the raw clock in nanoseconds; do not subtract a start time, and check the unit."),
    NOT_DECREASING(
            Level.TIME,
            "time.not-decreasing",
            "The timestamps of a sample do not decrease in the order of its records.",
            "Take all timestamps of a sample from one clock, and publish in the order of events."),
    UNSCALED(
            Level.TIME,
            "time.unscaled",
            "A pause of 100 ms in the script is 100 ± 20 ms between timestamps, or differs by at most 20 ms from the time between receipts.",
            "Take the time at the event. A batch must not give its records one common time."),
    WAITS(
            Level.LOSS,
            "loss.waits-for-subscriber",
            "A subscriber that connects 0.5 s after the endpoint is bound receives all records.",
            "Use an XPUB socket and wait for its first subscription message, or wait for the daemon's .subscribed file."),
    NONE_OR_TOLD(
            Level.LOSS,
            "loss.none-or-told",
            "At 100,000 records/s and a subscriber that stops for 1 s no record is lost, or gaps in seq tell exactly how many.",
            "Set SNDHWM to 0 and bound the queue yourself, or number the records with seq before they can be dropped."),
    RECONNECT(
            Level.LOSS,
            "loss.survives-reconnect",
            "A producer continues when its subscriber disconnects, and serves it again after it reconnects.",
            "Do not treat a lost peer as an error, and do not block without a subscriber once the session has started."),
    LINGER(
            Level.LOSS,
            "loss.linger",
            "Records that were sent just before the command ends arrive, session.ended included.",
            "Set LINGER to -1 or several seconds, close the socket and terminate the context before the process ends."),
    SEQ(
            Level.OURS,
            "ours.seq-without-gaps",
            "Each record has seq, from 0 and increasing by 1 within its source and life.",
            "Number records under the lock that also sends them."),
    SOURCE(
            Level.OURS,
            "ours.source-named",
            "Each record has source_id or worker_id, and life.",
            "Name the process, and set life to the wall-clock time of its start in nanoseconds."),
    LIFE_UNIQUE(
            Level.OURS,
            "ours.life-unique",
            "Two starts of the command differ in source or in life.",
            "Do not use a constant: set life to the time of the start."),
    SCHEDULED(
            Level.OURS,
            "ours.scheduled",
            "scheduled_ns is on sample.issued only, is not after the issue, and is the scheduled time of the script within 20 ms.",
            "Compute it from the schedule and the session's start on the clock of timestamp_ns; do not copy timestamp_ns."),
    USAGE(
            Level.OURS,
            "ours.usage",
            "usage is on sample.complete only: a map of token counts, integers from 0, by (server or client), and spec_histogram, whose sums are"
                    + " spec_drafts and spec_accepted_tokens.",
            "Use the names in protocol.md; send null counts by leaving them out."),
    SERVER(
            Level.OURS,
            "ours.server",
            "server is on sample.complete only: a map of times in nanoseconds, integers from 0, source (body, header or span), and names of nodes"
                    + " of at most 64 bytes.",
            "Use the names in protocol.md; leave out what the server does not report, and do not send 0 for it."),
    CHUNKS(
            Level.OURS,
            "ours.chunks",
            "handle is on sample.recv_first only, an integer from 0 to 1048575 beside source and life; a frame of chunks has the columns of protocol.md,"
                    + " and names only handles that its source and life gave.",
            "Send the first chunk, with its handle, before the frame; begin another frame for a time before its base or 4.29 s behind it.");

    private final Level level;
    private final String id;
    private final String meaning;
    private final String remedy;

    Rule(Level level, String id, String meaning, String remedy) {
        this.level = level;
        this.id = id;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** The level of the rule. */
    public Level level() {
        return level;
    }

    /** The stable name, such as {@code wire.topic-padded}. */
    public String id() {
        return id;
    }

    /** What the rule demands, as one or two sentences. */
    public String meaning() {
        return meaning;
    }

    /** How a producer that breaks the rule is mended, as sentences. */
    public String remedy() {
        return remedy;
    }
}
