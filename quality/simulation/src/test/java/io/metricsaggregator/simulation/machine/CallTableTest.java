package io.metricsaggregator.simulation.machine;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that {@link CallTable} knows each call of the daemon's modules that waits, starts a thread, reads a clock or draws chance. */
class CallTableTest {
    private static final JavaClasses DAEMON = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/simulation/"))
            .importPackages("io.metricsaggregator");

    private record Call(String in, String owner, String name, String descriptor) {
        boolean isKnown() {
            return !CallTable.isWatched(owner, name)
                    || CallTable.target(owner, name, descriptor) != null
                    || CallTable.notSimulated(in) != null;
        }

        @Override
        public String toString() {
            return in + " calls " + owner.replace('/', '.') + "." + name + descriptor;
        }
    }

    private static String descriptor(JavaClass type) {
        return type.reflect().descriptorString();
    }

    private static Call call(JavaClass from, AccessTarget.CodeUnitAccessTarget to) {
        String owner = to.getOwner().getName().replace('.', '/');
        if (!CallTable.isWatched(owner, to.getName())) {
            return new Call(from.getName(), owner, to.getName(), "");
        }
        String arguments = to.getRawParameterTypes().stream()
                .map(CallTableTest::descriptor)
                .collect(Collectors.joining("", "(", ")"));
        return new Call(from.getName(), owner, to.getName(), arguments + descriptor(to.getRawReturnType()));
    }

    private static Stream<Call> calls() {
        List<Call> calls = new ArrayList<>();
        for (JavaClass each : DAEMON) {
            for (JavaCodeUnit unit : each.getCodeUnits()) {
                unit.getAccessesFromSelf().stream()
                        .filter(access -> access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget)
                        .map(access -> call(each, (AccessTarget.CodeUnitAccessTarget) access.getTarget()))
                        .forEach(calls::add);
            }
        }
        return calls.stream();
    }

    @Test
    void each_call_that_waits_starts_reads_a_clock_or_draws_chance_is_replaced_or_in_a_class_that_no_life_reaches() {
        TreeSet<String> unknown = calls().filter(each -> !each.isKnown())
                .map(Call::toString)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(unknown)
                .as(
                        "calls that virtual time does not know: replace them in CallTable, or name their class there with a reason")
                .isEmpty();
    }

    @Test
    void each_class_that_no_life_reaches_has_such_a_call() {
        TreeSet<String> left = new TreeSet<>(CallTable.NOT_SIMULATED.keySet());
        calls().filter(each -> CallTable.isWatched(each.owner, each.name))
                .filter(each -> CallTable.target(each.owner, each.name, each.descriptor) == null)
                .forEach(each -> left.removeIf(start -> each.in.startsWith("io.metricsaggregator." + start)));
        assertThat(left)
                .as("classes of CallTable.NOT_SIMULATED without a call that is not replaced")
                .isEmpty();
    }
}
