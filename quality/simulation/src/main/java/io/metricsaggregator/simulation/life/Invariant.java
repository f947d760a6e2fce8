package io.metricsaggregator.simulation.life;

/** What holds in every life; the table of docs/reliability.md lists them. */
public enum Invariant {
    LEDGER_BALANCES("records received are applied or set aside, each counted once", "each snapshot and file"),
    COUNTERS_NEVER_FALL(
            "within a run, across its processes, no counter of samples or records falls; within a process snapshot numbers rise",
            "each snapshot"),
    SHOWN_SURVIVES_A_KILL(
            "frames that a snapshot has shown are read back after kill -9, unless a journal error was counted",
            "each recovery"),
    NOTHING_IS_INVENTED("frames read back were received, in this order", "each recovery"),
    FIGURES_EQUAL_THE_MODEL(
            "counters, latency and time to first token of the frames received equal those of an independent model; in the final file exact percentiles too",
            "each snapshot and file"),
    FILE_IS_OLD_OR_NEW(
            "whatever a power cut leaves, final_snapshot.json is absent or whole and terminal; beside snapshots of a run it is not that of another",
            "each call of the disk, each snapshot"),
    TICKS_COME_IN_TIME(
            "while a session is live, the next snapshot is offered within two intervals; and there is one an interval at most, and one more while it drains",
            "each step"),
    STOP_COMES_IN_TIME("after SIGTERM the process ends within 4.7 s, whatever the disk does", "each step"),
    END_COMES_IN_TIME("after the end of the session the process ends by itself", "end of the process"),
    STATUS_0_IS_DURABLE(
            "status 0 means that the file, its folders and the mark of the finished run survive a power cut",
            "end of the process"),
    DONE_COMES_AFTER_THE_FILE("a run marked as done has a durable final file", "each step"),
    FRAMES_ARE_READABLE("each published frame decodes, and encodes to the same bytes", "each snapshot"),
    ONE_TERMINAL_SNAPSHOT(
            "a process publishes at most one terminal snapshot, nothing after it, and its file has the same figures",
            "each snapshot, end of the process"),
    STATES_GO_FORWARD(
            "a session's state never steps back, unless a process that had shown the end was killed before it marked the run as done; it is COMPLETE only after the end of the session, and without a signal it ends so",
            "each snapshot"),
    ARRIVED_BEFORE_THE_SIGNAL("frames that had arrived when SIGTERM came are in the final file", "end of the process"),
    STATUS_TELLS_THE_END(
            "without fault and signal the status is 0; without a durable file the snapshot is on standard output",
            "end of the process"),
    NO_SILENT_DEATH("no thread dies by an exception", "each step"),
    SYNC_INTERVAL_HOLDS(
            "a power cut costs frames of the last two --journal-sync at most, until a call of the disk has failed",
            "each recovery"),
    REPLAY_GIVES_THE_FILE(
            "a replay of a finished run's journal has the counters and series of its final file",
            "end of every fourth life"),
    EVERY_SNAPSHOT_IS_PUBLISHED(
            "the numbers of the live snapshots of a process have no gaps while subscribers take them", "each snapshot"),
    OUTAGES_ARE_SHOWN(
            "after a kill, snapshots show the time in which no process ran as an outage; outages are in order and do not overlap",
            "each snapshot after a restart"),
    MISSED_FRAMES_ARE_COUNTED(
            "each frame of a finished run is in its journal or counted as missed, and the journal has no other; a power cut afterwards costs none",
            "end of the process"),
    LOST_RECORDS_LEAVE_GAPS(
            "records that were lost with a process, a failed write or a malformed record are counted as lost once their producer's next one arrives",
            "each snapshot and file"),
    LOST_END_IS_NOT_MADE_UP(
            "a run whose end was lost with a process goes on until SIGTERM, and its file is INTERRUPTED and has every frame that was read back or received",
            "end of the process"),
    FAILED_FSYNC_ENDS_A_SEGMENT(
            "a segment whose fsync failed gets the bytes of two more bursts at most", "each call of the disk"),
    FILES_ARE_CLOSED(
            "a full segment is closed within two --journal-sync, and other files when they have been used",
            "each burst"),
    DUPLICATE_IS_REFUSED(
            "a second daemon on folders or sockets of one that runs ends with status 4, and changes nothing outside its own folders",
            "each call of its disk, its end"),
    RESULT_IS_SERVED(
            "with --after-end stay the result is served until SIGTERM, also by a process that replaces a killed one; it publishes the file's figures and measures nothing",
            "each snapshot, end of the process"),
    SUBSCRIBERS_GET_THE_LATEST(
            "a subscriber that reads gets each snapshot and the terminal one, whatever others do; one that stood still gets two older ones at most, then the newest",
            "end of the process, over ZMTP"),
    INTRUDERS_COST_NOTHING(
            "frames come whole and in order while other peers break the protocol; these are disconnected, and so are those that do not finish the handshake",
            "each frame, each poll, over ZMTP"),
    FLEET_ADDS_UP(
            "counters of a fleet are the sums over the last snapshot of each run (durations the longest), its histograms too, bucket by bucket; a node that was killed and is back counts once",
            "each snapshot and file of a fleet"),
    TEXTS_ARE_COUNTED(
            "each text that is not dropped is counted, and words of prompts and outputs equal the model; a thread that hangs costs its text alone, within 31 s",
            "each snapshot and file"),
    BOUNDS_HOLD(
            "no more blocks of a fast journal are in use than its pool has, each by one; texts that wait take --max-text-memory at most, frames being received their budget; one snapshot and the newest wait for a subscriber, and the terminal one",
            "each block, each burst"),
    LIFE_IS_REPEATABLE("the same seed gives the same steps, times and bytes", "the gate");

    private final String meaning;
    private final String when;

    Invariant(String meaning, String when) {
        this.meaning = meaning;
        this.when = when;
    }

    /** The promise as a sentence. */
    public String meaning() {
        return meaning;
    }

    /** When it is checked. */
    public String when() {
        return when;
    }
}
