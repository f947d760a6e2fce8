package io.metricsaggregator.simulation.life.plan;

import io.metricsaggregator.simulation.machine.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Draws plans from seeds. Each later kind of life has a source of chance of its own, so that lives without it are as they were. */
final class PlanDraw {
    private static final long MILLI = 1_000_000L;
    private static final long[] SYNCS = {-1, 0, 100 * MILLI, 10 * MILLI};
    private static final long[] SEGMENTS = {4096, 8192, 1 << 16, 1 << 20, 1 << 23};
    /** Steps that are rare, and at which a fault hurts: uniform chance over all steps would seldom hit them. */
    private static final List<String> RARE_DISK = List.of(
            "rename final_snapshot",
            "create .final_snapshot",
            "write .final_snapshot",
            "force .final_snapshot",
            "force-folder out",
            "create done",
            "force-folder run-",
            "force-folder journal",
            "force-folder /",
            "create-folder",
            "create segment",
            "force segment",
            "write segment",
            "create recovering",
            "delete recovering",
            "map recovering",
            "create .journal.lock");

    private static final List<String> RARE_OTHER = List.of(
            "start publish",
            "start journal",
            "start disk",
            "offer",
            "offer-last",
            "burst",
            "session-ended",
            "close",
            "unpark main-loop");
    /** Those of them that occur often in one process. */
    private static final Set<String> OFTEN = Set.of(
            "create segment",
            "force segment",
            "write segment",
            "force-folder run-",
            "offer",
            "burst",
            "unpark main-loop");

    private static final List<String> STALLED =
            List.of("publish", "publish", "journal-writer", "journal", "disk", "main-loop");
    /** Steps at which a signal hurts: with frames in the sockets, before the daemon is ready, and while it ends. */
    private static final List<String> SIGNALLED = List.of(
            "",
            "",
            "burst",
            "burst",
            "poll",
            "offer",
            "session-ended",
            "start publish",
            "start disk",
            "close",
            "create",
            "offer-last");

    private static final String[] DISK = {"write", "force", "create", "rename", "delete", "truncate", "force-folder"};

    private static final long[] VALUES_BYTES = {0, 4096, 1 << 15};
    private static final long[] TEXT_BYTES = {1 << 17, 1 << 18, 1 << 26};

    private PlanDraw() {}

    /** Draws a life. */
    static LifePlan draw(long seed) {
        SplittableRandom chance = new SplittableRandom(seed * 0x5DEECE66DL + 11);
        List<Fault> faults = new ArrayList<>();
        int runs = chance.nextInt(5) == 0 ? 2 : 1;
        int processes = drawEnds(chance, runs, faults);
        boolean disk = chance.nextInt(4) == 0;
        boolean pauses = chance.nextInt(5) == 0;
        boolean stalls = chance.nextInt(8) == 0;
        boolean jumps = chance.nextInt(6) == 0;
        for (int process = 1; process <= processes; process++) {
            addFaults(chance, process, disk, pauses, stalls, jumps, faults);
        }
        // Drawn from another source, so that lives without these are as they were.
        SplittableRandom later = new SplittableRandom(seed * 0x5DEECE66DL + 12);
        // Of two runs the first would be served again by the process that replaces a killed one, in place of the
        // second.
        boolean stays = later.nextInt(6) == 0 && runs == 1;
        boolean duplicates = later.nextInt(5) == 0;
        // Of two runs the first could lose its mark and be resumed in place of the second.
        boolean lies = later.nextInt(10) == 0 && runs == 1;
        for (int process = 1; process <= processes; process++) {
            addLaterFaults(later, process, duplicates, stays, lies, faults);
        }
        int fleet = later.nextInt(16) == 0 ? later.nextInt(1, 4) : 0;
        boolean subscribed = later.nextInt(6) == 0;
        if (later.nextInt(10) == 0) {
            addStarvation(later, later.nextInt(1, processes + 1), faults);
        }
        SplittableRandom settings = new SplittableRandom(seed * 0x5DEECE66DL + 13);
        boolean packed = settings.nextInt(8) > 0;
        boolean counts = settings.nextInt(8) == 0;
        if (counts) {
            addCounterFaults(settings, processes, faults);
        }
        long textBytes = TEXT_BYTES[settings.nextInt(TEXT_BYTES.length)];
        int counters = counts ? settings.nextInt(3) : -1;
        boolean spills = settings.nextInt(10) == 0;
        if (spills) {
            addSpillFaults(settings, processes, faults);
        }
        Load load = Load.draw(new SplittableRandom(seed * 0x5DEECE66DL + 14), stays, faults);
        int samples = chance.nextInt(5, 150);
        long syncNanos = SYNCS[chance.nextInt(SYNCS.length)];
        DaemonSettings daemon = new DaemonSettings(
                load.cutAtEnd ? 10 * MILLI : syncNanos,
                SEGMENTS[chance.nextInt(SEGMENTS.length)],
                packed,
                stays,
                counters,
                textBytes,
                spills ? VALUES_BYTES[settings.nextInt(VALUES_BYTES.length)] : -1);
        return new LifePlan(
                seed,
                samples,
                daemon,
                chance.nextInt(1, 8),
                chance.nextInt(4) == 0,
                runs,
                fleet,
                subscribed,
                load.wired,
                load.heavy,
                faults);
    }

    /** How producers send, and two ends that seldom come together with what makes them dangerous: they take the place of all other faults. */
    private record Load(boolean wired, boolean heavy, boolean cutAtEnd) {
        static Load draw(SplittableRandom chance, boolean stays, List<Fault> faults) {
            boolean wired = chance.nextInt(10) == 0;
            boolean heavy = chance.nextInt(16) == 0;
            if (stays && chance.nextInt(8) == 0) {
                faults.clear();
                addLossOfMark(chance, faults);
            }
            boolean cutAtEnd = heavy && chance.nextInt(3) == 0;
            if (cutAtEnd) {
                // Bytes that wait for their block are written after the fsync of their burst.
                faults.clear();
                faults.add(new Fault(Fault.Kind.POWER_CUT, 1, "create .final_snapshot", 1, 0));
            }
            return new Load(wired, heavy, cutAtEnd);
        }
    }

    private static void addLaterFaults(
            SplittableRandom later, int process, boolean duplicates, boolean stays, boolean lies, List<Fault> faults) {
        if (duplicates) {
            faults.add(duplicateStart(later, process));
        }
        if (stays && later.nextBoolean()) {
            faults.add(killWhileServing(later, process));
        }
        if (lies) {
            faults.add(lie(later, process));
        }
    }

    /** Draws what goes wrong in one process besides its end. */
    private static void addFaults(
            SplittableRandom chance,
            int process,
            boolean disk,
            boolean pauses,
            boolean stalls,
            boolean jumps,
            List<Fault> faults) {
        int failures = disk ? chance.nextInt(0, 4) : 0;
        for (int i = 0; i < failures; i++) {
            faults.add(diskFault(chance, process));
        }
        if (disk && chance.nextInt(3) == 0) {
            addFailureBeforePowerCut(chance, process, faults);
        }
        int shorts = chance.nextInt(2) == 0 ? 0 : chance.nextInt(0, 12);
        for (int i = 0; i < shorts; i++) {
            faults.add(new Fault(Fault.Kind.SHORT_WRITE, process, "write", chance.nextInt(1, 200), 0));
        }
        for (int i = stalls ? chance.nextInt(1, 4) : 0; i > 0; i--) {
            faults.add(stall(chance, process));
        }
        if (jumps) {
            faults.add(clockJump(chance, process));
        }
        int stops = pauses ? chance.nextInt(1, 4) : 0;
        for (int i = 0; i < stops; i++) {
            faults.add(new Fault(
                    Fault.Kind.PAUSE, process, "", chance.nextInt(1, 600), chance.nextLong(MILLI, 3000 * MILLI)));
        }
    }

    /** Draws up to four processes that end by a kill or a power cut, and perhaps a SIGTERM for the last; returns the number of processes. */
    private static int drawEnds(SplittableRandom chance, int runs, List<Fault> faults) {
        int kills = chance.nextInt(0, 4 + runs);
        boolean power = chance.nextBoolean();
        for (int process = 1; process <= kills; process++) {
            Fault.Kind kind = power && chance.nextBoolean() ? Fault.Kind.POWER_CUT : Fault.Kind.KILL;
            faults.add(aimed(chance, kind, process));
        }
        if (chance.nextInt(4) == 0) {
            int process = chance.nextInt(1, kills + 1 + runs);
            String label = SIGNALLED.get(chance.nextInt(SIGNALLED.size()));
            int most = label.isEmpty() ? 600 : 6;
            faults.add(new Fault(Fault.Kind.SIGTERM, process, label, chance.nextInt(1, most), 0));
        }
        return kills + runs;
    }

    /** A fault that two times in three aims at a rare step. */
    private static Fault aimed(SplittableRandom chance, Fault.Kind kind, int process) {
        if (chance.nextInt(3) < 2) {
            int one = chance.nextInt(RARE_DISK.size() + RARE_OTHER.size());
            String label = one < RARE_DISK.size() ? RARE_DISK.get(one) : RARE_OTHER.get(one - RARE_DISK.size());
            return new Fault(kind, process, label, nth(chance, label), 0);
        }
        int most = chance.nextInt(4) == 0 ? 120 : 700;
        return new Fault(kind, process, "", chance.nextInt(1, most), 0);
    }

    /** Number of a step: most labels occur once a process, some often. */
    private static int nth(SplittableRandom chance, String label) {
        if (OFTEN.contains(label)) {
            return chance.nextInt(1, 50);
        }
        return chance.nextInt(3) < 2 ? 1 : chance.nextInt(1, 6);
    }

    /** A thread stands still for up to 0.9 s, where it makes a step or reads the clock: less than the supervision notices. */
    private static Fault stall(SplittableRandom chance, int process) {
        boolean anywhere = chance.nextInt(3) == 0;
        String label = anywhere ? "" : "clock " + STALLED.get(chance.nextInt(STALLED.size()));
        return new Fault(
                Fault.Kind.STALL,
                process,
                label,
                chance.nextInt(1, anywhere ? 400 : 60),
                chance.nextLong(MILLI, 900 * MILLI));
    }

    /** One thread is held up again and again, each time between two readings of the clock: what the others do meanwhile meets half of its hand-overs. */
    private static void addStarvation(SplittableRandom chance, int process, List<Fault> faults) {
        String label = "clock " + STALLED.get(chance.nextInt(STALLED.size()));
        for (int i = chance.nextInt(4, 16); i > 0; i--) {
            faults.add(new Fault(
                    Fault.Kind.STALL, process, label, chance.nextInt(1, 80), chance.nextLong(50 * MILLI, 400 * MILLI)));
        }
    }

    /** Writes of values fail, are cut short, or meet the end of the process. */
    private static void addSpillFaults(SplittableRandom chance, int processes, List<Fault> faults) {
        int process = chance.nextInt(1, processes + 1);
        String label = chance.nextInt(8) == 0 ? "create values" : "write values";
        int nth = label.startsWith("create") ? 1 : chance.nextInt(1, 20);
        switch (chance.nextInt(8)) {
            case 0 -> faults.add(new Fault(Fault.Kind.KILL, process, label, nth, 0));
            case 1 -> faults.add(new Fault(Fault.Kind.IO_ERROR, process, label, nth, 0));
            case 2, 3, 4 -> faults.add(new Fault(Fault.Kind.SHORT_WRITE, process, label, nth, 0));
            default -> {
                // Nothing goes wrong.
            }
        }
    }

    /** Threads hang while they count, or the process is killed there. */
    private static void addCounterFaults(SplittableRandom chance, int processes, List<Fault> faults) {
        int process = chance.nextInt(1, processes + 1);
        int kind = chance.nextInt(8);
        int nth = chance.nextInt(1, 100);
        if (kind == 0) {
            faults.add(new Fault(Fault.Kind.KILL, process, "count", nth, 0));
        }
        for (int i = kind == 1 ? chance.nextInt(1, 3) : 0; i > 0; i--) {
            faults.add(new Fault(Fault.Kind.HANG, process, "count", nth + i, 0));
        }
    }

    /** The wall clock is set by up to a second or up to a day, forwards or back. */
    private static Fault clockJump(SplittableRandom chance, int process) {
        long most = chance.nextBoolean() ? 1000 * MILLI : 86_400_000 * MILLI;
        return new Fault(Fault.Kind.CLOCK_JUMP, process, "", chance.nextInt(1, 400), chance.nextLong(-most, most));
    }

    /** Another daemon is started while a process receives, or ends. */
    private static Fault duplicateStart(SplittableRandom chance, int process) {
        String label =
                List.of("", "poll", "offer", "burst", "session-ended", "close").get(chance.nextInt(6));
        int most = label.isEmpty() ? 300 : OFTEN.contains(label) ? 12 : 1;
        return new Fault(
                Fault.Kind.DUPLICATE_START,
                process,
                label,
                chance.nextInt(1, most + 1),
                chance.nextInt(LifePlan.Shares.values().length));
    }

    /** A process that serves its result, or is about to, is killed. */
    private static Fault killWhileServing(SplittableRandom chance, int process) {
        String label = List.of("create .finished", "write .finished", "create done", "offer-last", "serve", "serve")
                .get(chance.nextInt(6));
        return new Fault(Fault.Kind.KILL, process, label, label.equals("serve") ? chance.nextInt(1, 5) : 1, 0);
    }

    /** A process is killed between the mark of its finished run and the fsync of it, and the power is cut while the next one serves the result. */
    private static void addLossOfMark(SplittableRandom chance, List<Fault> faults) {
        int nth = chance.nextInt(4) > 0 ? 2 : 3;
        faults.add(new Fault(Fault.Kind.KILL, 1, "force-folder run-", nth, 0));
        String label = chance.nextBoolean() ? "offer-last" : "serve";
        faults.add(new Fault(Fault.Kind.POWER_CUT, 2, label, 1, 0));
    }

    /** For some time the disk says that it has fsynced, and has not; the power is cut at the end of it, or later. */
    private static Fault lie(SplittableRandom chance, int process) {
        return new Fault(
                Fault.Kind.LYING_DISK, process, "force", chance.nextInt(1, 20), chance.nextLong(MILLI, 2000 * MILLI));
    }

    /** A write of the journal fails, and the power is cut some bursts later: what was written before the failure must be there. */
    private static void addFailureBeforePowerCut(SplittableRandom chance, int process, List<Fault> faults) {
        int write = chance.nextInt(2, 120);
        faults.add(new Fault(Fault.Kind.IO_ERROR, process, "write segment", write, 0));
        faults.add(new Fault(Fault.Kind.POWER_CUT, process, "burst", write + chance.nextInt(0, 40), 0));
    }

    private static Fault diskFault(SplittableRandom chance, int process) {
        if (chance.nextInt(5) == 0) {
            return new Fault(
                    Fault.Kind.DISK_FULL,
                    process,
                    "write",
                    chance.nextInt(1, 100),
                    chance.nextLong(MILLI, 2000 * MILLI));
        }
        if (chance.nextBoolean()) {
            String label = RARE_DISK.get(chance.nextInt(RARE_DISK.size()));
            return new Fault(Fault.Kind.IO_ERROR, process, label, nth(chance, label), 0);
        }
        String call = DISK[chance.nextInt(DISK.length)];
        return new Fault(Fault.Kind.IO_ERROR, process, call, chance.nextInt(1, 40), 0);
    }
}
