package io.metricsaggregator.it;

import java.io.IOException;
import org.junit.jupiter.api.Assumptions;

/** Access to strace, which shows the system calls of a process. */
final class Strace {
    private Strace() {}

    /** Skips the calling test with a printed reason if strace is missing or not permitted. */
    static void require() {
        try {
            if (new ProcessBuilder("strace", "-qq", "-o", "/dev/null", "true")
                            .start()
                            .waitFor()
                    == 0) {
                return;
            }
        } catch (IOException missing) {
            // The reason is printed below.
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        String reason = "no strace that may trace (install strace; a container needs SYS_PTRACE)";
        System.out.println("SKIPPED: " + reason);
        Assumptions.assumeTrue(false, reason);
    }
}
