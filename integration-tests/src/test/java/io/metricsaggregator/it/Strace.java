package io.metricsaggregator.it;

import java.io.IOException;
import org.junit.jupiter.api.Assumptions;

/** A program that sees the system calls of another. */
final class Strace {
    private Strace() {}

    /** Skips the test, and says so, where there is none that may trace. */
    static void require() {
        try {
            if (new ProcessBuilder("strace", "-qq", "-o", "/dev/null", "true")
                            .start()
                            .waitFor()
                    == 0) {
                return;
            }
        } catch (IOException missing) {
            // Said below.
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        String reason = "no strace that may trace (install strace; a container needs SYS_PTRACE)";
        System.out.println("SKIPPED: " + reason);
        Assumptions.assumeTrue(false, reason);
    }
}
